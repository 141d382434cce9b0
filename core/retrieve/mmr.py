"""Maximal marginal relevance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.records import Hit, Vector


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
