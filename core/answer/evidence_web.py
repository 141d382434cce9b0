"""Evidence from the web: search it, fetch the best pages through the normal intake, and search inside them. A hit is no
evidence until its page is stored: only then can its passages be shown and checked. Such pages wait to be accepted:
until then they are evidence of this answer and of nothing else."""

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
from core.records import FOR_ANSWER, Passage, SearchResult, WebHit, WebResult
from core.retrieve.encode import encode_left
from core.settings.values import Settings
from core.text.words import count_words
from core.web.search import LONGEST_QUERY, WebSearches

FETCHED = 3
"""Pages that are fetched for a question; each costs its site a request and this machine its encoding."""
TIME_S = 30.0
"""Seconds for fetching, reading and encoding all pages; later pages are left out."""
MOST_ENCODED = 400
"""Most waiting passages of the project that are encoded at once; with more, the new ones are found by words only."""

SEARCHES_MEMO = "web-searches-for-answers"
"""The note with a day and the number of searches made on it."""


@dataclass(frozen=True, slots=True)
class WebFound:
    """The passages of stored web pages, best first. ``web`` is None when the web was not searched; ``note`` is a
    sentence on the outcome."""

    web: WebResult | None = None
    passages: tuple[Passage, ...] = ()
    note: str = ""


class _TimeUp(JobCancelled):
    """The time for the web is over; the job goes on."""


def ask_web(
    question: str,
    web: WebSearches,
    within: Callable[[Sequence[str]], SearchResult],
    *,
    store: ProjectStore,
    engines: Engines,
    settings: Settings,
    progress: Progress,
    context: JobContext | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> WebFound:
    """The passages of web pages that were fetched now or stored before. ``within``: a search inside the given
    documents. Raises JobCancelled: the user asked to stop; pages stored so far stay."""
    why = web.why_off()
    if why:
        return WebFound(note=f"The web was not asked. {why}")
    job_context = context or _context(store, engines, settings)
    now = job_context.clock()
    if not _counted(store, settings.crag.web_searches, now):
        return WebFound(
            note=f"The web was not asked: it was asked {settings.crag.web_searches} times today for answers of this "
            "project, as often as the settings allow (crag.web_searches)."
        )
    progress(0, None, "Asking the web")
    try:
        result = web.search_now([" ".join(question.split())[:LONGEST_QUERY]], progress)
    except WebSearchError as error:
        _count(store, now, -1)
        return WebFound(note=f"The web was not asked. {error}")
    if all(outcome.state in _NOT_SENT for outcome in result.outcomes):
        _count(store, now, -1)
    if not result.hits:
        return WebFound(result, note=_without_hits(result))
    known = {hit.url: hit.document_id or _waiting(store, hit) for hit in result.hits}
    stored = [key for hit in result.hits[: 2 * FETCHED] if (key := known[hit.url])]
    wanted = [url for url in web.default_ticks(result, len(result.hits)) if not known[url]][:FETCHED]
    fresh, note = _brought_in(job_context, wanted, progress, monotonic() + TIME_S, monotonic)
    documents = list(dict.fromkeys([*stored, *fresh]))
    if not documents:
        return WebFound(result, note=f"The web has pages on this, but none could be stored. {note}".strip())
    progress(0, None, "Searching inside the web pages")
    passages = tuple(passage.passage for passage in within(documents).passages)
    count = f"{count_words(len(documents), 'web page')} {'was' if len(documents) == 1 else 'were'} looked through."
    return WebFound(result, passages, f"{count} {note}".strip())


_NOT_SENT = (ProviderState.OFF, ProviderState.NO_KEY, ProviderState.COOLDOWN)


def _counted(store: ProjectStore, most: int, now: datetime) -> bool:
    """True, and one search more of this day, while fewer than ``most`` were made for answers of the project. What then
    sends nothing is taken back; a process that dies in between leaves a search too many rather than too few."""
    return _count(store, now, 0) < most and _count(store, now, 1) > 0


def _count(store: ProjectStore, now: datetime, more: int) -> int:
    """The searches of this day, after ``more`` were added."""
    day, _, count = (store.memo(SEARCHES_MEMO) or "").partition(" ")
    made = int(count) if day == now.date().isoformat() and count.isdecimal() else 0
    if more:
        store.set_memo(SEARCHES_MEMO, f"{now.date().isoformat()} {max(0, made + more)}")
    return made + more


def _waiting(store: ProjectStore, hit: WebHit) -> str | None:
    """The id of the page of a hit that an earlier answer fetched and nobody has accepted."""
    page = store.by_url(hit.canonical_url) or store.by_url(hit.url)
    return page.id if page else None


def _without_hits(result: WebResult) -> str:
    if not result.failed:
        return "The web was asked and had no result. What the sources hold was kept."
    reasons = {outcome.message or f"{outcome.provider}: {outcome.state.value}" for outcome in result.outcomes}
    resting = all(outcome.state is ProviderState.COOLDOWN for outcome in result.outcomes)
    lead = "The web was not asked again so soon" if resting and result.outcomes else "The web could not be reached"
    return f"{lead}; what the sources hold was kept. {' '.join(sorted(reasons))}".strip()


def _context(store: ProjectStore, engines: Engines, settings: Settings) -> JobContext:
    def clock() -> datetime:
        return datetime.now(UTC)

    intake = Intake(store, engines.extractor(), Grader(None), settings.chunking, clock)
    return JobContext(store, engines, settings, clock, intake=intake)


def _brought_in(
    context: JobContext, urls: Sequence[str], progress: Progress, deadline: float, monotonic: Callable[[], float]
) -> tuple[list[str], str]:
    """The ids of the stored documents, and a sentence about pages that were not stored."""
    if not urls:
        return [], ""

    def timed(done: int, total: int | None, message: str = "") -> None:
        progress(0, None, f"Fetching web pages: {message}" if message else "Fetching web pages")
        if monotonic() > deadline:
            raise _TimeUp("The time for fetching web pages was over.")

    late = False
    try:
        rows = context.store.request(SourceKind.URL, [(url, None) for url in urls], FOR_ANSWER)
    except SourceError as error:
        return [], str(error)
    try:
        bring_in(context, [row.id for row in rows], timed)
        _encode(context, timed)
    except JobCancelled as stopped:
        _cancel_queued(context, [row.id for row in rows])
        if not isinstance(stopped, _TimeUp):
            raise
        late = True
    ended = [context.store.acquisition(row.id) for row in rows]
    documents = [row.document_id for row in ended if row.document_id]
    failed = [f"{row.origin}: {row.message or row.state.value}" for row in ended if not row.document_id]
    notes = [f"{count_words(len(failed), 'page')} could not be had ({'; '.join(failed)})."] if failed else []
    return list(dict.fromkeys(documents)), " ".join([*notes, *(["The time for the web was over."] if late else [])])


def _cancel_queued(context: JobContext, acquisitions: Sequence[int]) -> None:
    for number in acquisitions:
        if context.store.acquisition(number).state is FetchState.QUEUED:  # else it would be fetched some day
            context.store.finish_acquisition(number, FetchState.CANCELLED, "Stopped before it was read.")


def _encode(context: JobContext, progress: Progress) -> None:
    try:
        encoded, searchable = context.store.coverage(context.engines.encoder().fingerprint)
        if searchable - encoded <= MOST_ENCODED:
            encode_left(context.store, context.engines, progress)
    except ModelError:  # words find them
        return
