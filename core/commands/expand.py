"""``workbench expand``: the variants of a question, and what each of them brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from core.commands.console import Session, carry_out, session
from core.commands.sources import ProjectSlug
from core.errors import JobError
from core.expand.question import counted
from core.labels import JobState, QueryKind
from core.records import ExpandedSearch, Expansion, SearchRequest

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

BY_RULES = frozenset({QueryKind.TRANSFORM, QueryKind.FEEDBACK})
CHOICES = ("transform", "feedback", "multi_query", "hyde")


def expand(
    context: typer.Context,
    project: ProjectSlug,
    question: Annotated[list[str] | None, typer.Argument(help="One or more questions.")] = None,
    kinds: Annotated[str, typer.Option(help=f"By comma, of {', '.join(CHOICES)}.")] = "transform,feedback",
    file: Annotated[Path | None, typer.Option(help="A file with one question a line.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=200, help="Passages that each variant may bring.")] = 10,
    run: Annotated[bool, typer.Option(help="Search with the variants and say what each one brings.")] = True,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before calls that cost money.")] = False,
) -> None:
    """Show the variants of a question and which new passages each brings."""
    here = session(context)
    wanted = _kinds(here, kinds)
    questions = [*(question or ()), *_of_file(here, file)]
    if not questions:
        here.fail("Give a question, or --file with one a line.", kind="usage")
    with here.workbench() as workbench:
        opened = workbench.open(project)
        expansions = _expand(here, workbench, opened, questions, wanted, yes)
        request = SearchRequest((), k=k, depth=workbench.settings.retrieval.depth)
        searches = [
            opened.lab.run(expansion, request) if run and expansion.variants else None for expansion in expansions
        ]
    shown = list(zip(expansions, searches, strict=True))
    here.show([_plain(expansion, search) for expansion, search in shown], lambda console: _tell(console, shown))


def _kinds(here: Session, kinds: str) -> frozenset[QueryKind]:
    names = [name.strip() for name in kinds.split(",") if name.strip()]
    if unknown := [name for name in names if name not in CHOICES]:
        here.fail(f"There is no kind of variant named {unknown[0]!r}. There are {', '.join(CHOICES)}.", kind="usage")
    return frozenset(map(QueryKind, names))


def _of_file(here: Session, file: Path | None) -> list[str]:
    if file is None:
        return []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        here.fail(f"{file} cannot be read as text: {error}.", kind="usage")
    return [line.strip() for line in lines if line.strip()]


def _expand(
    here: Session,
    workbench: Workbench,
    opened: OpenProject,
    questions: list[str],
    kinds: frozenset[QueryKind],
    yes: bool,
) -> list[Expansion]:
    lab = opened.lab
    if len(questions) == 1 and kinds <= BY_RULES and not workbench.settings.expansion.transform_llm:
        return [lab.expand(questions[0], kinds)]
    estimate = lab.estimate(questions, kinds)
    if estimate is not None and not yes:
        cost = "an unknown sum" if estimate.cost_usd is None else f"at most ${estimate.cost_usd:.4f}"
        if here.as_json or not typer.confirm(f"This asks {estimate.model} and costs {cost}. Go on?", err=True):
            here.fail(f"Nothing was sent. It would cost {cost} ({estimate.model}); --yes goes on.", kind="usage")
    job = carry_out(workbench, opened, lab.start_expand(questions, kinds))
    if job.state is not JobState.DONE:
        raise JobError(job.error or f"The job is {job.state.value}.")
    return lab.expanded(job.id)


def _plain(expansion: Expansion, search: ExpandedSearch | None) -> dict[str, object]:
    brought = {row.variant: row for row in search.yields} if search else {}
    variants = [{"variant": variant, "brings": brought.get(variant.key)} for variant in expansion.variants]
    return {"question": expansion.question, "variants": variants, "notes": expansion.notes}


def _tell(console: Console, shown: list[tuple[Expansion, ExpandedSearch | None]]) -> None:
    for expansion, search in shown:
        console.print(Text(expansion.question, style="bold"), soft_wrap=True)
        brought = {row.variant: row for row in search.yields} if search else {}
        for variant in expansion.variants:
            console.print(Text(f"  {variant.key:22} {counted(variant.text)}"), soft_wrap=True)
            console.print(Text(f"  {'':22} {variant.why}", style="dim"), soft_wrap=True)
            if row := brought.get(variant.key):
                new = f"{len(row.new_passages)} new passages, {len(row.new_documents)} new documents"
                console.print(Text(f"  {'':22} finds {row.passages}: {new}", style="dim"), soft_wrap=True)
        for note in (*expansion.notes, *(search.result.notes if search else ())):
            console.print(Text(f"  {note}", style="italic"), soft_wrap=True)
