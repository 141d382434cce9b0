"""``workbench source``: what a person knows better of one stored document than the rules, or the file itself."""

from datetime import date
from typing import Annotated

import typer
from rich.console import Console

from core.commands.console import session
from core.commands.sources import ProjectSlug, brief
from core.errors import SourceError
from core.labels import Grade
from core.records import Document

UNKNOWN = "unknown"


def source(
    context: typer.Context,
    document: Annotated[str, typer.Argument(help="The document's id, as `workbench sources` lists it.")],
    project: ProjectSlug,
    grade: Annotated[Grade | None, typer.Option(help="Grade by hand; needs --reason.")] = None,
    reason: Annotated[str, typer.Option(help="Why the grade should be this one; it is kept.")] = "",
    title: Annotated[str | None, typer.Option(help="The right title.")] = None,
    author: Annotated[list[str] | None, typer.Option(help="A right author; may be given several times.")] = None,
    published: Annotated[str | None, typer.Option(help="The right date (YYYY-MM-DD), or unknown.")] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Take in a page that was fetched for an answer only.")
    ] = False,
) -> None:
    """Grade or correct a stored document, or accept it, and show it. Corrections are used in matching citations and
    hold when the source is read again."""
    from core.acquire.sources import changed

    run = session(context)
    corrections: dict[str, object] = {} if title is None else {"title": title}
    if author:
        corrections["authors"] = tuple(author)
    with run.workbench() as workbench:
        if published is not None:
            corrections["published"] = _day(published)
        opened = workbench.open(project)
        stored = changed(opened.sources, document, corrections, grade=grade, reason=reason, accept=accept)
    run.show(brief(stored), lambda console: _tell(console, stored))


def _day(text: str) -> date | None:
    if text == UNKNOWN:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SourceError(f"{text[:60]!r} is no date. Write it as 2021-05-31, or {UNKNOWN}.") from None


def _tell(console: Console, document: Document) -> None:
    by_hand = " (by hand)" if document.grade_override else ""
    console.print(f"{document.id}  {document.title}", markup=False)
    console.print(f"grade {document.grade_in_force.value}{by_hand}; authors {'; '.join(document.authors) or '-'}; "
                  f"published {document.published or '-'}", markup=False)  # fmt: skip
    if document.mended:
        console.print(f"corrected by hand: {', '.join(document.mended)}", markup=False)
    if not document.accepted:
        console.print("Fetched for an answer; not accepted as a source yet (--accept).")
