"""Variety among the passages of a search: what repeats an earlier passage comes later, and no source fills the list
while others answer too."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from core.records import Hit, Vector

OF_TEN = 3
"""The most of ten results that one source has before other sources had their turn."""
OTHERS = 0.75
"""The least relevance of another source's passage that goes before such a fourth one, as a share of the best."""


def over_sources(
    order: Sequence[Hit], sources: Mapping[int, str], relevance: Mapping[int, float], first: int
) -> list[Hit]:
    """Reorder ``order`` so that of each ten results at most ``OF_TEN`` are of one source while passages of others are
    at least ``OTHERS`` times as relevant as the best. All hits are returned, with their scores.

    Args:
        sources: the document id by passage id; a passage without one is a source of its own.
        relevance: the fused scores, 0 or more, by passage id.
        first: how many results are arranged so; the rest follow unchanged.
    """
    rest, arranged = list(order), list[Hit]()
    least = OTHERS * max(relevance.values(), default=0.0)
    counts: Counter[str] = Counter()
    while rest and len(arranged) < first:
        if len(arranged) % 10 == 0:
            counts.clear()
        free = (
            at
            for at, hit in enumerate(rest)
            if counts[_source(hit, sources)] < OF_TEN and (at == 0 or relevance.get(hit.passage_id, 0.0) >= least)
        )
        arranged.append(rest.pop(next(free, 0)))
        counts[_source(arranged[-1], sources)] += 1
    return [*arranged, *rest]


def _source(hit: Hit, sources: Mapping[int, str]) -> str:
    return sources.get(hit.passage_id, str(hit.passage_id))


def maximal_marginal_relevance(
    hits: Sequence[Hit], vectors: Mapping[int, Vector], lam: float, pool: int | None = None
) -> list[Hit]:
    """Reorder ``hits`` so that what repeats an earlier passage comes later.

    Carbonell & Goldstein, "The use of MMR, diversity-based reranking for reordering documents", SIGIR 1998:
    next is the passage with the largest ``lam · relevance − (1 − lam) · similarity``, similarity being the
    largest cosine with a passage already taken. Relevance is the hit's score scaled to [0, 1] over the pool,
    so that it can be weighed against a cosine whatever scale the fusion had.

    Args:
        hits: best first.
        vectors: unit vectors (dim,) by passage id. A passage without one is taken as similar to nothing:
            it keeps its relevance and penalises nobody.
        lam: 1 keeps the order, 0 looks at novelty alone.
        pool: how many of the first hits take part; the rest follow unchanged.

    Returns:
        All hits; the score of a reordered one is its marginal relevance when it was taken.
    """
    head = list(hits[:pool]) if pool is not None else list(hits)
    tail = list(hits[len(head) :])
    if len(head) < 2:
        return [*head, *tail]
    scores = np.array([hit.score for hit in head], dtype=np.float64)
    spread = float(scores.max() - scores.min())
    relevance = (scores - scores.min()) / spread if spread > 0 else np.ones_like(scores)
    similarity = _similarities(head, vectors)
    taken: list[Hit] = []
    nearest = np.zeros(len(head))
    free = np.ones(len(head), dtype=bool)
    for _ in head:
        marginal = np.where(free, lam * relevance - (1 - lam) * nearest, -np.inf)
        best = int(marginal.argmax())  # the first of equals: the earlier hit
        taken.append(Hit(head[best].passage_id, float(marginal[best])))
        free[best] = False
        nearest = np.maximum(nearest, similarity[best])
    return [*taken, *tail]


def _similarities(hits: Sequence[Hit], vectors: Mapping[int, Vector]) -> np.ndarray:
    matrix = np.zeros((len(hits), len(hits)))
    rows = [row for row, hit in enumerate(hits) if hit.passage_id in vectors]
    if rows:
        stacked = np.stack([vectors[hits[row].passage_id] for row in rows]).astype(np.float64)
        matrix[np.ix_(rows, rows)] = np.clip(stacked @ stacked.T, 0.0, 1.0)
    return matrix
