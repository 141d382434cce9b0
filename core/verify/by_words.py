"""BM25 inside one document (its units are the collection), and the choice of units that cover a claim together.

A claim often needs two or three sentences, one for each part of it; by their scores alone the first places go to
sentences about the same part. ``spread`` is a greedy maximisation of relevance plus coverage (a submodular objective,
Lin & Bilmes, "A class of submodular functions for document summarization", ACL 2011).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from core.text.terms import index_terms

K1 = 1.2
B = 0.75


class _Bm25(BM25Okapi):  # type: ignore[misc]
    """Okapi with Lucene's idf, log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative: in a short text a word
    often stands in more than half of the sentences."""

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


class UnitWords:
    """BM25 (k1 1.2, b 0.75; Robertson & Zaragoza 2009) over the units of one document."""

    def __init__(self, texts: Sequence[str]) -> None:
        stems = [index_terms(text) for text in texts]
        self._size = len(stems)
        self._index = _Bm25(stems, k1=K1, b=B) if any(stems) else None

    def scores(self, query: str) -> NDArray[np.float64]:
        """The (units,) scores; 0 for a unit that shares no word with ``query``. A word of the query counts once."""
        words = list(dict.fromkeys(index_terms(query)))
        if self._index is None or not words:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(words), dtype=np.float64)

    def covered(self, query: str, units: Sequence[int]) -> NDArray[np.float64]:
        """The (units, words) shares to which ``units`` cover the words of ``query``: the BM25 score of a word, at most
        its idf, divided by the sum of all idf. A row sums to at most 1. A word that the source lacks weighs like a word
        of a single unit, so that the other words do not count more."""
        words = list(dict.fromkeys(index_terms(query)))
        out = np.zeros((len(units), len(words)))
        if self._index is None or not words:
            return out
        rare = math.log(1 + (self._size + 0.5) / 0.5)
        weights = np.array([self._index.idf.get(word, rare) for word in words])
        for row, at in enumerate(units):
            counts = self._index.doc_freqs[at]
            norm = K1 * (1 - B + B * self._index.doc_len[at] / self._index.avgdl)
            for column, word in enumerate(words):
                count = counts.get(word, 0)
                if count:
                    out[row, column] = min(1.0, count * (K1 + 1) / (count + norm)) * weights[column]
        return out / max(float(weights.sum()), 1e-12)


def spread(
    relevance: Sequence[float], covered: NDArray[np.float64], weight: float, count: int
) -> list[tuple[int, float]]:
    """Up to ``count`` items in the order of choosing, each with its value: relevance + ``weight`` × (words newly
    covered).

    The values never grow from one item to the next. Ties go to the earlier item.

    Args:
        relevance: a value for each item.
        covered: the (items, words) shares of the claim that the items cover.
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
