"""``workbench add``, ``sources``, ``jobs``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.errors import SourceError
from core.labels import FetchState, JobKind
from core.ports.context import acquisitions_of
from core.records import Acquisition, Document, Job
from core.text.urls import fetchable_url
from core.text.words import count_words

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject

ProjectSlug = Annotated[
    str, typer.Option("--project", "-p", envvar="WORKBENCH_PROJECT", help="The project's slug.", show_default=False)
]
LONGEST_PATH = 4096
Request = Callable[[], Job]


def add(
    context: typer.Context,
    project: ProjectSlug,
    sources: Annotated[
        list[str] | None,
        typer.Argument(help="Files, folders, web addresses, DOIs, arXiv ids, or - for text on standard input."),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of text that comes on standard input.")] = "",
    references: Annotated[
        list[Path] | None,
        typer.Option(
            help="Fetch what a BibTeX, RIS, EndNote, PubMed, CSL-JSON or sitemap file lists; may be repeated."
        ),
    ] = None,
) -> None:
    """Add sources, wait until they are read and encoded, and say what became of each. Exit code 1 when a source could
    not be had or read, or an entry of a list names none."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        if not sources and not references:
            raise SourceError("No source was given. Name files, folders, addresses, or a list with --references.")
        listed, unusable = _listed(opened, references or [])
        planned = [*_planned(opened, sources or [], title), *listed]  # all is looked at before anything is asked for
        earlier = {job.id for job in opened.jobs.all() if not job.state.active}
        ended = [carry_out(workbench, opened, job) for job in [request() for request in planned]]
        rows = rows_of(opened, ended)
        encoded, searchable = opened.coverage()
        problems = [*unusable, *errors_of(opened, ended, earlier)]
    value = {"sources": rows, "encoded": encoded, "searchable": searchable, "problems": problems}
    run.show(value, lambda console: _tell(console, rows, encoded, searchable, problems))
    if problems or any(row.state.failed or row.state is FetchState.CANCELLED for row in rows):
        raise typer.Exit(NEEDS_A_LOOK)


def errors_of(opened: OpenProject, started: list[Job], earlier: set[int]) -> list[str]:
    """The errors of jobs that a command started, and of the encoding that follows by itself. ``earlier`` names the jobs
    that had ended before: their errors were shown then."""
    mine = {job.id for job in started}
    return [
        job.error
        for job in opened.jobs.all()
        if job.error and (job.id in mine or (job.kind is JobKind.ENCODE and job.id not in earlier))
    ]


def _listed(opened: OpenProject, files: list[Path]) -> tuple[list[Request], list[str]]:
    """The request for what lists of references name, and a sentence for each entry that names nothing."""
    if not files:
        return [], []
    from core.acquire.references import References

    read: list[References] = []
    for path in files:
        if not path.is_file():
            raise SourceError(
                f"{path} is not a file. Give the path of a BibTeX, RIS, EndNote, PubMed, CSL-JSON or sitemap file."
            )
        read.append(opened.references.read_file(path.name, _bytes(path)))
    unusable = tuple(entry for references in read for entry in references.unusable)
    both = References(tuple(reference for references in read for reference in references.usable), unusable)
    opened.references.check([reference.url for reference in both.usable], both)
    return [lambda: opened.references.add(both)], [f"{entry}." for entry in unusable]


def _planned(opened: OpenProject, sources: list[str], title: str) -> list[Request]:
    """The requests for sources, each of which is read or checked already. Raises SourceError: one of them is nothing
    that can be added; nothing is asked for then."""
    planned: list[Request] = []
    urls: list[str] = []
    files: list[tuple[str, bytes, str]] = []
    for source in sources:
        if not source.strip() or len(os.fsencode(source)) > LONGEST_PATH:
            raise SourceError("One of the sources is an empty or endless name. Was a shell variable not set?")
        if source == "-":
            planned.append(_of_standard_input(opened, title))
        elif source.lower().startswith(("http://", "https://")):
            urls.append(fetchable_url(source))
        else:
            try:
                planned += _of_path(opened, source, files)
            except (OSError, ValueError) as error:
                raise SourceError(
                    f"{source[:200]} cannot be read: {getattr(error, 'strerror', None) or error}."
                ) from error
    if files:
        planned.append(lambda: opened.sources.add_files(files))
    if urls:
        planned.append(lambda: opened.sources.add_urls(urls))
    return planned


