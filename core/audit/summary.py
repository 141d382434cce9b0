"""The outcome of a report: every sentence with its colour, and counts with citation precision and recall."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from core.audit.report_model import BlockKind, Report, Sentence
from core.labels import Reason, Status
from core.records import AuditSummary, Finding, HeatSentence

CheckWorthy = Callable[[str, str], tuple[bool, str]]
"""(worth checking, reason) for a sentence in a kind of block (``prose``, ``list_item`` …)."""

VERIFIED, FAILING, WAITING, UNCITED, PLAIN = "verified", "failing", "waiting", "uncited", "plain"


def heat(report: Report, findings: Sequence[Finding], check_worthy: CheckWorthy) -> list[HeatSentence]:
    """Every sentence of the report in order, headings and entries of the reference list included (``plain``).

    A cited sentence is ``failing`` as soon as one of its citations does not pass, ``waiting`` while one is not
    judged, else ``verified``.
    """
    cited: dict[int, list[Finding]] = defaultdict(list)
    unused: dict[int, list[Finding]] = defaultdict(list)
    for row in findings:
        if is_citation(row):
            if row.sentence is not None:
                cited[row.sentence].append(row)
        elif row.reference is not None:
            unused[row.reference[0]].append(row)
    return [
        _cited(sentence, cited[at]) if at in cited else _uncited(report, sentence, unused, check_worthy)
        for at, sentence in enumerate(report.sentences)
    ]


def is_citation(row: Finding) -> bool:
    """True when the row stands for a citation; the others are listed references that nothing cites."""
    return Reason.UNUSED_REFERENCE not in row.reasons


def _cited(sentence: Sentence, rows: Sequence[Finding]) -> HeatSentence:
    ids = tuple(row.id for row in rows)
    failing = [row for row in rows if row.status not in (None, Status.PASS)]
    waiting = sum(row.status is None for row in rows)
    if failing:
        many = f"{len(failing)} of {len(rows)} citations do not pass: " if len(rows) > 1 else ""
        return HeatSentence(sentence.start, sentence.end, FAILING, ids, f"{many}{failing[0].explanation}")
    if waiting:
        why = f"{waiting} of {len(rows)} citations not judged yet." if len(rows) > 1 else "Not judged yet."
        return HeatSentence(sentence.start, sentence.end, WAITING, ids, why)
    return HeatSentence(sentence.start, sentence.end, VERIFIED, ids, rows[0].explanation)


def _uncited(
    report: Report, sentence: Sentence, unused: dict[int, list[Finding]], check_worthy: CheckWorthy
) -> HeatSentence:
    start, end = sentence.start, sentence.end
    if sentence.kind is BlockKind.REFERENCE:
        rows = unused.get(start, [])
        why = rows[0].explanation if rows else "An entry of the reference list."
        return HeatSentence(start, end, PLAIN, tuple(row.id for row in rows), why)
    worthy, why = check_worthy(report.text[start:end], sentence.kind.value)
    if worthy:
        return HeatSentence(start, end, UNCITED, (), f"Worth checking, and without a citation: {why}.")
    return HeatSentence(start, end, PLAIN, (), f"Nothing to check: {why}.")


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
