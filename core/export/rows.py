"""The one model of a row that all formats share."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.audit.summary import is_citation
from core.audit.wording import check_name, ordered_checks
from core.errors import DocumentNotFound
from core.export.content import NOTHING, Content
from core.records import Document, Finding, Judgement, Outcome, Rescue, SourceVerdict, Span, Standing
from core.retrieve.stretch import page_at

WAITING = "waiting"
CONFLICT = "conflict"
_TEXTS_AT_HAND = 8


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One deterministic check: its name for people, ``agrees`` or not, and its explanation."""

    name: str
    agrees: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """Words of a source: ``start``/``end`` are offsets (code points, half-open) into its stored text, ``page`` the
    number of the page on which they begin."""

    text: str
    start: int
    end: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One citation of a report, or one listed reference that nothing cites (``style`` is then ``unused``). ``ordinal``
    counts from 1 in the order of the report. ``support`` and ``contradiction`` are calibrated probabilities, 0 to 1.
    ``source_hash`` is the SHA-256 of the stored text that was judged. ``passage`` is what was judged, ``deciding`` the
    sentence in it that decides. ``decision`` is the kind of the decision in force, or ``conflict``; ``stale`` says what
    has changed since."""

    finding: int
    ordinal: int
    claim: str
    claim_start: int | None
    claim_end: int | None
    marker: str
    style: str
    reference: str
    url: str
    doi: str
    source_title: str
    source_id: str
    source_hash: str
    source_grade: str
    matched_by: str
    status: str
    reasons: tuple[str, ...]
    support: float | None
    contradiction: float | None
    passage: SourcePassage | None
    deciding: SourcePassage | None
    explanation: str
    checks: tuple[CheckLine, ...]
    supported_part: str
    other_source: str
    other_citation: str
    other_passage: SourcePassage | None
    other_carries: bool | None
    judged: str
    judged_by: str
    decision: str
    decided_by: str
    decided: str
    decision_reason: str
    note: str
    rewording: str
    stale: str

    @property
    def cited(self) -> bool:
        """True when it stands for a citation."""
        return self.style != "unused"


def rows_of(content: Content) -> list[Row]:
    make = _Rows(content)
    return [make.row(finding) for finding in content.findings]


class _Rows:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._text: Callable[[str], str | None] = lru_cache(_TEXTS_AT_HAND)(self._read)

    def _read(self, document_id: str) -> str | None:
        try:
            return self._content.text_of(document_id)
        except DocumentNotFound:  # deleted since it was judged: the words that were judged are kept with the verdict
            return None

    def row(self, finding: Finding) -> Row:
        content = self._content
        document = content.documents.get(finding.document_id or "")
        start, end = finding.claim or (None, None)
        return Row(
            finding=finding.id, ordinal=finding.ordinal + 1, claim=finding.claim_text, claim_start=start, claim_end=end,
            marker=finding.marker_text, style=finding.style if is_citation(finding) else "unused",
            reference=finding.reference_text or finding.reference_label, url=finding.url or "", doi=finding.doi or "",
            source_id=finding.document_id or "", **_source(document),
            matched_by=finding.matched_by, status=finding.status.value if finding.status else WAITING,
            reasons=tuple(reason.value for reason in finding.reasons), **self._outcome(document, finding.verdict),
            explanation=finding.explanation if content.sources or not finding.verdict else "",
            supported_part=_part(content, finding), **self._other_source(finding.rescue),
            judged=finding.judged.isoformat() if finding.judged else "",
            **_decided(content.standing.get(finding.id, NOTHING)),
        )  # fmt: skip

    def _outcome(self, document: Document | None, verdict: SourceVerdict | None) -> dict[str, Any]:
        """The columns of the judge's verdict."""
        return {
            "support": verdict.supports if verdict else None, "contradiction": verdict.contradicts if verdict else None,
            "passage": self._passage(document, verdict), "deciding": self._deciding(document, verdict),
            "checks": self._checks(verdict), "judged_by": verdict.fingerprint if verdict else "",
        }  # fmt: skip

    def _other_source(self, rescue: Rescue | None) -> dict[str, Any]:
        """The columns of the source that is suggested in place of the cited one."""
        if rescue is None:
            return {"other_source": "", "other_citation": "", "other_passage": None, "other_carries": None}
        document = self._content.documents.get(rescue.document_id)
        return {
            "other_source": rescue.title, "other_citation": rescue.citation,
            "other_passage": self._span(document, (rescue.start, rescue.end), rescue.text),
            "other_carries": rescue.carries,
        }  # fmt: skip

    def _passage(self, document: Document | None, verdict: SourceVerdict | None) -> SourcePassage | None:
        best = verdict.best if verdict else None
        return self._judged(document, best) if best is not None else None

    def _judged(self, document: Document | None, window: Judgement) -> SourcePassage | None:
        """The window that was judged, as it stands in the source; parts that do not follow one another are joined by
        an ellipsis."""
        text = self._text(document.id) if document else None
        spans = window.spans or ((window.start, window.end),)
        if text is None or any(not 0 <= start <= end <= len(text) for start, end in spans):
            return self._words(document, (window.start, window.end), window.text)
        merged: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if merged and not text[merged[-1][1] : start].strip():
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        words = " […] ".join(text[start:end] for start, end in merged)
        return self._words(document, (window.start, window.end), words)

    def _deciding(self, document: Document | None, verdict: SourceVerdict | None) -> SourcePassage | None:
        if verdict is None or verdict.rationale is None:
            return None
        return self._span(document, verdict.rationale, "")

    def _span(self, document: Document | None, span: Span, fallback: str) -> SourcePassage | None:
        text = self._text(document.id) if document else None
        if text is not None and 0 <= span[0] < span[1] <= len(text):
            return self._words(document, span, text[span[0] : span[1]])
        return self._words(document, span, fallback) if fallback else None

    def _words(self, document: Document | None, span: Span, text: str) -> SourcePassage:
        page = page_at(document.pages, span[0]) if document else None
        return SourcePassage(text if self._content.sources else "", span[0], span[1], page)

    def _checks(self, verdict: SourceVerdict | None) -> tuple[CheckLine, ...]:
        shown = ordered_checks(verdict.checks) if verdict else []
        return tuple(
            CheckLine(
                check_name(check), check.outcome is Outcome.PASSED, check.explanation if self._content.sources else ""
            )
            for check in shown
            if check.outcome is not Outcome.NOT_APPLICABLE
        )


