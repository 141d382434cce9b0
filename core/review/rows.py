"""Everything of a project that can be decided on, as it stands now, with the worth of a look at each row: closeness to
the threshold × type of the claim × sentences that depend on it. Each factor lies in (0, 1], so their product does. Rows
that the machine passed are looked at by lot."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.audit.summary import is_citation
from core.labels import ClaimType, ItemKind, Reason, Status, VerdictState
from core.ports.store import ProjectStore
from core.records import Claim, Document, Finding, Span, StoredReport
from core.review.items import Row, citation_basis, citation_keys, claim_basis, claim_keys
from core.settings.values import Verification
from core.text.hashing import digest

FLOOR = 0.05
"""Least closeness: also what the machine is sure of is worth something."""
UNDECIDED = 0.1
"""Closeness of what the machine cannot measure: no source to compare with, no single reference. Nothing of it can be
read here, so it comes after what can."""
OVERRULED = 0.9
"""Closeness where a check overruled the model: two parts of the machine disagree."""
SPOT_CHECK = 0.01
"""Worth of a passed row that was drawn: below everything that needs a look (the least of which is worth 0.05 × 0.6 ×
1/2), equal for all of them, so that those decided first are a fair draw."""
SPOT_SHARE, SPOT_LEAST = 0.1, 5
_TYPES = {ClaimType.C1: 1.0, ClaimType.C2: 0.6, None: 0.6}
_TYPE_WORDS = {ClaimType.C1: " a central claim;", ClaimType.C2: " a supporting claim;", None: ""}


@dataclass(frozen=True, slots=True)
class Measured:
    """The parts of a row's worth. ``value`` is what was compared (0 to 1), ``border`` the threshold; ``value`` None:
    nothing was compared, and ``undecided`` says why. ``overruled``: a check spoke against the model."""

    value: float | None
    border: float
    what: str = "support"
    overruled: bool = False
    undecided: str = ""
    disputed: str = ""


def closeness(measured: Measured) -> tuple[float, str]:
    """1 at the threshold, falling in a straight line to ``FLOOR`` at the far end of the longer side; and why."""
    if measured.disputed:
        return 1.0, measured.disputed
    if measured.value is None:
        return UNDECIDED, measured.undecided or "the machine had nothing to compare"
    value, border = measured.value, measured.border
    if measured.overruled:
        return OVERRULED, f"a check overruled the model ({measured.what} {value:.2f})"
    near = max(FLOOR, 1.0 - abs(value - border) / max(border, 1.0 - border))
    where = "just " if abs(value - border) < 0.1 else "far " if near < 0.5 else ""
    side = "above" if value > border else "below"
    return near, f"{measured.what} {value:.2f}, {where}{side} the {border:.2f} needed"


def worth(measured: Measured, type: ClaimType | None, dependents: int, *, on: str = "this source") -> tuple[float, str]:
    """Worth of a look, 0 to 1, and one line that names each factor. ``dependents`` sentences (at least 1) rest on it: n
    of them count n / (n + 1)."""
    near, why = closeness(measured)
    count = max(1, dependents)
    value = near * _TYPES[type] * count / (count + 1)
    sentences = f"{count} sentence rests" if count == 1 else f"{count} sentences rest"
    return value, f"{why[0].upper()}{why[1:]};{_TYPE_WORDS[type]} {sentences} on {on}."


def spot_checks(keys: Collection[str]) -> list[str]:
    """The passed rows that are drawn for a look: a tenth, at least five, in the order in which they were drawn. The lot
    is the hash of the key, so the draw is the same in every process and hardly moves when rows are added."""
    drawn = max(SPOT_LEAST, math.ceil(SPOT_SHARE * len(keys)))
    return sorted(keys, key=lambda key: digest(key))[:drawn]


def spot_worth(drawn: int, passed: int) -> tuple[float, str]:
    """Worth of a row that was drawn, and why it is in the queue."""
    return (
        SPOT_CHECK,
        f"Spot check: {drawn} of {passed} passed citations are drawn, to measure how often PASS is right.",
    )


V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A row with the worth of a look at it. ``needs`` is False when no person has to look (it is only looked up
    then)."""

    row: Row
    needs: bool
    worth: float
    why: str


