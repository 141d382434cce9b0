"""``workbench web`` and ``add-sitemap``: what the web has on a question, and whole sites as sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug, errors_of, rows_of
from core.errors import SourceError
from core.labels import JobState
from core.web.wording import STORED, headline, hit_row, provider_lines

if TYPE_CHECKING:
    from core.records import Acquisition, WebResult
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench


def web(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help="A question, or several: each is one argument.")],
    project: ProjectSlug,
    fetch: Annotated[int, typer.Option(min=0, help="Fetch so many of the best that are not in the project.")] = 0,
    provider: Annotated[list[str] | None, typer.Option(help="Ask this provider; may be given several times.")] = None,
    results: Annotated[int | None, typer.Option(help="Results of each provider for each question.")] = None,
) -> None:
    """Search the web, if that is switched on in the settings; say what became of each provider. Exit code 1 when no
    provider answered, or a page to fetch could not be had."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        job = carry_out(workbench, opened, opened.web.start(query, provider, results))
        if job.state is not JobState.DONE:
            run.fail(job.error or "The search was stopped.", kind="WebSearchError")
        result = opened.web.result(job.id)
        fetched = _fetch(workbench, opened, result, fetch) if fetch else []
        result = opened.web.result(job.id)
        titles = {info.name: info.title for info in opened.web.providers()}
    value = {"job": job.id, "failed": result.failed, "hits": result.hits, "providers": result.outcomes,
             "notes": result.notes, "fetched": fetched}  # fmt: skip
    run.show(value, lambda console: _tell(console, result, titles, fetched))
    if result.failed or any(row.state.failed for row in fetched):
        raise typer.Exit(NEEDS_A_LOOK)


def _fetch(workbench: Workbench, opened: OpenProject, result: WebResult, count: int) -> list[Acquisition]:
    urls = opened.web.default_ticks(result, count)
    if not urls:
        return []
    job = carry_out(workbench, opened, opened.web.fetch(urls))
    if job.state is not JobState.DONE:
        raise SourceError(job.error or "Fetching was stopped.")
    return rows_of(opened, [job])


def _tell(console: Console, result: WebResult, titles: dict[str, str], fetched: list[Acquisition]) -> None:
    console.print(headline(result), markup=False)
    for number, hit in enumerate(result.hits, start=1):
        row = hit_row(hit, titles)
        console.print(f"{number:3} {row.title}" + (f"  [{STORED}]" if row.note else ""), markup=False)
        facts = " · ".join(filter(None, [hit.url, row.by, row.published, row.found_by]))
        console.print(f"    {facts}", markup=False)
    for line in provider_lines(result.outcomes, titles):
        console.print(" ".join([f"{line.title}: {line.words}.", *line.details]), markup=False)
    for note in result.notes:
        console.print(note, markup=False)
    for fetch in fetched:
        console.print(f"{fetch.state.value:18} {fetch.origin} {fetch.message}".rstrip(), markup=False)


def add_sitemap(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="The address of a site, or of one of its sitemaps.")],
    project: ProjectSlug,
    most: Annotated[int, typer.Option(help="Fetch at most so many pages (1 to 1,000).")] = 100,
) -> None:
    """Add the pages that a site lists in its sitemaps, and wait until they are read. Exit code 1 when a page could not
    be had, or part of the sitemaps was left out."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        earlier = {job.id for job in opened.jobs.all() if not job.state.active}
        job = carry_out(workbench, opened, opened.references.add_sitemap(url, most=most))
        if job.state is not JobState.DONE:
            run.fail(job.error or "Reading the sitemap was stopped.", kind="SourceError")
        number = job.result.get("job")
        started = [opened.jobs.get(number)] if isinstance(number, int) else []
        rows = rows_of(opened, started)
        problems = [*map(str, _listed(job.result.get("problems"))), *errors_of(opened, started, earlier)]

    def tell(console: Console) -> None:
        for row in reversed(rows):
            console.print(f"{row.state.value:18} {row.origin} {row.message}".rstrip(), markup=False)
        for problem in problems:
            console.print(problem, markup=False)

    run.show({"sources": rows, "problems": problems}, tell)
    if problems or any(row.state.failed for row in rows):
        raise typer.Exit(NEEDS_A_LOOK)


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []
