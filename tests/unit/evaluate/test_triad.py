"""Promises of the triad: shares in [0, 1], nothing where there is nothing, means over what is there."""

from __future__ import annotations

from core.evaluate.measures import Triad, mean_triad, triad


def test_each_measure_is_a_share() -> None:
    found = triad([0.9, 0.5, 0.49, 0.0], [True, True, False], [0.6, 0.1])
    assert found == Triad(0.5, 2 / 3, 0.5)


def test_where_there_is_nothing_there_is_no_measure() -> None:
    assert triad([], [], []) == Triad(None, None, None)


def test_means_leave_out_what_has_none() -> None:
    assert mean_triad([Triad(1.0, None, 0.0), Triad(0.0, 0.5, None)]) == Triad(0.5, 0.5, 0.0)
    assert mean_triad([]) == Triad(None, None, None)
