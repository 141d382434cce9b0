"""Choosing sentences that answer a claim together: each next one for what the earlier ones leave open.

A claim often needs two or three sentences, one for each part of it; by their scores alone the first places go to
sentences that all speak of the same part. Greedy maximisation of relevance plus coverage (a submodular objective, Lin &
Bilmes, "A class of submodular functions for document summarization", ACL 2011).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def spread(
    relevance: Sequence[float], covered: NDArray[np.float64], weight: float, count: int
) -> list[tuple[int, float]]:
    """Up to ``count`` items in the order of choosing, each with relevance + ``weight`` × (words newly covered).

    Args:
        relevance: one value an item.
        covered: (items, words) share of the claim that an item covers, word by word.

    The values never grow from one to the next. Ties go to the earlier item.
    """
    scores = np.asarray(relevance, dtype=np.float64)
    reached = np.zeros(covered.shape[1])
    free = np.ones(len(scores), dtype=bool)
    chosen: list[tuple[int, float]] = []
    for _ in range(min(count, len(scores))):
        gains = np.maximum(covered - reached, 0).sum(axis=1)
        values = np.where(free, scores + weight * gains, -np.inf)
        best = int(values.argmax())
        chosen.append((best, float(values[best])))
        reached = np.maximum(reached, covered[best])
        free[best] = False
    return chosen
