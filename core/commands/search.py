"""``workbench search`` and ``workbench stats``."""

from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from core.commands.console import session
from core.commands.sources import ProjectSlug
from core.labels import Grade
from core.records import Filters, Query, ScoredPassage, SearchRequest, SearchResult, StageSwitches, Statistics


def search(
    context: typer.Context,
    project: ProjectSlug,
    question: Annotated[str, typer.Argument(help="A question, a claim, or a few words.")],
    k: Annotated[
        int | None, typer.Option("-k", min=1, max=200, help="How many passages (else as the settings say).")
    ] = None,
    grade: Annotated[Grade | None, typer.Option(help="Minimum quality grade.")] = None,
    since: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Published on or after.")] = None,
    until: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Published on or before.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Only this language (may be repeated).")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only documents with this tag (may be repeated).")] = None,
    document: Annotated[list[str] | None, typer.Option(help="Only this document id (may be repeated).")] = None,
    words_only: Annotated[bool, typer.Option("--words-only", help="Keyword search alone; loads no model.")] = False,
    rerank: Annotated[bool, typer.Option("--rerank", help="Let the cross-encoder reorder the best.")] = False,
) -> None:
    """Find the passages that answer, best first."""
    run = session(context)
    filters = Filters(
        min_grade=grade, documents=tuple(document or ()), languages=tuple(language or ()), tags=tuple(tag or ()),
        published_from=since.date() if since else None, published_to=until.date() if until else None,
    )  # fmt: skip
    stages = StageSwitches(dense=not words_only, late_interaction=not words_only, mmr=not words_only, rerank=rerank)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        settings = opened.settings.retrieval
        count = k or settings.k
        request = SearchRequest((Query(question),), filters, stages, k=count, depth=max(settings.depth, count))
        result = opened.search(request)
        if rerank:
            result = opened.rerank(result)
    run.show(_plain(result), lambda console: _tell(console, result))


def _plain(result: SearchResult) -> dict[str, object]:
    """The result for machines: each passage with the document it stands in, without the unranked candidates."""
    passages = [
        {
            "rank": passage.rank, "score": passage.score, "passage": passage.passage,
            "excerpts": passage.excerpts, "trail": passage.trail,
            "document": {"id": passage.document.id, "title": passage.document.title,
                         "url": passage.document.canonical_url,
                         "filename": passage.document.filename, "published": passage.document.published,
                         "grade": passage.document.grade_in_force},
        }
        for passage in result.passages
    ]  # fmt: skip
    return {"passages": passages, "notes": result.notes, "searchable": result.searchable, "encoded": result.encoded,
            "cached": result.cached, "reranked": result.reranked, "timings_ms": result.timings,
            "fingerprint": result.fingerprint}  # fmt: skip


def _tell(console: Console, result: SearchResult) -> None:
    for note in result.notes:
        console.print(Text(note, style="italic"))
    if not result.passages:
        console.print("Nothing found. Try other words, a lower minimum grade, or add sources.")
    for passage in result.passages:
        console.print(_heading(passage))
        for excerpt in passage.excerpts:
            line = Text(excerpt.text.strip().replace("\n", " "))
            console.print(line, "")


def _heading(scored: ScoredPassage) -> Text:
    grade = scored.document.grade_in_force
    page = f", page {scored.passage.page}" if scored.passage.page else ""
    return Text(
        f"{scored.rank}. {scored.document.title} (grade {grade.value}{page}, score {scored.score:.4f})", style="bold"
    )


def stats(context: typer.Context, project: ProjectSlug) -> None:
    """Counts, query statistics and latencies of a project."""
    run = session(context)
    with run.workbench() as workbench:
        statistics = workbench.open(project).statistics()
    run.show(statistics, lambda console: _statistics(console, statistics))


def _statistics(console: Console, statistics: Statistics) -> None:
    console.print(f"documents            {statistics.documents}")
    console.print(f"passages             {statistics.passages} ({statistics.encoded} searchable by meaning)")
    console.print(
        f"queries              {statistics.total_queries} ({statistics.zero_result_queries} without a result)"
    )
    console.print(f"results per query    {statistics.avg_results_per_query:.1f}")
    console.print(f"answered from cache  {statistics.cache_hit_rate:.0%}")
    console.print(f"on disk              {statistics.bytes_on_disk / 1e6:.1f} MB")
    for stage, (p50, p95) in statistics.latency.items():
        console.print(f"{stage:20} median {p50:.0f} ms, 95 % within {p95:.0f} ms")
