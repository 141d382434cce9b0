"""The jobs of the store in memory."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import JobNotFound
from core.labels import JobKind, JobState
from core.ports.store import Clock
from core.records import Job


class MemoryJobs:
    """``JobStore`` in dictionaries under one lock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._workers: dict[int, tuple[str, float]] = {}

    def add_job(self, kind: JobKind, payload: Mapping[str, object], *, unique: bool = False) -> Job:
        with self._lock:
            for one in self._jobs.values():
                if unique and (one.kind, one.payload, one.state) == (kind, dict(payload), JobState.PENDING):
                    return one
            number = next(self._numbers)
            self._jobs[number] = Job(number, kind, JobState.PENDING, dict(payload), self._clock())
            return self._jobs[number]

    def job(self, job_id: int) -> Job:
        if job_id not in self._jobs:
            raise JobNotFound(f"No job {job_id}.")
        return self._jobs[job_id]

    def jobs(self, *, active: bool = False, kinds: Sequence[JobKind] = (), limit: int = 50) -> list[Job]:
        newest = [one for one in reversed(self._jobs.values()) if one.state.active or not active]
        return [one for one in newest if not kinds or one.kind in kinds][:limit]

    def claim_job(self, worker: str, *, kinds: Sequence[JobKind] = ()) -> Job | None:
        with self._lock:
            now = self._clock()
            for number, one in self._jobs.items():
                silent = one.state is JobState.RUNNING and abs(now.timestamp() - self._workers[number][1]) > 20
                if silent and one.cancel_requested:
                    self._jobs[number] = replace(one, state=JobState.CANCELLED, finished=now)
                elif silent and one.attempts >= 3:
                    self._jobs[number] = replace(one, state=JobState.FAILED, finished=now, error="went silent 3 times")
                elif (silent or one.state is JobState.PENDING) and (not kinds or one.kind in kinds):
                    self._workers[number] = (worker, now.timestamp())
                    self._jobs[number] = replace(
                        one, state=JobState.RUNNING, attempts=one.attempts + 1, started=one.started or now
                    )
                    return self._jobs[number]
            return None

    def _holds(self, job_id: int, worker: str) -> bool:
        return self.job(job_id).state is JobState.RUNNING and self._workers[job_id][0] == worker

    def update_job(self, job_id: int, worker: str, done: int, total: int | None, message: str) -> bool:
        if not self._holds(job_id, worker):
            return True
        self._workers[job_id] = (worker, self._clock().timestamp())
        self._jobs[job_id] = replace(self._jobs[job_id], done=done, total=total, message=message)
        return self._jobs[job_id].cancel_requested

    def finish_job(
        self,
        job_id: int,
        worker: str,
        state: JobState,
        *,
        result: Mapping[str, object] | None = None,
        error: str | None = None,
    ) -> None:
        if state.active:
            raise ValueError(f"{state} is not the end of a job")
        if self._holds(job_id, worker):
            self._jobs[job_id] = replace(
                self._jobs[job_id], state=state, result=dict(result or {}), error=error, finished=self._clock()
            )

    def cancel_job(self, job_id: int) -> None:
        one = self.job(job_id)
        if one.state is JobState.PENDING:
            self._jobs[job_id] = replace(one, state=JobState.CANCELLED, cancel_requested=True, finished=self._clock())
        elif one.state is JobState.RUNNING:
            self._jobs[job_id] = replace(one, cancel_requested=True)