def _of_standard_input(opened: OpenProject, title: str) -> Request:
    body = sys.stdin.buffer.read()
    if not body.strip():
        raise SourceError("Standard input (-) is empty. Pipe the text of a source into this command.")
    return lambda: opened.sources.add_text(title, body)


def _of_path(opened: OpenProject, name: str, files: list[tuple[str, bytes, str]]) -> list[Request]:
    """The request for what a name stands for; files are put with the others, to be asked for together."""
    path = Path(name)
    if not path.exists() and (named := opened.references.read_text(name)).usable:
        return [lambda: opened.references.add(named)]
    if path.is_dir():
        from core.acquire.intake import readable_files

        readable_files(path, opened.settings.parsing.max_bytes)
        return [lambda: opened.sources.add_folder(path)]
    if not path.is_file():
        raise SourceError(
            f"{name} is no file, folder, web address, DOI or arXiv id. Check the spelling; a web address starts "
            "with https://."
        )
    files.append((path.name, path.read_bytes(), ""))
    return []


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error


def rows_of(opened: OpenProject, jobs: list[Job]) -> list[Acquisition]:
    """The requests that these jobs were to bring in."""
    mine = {key for job in jobs for key in acquisitions_of(job)}
    return [row for row in opened.sources.acquisitions() if row.id in mine]


def _tell(console: Console, rows: list[Acquisition], encoded: int, searchable: int, problems: list[str]) -> None:
    for row in rows:
        console.print(
            f"{row.state.value:18} {row.origin or 'pasted text'}" + (f"\n{'':18} {row.message}" if row.message else ""),
            markup=False,
        )
    console.print(f"{count_words(searchable, 'passage')} searchable by words, {encoded:,} of them by meaning.")
    for problem in problems:
        console.print(problem, markup=False)


def sources(context: typer.Context, project: ProjectSlug) -> None:
    """List the stored documents."""
    run = session(context)
    with run.workbench() as workbench:
        documents = workbench.open(project).sources.documents(waiting=True)
    run.show([brief(document) for document in documents], lambda console: _documents(console, documents))


def brief(document: Document) -> dict[str, object]:
    return {"id": document.id, "title": document.title, "grade": document.grade_in_force,
            "url": document.canonical_url, "filename": document.filename, "passages": document.passage_count,
            "published": document.published, "fetched": document.fetched, "language": document.language,
            "near_duplicate_of": document.near_duplicate_of, "content_hash": document.content_hash,
            "accepted": document.accepted, "authors": document.authors, "mended": document.mended}  # fmt: skip


def _documents(console: Console, documents: list[Document]) -> None:
    if not documents:
        console.print("No document yet. Add one: workbench add -p PROJECT FILE")
        return
    table = Table("id", "grade", "title", "passages", "from")
    for document in documents:
        origin = document.canonical_url or document.filename or "pasted"
        origin += "" if document.accepted else " (for an answer; not accepted)"
        grade = document.grade_in_force
        table.add_row(document.id, grade.value, Text(document.title), str(document.passage_count), Text(origin))
    console.print(table)


def jobs(context: typer.Context, project: ProjectSlug) -> None:
    """List jobs, newest first."""
    run = session(context)
    with run.workbench() as workbench:
        rows = workbench.open(project).jobs.all()

    def tell(console: Console) -> None:
        for job in rows:
            share = "" if job.total is None else f"{job.done}/{job.total}"
            console.print(
                f"{job.id:5} {job.kind.value:8} {job.state.value:10} {share:9} {job.error or job.message}", markup=False
            )

    run.show(rows, tell)
