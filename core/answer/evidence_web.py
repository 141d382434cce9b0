"""The web as a source of evidence: search it, fetch the best pages through the normal intake, search inside them.

A hit is no evidence until its page is stored: only then can a passage of it be shown and checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.acquire.bring_in import bring_in
from core.acquire.grade import Grader
from core.acquire.intake import Intake
from core.errors import JobCancelled, ModelError, SourceError, WebSearchError
from core.labels import FetchState, ProviderState, SourceKind
from core.ports.context import JobContext
from core.ports.engines import Engines
from core.ports.store import Progress, ProjectStore
from core.records import Passage, SearchResult, WebResult
from core.retrieve.encode import encode_left
from core.settings.values import Settings
from core.web.search import LONGEST_QUERY, WebSearching

FETCHED = 3
"""Pages brought in for one question; each costs its site a request and this machine its encoding."""
TIME_S = 30.0
"""For fetching, reading and encoding them together; what is not there by then is left out."""
MOST_ENCODED = 400
"""Passages that are encoded at once; with more waiting in the project, words alone find the new ones for now."""


@dataclass(frozen=True, slots=True)
class WebFound:
    """``passages`` of stored web pages, best first; ``web`` None when nobody was asked; ``note`` says what became of
    it."""

    web: WebResult | None = None
    passages: tuple[Passage, ...] = ()
    note: str = ""


class _TimeUp(JobCancelled):
    """The time for the web is over; the job goes on."""


def ask_web(
    question: str,
    web: WebSearching,
    within: Callable[[Sequence[str]], SearchResult],
    *,
    store: ProjectStore,
    engines: Engines,
    settings: Settings,
    progress: Progress,
    context: JobContext | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> WebFound:
    """Passages of web pages that were found, fetched and stored now, or were stored before.

    Args:
        within: searches inside the documents given.

    Raises:
        JobCancelled: the user asked to stop; pages stored so far stay.
    """
    why = web.why_off()
    if why:
        return WebFound(note=f"The web was not asked. {why}")
    progress(0, None, "Asking the web")
    try:
        found = web.search_now([" ".join(question.split())[:LONGEST_QUERY]], progress)
    except WebSearchError as error:
        return WebFound(note=f"The web was not asked. {error}")
    if not found.hits:
        return WebFound(found, note=_without_hits(found))
    stored = [hit.document_id for hit in found.hits[: 2 * FETCHED] if hit.document_id]
    wanted = [hit.url for hit in found.hits if not hit.document_id][:FETCHED]
    made = context or _context(store, engines, settings)
    fresh, note = _brought_in(made, wanted, progress, monotonic() + TIME_S, monotonic)
    documents = list(dict.fromkeys([*stored, *fresh]))
    if not documents:
        return WebFound(found, note=f"The web has pages on this, but none could be stored. {note}".strip())
    progress(0, None, "Searching inside the web pages")
    passages = tuple(passage.passage for passage in within(documents).passages)
    told = f"{_count(len(documents), 'web page')} looked through."
    return WebFound(found, passages, f"{told} {note}".strip())


def _without_hits(found: WebResult) -> str:
    if not found.failed:
        return "The web was asked and had no result. What the sources hold was kept."
    said = {outcome.message or f"{outcome.provider}: {outcome.state.value}" for outcome in found.outcomes}
    resting = all(outcome.state is ProviderState.COOLDOWN for outcome in found.outcomes)
    lead = "The web was not asked again so soon" if resting and found.outcomes else "The web could not be reached"
    return f"{lead}; what the sources hold was kept. {' '.join(sorted(said))}".strip()


def _context(store: ProjectStore, engines: Engines, settings: Settings) -> JobContext:
    def clock() -> datetime:
        return datetime.now(UTC)

    intake = Intake(store, engines.extractor(), Grader(None), settings.chunking, clock)
    return JobContext(store, intake, engines, settings, clock)


def _brought_in(
    context: JobContext, urls: Sequence[str], progress: Progress, deadline: float, monotonic: Callable[[], float]
) -> tuple[list[str], str]:
    """Ids of the documents stored, and a sentence about those that were not."""
    if not urls:
        return [], ""

    def timed(done: int, total: int | None, message: str = "") -> None:
        progress(0, None, f"Fetching web pages: {message}" if message else "Fetching web pages")
        if monotonic() > deadline:
            raise _TimeUp("The time for fetching web pages was over.")

    late = False
    try:
        rows = context.store.request(SourceKind.URL, [(url, None) for url in urls])
    except SourceError as error:
        return [], str(error)
    try:
        bring_in(context, [row.id for row in rows], timed)
        _encode(context, timed)
    except JobCancelled as stopped:
        for row in rows:
            if context.store.acquisition(row.id).state is FetchState.QUEUED:  # else it would be fetched some day
                context.store.finish_acquisition(row.id, FetchState.CANCELLED, "Stopped before it was read.")
        if not isinstance(stopped, _TimeUp):
            raise
        late = True
    ended = [context.store.acquisition(row.id) for row in rows]
    documents = [one.document_id for one in ended if one.document_id]
    failed = [f"{one.origin}: {one.message or one.state.value}" for one in ended if not one.document_id]
    said = [f"{_count(len(failed), 'page')} could not be had ({'; '.join(failed)})."] if failed else []
    return list(dict.fromkeys(documents)), " ".join([*said, *(["The time for the web was over."] if late else [])])


def _encode(context: JobContext, progress: Progress) -> None:
    try:
        encoded, searchable = context.store.coverage(context.engines.encoder().fingerprint)
        if searchable - encoded <= MOST_ENCODED:
            encode_left(context.store, context.engines, progress)
    except ModelError:  # words find them
        return


def _count(number: int, name: str) -> str:
    return f"1 {name} was" if number == 1 else f"{number} {name}s were"