def _source(document: Document | None) -> dict[str, Any]:
    if document is None:
        return {"source_title": "", "source_hash": "", "source_grade": ""}
    grade = document.grade_in_force.value
    return {"source_title": document.title, "source_hash": document.content_hash, "source_grade": grade}


def _part(content: Content, finding: Finding) -> str:
    part = finding.supported_part
    if part is None or not 0 <= part[0] < part[1] <= len(content.read.text):
        return ""
    return content.read.text[part[0] : part[1]]


def _decided(standing: Standing) -> dict[str, Any]:
    """The columns of people's decision."""
    if standing.conflict:
        opinions = standing.conflict
        return {
            "decision": CONFLICT,
            "decided_by": ", ".join(f"{opinion.by}: {opinion.kind.value}" for opinion in opinions),
            "decided": opinions[-1].at.isoformat(), "decision_reason": "", "rewording": "", "stale": standing.stale,
            "note": "; ".join(f"{opinion.by}: {opinion.note}" for opinion in opinions if opinion.note),
        }  # fmt: skip
    decision = standing.decision
    if decision is None:
        names = ("decision", "decided_by", "decided", "decision_reason", "note", "rewording", "stale")
        return dict.fromkeys(names, "")
    return {
        "decision": decision.kind.value, "decided_by": decision.by, "decided": decision.at.isoformat(),
        "decision_reason": decision.reason, "note": decision.note, "rewording": decision.rewording,
        "stale": standing.stale,
    }  # fmt: skip
