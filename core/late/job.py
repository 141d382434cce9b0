"""The job that builds the index of the late engine, and the note about a build that failed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from core.errors import JobCancelled, LateEngineError, LateEngineStopped, ModelError, ProjectNotFound
from core.labels import JobKind, JobState
from core.late.engine import late_engine, late_index
from core.late.index import LateIndex
from core.ports.store import Progress, ProjectStore
from core.records import Job

if TYPE_CHECKING:
    from core.ports.context import JobContext
    from core.ports.engines import Engines

FAILED_MEMO = "late-failed"
"""The note about a build that failed, under what circumstances, how often in a row; "" after one that ended well."""
TRIES = 2
"""Failures in a row, under the same circumstances, after which what may have been chance is taken to be none."""


@dataclass(frozen=True, slots=True)
class _Failure:
    error: str
    circumstances: str
    lasting: bool
    count: int = 1

    @property
    def final(self) -> bool:
        """Whether building again would only fail again."""
        return self.lasting or self.count >= TRIES


def run_index_late(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Build the snapshot anew (ModelError: the engine, a compiler or the checkpoint is missing, or it failed)."""
    store, late = context.store, late_index(context.engines, context.store)
    if late is None:
        raise LateEngineError(
            "Late interaction is computed by the exact engine, which needs no index of its own. Set models.late_engine "
            "to ragatouille first."
        )
    late.check_size(store)  # no failure to be kept: more sources will mend it
    circumstances = late.circumstances(store)
    try:
        result = late.build(store, progress, context.clock)
    except JobCancelled:
        raise
    except Exception as error:
        if store.detached():  # whatever it met, that is why
            raise ProjectNotFound("The project was deleted while its index was built.") from error
        _keep(store, error, circumstances)
        raise
    forget_failure(store)
    return result


def schedule_index(store: ProjectStore, engines: Engines) -> Job | None:
    """Ask for the snapshot to be built when it is missing or too much has changed; None when there is no need, no such
    engine is set, or it failed before for a reason that building again would not mend."""
    late = late_engine(engines)
    if late is None or late.gave_up:  # what cannot read the checkpoint here cannot read it there
        return None
    index = late.index_of(store)
    try:
        reason = index.why_build(store)
    except ModelError:  # searches say so; a job could only fail with the same words
        return None
    if not reason or last_failure(store, index):
        return None
    waiting = [job for job in store.jobs(active=True, kinds=[JobKind.INDEX_LATE]) if job.state is JobState.PENDING]
    if waiting:  # whatever its reason: one build is enough
        return waiting[0]
    failure = _last(store)
    if failure is not None and failure.circumstances != index.circumstances(store):
        forget_failure(store)
    return store.add_job(JobKind.INDEX_LATE, {"reason": reason}, unique=True)


def last_failure(store: ProjectStore, late: LateIndex | None = None) -> str:
    """The error of the last build, when building again would only repeat it: no job is asked for by itself then, only
    on request. With ``late``, "" also when something that it depended on has changed since."""
    failure = _last(store)
    if failure is None or not failure.final:
        return ""
    return failure.error if late is None or failure.circumstances == late.circumstances(store) else ""


def forget_failure(store: ProjectStore) -> None:
    """From now on the index is built again when it is due, whatever happened before."""
    if store.memo(FAILED_MEMO):
        store.set_memo(FAILED_MEMO, "")


def _keep(store: ProjectStore, error: Exception, circumstances: str) -> None:
    before = _last(store)
    count = before.count + 1 if before is not None and before.circumstances == circumstances else 1
    # A killed process, a full disk: that may pass. What an engine says of itself is the same next time.
    lasting = isinstance(error, ModelError) and not isinstance(error, LateEngineStopped)
    message = str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}"
    store.set_memo(FAILED_MEMO, json.dumps(asdict(_Failure(message, circumstances, lasting, count))))


def _last(store: ProjectStore) -> _Failure | None:
    raw = store.memo(FAILED_MEMO)
    try:
        return _Failure(**json.loads(raw)) if raw else None
    except (ValueError, TypeError):  # written by another version: as if there were none
        return None
