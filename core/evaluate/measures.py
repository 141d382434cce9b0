"""Measures of a ranking against judgements, one small pure function each. ``ranking``: document ids, best first.
``judged``: document id → grade; above 0 is relevant, what is not judged is not relevant. All values lie in [0, 1].
Where nothing relevant was judged a measure is 0, as in trec_eval."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Judgements = Mapping[str, int]
Measure = Callable[[Sequence[str], Judgements], float]


def ndcg(ranking: Sequence[str], judged: Judgements, k: int | None = None) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002) as trec_eval computes it. Gain is the grade,
    discount is log2(rank + 1); the ideal is the best order of all judged documents."""
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
    """The measure that a name like ``ndcg@10``, ``recall@5``, ``mrr`` or ``map`` stands for. Raises ValueError: the
    name is not known, or its cut-off is not a number above 0."""
    family, at, cutoff = name.lower().partition("@")
    function = _FAMILIES.get(family)
    if function is None:
        raise ValueError(f"unknown measure {name!r}; known are {', '.join(_FAMILIES)}, with or without @k")
    if at and not (cutoff.isdecimal() and int(cutoff) > 0):
        raise ValueError(f"the cut-off of {name!r} must be a whole number above 0")
    if not at and family == "precision":
        raise ValueError("precision needs a cut-off, for example precision@10")
    k = int(cutoff) if at else None
    return lambda ranking, judged: function(ranking, judged, k)


def per_query(name: str, run: Mapping[str, Sequence[str]], qrels: Mapping[str, Judgements]) -> dict[str, float]:
    """A measure for every judged query, in their order; a query that the run leaves out scores 0."""
    of_one = measure(name)
    return {query: of_one(run.get(query, ()), judged) for query, judged in qrels.items()}


_BLOCK = 500


def ci95(values: Sequence[float], samples: int = 10_000, seed: int = 0) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean (Efron & Tibshirani 1993), 95 %. Raises ValueError: no values."""
    data = np.asarray(values, dtype=np.float64)
    if not data.size:
        raise ValueError("an interval needs at least one value")
    random = np.random.default_rng(seed)
    means = np.concatenate(
        [
            data[random.integers(0, data.size, (min(_BLOCK, samples - done), data.size))].mean(axis=1)
            for done in range(0, samples, _BLOCK)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def randomization_test(first: Sequence[float], other: Sequence[float], samples: int = 10_000, seed: int = 0) -> float:
    """Two-sided p-value that two systems do equally well on the same queries (Fisher's randomisation test). Smucker,
    Allan & Carterette, "A comparison of statistical significance tests for information retrieval evaluation", CIKM
    2007. The signs of the differences are flipped at random; the observed outcome counts as one of the samples, so the
    smallest value is 1 / (samples + 1). Raises ValueError: the two lists are not of one length, or empty."""
    if len(first) != len(other) or not len(first):
        raise ValueError(f"a paired test needs two lists of one length, not {len(first)} and {len(other)} values")
    differences = np.asarray(first, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    observed = abs(differences.sum())
    random = np.random.default_rng(seed)
    extreme = 0
    for done in range(0, samples, _BLOCK):
        signs = random.integers(0, 2, (min(_BLOCK, samples - done), differences.size)) * 2 - 1
        extreme += int((np.abs(signs @ differences) >= observed - 1e-12).sum())
    return (extreme + 1) / (samples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for asking several questions at once (Holm 1979), in the order given, at most 1."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = largest
    return adjusted


RELEVANT = 0.5
"""A sentence whose relevance reaches this bears on the question."""


@dataclass(frozen=True, slots=True)
class Triad:
    """The three measures; None where there was nothing to measure."""

    context_relevance: float | None
    groundedness: float | None
    answer_relevance: float | None


def triad(context: Sequence[float], supported: Sequence[bool], answer: Sequence[float]) -> Triad:
    """The triad of one answer.

    Args:
        context: relevance of each sentence of the passages that the answer was made from.
        supported: whether each claim of the answer is supported by what it cites.
        answer: relevance of each sentence of the answer.
    """
    return Triad(
        _share([relevance >= RELEVANT for relevance in context]),
        _share(supported),
        _share([relevance >= RELEVANT for relevance in answer]),
    )


def mean_triad(triads: Sequence[Triad]) -> Triad:
    """The mean over answers of each measure, over those that have it."""
    return Triad(
        _mean([triad.context_relevance for triad in triads]),
        _mean([triad.groundedness for triad in triads]),
        _mean([triad.answer_relevance for triad in triads]),
    )


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return sum(measured) / len(measured) if measured else None
