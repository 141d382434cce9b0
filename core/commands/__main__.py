"""The command line: ``workbench [--root DIR] [--json] COMMAND``. Heavy modules are imported when a command needs them,
so that ``workbench project list`` stays quick."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from core.commands import (
    ask,
    audit,
    claims,
    engine,
    expand,
    export,
    pages,
    projects,
    review,
    search,
    serve,
    source,
    sources,
    verify_pack,
    web,
)
from core.commands.console import FAILED, Session, session

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Gather sources, find the passage that answers, and see why it was found.",
)
app.add_typer(projects.projects, name="project")
app.add_typer(claims.claims, name="claims")
app.add_typer(review.review, name="review")
app.command("export")(export.export)
app.command("import")(projects.import_archive)
app.command("verify")(verify_pack.verify)
app.command("check")(projects.check)
app.command("add")(sources.add)
app.command("add-sitemap")(web.add_sitemap)
app.command("web")(web.web)
app.command("sources")(sources.sources)
app.command("source")(source.source)
app.command("jobs")(sources.jobs)
app.command("search")(search.search)
app.command("engine")(engine.engine)
app.command("expand")(expand.expand)
app.command("stats")(search.stats)
app.command("audit")(audit.audit)
app.command("ask")(ask.ask)
app.command("serve")(serve.serve)
app.command("app")(pages.pages)


@app.callback()
def options(
    context: typer.Context,
    root: Annotated[Path, typer.Option(envvar="WORKBENCH_ROOT", help="The folder of the projects.")] = Path("RESEARCH"),
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable output.")] = False,
) -> None:
    """Options of every command."""
    context.obj = Session(root, as_json)


@app.command("demo")
def demo(context: typer.Context) -> None:
    """Make the demo project, if it is not there yet, and wait until it is searchable."""
    from core.workbench.demo import ensure_demo

    run = session(context)
    typer.echo("The demo project: if it is not here yet, making it takes a minute or two.", err=True)
    with run.workbench() as workbench:
        project, is_new = ensure_demo(workbench)
        value = {"slug": project.slug, "name": project.name, "made": is_new}
        word = "Made" if is_new else "Already there:"
        run.show(value, lambda console: console.print(f"{word} {project.name} ({project.slug})", markup=False))


@app.command("models")
def models(context: typer.Context) -> None:
    """The models in use, where they come from, and whether they are there."""
    from core.backends.resolve import describe_models

    run = session(context)
    with run.workbench() as workbench:
        models = describe_models(workbench.settings.models)

    def tell(console: object) -> None:
        for model in models:
            print(
                f"{model.role:9} {model.name:28} {model.source}"
                + (f"\n          {model.problem}" if model.problem else "")
            )

    run.show(models, tell)


def main() -> None:
    """Entry point of the ``workbench`` script. ``--json`` may stand anywhere before a ``--``."""
    words = sys.argv[1:]
    options = words[: words.index("--")] if "--" in words else words
    if "--json" in options:
        words.remove("--json")
        words.insert(0, "--json")
    try:
        app(args=words, prog_name="workbench")
    except (OSError, UnicodeError) as error:  # the machine's refusals (names, discs, encodings), in one line
        print(f"workbench: {error}", file=sys.stderr)
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
