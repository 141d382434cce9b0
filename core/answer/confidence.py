"""How far an answer can be trusted: 0 to 100, and a level."""

from __future__ import annotations

from collections.abc import Sequence

from core.labels import CragClass
from core.records import AnswerCitation

HIGH, MEDIUM = 70, 40
"""From these scores on: high, medium; below: low."""
SOURCES = 3
"""Sources that are enough."""


def confidence(
    citations: Sequence[AnswerCitation],
    grounding: float | None,
    *,
    grounded: bool,
    retrieval: float,
    verdict: CragClass | None = None,
    disputed: bool = False,
    quoted: bool = False,
) -> tuple[int, str]:
    """(score, level) of an answer.

    ``100 · (0.4 · grounding + 0.3 · retrieval + 0.2 · relevance + 0.1 · sources)`` where ``grounding`` is the share of
    supported sentences, ``retrieval`` the confidence in what was found (CRAG), ``relevance`` the mean relevance of the
    five most relevant citations, and ``sources`` the number of cited documents over three, at most 1; each in [0, 1].
    An answer of ``quoted`` sentences is supported by itself, which says nothing of how well it answers: there the
    smaller of ``relevance`` and ``grounding`` stands in for ``grounding``. The weights are a choice, not a measurement.
    Limits: without a citation 0; not grounded, or retrieval judged incorrect: at most 39 (low); sources that disagree,
    as the judge reads their sentences or by their figures for the same quantity: at most 69 (medium).
    """
    if not citations:
        return 0, "low"
    best = sorted((citation.relevance for citation in citations), reverse=True)[:5]
    relevance = sum(best) / len(best)
    sources = min(1.0, len({citation.document_id for citation in citations}) / SOURCES)
    carried = min(grounding or 0.0, relevance) if quoted else grounding or 0.0
    score = 100 * (0.4 * carried + 0.3 * retrieval + 0.2 * relevance + 0.1 * sources)
    if disputed:
        score = min(score, HIGH - 1)
    if not grounded or verdict is CragClass.INCORRECT:
        score = min(score, MEDIUM - 1)
    whole = round(max(0.0, min(100.0, score)))
    return whole, level(whole)


def level(score: int) -> str:
    """high, medium or low."""
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"
