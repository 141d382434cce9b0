"""The confidence gate: whether a search found enough to go on, from its top score and the gap to the next.

The scores that order a result are scaled within each search, so the best passage of a search that found nothing has
nearly the score of one that found the answer. The cosine of question and passage, relative to what any passage has
here, is the better sign of the two (docs/decisions/0014-crag.md has both as measured); it is calibrated by a logistic
regression. The gap adds next to nothing beside it, which is why it counts little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.labels import QueryKind, Stage
from core.records import Gate, ScoredPassage, SearchResult
from core.retrieve.background import NO_BACKGROUND, Background, relative
from core.retrieve.crag import ENCODERS, logistic
from core.retrieve.quality import content_stems, covered

COSINE = (12.6, -5.96)
"""Slope and intercept on a passage's cosine with the question, relative to the background."""
WORDS = (7.67, -3.88)
"""The same on the share of the question's content words in a passage, where there is no such encoder."""
GAP = 0.1
"""Weight of the gap to the next passage beside the top score."""


def gate(result: SearchResult, question: str, threshold: float, background: Background = NO_BACKGROUND) -> Gate:
    """Whether ``confidence`` = top + GAP · gap (at most 1) reaches ``threshold``. A search that found nothing has 0.

    ``top`` and ``gap`` are probabilities that a passage answers, of the best and between it and the next best.
    """
    values = sorted(_cosines(result, background) or _shares(result.passages, question), reverse=True)
    if not values:
        return Gate(0.0, 0.0, 0.0, threshold, threshold <= 0)
    top = values[0]
    gap = top - values[1] if len(values) > 1 else 0.0
    confidence = min(1.0, top + GAP * gap)
    return Gate(top, gap, confidence, threshold, confidence >= threshold)


def _cosines(result: SearchResult, background: Background) -> list[float]:
    """Of the question itself, whatever other queries brought; none where another encoder made them."""
    ran = result.fingerprint.get(Stage.DENSE.value)
    model = str(ran.get("model") or "") if isinstance(ran, Mapping) else ""
    if not model.startswith(ENCODERS):
        return []
    kinds = [query.kind for query in result.request.queries]
    own = kinds.index(QueryKind.ORIGINAL) if QueryKind.ORIGINAL in kinds else 0
    steps = (step for passage in result.passages for step in passage.trail)
    cosines = (step.score for step in steps if step.stage is Stage.DENSE and step.query == own)
    return [logistic(COSINE, relative(cosine, background.question)) for cosine in cosines]


def _shares(passages: Sequence[ScoredPassage], question: str) -> list[float]:
    wanted = content_stems(question)
    return [logistic(WORDS, covered(wanted, [passage.passage.index_text])) for passage in passages] if wanted else []
