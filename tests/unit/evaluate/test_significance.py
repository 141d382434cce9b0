"""Intervals and the paired test."""

from __future__ import annotations

import pytest

from core.evaluate.measures import ci95, randomization_test


def test_the_interval_holds_the_mean_and_narrows_with_more_queries() -> None:
    few, many = ci95([0.0, 1.0] * 5), ci95([0.0, 1.0] * 500)
    assert few[0] < 0.5 < few[1]
    assert many[1] - many[0] < few[1] - few[0]
    # Standard error of 1,000 fair coins: .0158, so about .469 to .531.
    assert many == (pytest.approx(0.469, abs=0.004), pytest.approx(0.531, abs=0.004))


def test_the_interval_of_equal_values_is_a_point_and_is_repeatable() -> None:
    assert ci95([0.3, 0.3]) == (pytest.approx(0.3), pytest.approx(0.3))
    assert ci95([0.1, 0.9, 0.4]) == ci95([0.1, 0.9, 0.4])


def test_equal_systems_do_not_differ() -> None:
    assert randomization_test([0.2, 0.8], [0.2, 0.8]) == 1.0


def test_a_difference_on_every_query_is_significant() -> None:
    better = [0.5 + n / 100 for n in range(20)]
    worse = [value - 0.1 for value in better]
    assert randomization_test(better, worse) < 0.001


def test_three_equal_differences_have_two_of_eight_outcomes_as_extreme() -> None:
    assert randomization_test([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]) == pytest.approx(0.25, abs=0.02)


def test_lists_must_fit() -> None:
    with pytest.raises(ValueError, match="one length"):
        randomization_test([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least one"):
        ci95([])
