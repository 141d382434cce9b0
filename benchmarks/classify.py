"""Measures of labels and of probabilities, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

BINS = 15
SAMPLES = 2000
Counts = NDArray[np.float64]
Labels = NDArray[np.int64]


def confusion(truth: Labels, predicted: Labels, classes: int) -> Counts:
    """(classes, classes) counts, true label by row."""
    return np.bincount(truth * classes + predicted, minlength=classes * classes).reshape(classes, classes).astype(float)


def accuracy(counts: Counts) -> float:
    """Share of right labels."""
    return float(np.trace(counts) / counts.sum())


def f1(counts: Counts) -> NDArray[np.float64]:
    """F1 of each class, 2 tp / (2 tp + fp + fn); 0 for a class that neither side has."""
    right = np.diag(counts)
    return np.asarray(2 * right / np.maximum(counts.sum(axis=0) + counts.sum(axis=1), 1))


def macro_f1(counts: Counts) -> float:
    """Mean F1 over the classes that occur in the truth."""
    return float(f1(counts)[counts.sum(axis=1) > 0].mean())


def balanced_accuracy(counts: Counts) -> float:
    """Mean recall over the classes that occur in the truth."""
    occurring = counts.sum(axis=1) > 0
    return float((np.diag(counts)[occurring] / counts.sum(axis=1)[occurring]).mean())


def precision(counts: Counts, label: int) -> float:
    """Share of right ones among those that got ``label``; 1 where none did."""
    predicted = counts[:, label].sum()
    return float(counts[label, label] / predicted) if predicted else 1.0


def expected_calibration_error(sure: NDArray[np.float64], right: NDArray[np.float64], bins: int = BINS) -> float:
    """Mean gap of confidence and accuracy over bins of equal width, weighted by their size (Guo et al. 2017).

    Args:
        sure: probability of the label that was said, one a row.
        right: 1 where that label was right, else 0.
    """
    place = np.minimum((sure * bins).astype(int), bins - 1)
    sizes = np.bincount(place, minlength=bins)
    gaps = np.abs(np.bincount(place, sure, bins) - np.bincount(place, right, bins))
    return float(gaps[sizes > 0].sum() / len(sure))


def interval(size: int, value: Callable[[Labels], float], samples: int = SAMPLES, seed: int = 0) -> tuple[float, float]:
    """95 % percentile bootstrap interval (Efron & Tibshirani 1993) of ``value`` of resampled row numbers."""
    random = np.random.default_rng(seed)
    values = [value(random.integers(0, size, size)) for _ in range(samples)]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def best_threshold(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The threshold of largest balanced accuracy for "score >= threshold means true"; the middle of ties."""
    values_of_pairs, wanted = np.asarray(scores), np.asarray(truth, dtype=bool)
    tried = np.unique(np.concatenate([[0.0], values_of_pairs, [1.0]]))
    middles = (tried[1:] + tried[:-1]) / 2
    values = np.array(
        [
            ((values_of_pairs >= middle)[wanted].mean() + (values_of_pairs < middle)[~wanted].mean()) / 2
            for middle in middles
        ]
    )
    best = np.flatnonzero(values >= values.max() - 1e-12)
    return float(middles[best[len(best) // 2]])
