"""Measures of a ranking against judgements, one small pure function each.

``ranking``: document ids, best first. ``judged``: document id → grade; above 0 is relevant, what is not
judged is not relevant. All values lie in [0, 1]. Where nothing relevant was judged a measure is 0, as in trec_eval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

Judgements = Mapping[str, int]
Measure = Callable[[Sequence[str], Judgements], float]


def ndcg(ranking: Sequence[str], judged: Judgements, k: int | None = None) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002) as trec_eval computes it.

    Gain is the grade, discount is log2(rank + 1); the ideal is the best order of all judged documents.
    """
    gains = [max(0, judged.get(document, 0)) for document in ranking[:k]]
    ideal = sorted((grade for grade in judged.values() if grade > 0), reverse=True)[:k]
    best = _discounted(ideal)
    return _discounted(gains) / best if best else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def recall(ranking: Sequence[str], judged: Judgements, k: int | None = None) -> float:
    """Share of the relevant documents that stand among the first ``k``."""
    relevant = _relevant(judged)
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def precision(ranking: Sequence[str], judged: Judgements, k: int) -> float:
    """Share of the first ``k`` places that hold a relevant document; an empty place counts as a miss."""
    return len(_relevant(judged).intersection(ranking[:k])) / k


def reciprocal_rank(ranking: Sequence[str], judged: Judgements, k: int | None = None) -> float:
    """1 / rank of the first relevant document; its mean over queries is the MRR."""
    relevant = _relevant(judged)
    return next((1 / rank for rank, document in enumerate(ranking[:k], start=1) if document in relevant), 0.0)


def average_precision(ranking: Sequence[str], judged: Judgements, k: int | None = None) -> float:
    """Mean over the relevant documents of the precision at their rank; its mean over queries is the MAP."""
    relevant = _relevant(judged)
    relevant_so_far, total = 0, 0.0
    for rank, document in enumerate(ranking[:k], start=1):
        if document in relevant:
            relevant_so_far += 1
            total += relevant_so_far / rank
    return total / len(relevant) if relevant else 0.0


def _relevant(judged: Judgements) -> set[str]:
    return {document for document, grade in judged.items() if grade > 0}


_FAMILIES: dict[str, Callable[..., float]] = {
    "ndcg": ndcg,
    "recall": recall,
    "precision": precision,
    "mrr": reciprocal_rank,
    "map": average_precision,
}


def measure(name: str) -> Measure:
    """The measure that a name like ``ndcg@10``, ``recall@5``, ``mrr`` or ``map`` stands for.

    Raises:
        ValueError: the name is not known, or its cut-off is not a number above 0.
    """
    family, at, cutoff = name.lower().partition("@")
    function = _FAMILIES.get(family)
    if function is None:
        raise ValueError(f"unknown measure {name!r}; known are {', '.join(_FAMILIES)}, with or without @k")
    if at and not (cutoff.isdigit() and int(cutoff) > 0):
        raise ValueError(f"the cut-off of {name!r} must be a whole number above 0")
    if not at and family == "precision":
        raise ValueError("precision needs a cut-off, for example precision@10")
    k = int(cutoff) if at else None
    return lambda ranking, judged: function(ranking, judged, k)


def per_query(name: str, run: Mapping[str, Sequence[str]], qrels: Mapping[str, Judgements]) -> dict[str, float]:
    """A measure for every judged query, in their order; a query that the run leaves out scores 0."""
    of_one = measure(name)
    return {query: of_one(run.get(query, ()), judged) for query, judged in qrels.items()}
