"""The check of everything that a project stores against its hashes, as a job; the newest one is its result."""

from collections.abc import Mapping

from core.labels import JobKind
from core.ports.context import JobContext, ProjectContext
from core.ports.store import Progress
from core.records import Job

MOST = 200
"""Faults that are kept of a check; of more their number is."""


class StoredCheck:
    """The service of the check of one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context = context

    def start(self) -> Job:
        """Ask for the check; one that waits already is returned in place of a second."""
        return self._context.schedule(JobKind.CHECK, unique=True)

    def newest(self) -> Job | None:
        """The newest check, whatever its state, or None."""
        return next(iter(self._context.store.jobs(kinds=[JobKind.CHECK], limit=1)), None)


def run_check(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Compare everything with its hashes (JobCancelled). The result has the first faults as sentences, and their
    number."""
    faults = context.store.problems(progress)
    progress(1, 1, "Done")
    return {"faults": faults[:MOST], "count": len(faults)}
