"""A reranker without a model: it counts the query's words in a text, their nearness, and those in its title."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.text.terms import index_terms

COVERAGE, PROXIMITY, TITLE = 0.6, 0.25, 0.15


def coverage(wanted: set[str], words: Sequence[str]) -> float:
    """Share of the wanted stems that occur, in [0, 1]."""
    return len(wanted.intersection(words)) / len(wanted) if wanted else 0.0


def proximity(wanted: set[str], words: Sequence[str]) -> float:
    """Found stems over the length of the shortest run of words that holds all of them, in [0, 1]. One found stem says
    nothing about nearness and gives 0."""
    present = wanted.intersection(words)
    if len(present) < 2:
        return 0.0
    places = [(at, word) for at, word in enumerate(words) if word in present]
    counts: dict[str, int] = {}
    shortest, left = len(words), 0
    for right, (at, word) in enumerate(places):
        counts[word] = counts.get(word, 0) + 1
        while len(counts) == len(present):
            shortest = min(shortest, at - places[left][0] + 1)
            leaving = places[left][1]
            counts[leaving] -= 1
            if not counts[leaving]:
                del counts[leaving]
            left += 1
        assert left <= right + 1
    return len(present) / shortest


class HeuristicReranker:
    """Score in [0, 1] = 0.6 coverage + 0.25 coverage × proximity + 0.15 title coverage, over whole stemmed words. The
    title of a text is its first line when it has several (``Passage.index_text``)."""

    @property
    def fingerprint(self) -> str:
        """Its recipe."""
        return "heuristic@1"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores, larger is better."""
        wanted = set(index_terms(query))
        return np.asarray([self._score(wanted, text) for text in texts], dtype=np.float32)

    def _score(self, wanted: set[str], text: str) -> float:
        title, newline, _ = text.partition("\n")
        words = index_terms(text)
        covered = coverage(wanted, words)
        titled = coverage(wanted, index_terms(title)) if newline else 0.0
        return COVERAGE * covered + PROXIMITY * covered * proximity(wanted, words) + TITLE * titled
