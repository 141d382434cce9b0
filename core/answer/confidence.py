"""The confidence of an answer: a score from 0 to 100, and a level."""

from collections.abc import Sequence

from core.labels import CragClass
from core.records import AnswerCitation

HIGH, MEDIUM = 70, 40
"""Least scores of the levels high and medium."""
SOURCES = 3
"""Number of sources that is enough for full confidence."""


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
    """The (score, level) of an answer.

    ``100 · (0.4 · grounding + 0.3 · retrieval + 0.2 · relevance + 0.1 · sources)`` where ``grounding`` is the share of
    supported sentences, ``retrieval`` the confidence in the search results (CRAG), ``relevance`` the mean relevance of
    the five most relevant citations, and ``sources`` the number of cited documents over three, at most 1; each in [0,
    1]. The weights are a choice, not a measurement.

    An answer of ``quoted`` sentences is supported by itself, which does not tell how well it answers. There
    ``grounding`` counts at most as much as ``relevance``.

    Three limits hold: 0 without a citation; at most 39 (low) for an answer that is not grounded, or whose search
    results were judged incorrect; at most 69 (medium) where sources disagree, in their sentences or in their figures
    for the same quantity.
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
    """The level of a score: high, medium or low."""
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"
