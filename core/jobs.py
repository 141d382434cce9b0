"""Jobs: claim one, carry it out with heartbeat and cancel, and write down how it ended.

A job is a row (``core.records.Job``); this module knows what each kind does. Every kind can be run again
after a crash: what was committed is found and not done twice.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.acquire.intake import Intake, passages_of
from core.archived import archived_copy
from core.encoding import encode_left
from core.errors import BlobMissing, FetchFailed, JobCancelled, SourceError, UnreadableSource, WorkbenchError
from core.labels import FetchState, JobKind, JobState, SourceKind
from core.late_choice import chosen
from core.ports.engines import Engines
from core.ports.heartbeat import Heartbeat
from core.ports.store import Clock, Progress, ProjectStore
from core.records import Acquisition, Document, Fetched, Job
from core.settings.values import Settings

log = logging.getLogger(__name__)

CHUNKING = "chunking"
"""The memo that says under which chunk settings a project's passages were cut."""


@dataclass(frozen=True, slots=True)
class JobContext:
    """What a job may use. ``choice`` is the project's engine of late interaction, as it was when this was made."""

    store: ProjectStore
    intake: Intake
    engines: Engines
    settings: Settings
    clock: Clock
    choice: str = ""


def run_next(context: JobContext, worker: str, *, kinds: Sequence[JobKind] = ()) -> Job | None:
    """Claim the oldest waiting job and carry it out; returns it as it ended, or None when none waits."""
    job = context.store.claim_job(worker, kinds=kinds)
    if job is None:
        return None

    def report(done: int, total: int | None, message: str) -> bool:
        return context.store.update_job(job.id, worker, done, total, message)

    try:
        with Heartbeat(report) as progress:
            result = _HANDLERS[job.kind](context, job, progress)
    except JobCancelled as stopped:
        context.store.finish_job(job.id, worker, JobState.CANCELLED, error=str(stopped))
    except WorkbenchError as error:
        context.store.finish_job(job.id, worker, JobState.FAILED, error=str(error))
    except Exception as error:  # a fault of ours must reach the user and the log, not kill the worker
        log.exception("job %s (%s) failed", job.id, job.kind)
        context.store.finish_job(
            job.id, worker, JobState.FAILED, error=f"{type(error).__name__}: {error}. Details are in the log."
        )
    else:
        context.store.finish_job(job.id, worker, JobState.DONE, result=result)
    return context.store.job(job.id)


def schedule_encoding(store: ProjectStore) -> Job:
    """Ask for what is not encoded yet to be encoded; asking twice gives one job."""
    return store.add_job(JobKind.ENCODE, {}, unique=True)


# ---------------------------------------------------------------- the kinds


def _add(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    if "sitemap" in job.payload:
        from core.tasks.sitemap import run_sitemap

        return run_sitemap(context, job, progress)
    return bring_in(context, acquisitions_of(job), progress)


def bring_in(context: JobContext, acquisitions: Sequence[int], progress: Progress) -> Mapping[str, object]:
    """Read or fetch, and store, the requests that still wait; how many of all ended in which state. Encoding is asked
    for, whatever happens; what was not reached when the user stopped it is marked so (JobCancelled)."""
    store = context.store
    wanted = [store.acquisition(key) for key in acquisitions]
    todo = [item for item in wanted if item.state is FetchState.QUEUED]
    done = len(wanted) - len(todo)
    progress(done, len(wanted), "Starting")
    try:
        for item in (one for one in todo if one.kind is not SourceKind.URL):
            progress(done, len(wanted), f"Reading {_short(item.origin)}")
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
            said = f"{outcome} {archived.said}" if archived else str(outcome)
            store.finish_acquisition(item.id, outcome.state, said)
            return
        outcome, warnings = archived.copy, (archived.said,)
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
            fetched, kind=item.kind, blob_hash=blob_hash, acquisition=item.id, title=title, warnings=warnings
        )
    except UnreadableSource as error:
        context.store.finish_acquisition(item.id, error.state, str(error), blob_hash=blob_hash)
    except SourceError as error:
        context.store.finish_acquisition(item.id, FetchState.BROKEN, str(error), blob_hash=blob_hash)
    return None


