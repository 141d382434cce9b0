"""Jobs of one open project; and claiming one, carrying it out with heartbeat and cancel, writing down how it ended. A
job is a row (``core.records.Job``); the table below says which function carries out which kind. Every kind can be run
again after a crash: what was committed is found and not done twice."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from core.errors import JobCancelled, WorkbenchError
from core.labels import FetchState, JobKind, JobState
from core.ports.context import JobContext, ProjectContext, acquisitions_of
from core.ports.store import Progress
from core.records import Job

WRITE_EVERY_S = 0.3
HEARTBEAT_S = 5.0


def silent(done: int, total: int | None, message: str = "") -> None:
    """A Progress for callers that do not watch."""


class Heartbeat:
    """Reports the latest progress through ``report``: at most every 0.3 s, at least every 5 s while a step takes long.
    ``report(done, total, message)`` returns True when the user asked to stop; the next call of the progress then raises
    JobCancelled. Use as a context manager."""

    def __init__(self, report: Callable[[int, int | None, str], bool]) -> None:
        self._report = report
        self._latest: tuple[int, int | None, str] = (0, None, "")
        self._stop_wished = threading.Event()
        self._closed = threading.Event()
        self._written = 0.0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._beat, name="job-heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._thread.join()

    def __call__(self, done: int, total: int | None, message: str = "") -> None:
        """Progress of the job. Raises JobCancelled: the user asked to stop."""
        with self._lock:
            self._latest = (done, total, message)
        if time.monotonic() - self._written >= WRITE_EVERY_S or (total is not None and done >= total):
            self._write()
        if self._stop_wished.is_set():
            raise JobCancelled("Stopped on request; what was finished before stays.")

    def _write(self) -> None:
        with self._lock:
            latest = self._latest
            self._written = time.monotonic()
        if self._report(*latest):
            self._stop_wished.set()

    def _beat(self) -> None:
        while not self._closed.wait(HEARTBEAT_S):
            self._write()


log = logging.getLogger(__name__)

Handler = Callable[[JobContext, Job, Progress], Mapping[str, object]]
"""Carries out one job; returns what is kept as its result (JobCancelled, WorkbenchError)."""

HANDLERS: dict[JobKind, str] = {
    JobKind.ADD: "core.acquire.job:run_add",
    JobKind.REFETCH: "core.acquire.job:run_refetch",
    JobKind.RECHUNK: "core.acquire.job:run_rechunk",
    JobKind.ENCODE: "core.retrieve.encode:run_encode",
    JobKind.INDEX_LATE: "core.late.job:run_index_late",
    JobKind.AUDIT: "core.audit.job:run_audit",
    JobKind.CITED_SOURCES: "core.audit.cited_sources:run_cited_sources",
    JobKind.VERIFY: "core.claims.job:run_verify",
    JobKind.EXPORT: "core.export.job:run_export",
    JobKind.EVALUATE: "core.evaluate.job:run_evaluate",
    JobKind.EXPAND: "core.expand.job:run_expand",
    JobKind.WEB_SEARCH: "core.web.search:run_web_search",
    JobKind.ASK: "core.answer.job:run_ask",
    JobKind.OPINION: "core.opinion.opinion:run_opinion",
    JobKind.CHECK: "core.workbench.stored_check:run_check",
}
"""Module and function of each kind, imported when the first such job comes: adding a source needs no judge."""


class Jobs:
    """The work of one project. ``schedule`` adds a job and wakes the worker."""

    def __init__(self, context: ProjectContext) -> None:
        self._store, self.schedule = context.store, context.schedule

    def all(self, *, active: bool = False) -> list[Job]:
        """Jobs, newest first; with ``active`` only those that wait or run."""
        return self._store.jobs(active=active)

    def get(self, job_id: int) -> Job:
        """One job (JobNotFound)."""
        return self._store.job(job_id)

    def cancel(self, job_id: int) -> None:
        """Ask a job to stop; what it finished stays."""
        self._store.cancel_job(job_id)
        job = self._store.job(job_id)
        if job.state is JobState.CANCELLED:  # it had not begun, so nobody else will say so of its sources
            for key in acquisitions_of(job):
                if self._store.acquisition(key).state is FetchState.QUEUED:
                    self._store.finish_acquisition(key, FetchState.CANCELLED, "Stopped before it was read.")


def handler_of(kind: JobKind) -> Handler:
    """The function that carries out jobs of this kind."""
    module, _, name = HANDLERS[kind].partition(":")
    handler: Handler = getattr(import_module(module), name)
    return handler


def run_next(context: JobContext, worker: str, *, kinds: Sequence[JobKind] = ()) -> Job | None:
    """Claim the oldest waiting job and carry it out; returns it as it ended, or None when none waits."""
    job = context.store.claim_job(worker, kinds=kinds)
    if job is None:
        return None

    def report(done: int, total: int | None, message: str) -> bool:
        return context.store.update_job(job.id, worker, done, total, message)

    try:
        with Heartbeat(report) as progress:
            result = handler_of(job.kind)(context, job, progress)
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
