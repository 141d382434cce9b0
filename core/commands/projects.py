"""``workbench project …`` and ``import``."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.commands.console import NEEDS_A_LOOK, session
from core.records import Project, ProjectSummary

projects = typer.Typer(no_args_is_help=True, help="Make, list, rename, archive, copy and delete projects.")

Slug = Annotated[str, typer.Argument(help="The project's slug, as `workbench project list` shows it.")]


def _fields(project: Project) -> dict[str, object]:
    return {"id": project.id, "name": project.name, "slug": project.slug, "path": project.path,
            "archived": project.archived, "demo": project.demo}  # fmt: skip


def _table(console: Console, summaries: list[ProjectSummary]) -> None:
    if not summaries:
        console.print("No project yet. Make one: workbench project create NAME, or see the demo: workbench demo")
        return
    table = Table("slug", "name", "documents", "passages", "MB", "state")
    for summary in summaries:
        state = summary.problem or ("archived" if summary.project.archived else "demo" if summary.project.demo else "")
        size = f"{summary.bytes_on_disk / 1e6:.1f}"
        table.add_row(
            Text(summary.project.slug),
            Text(summary.project.name),
            str(summary.documents),
            str(summary.passages),
            size,
            Text(state),
        )
    console.print(table)


@projects.command("list")
def list_projects(
    context: typer.Context, archived: Annotated[bool, typer.Option(help="Also those put away.")] = False
) -> None:
    """List projects."""
    run = session(context)
    with run.workbench() as workbench:
        summaries = workbench.projects(archived=archived)
        run.show(summaries, lambda console: _table(console, summaries))


@projects.command("create")
def create(context: typer.Context, name: Annotated[str, typer.Argument(help="A name in your own words.")]) -> None:
    """Make a project."""
    run = session(context)
    with run.workbench() as workbench:
        project = workbench.create(name)
        run.show(
            _fields(project), lambda console: console.print(f"Made {project.slug} in {project.path}", markup=False)
        )


@projects.command("rename")
def rename(context: typer.Context, slug: Slug, name: str) -> None:
    """Give a project another name; its slug stays."""
    run = session(context)
    with run.workbench() as workbench:
        project = workbench.rename(slug, name)
        run.show(_fields(project), lambda console: console.print(f"{slug} is now called {name}", markup=False))


@projects.command("archive")
def archive(
    context: typer.Context, slug: Slug, back: Annotated[bool, typer.Option("--back", help="Bring it back.")] = False
) -> None:
    """Put a project away, or bring it back."""
    run = session(context)
    with run.workbench() as workbench:
        project = workbench.archive(slug, not back)
        word = "brought back" if back else "put away"
        run.show(_fields(project), lambda console: console.print(f"{slug} is {word}", markup=False))


@projects.command("duplicate")
def duplicate(context: typer.Context, slug: Slug, name: str) -> None:
    """Copy a project under another name."""
    run = session(context)
    with run.workbench() as workbench:
        project = workbench.duplicate(slug, name)
        run.show(_fields(project), lambda console: console.print(f"Copied to {project.slug}", markup=False))


@projects.command("delete")
def delete(
    context: typer.Context,
    slug: Slug,
    confirm: Annotated[str, typer.Option(help="The project's name, typed again: there is no way back.")],
) -> None:
    """Delete a project for good."""
    run = session(context)
    with run.workbench() as workbench:
        workbench.delete(slug, confirm=confirm)
        run.show({"deleted": slug}, lambda console: console.print(f"Deleted {slug}", markup=False))


def import_archive(
    context: typer.Context,
    archive: Annotated[Path, typer.Argument(help="A zip that `workbench export` wrote.")],
    name: Annotated[str | None, typer.Option(help="Another name for the project.")] = None,
) -> None:
    """Take a project zip or an audit pack in; it is checked first and refused when it breaks a rule. Exit code 1 when
    it was taken in, but something in the pack differs from what `workbench verify` finds."""
    from core.pack.check import import_checked

    run = session(context)
    with run.workbench() as workbench:
        project = import_checked(workbench, archive, name=name)
        opened = workbench.open(project.slug)
        for line in opened.import_notes():
            typer.echo(f"Warning: {line}", err=True)
        differing = opened.import_differences()
        for line in differing:
            typer.echo(f"Taken in, but: {line}", err=True)
        run.show(_fields(project), lambda console: console.print(f"Imported as {project.slug}", markup=False))
        if differing:
            raise typer.Exit(NEEDS_A_LOOK)


def check(context: typer.Context, slug: Slug) -> None:
    """Compare everything that a project stores with its hashes: texts, passages, files, reports, decisions. Exit code 0
    when all is whole, 1 when something differs."""
    run = session(context)
    with run.workbench() as workbench:
        problems = workbench.open(slug).context.store.problems()
    run.show(
        {"project": slug, "sound": not problems, "problems": problems},
        lambda console: console.print(
            "\n".join(problems) if problems else "Sound: everything matches its hash.", markup=False
        ),
    )
    if problems:
        raise typer.Exit(NEEDS_A_LOOK)
