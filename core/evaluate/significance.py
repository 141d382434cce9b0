"""Confidence of a mean over queries, and tests whether two systems differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_BLOCK = 500


def ci95(values: Sequence[float], samples: int = 10_000, seed: int = 0) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean (Efron & Tibshirani 1993), 95 %.

    Raises:
        ValueError: no values.
    """
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
    """Two-sided p-value that two systems do equally well on the same queries (Fisher's randomisation test).

    Smucker, Allan & Carterette, "A comparison of statistical significance tests for information retrieval
    evaluation", CIKM 2007. The signs of the differences are flipped at random; the observed outcome counts as
    one of the samples, so the smallest value is 1 / (samples + 1).

    Raises:
        ValueError: the two lists are not of one length, or empty.
    """
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
