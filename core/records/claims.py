"""Claims and what the sources of a project say about them."""

from dataclasses import dataclass
from datetime import datetime

from core.labels import ClaimType, Grade, VerdictState
from core.records.verify import SourceVerdict


@dataclass(frozen=True, slots=True)
class Requirement:
    """One line of a verdict's checklist."""

    name: str
    met: bool
    text: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Sources that are not independent of one another; ``reasons`` says why each was merged (empty for one alone)."""

    documents: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSource:
    """One source's verdict on a claim, the grade it had then, and whether it counts for the verdict."""

    document_id: str
    grade: Grade
    verdict: SourceVerdict
    counts: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """The project's verdict on a claim, with everything it rests on. ``independent`` counts clusters that
    support. ``excluded`` sources were below the grade that the claim needs."""

    state: VerdictState
    checklist: tuple[Requirement, ...]
    sources: tuple[ClaimSource, ...]
    clusters: tuple[Cluster, ...]
    independent: int
    excluded: int = 0
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement to verify. ``start``/``end`` are offsets into the text of report ``report_id`` (None for a typed
    claim). ``context`` is what stands before it, for claims that begin with a pronoun. ``check_reason`` says why it is
    worth checking or not; ``type_reason`` why it is C1 or C2 (``type_by`` names who changed it, "" for the rules).
    ``parts`` are the simple statements of a compound one. ``version`` grows with every change of the row."""

    id: int
    text: str
    type: ClaimType
    type_reason: str
    check_worthy: bool
    check_reason: str
    created: datetime
    type_by: str = ""
    report_id: int | None = None
    start: int | None = None
    end: int | None = None
    context: str = ""
    parts: tuple[str, ...] = ()
    verdict: ClaimVerdict | None = None
    verified: datetime | None = None
    basis: str = ""
    version: int = 0
