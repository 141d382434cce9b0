"""The job that builds the index of the engine of late interaction that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.errors import LateEngineError, ModelError
from core.labels import JobKind
from core.model import Job
from core.ports import Progress, ProjectStore

if TYPE_CHECKING:
    from core.engines import Engines
    from core.jobs import JobContext


def run_index_late(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Build the snapshot anew (ModelError: the engine, a compiler or the checkpoint is missing, or it failed)."""
    late = context.engines.late_index(context.store)
    if late is None:
        raise LateEngineError(
            "Late interaction is computed by the exact engine, which needs no index of its own. "
            "Set models.late_engine to ragatouille first."
        )
    return late.build(context.store, progress, context.clock)


def schedule_index(store: ProjectStore, engines: Engines) -> Job | None:
    """Ask for the snapshot to be built when it is missing or too much has changed; None when there is no need, no such
    engine is set, or it failed since for a reason that building again would not mend."""
    late = engines.late_index(store)
    if late is None:
        return None
    try:
        reason = late.why_build(store)
    except ModelError:  # searches say so; a job could only fail with the same words
        return None
    return store.add_job(JobKind.INDEX_LATE, {"reason": reason}, unique=True) if reason else None
