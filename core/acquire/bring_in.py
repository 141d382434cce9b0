"""Bringing requested sources in: read or fetch each, store it, and record its outcome.

A page that is gone is taken from the Internet Archive instead, and said so (only where ``web.wayback`` is set).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.backends.web.failures import ProviderFailed
from core.errors import BlobMissing, FetchFailed, JobCancelled, SettingsError, SourceError, UnreadableSource
from core.labels import FetchState, SourceKind
from core.ports.context import JobContext, schedule_encoding
from core.ports.store import Progress
from core.records import FOR_ANSWER, Acquisition, Document, Fetched
from core.web.run import CALLS_FOR_ONE, cool_down, cooling

DEAD = frozenset({FetchState.NOT_FOUND, FetchState.GONE, FetchState.DNS_FAILURE})
"""Failures that an archive can help against, or show that the page never was there."""
_NAME = "wayback"


@dataclass(frozen=True, slots=True)
class Archived:
    """A copy from the archive, or None. ``note`` is the document's warning, or the reason why there is no copy;
    ``unseen``: the archive answered that it has none."""

    copy: Fetched | None
    note: str
    unseen: bool = False


def archived_copy(context: JobContext, url: str, failure: FetchFailed) -> Archived | None:
    """The newest archived copy of ``url``; None when the archive is switched off or could not help.

    The copy keeps the page's own address, so that citations of it are found; the archive's is among the seen ones.
    """
    if failure.state not in DEAD:
        return None
    try:
        archive = context.engines.archive()
        if archive is None:
            return None
        resting = cooling(context.store, _NAME, context.clock())
        if resting is not None:
            return Archived(None, f"The Internet Archive was not asked for a copy: {resting[1]}")
        snapshot = archive.closest(url)
        if snapshot is None:
            unseen = failure.state is not FetchState.GONE  # which says that it was there
            return Archived(None, "The Internet Archive has no copy of it.", unseen)
        copy = context.engines.fetcher().fetch(snapshot.url)
    except ProviderFailed as error:
        pause = max(context.settings.web.cooldown_s, error.retry_after or 0.0)
        if error.state in CALLS_FOR_ONE and pause > 0:  # else every dead link of a long list would wait for it
            cool_down(context.store, _NAME, context.clock(), pause, str(error))
        return Archived(None, f"No copy from the Internet Archive either: {error}")
    except (SettingsError, FetchFailed) as error:
        return Archived(None, f"No copy from the Internet Archive either: {error}")
    seen = tuple(dict.fromkeys((url, snapshot.url, *copy.seen_urls)))
    day = f"{snapshot.taken:%Y-%m-%d}"
    note = f"This is a copy of {day} from the Internet Archive ({snapshot.url}). The page itself: {failure}"
    return Archived(replace(copy, url=url, final_url=None, seen_urls=seen), note)


def bring_in(context: JobContext, acquisitions: Sequence[int], progress: Progress) -> Mapping[str, object]:
    """Read or fetch, and store, the requests that still wait. Returns the number of requests in each state.

    A job of encoding is scheduled whatever happens.

    Raises:
        JobCancelled: the user stopped it; the requests that were not reached are marked as cancelled.
    """
    store = context.store
    wanted = [store.acquisition(key) for key in acquisitions]
    todo = [item for item in wanted if item.state is FetchState.QUEUED]
    done = len(wanted) - len(todo)
    progress(done, len(wanted), "Starting")
    try:
        for item in (waiting for waiting in todo if waiting.kind is not SourceKind.URL):
            progress(done, len(wanted), f"Reading {short(item.origin)}")
            _take_stored(context, item)
            done += 1
        urls = {item.origin: item for item in todo if item.kind is SourceKind.URL}
        start = done

        def fetching(done: int, total: int | None, message: str = "") -> None:
            progress(min(len(wanted), start + done), len(wanted), message)

        for url, outcome in context.engines.fetcher().fetch_many(list(urls), fetching) if urls else ():
            _take_fetched(context, urls[url], outcome)
    except JobCancelled:
        for item in todo:
            if store.acquisition(item.id).state is FetchState.QUEUED:
                store.finish_acquisition(item.id, FetchState.CANCELLED, "Stopped before it was read.")
        raise
    finally:
        schedule_encoding(store)
    progress(len(wanted), len(wanted), "Done")
    return _tally([store.acquisition(item.id) for item in wanted])


def _take_stored(context: JobContext, item: Acquisition) -> None:
    assert item.blob_hash is not None, "an upload is kept before its job is made"
    body = context.store.blob(item.blob_hash)
    pasted = item.kind is SourceKind.PASTE
    snapshot = not pasted and item.origin.startswith(("http://", "https://"))
    fetched = Fetched(
        body=body,
        media_type=item.media_type or "",
        filename=None if pasted or snapshot else item.origin,
        url=item.origin if snapshot else None,
        fetched_at=item.requested,
    )
    _store_one(context, item, fetched, item.blob_hash, title=item.origin if pasted else None)


def _take_fetched(context: JobContext, item: Acquisition, outcome: Fetched | Exception) -> None:
    store = context.store
    warnings: tuple[str, ...] = ()
    if isinstance(outcome, FetchFailed):
        archived = archived_copy(context, item.origin, outcome)
        if archived is None or archived.copy is None:
            message = f"{outcome} {archived.note}" if archived else str(outcome)
            state = FetchState.NEVER_SEEN if archived and archived.unseen else outcome.state
            store.finish_acquisition(item.id, state, message)
            return
        outcome, warnings = archived.copy, (archived.note,)
    elif isinstance(outcome, Exception):
        raise outcome
    try:
        _store_one(context, item, outcome, store.put_blob(outcome.body), warnings=warnings)
    except BlobMissing:  # another process deleted the last document with the same bytes in between
        _store_one(context, item, outcome, store.put_blob(outcome.body), warnings=warnings)


def _store_one(
    context: JobContext,
    item: Acquisition,
    fetched: Fetched,
    blob_hash: str,
    title: str | None = None,
    warnings: Sequence[str] = (),
) -> Document | None:
    try:
        return context.intake.take_in(
            fetched, kind=item.kind, blob_hash=blob_hash, acquisition=item.id, title=title, warnings=warnings,
            accepted=item.batch != FOR_ANSWER,
        )  # fmt: skip
    except UnreadableSource as error:
        context.store.finish_acquisition(item.id, error.state, str(error), blob_hash=blob_hash)
    except SourceError as error:
        context.store.finish_acquisition(item.id, FetchState.BROKEN, str(error), blob_hash=blob_hash)
    return None


def _tally(items: Sequence[Acquisition]) -> dict[str, object]:
    counts: dict[str, int] = {}
    for item in items:
        counts[item.state.value] = counts.get(item.state.value, 0) + 1
    return {"states": counts}


def short(text: str, width: int = 60) -> str:
    """``text`` in at most ``width`` characters."""
    return text if len(text) <= width else text[: width - 1] + "…"
