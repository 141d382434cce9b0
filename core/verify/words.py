"""BM25 inside one document: its units are the collection."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from core.terms import index_terms


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
        self._index = _Bm25(stems, k1=1.2, b=0.75) if any(stems) else None

    def scores(self, query: str) -> NDArray[np.float64]:
        """(units,) scores; 0 for a unit that shares no word with ``query``. A word counts once."""
        words = list(dict.fromkeys(index_terms(query)))
        if self._index is None or not words:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(words), dtype=np.float64)
