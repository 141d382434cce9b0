"""The context of an open project and of a job, and the payloads that several kinds of job share."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import ExportError
from core.labels import JobKind, SourceKind
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.records import Document, Fetched, Job
from core.settings.values import Settings

CHUNKING = "chunking"
"""Name of the memo that holds the chunk settings under which a project's passages were cut."""


class Intake(Protocol):
    """Bringing one source in: bytes become a stored document (``core.acquire.intake``)."""

    def take_in(
        self,
        fetched: Fetched,
        *,
        kind: SourceKind,
        blob_hash: str,
        acquisition: int | None = None,
        supersedes: str | None = None,
        title: str | None = None,
        warnings: Sequence[str] = (),
        accepted: bool = True,
    ) -> Document:
        """Read and store one source (UnreadableSource: nothing is stored)."""


class PackWriter(Protocol):
    """Writing a report with all it rests on as an audit pack, atomically; only storage knows how."""

    def __call__(
        self,
        store: ProjectStore,
        report_id: int,
        target: Path,
        extras: Mapping[str, bytes],
        hidden: AbstractSet[int] = frozenset(),
    ) -> None:
        """Write the zip to ``target``. ``extras`` are further members by name; of the entries of the log with an id in
        ``hidden`` only the hashes are written (ReportNotFound, ArchiveError, BlobMissing)."""


def no_pack_writer(*_given: object, **_named: object) -> None:
    """Stands in where no storage is wired (ExportError)."""
    raise ExportError("Audit packs cannot be written here: no storage is wired.")


def no_worker() -> None:
    """Stands in where no worker is to be woken."""


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """An open project as its services see it: each service is made of one. ``wake`` wakes the worker of its root."""

    store: ProjectStore
    engines: Engines
    settings: Settings
    clock: Clock
    wake: Callable[[], None] = no_worker

    def schedule(
        self, kind: JobKind, payload: Mapping[str, object] | None = None, *, unique: bool | None = None
    ) -> Job:
        """Add a job and wake the worker. With ``unique`` an equal job that waits already is returned in its place,
        which is the rule for encoding."""
        alone = kind is JobKind.ENCODE if unique is None else unique
        job = self.store.add_job(kind, payload or {}, unique=alone)
        self.wake()
        return job


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext(ProjectContext):
    """Everything that a job may use."""

    intake: Intake
    write_pack: PackWriter = no_pack_writer


def schedule_encoding(store: ProjectStore) -> Job:
    """Ask for what is not encoded yet to be encoded; asking twice gives one job."""
    return store.add_job(JobKind.ENCODE, {}, unique=True)


def acquisitions_of(job: Job) -> list[int]:
    """Ids of the acquisitions that an add job is to bring in."""
    return [int(str(key)) for key in ids_of(job, "acquisitions")]


def ids_of(job: Job, name: str) -> list[object]:
    """The list ``name`` of a job's payload; empty where there is none."""
    values = job.payload.get(name)
    return list(values) if isinstance(values, (list, tuple)) else []
