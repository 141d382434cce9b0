"""Projects and their jobs, and an audit pack as it lies in its zip, before anything of it is believed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from core.labels import JobKind, JobState
from core.records.audit import Finding, StoredReport
from core.records.claims import Claim
from core.records.review import Decision, Person, Redacted, ReviewPolicy
from core.records.sources import Acquisition, Document, GradeChange

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


@dataclass(frozen=True, slots=True)
class PackContents:
    """Records of a pack that kept to every rule of safe import. ``info`` is the body of ``pack.json``, ``page`` that of
    ``report.html`` (None where there is none); ``findings`` stand in the order of the zip; ``texts`` are the stored
    texts of ``documents`` by id, ``contexts`` what stands above their passages. ``log`` has the redacted decisions too.
    ``project`` is the name in the manifest."""

    info: bytes
    reports: tuple[StoredReport, ...]
    findings: tuple[Finding, ...]
    documents: Mapping[str, Document]
    texts: Mapping[str, str]
    page: bytes | None = None
    project: str = ""
    log: tuple[Decision | Redacted, ...] = ()
    people: tuple[Person, ...] = ()
    policy: ReviewPolicy | None = None
    claims: tuple[Claim, ...] = ()
    acquisitions: tuple[Acquisition, ...] = ()
    grade_changes: tuple[GradeChange, ...] = ()
    contexts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def decisions(self) -> list[Decision]:
        """The entries of the log that were handed over whole."""
        return [entry for entry in self.log if isinstance(entry, Decision)]


@dataclass(frozen=True, slots=True)
class PackStep:
    """The outcome of one step of checking a pack. ``made`` and ``not_made`` name the checks that could and could not be
    made, the latter with the reason; the others are as in ``core.pack.check.PackCheck``."""

    problems: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    not_made: tuple[str, ...] = ()
