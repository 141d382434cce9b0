"""A report under audit, one row for each of its citations, and what came out. ``Span`` values are code points into the
report's text, half-open ``(start, end)``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.labels import Reason, Status
from core.records.verify import SourceVerdict, Span


@dataclass(frozen=True, slots=True)
class StoredReport:
    """One version of a report. Its text is kept beside it (``AuditStore.report_text``). ``content_hash`` is the SHA-256
    of the text (UTF-8), ``blob_hash`` that of the bytes as received. Versions of one report share ``family`` (the id of
    the first); ``version`` counts from 1; the newest has no ``superseded_by``."""

    id: int
    name: str
    title: str | None
    media_type: str
    content_hash: str
    blob_hash: str
    created: datetime
    family: int = 0
    version: int = 1
    length: int = 0
    url: str | None = None
    superseded_by: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rescue:
    """The best supporting passage of another indexed source, with a citation ready to paste. ``start``/``end`` are
    offsets into the text of ``document_id``; ``supports`` is calibrated, 0 to 1. ``carries``: the support is what a
    cited source needs to pass; otherwise the source may say it, and a person has to look."""

    document_id: str
    title: str
    start: int
    end: int
    text: str
    supports: float
    citation: str
    passage_id: int | None = None
    carries: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One citation of a report (or a listed reference that nothing cites), and its state.

    ``ordinal`` is its place in the report, from 0. ``status`` is None while it waits to be judged. ``reasons`` has the
    deciding one first and is empty for ``PASS``. ``matched_by`` says how the reference was found among the stored
    sources (``url``, ``redirect``, ``doi``, ``arxiv``, ``title``, or "" when it was not); ``candidates`` are document
    ids when several fit. ``supported_part`` is the part of the claim that the cited source does support.
    ``basis`` is the content key of everything the row was judged on: equal basis, equal outcome. ``version`` grows
    with every change of the row.
    """

    id: int
    report_id: int
    ordinal: int
    style: str
    marker_text: str
    claim_text: str
    marker: Span | None = None
    claim: Span | None = None
    sentence: int | None = None
    reference_label: str = ""
    reference_text: str = ""
    reference: Span | None = None
    url: str | None = None
    doi: str | None = None
    document_id: str | None = None
    matched_by: str = ""
    candidates: tuple[str, ...] = ()
    status: Status | None = None
    reasons: tuple[Reason, ...] = ()
    explanation: str = ""
    verdict: SourceVerdict | None = None
    supported_part: Span | None = None
    rescue: Rescue | None = None
    basis: str = ""
    judged: datetime | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class HeatSentence:
    """A sentence of the report, or a part of one, with its colour. ``shade``: ``verified``, ``failing``, ``waiting``
    (cited); ``uncited`` (check-worthy, no citation); ``plain`` (nothing to check). ``findings`` are ids of its rows;
    ``why`` is one line."""

    start: int
    end: int
    shade: str
    findings: tuple[int, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """Counts over one report. ``precision`` is the share of judged citations that pass; ``recall`` the share of
    check-worthy sentences with at least one citation that passes (after ALCE, Gao et al. 2023); None where there is
    nothing to count."""

    report_id: int
    citations: int
    waiting: int
    by_status: Mapping[Status, int] = field(default_factory=dict)
    by_reason: Mapping[Reason, int] = field(default_factory=dict)
    unused_references: int = 0
    check_worthy: int = 0
    precision: float | None = None
    recall: float | None = None
