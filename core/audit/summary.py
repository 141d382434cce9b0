"""The outcome of a report: counts with citation precision and recall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.labels import Reason, Status
from core.records import AuditSummary, Finding, HeatSentence

VERIFIED, FAILING, WAITING, UNCITED, PLAIN = "verified", "failing", "waiting", "uncited", "plain"


def is_citation(row: Finding) -> bool:
    """True when the row stands for a citation; the others are listed references that nothing cites."""
    return Reason.UNUSED_REFERENCE not in row.reasons


def summarise(report_id: int, findings: Sequence[Finding], sentences: Sequence[HeatSentence]) -> AuditSummary:
    """Counts of a report. ``sentences`` is its heat map.

    Citation precision: the citations that pass, over those that were judged (``PASS`` and ``REVIEW``; a source that
    is not stored was not judged). Citation recall: sentences with a citation that passes, over all that state
    something to check, cited or not (Gao et al. 2023, "Enabling Large Language Models to Generate Text with
    Citations", section 4, with the statement as the unit and this audit as the judge). ``by_reason`` counts deciding
    reasons, of unused references too.
    """
    citations = [row for row in findings if is_citation(row)]
    by_status = Counter(row.status for row in citations if row.status is not None)
    by_reason = Counter(row.reasons[0] for row in findings if row.reasons)
    judged = by_status[Status.PASS] + by_status[Status.REVIEW]
    passing = {row.id for row in citations if row.status is Status.PASS}
    worthy = [sentence for sentence in sentences if sentence.shade != PLAIN]
    verified = sum(1 for sentence in worthy if sentence.shade != UNCITED and passing.intersection(sentence.findings))
    return AuditSummary(
        report_id=report_id,
        citations=len(citations),
        waiting=sum(row.status is None for row in citations),
        by_status=dict(by_status),
        by_reason=dict(by_reason),
        unused_references=by_reason[Reason.UNUSED_REFERENCE],
        check_worthy=len(worthy),
        precision=by_status[Status.PASS] / judged if judged else None,
        recall=verified / len(worthy) if worthy else None,
    )
