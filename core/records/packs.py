"""An audit pack as it lies in its zip, before anything of it is believed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.records.audit import Finding, StoredReport
from core.records.claims import Claim
from core.records.review import Decision, Person, Redacted, ReviewPolicy
from core.records.sources import Acquisition, Document, GradeChange


@dataclass(frozen=True, slots=True)
class PackContents:
    """Records of a pack that kept to every rule of safe import.

    ``info`` is the body of ``pack.json``, ``page`` that of ``report.html`` (None where there is none);
    ``findings`` stand in the order of the zip; ``texts`` are the stored texts of ``documents`` by id, ``contexts`` what
    stands above their passages. ``log`` has the redacted decisions too. ``project`` is the name in the manifest.
    """

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
