"""Measures of labels, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import classify

TRUTH = np.array([0, 0, 0, 1, 1, 2])
SAID = np.array([0, 0, 1, 1, 2, 2])
COUNTS = classify.confusion(TRUTH, SAID, 3)


def test_counts_have_the_truth_by_row() -> None:
    assert COUNTS.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_measures_of_labels() -> None:
    assert classify.accuracy(COUNTS) == pytest.approx(4 / 6)
    assert classify.f1(COUNTS).tolist() == pytest.approx([0.8, 0.5, 2 / 3])
    assert classify.macro_f1(COUNTS) == pytest.approx((0.8 + 0.5 + 2 / 3) / 3)
    assert classify.balanced_accuracy(COUNTS) == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert classify.precision(COUNTS, 2) == pytest.approx(1 / 2)


def test_a_class_that_does_not_occur_does_not_count() -> None:
    counts = classify.confusion(np.array([0, 1]), np.array([0, 2]), 3)
    assert classify.balanced_accuracy(counts) == pytest.approx(0.5)
    assert classify.macro_f1(counts) == pytest.approx(0.5)


def test_calibration_error_is_the_weighted_gap_of_the_bins() -> None:
    sure = np.array([0.95, 0.95, 0.55, 0.55])
    right = np.array([1.0, 1.0, 0.0, 1.0])
    # two bins: |0.95 - 1| and |0.55 - 0.5|, half the rows each
    assert classify.expected_calibration_error(sure, right, bins=10) == pytest.approx(0.05)
    assert classify.expected_calibration_error(np.array([1.0]), np.array([1.0])) == 0


def test_the_threshold_that_parts_best() -> None:
    assert classify.best_threshold([0.1, 0.2, 0.8, 0.9], [False, False, True, True]) == pytest.approx(0.5)


def test_an_interval_holds_the_value_and_is_repeatable() -> None:
    values = np.array([0.0] * 30 + [1.0] * 70)
    low, high = classify.interval(100, lambda rows: float(values[rows].mean()))
    assert low < 0.7 < high
    assert high - low < 0.25
    assert classify.interval(100, lambda rows: float(values[rows].mean())) == (low, high)