def _encode(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    done = encode_left(context.store, context.engines, progress)
    if context.settings.models.late_engine != "exact":
        from core.tasks.index_late import schedule_index

        schedule_index(context.store, context.engines)
    if chosen(context.store) != context.choice:  # it was encoded for an engine that is not used any more
        schedule_encoding(context.store)
    return {"encoded": done}


def _refetch(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    store = context.store
    documents = {
        url: document
        for document in (store.document(str(key)) for key in _ids(job, "documents"))
        if (url := _address(document))
    }
    outcome: dict[str, int] = {"unchanged": 0, "changed": 0, "failed": 0}
    problems: list[str] = []
    for url, fetched in context.engines.fetcher().fetch_many(list(documents), progress):
        before = documents[url]
        try:
            if isinstance(fetched, Exception):
                raise fetched
            after = context.intake.take_in(
                fetched, kind=SourceKind.URL, blob_hash=store.put_blob(fetched.body), supersedes=before.id
            )
        except SourceError as error:
            outcome["failed"] += 1
            problems.append(f"{before.title}: {error}")
            continue
        outcome["unchanged" if after.id == before.id else "changed"] += 1
    schedule_encoding(store)
    return {**outcome, "problems": problems}


def _rechunk(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    documents = context.store.documents()
    for done, document in enumerate(documents):
        progress(done, len(documents), f"Cutting {_short(document.title)}")
        text = context.store.text(document.id)
        context.store.replace_passages(document.id, passages_of(document, text, context.settings.chunking))
    context.store.set_memo(CHUNKING, context.settings.chunking.model_dump_json())
    schedule_encoding(context.store)
    return {"documents": len(documents)}


# Judging joins stages that adding sources never needs: imported when the first such job comes.
def _audit(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.audit import run_audit

    return run_audit(context, job, progress)


def _cited_sources(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.cited_sources import run_cited_sources

    return run_cited_sources(context, job, progress)


def _verify(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.claims import run_verify

    return run_verify(context, job, progress)


def _evaluate(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.evaluate import run_evaluate

    return run_evaluate(context, job, progress)


def _export(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.export import run_export

    return run_export(context, job, progress)


def _expand(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.expand import run_expand

    return run_expand(context, job, progress)


def _web_search(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.web_search import run_web_search

    return run_web_search(context, job, progress)


def _ask(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.ask import run_ask

    return run_ask(context, job, progress)


def _opinion(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.opinion import run_opinion

    return run_opinion(context, job, progress)


def _index_late(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    from core.tasks.index_late import run_index_late

    return run_index_late(context, job, progress)


_HANDLERS = {
    JobKind.ADD: _add,
    JobKind.ENCODE: _encode,
    JobKind.REFETCH: _refetch,
    JobKind.RECHUNK: _rechunk,
    JobKind.AUDIT: _audit,
    JobKind.CITED_SOURCES: _cited_sources,
    JobKind.VERIFY: _verify,
    JobKind.EXPORT: _export,
    JobKind.EVALUATE: _evaluate,
    JobKind.EXPAND: _expand,
    JobKind.WEB_SEARCH: _web_search,
    JobKind.ASK: _ask,
    JobKind.OPINION: _opinion,
    JobKind.INDEX_LATE: _index_late,
}


def _address(document: Document) -> str | None:
    # The canonical form is a key for telling pages apart; an address that answered is what can be asked again.
    return next((url for url in document.urls if url.startswith(("http://", "https://"))), document.canonical_url)


def acquisitions_of(job: Job) -> list[int]:
    """The acquisitions that an add job is to bring in."""
    return [int(str(key)) for key in _ids(job, "acquisitions")]


def _ids(job: Job, name: str) -> list[object]:
    values = job.payload.get(name)
    return list(values) if isinstance(values, (list, tuple)) else []


def _tally(items: Sequence[Acquisition]) -> dict[str, object]:
    counts: dict[str, int] = {}
    for item in items:
        counts[item.state.value] = counts.get(item.state.value, 0) + 1
    return {"states": counts}


def _short(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
