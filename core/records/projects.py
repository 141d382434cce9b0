"""Projects and their jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from core.labels import JobKind, JobState

LEFT_OUT = "left-out-on-import"
"""Name of the memo that lists what an import left out: a JSON list of sentences."""


@dataclass(frozen=True, slots=True)
class Project:
    """One research effort, one folder ``path`` named ``slug`` under the root."""

    id: str
    name: str
    slug: str
    path: Path
    created: datetime
    archived: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """A project with what a list of projects shows; ``problem`` is set when it cannot be opened."""

    project: Project
    documents: int = 0
    passages: int = 0
    bytes_on_disk: int = 0
    last_used: datetime | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Long work as a value: a row that any process can read and one worker carries out."""

    id: int
    kind: JobKind
    state: JobState
    payload: Mapping[str, object]
    created: datetime
    done: int = 0
    total: int | None = None
    message: str = ""
    result: Mapping[str, object] = field(default_factory=dict)
    error: str | None = None
    started: datetime | None = None
    finished: datetime | None = None
    attempts: int = 0
    cancel_requested: bool = False
    heartbeat: datetime | None = field(default=None, compare=False)
    """When its worker was last heard of; None before one took it."""

    @property
    def fraction(self) -> float | None:
        """Share done in [0, 1], or None while the total is unknown."""
        if not self.total:
            return None
        return min(1.0, self.done / self.total)