class ReviewRows:
    """Rows of one report, or of the newest version of all, and claims. Reads the store once, when it is made, and does
    not hold it: rows are kept for several calls (``core.review.cache``)."""

    def __init__(
        self, store: ProjectStore, settings: Verification, threshold: float, *, report_id: int | None = None
    ) -> None:
        self._settings, self._threshold = settings, threshold
        self._documents: Mapping[str, Document] = {
            document.id: document for document in store.documents(superseded=True)
        }
        reports = store.reports(superseded=True)
        self._reports = {report.id: report for report in reports}
        self._shown = [report for report in reports if report.superseded_by is None] if report_id is None else [
            store.report(report_id)
        ]  # fmt: skip
        self._only = report_id
        self.weighed: dict[str, Weighed] = {}
        self.by_finding: dict[int, str] = {}
        self.by_claim: dict[int, str] = {}
        claims = self._newest(store.claims(report_id=report_id))
        for report in self._shown:
            mine = [claim for claim in claims if claim.report_id == report.id]
            self._take_report(report, store.findings(report.id), mine)
        self._take_claims(claims)

    @property
    def rows(self) -> Iterator[Row]:
        """All rows, citations first, in their order."""
        return (weighed.row for weighed in self.weighed.values())

    def _take_report(self, report: StoredReport, findings: Sequence[Finding], claims: Sequence[Claim]) -> None:
        keys = citation_keys(findings, report.family or report.id)
        self.by_finding.update(keys)
        resting = _resting(findings)
        types = Overlapping(
            [((claim.start, claim.end), claim.type) for claim in claims if claim.start is not None and claim.end]
        )
        drawn = spot_checks([keys[finding.id] for finding in findings if finding.status is Status.PASS])
        passed = sum(finding.status is Status.PASS for finding in findings)
        for finding in findings:
            basis = citation_basis(finding, report, self._documents, self._threshold)
            row = Row(keys[finding.id], ItemKind.CITATION, basis, finding.ordinal, finding)
            if finding.status is Status.PASS:
                value, why = spot_worth(len(drawn), passed)
                needs = row.key in drawn
            else:
                value, why = worth(
                    self._measured(finding), types.least(finding.claim), len(resting.get(_source_of(finding), ()))
                )
                needs = finding.status is not None and is_citation(finding)
            self.weighed[row.key] = Weighed(row, needs, value, why)

    def _measured(self, row: Finding) -> Measured:
        first = row.reasons[0] if row.reasons else None
        if row.verdict is None:
            why = (
                "no single source was compared" if row.document_id is None else "the stored source says nothing of use"
            )
            return Measured(None, self._threshold, undecided=why)
        if first is Reason.CONTRADICTED and not row.verdict.vetoed:
            return Measured(row.verdict.contradicts, self._settings.contradiction, "contradiction")
        return Measured(row.verdict.supports, self._threshold, overruled=row.verdict.vetoed)

    def _newest(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Claims of one report; else typed ones, and those of the newest version of each report that has any."""
        if self._only is not None:
            return claims
        newest: dict[int, int] = {}
        for claim in claims:
            report = self._reports.get(claim.report_id or 0)
            if report is not None:
                newest[report.family] = max(newest.get(report.family, 0), report.version)
        return [claim for claim in claims if self._is_newest(claim, newest)]

    def _is_newest(self, claim: Claim, newest: Mapping[int, int]) -> bool:
        report = self._reports.get(claim.report_id or 0)
        return report is None or report.version == newest[report.family]

    def _take_claims(self, claims: Sequence[Claim]) -> None:
        keys = claim_keys(claims, {report.id: report.family or report.id for report in self._reports.values()})
        self.by_claim.update(keys)
        cited = self._citations_at()
        for ordinal, claim in enumerate(claims):
            report = self._reports.get(claim.report_id or 0)
            basis = claim_basis(claim, report, self._documents, self._threshold)
            at = (claim.start, claim.end) if claim.start is not None and claim.end is not None else None
            spans = cited.get(claim.report_id or 0)
            count = len(spans.at(at)) if spans is not None else 0
            value, why = worth(
                _measured_claim(claim, basis.support, self._threshold), claim.type, count, on="this claim"
            )
            state = claim.verdict.state if claim.verdict is not None else None
            needs = state is not None and state is not VerdictState.VERIFIED
            row = Row(keys[claim.id], ItemKind.CLAIM, basis, ordinal, claim)
            self.weighed[row.key] = Weighed(row, needs, value, why)

    def _citations_at(self) -> Mapping[int, Overlapping[int]]:
        spans_of_report: dict[int, list[tuple[Span, int]]] = defaultdict(list)
        for row in self.rows:
            if isinstance(row.item, Finding) and row.item.claim is not None:
                spans_of_report[row.item.report_id].append((row.item.claim, row.item.id))
        return {report_id: Overlapping(spans) for report_id, spans in spans_of_report.items()}


def _measured_claim(claim: Claim, support: float | None, threshold: float) -> Measured:
    state = claim.verdict.state if claim.verdict is not None else None
    disputed = "sources disagree" if state is VerdictState.CONTESTED else ""
    return Measured(support, threshold, undecided="no source bears on it", disputed=disputed)


def _source_of(row: Finding) -> str:
    return row.document_id or row.doi or row.url or row.reference_text or row.marker_text


def _resting(findings: Sequence[Finding]) -> Mapping[str, set[int]]:
    """Sentences of the report by the source that they cite."""
    sentences: dict[str, set[int]] = defaultdict(set)
    for row in findings:
        if row.sentence is not None:
            sentences[_source_of(row)].add(row.sentence)
    return sentences


class Overlapping(Generic[V]):
    """Values at spans of a text, found by a span that they overlap."""

    def __init__(self, spans: Sequence[tuple[tuple[int | None, int | None], V]]) -> None:
        self._spans = sorted(((start or 0, end or 0), at) for at, ((start, end), _) in enumerate(spans))
        self._values = [value for _, value in spans]
        self._starts = [span[0] for span, _ in self._spans]
        self._longest = max((end - start for (start, end), _ in self._spans), default=0)

    def at(self, span: Span | None) -> list[V]:
        """Values of the spans that share a letter with this one."""
        if span is None:
            return []
        first, last = bisect_left(self._starts, span[0] - self._longest), bisect_left(self._starts, span[1])
        return [self._values[at] for (_, end), at in self._spans[first:last] if span[0] < end]

    def least(self, span: Span | None) -> V | None:
        """The least of them (of types of claims, C1 before C2), None without one."""
        return min(self.at(span), default=None)  # type: ignore[type-var]
