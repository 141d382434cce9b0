"""Before judging: sources that were asked for earlier are read first, and what is read is encoded. Workers have a lane
for sources and one for judging, so an audit can be claimed while the sources that it needs are still being read;
judging then would call them missing."""

import time
from collections.abc import Callable

from core.labels import JobKind, JobState
from core.ports.context import JobContext
from core.ports.store import Progress, ProjectStore
from core.records import Job
from core.retrieve.encode import encode_left

POLL_S = 0.2
STILL_S = 90.0
"""A job that shows no progress for this long (a parser may take 60 s for a file) is not waited for any more."""
START_S = 0.6
"""Seconds that an encoding job may take to be claimed before it is done here."""
_SOURCES = (JobKind.ADD, JobKind.REFETCH, JobKind.RECHUNK)


def wait_for_sources(context: JobContext, job: Job, progress: Progress) -> None:
    """Return when the jobs that bring sources in and were asked for before ``job`` have ended, and every passage is
    encoded (JobCancelled from ``progress``)."""

    def before() -> list[Job]:
        return [other for other in context.store.jobs(active=True) if other.kind in _SOURCES and other.id < job.id]

    _watch(before, progress, "Waiting for the sources to be read", STILL_S)
    encode_all(context, progress)


def encode_all(context: JobContext, progress: Progress) -> None:
    """Encode what is not encoded yet, or wait for the lane that is doing so; without an encoder there is nothing to
    do, because sentences are then chosen by words."""
    if context.engines.encoder_or_reason()[0] is None:
        return

    def left() -> int:
        encoded, searchable = context.store.coverage(context.engines.encoder_fingerprint())
        return searchable - encoded

    if left():
        _watch(lambda: _encoding(context.store) if left() else [], progress, "Waiting for the encoder", START_S)
    if left():
        encode_left(context.store, context.engines, progress)


def _encoding(store: ProjectStore) -> list[Job]:
    return [job for job in store.jobs(active=True) if job.kind is JobKind.ENCODE]


def _watch(active: Callable[[], list[Job]], progress: Progress, message: str, still_s: float) -> None:
    """Wait until ``active()`` is empty, or nothing has moved for ``still_s`` (a running job: ``STILL_S``)."""
    seen: object = None
    since = time.monotonic()
    while jobs := active():
        progress(0, None, message)
        shown = [(job.id, job.state, job.done, job.message) for job in jobs]
        if shown != seen:
            seen, since = shown, time.monotonic()
        running = any(job.state is JobState.RUNNING for job in jobs)
        if time.monotonic() - since > (STILL_S if running else still_s):
            return
        time.sleep(POLL_S)
