"""Intervals, reliability and thresholds, against figures worked out by hand or published."""

from __future__ import annotations

import random

import pytest

from core.review.recalibrate import Judged, interval, precision_at, preview, reliability, threshold_for, wilson


def rows(*groups: tuple[int, float, bool | None], current: float = 0.7) -> list[Judged]:
    """(how many, support, what people decided)."""
    made: list[Judged] = []
    for count, support, holds in groups:
        made += [Judged(len(made) + at, support, True, support > current, holds) for at in range(count)]
    return made


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.27753),
        (9, 10, 0.59585, 0.98212),
        (81, 263, 0.25529, 0.36621),  # Newcombe (1998), table I: 0.2553, 0.3662
        (15, 148, 0.06239, 0.16049),  # the same: 0.0624, 0.1605
        (0, 20, 0.0, 0.16113),
        (29, 29, 0.88303, 1.0),
    ],
)
def test_the_interval_of_wilson(k: int, n: int, low: float, high: float) -> None:
    assert wilson(k, n) == (pytest.approx(low, abs=2e-5), pytest.approx(high, abs=2e-5))


def test_no_case_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert (interval([]).share, interval([]).low, interval([]).high) == (None, 0.0, 1.0)


def test_the_error_of_calibration() -> None:
    """Bin 0.6–0.7: predicted 0.65, accepted 1 of 4; bin 0.9–1: predicted 0.95, accepted 6 of 6. Each counts as its
    stratum has rows to a decision, here one to one: 0.4 · |0.65 - 0.25| + 0.6 · |0.95 - 1| = 0.19."""
    found = reliability(rows((1, 0.65, True), (3, 0.65, False), (6, 0.95, True)))
    assert found.ece == pytest.approx(0.19)
    assert [(one.n, one.predicted, one.accepted.k) for one in found.bins if one.n] == [
        (4, pytest.approx(0.65), 1), (6, pytest.approx(0.95), 6),
    ]  # fmt: skip
    assert found.n == 10
    assert "Only 10 decisions" in found.note
    assert sum(one.n for one in reliability(rows((3, 1.0, True), (2, 0.0, False))).bins) == 5


def test_rows_of_a_stratum_stand_for_those_that_nobody_decided() -> None:
    """Of 100 passed rows 10 were drawn, all hold; of 10 others above 0.6 all are decided, none holds: 100 of 110 hold,
    not 10 of 20. Effective number: (10 · 10 + 10)² / (10 · 100 + 10) = 11.98 (Kish 1965)."""
    found = precision_at(rows((10, 0.9, True), (90, 0.9, None), (10, 0.65, False)), 0.6)
    assert (found.k, found.n, found.share) == (10, 20, pytest.approx(100 / 110))
    assert (found.low, found.high) == pytest.approx(wilson(100 / 110 * 11.9802, 11.9802), abs=1e-4)
    assert precision_at(rows((10, 0.9, True), (90, 0.9, None), (10, 0.65, False)), 0.7).share == 1.0


def test_a_stratum_that_nobody_decided_says_nothing() -> None:
    assert precision_at(rows((10, 0.9, True), (5, 0.65, None)), 0.6).share is None
    assert precision_at(rows((10, 0.9, None), (5, 0.65, True)), 0.6).share is None


def test_a_threshold_is_the_lowest_whose_lower_end_reaches_the_target() -> None:
    """60 of 60 hold above 0.9: Wilson's lower end is 60 / 63.84 = 0.9398; with 20 of 40 between 0.8 and 0.9 it is
    far below 0.9 for any lower threshold."""
    made = rows((60, 0.95, True), (20, 0.85, True), (20, 0.85, False))
    found = threshold_for(made, 0.7, 0.9)
    assert found.threshold == 0.85
    assert (found.precision.k, found.precision.n) == (60, 60)
    assert found.precision.low == pytest.approx(60 / (60 + 3.841459), abs=1e-5)
    assert len(found.to_review) == 40
    assert found.to_pass == ()
    assert "60 of 60" in found.why


def test_too_few_decisions_are_said_to_be_too_few() -> None:
    """0.9 takes n with n / (n + 3.8415) ≥ 0.9: n ≥ 34.57."""
    short = threshold_for(rows((34, 0.95, True)), 0.7, 0.9)
    assert (short.threshold, short.to_review) == (None, ())
    assert "34 citations" in short.why
    assert "at least 35" in short.why
    assert threshold_for(rows((35, 0.95, True)), 0.7, 0.9).threshold == 0.5
    half = threshold_for(rows((50, 0.95, True), (50, 0.94, False)), 0.7, 0.97)
    assert half.threshold is None
    assert "at least 125" in half.why
    mixed = threshold_for(rows((100, 0.95, True), (100, 0.95, False)), 0.7, 0.9)
    assert "do not show 90% at any threshold" in mixed.why
    assert threshold_for(rows((5, 0.9, True)), 0.7, 1.0).threshold is None


def test_a_preview_names_the_rows_that_would_change() -> None:
    made = [*rows((1, 0.9, None), (1, 0.75, None), (1, 0.6, None)), Judged(9, 0.95, False, False)]
    assert preview(made, 0.7, 0.8).to_review == (1,)
    assert preview(made, 0.7, 0.5).to_pass == (2,)
    assert preview(made, 0.7, 0.75).to_review == (1,), "PASS takes more than the threshold"


def test_a_threshold_that_was_found_keeps_its_promise_on_decisions_to_come() -> None:
    """Support that is calibrated, 400 decisions, target 0.85: over 40 draws the precision beyond the threshold, which
    is known here, is below the target in at most one of ten."""
    lot = random.Random(7)
    broken = found = 0
    for _ in range(40):
        supports = [lot.random() for _ in range(400)]
        made = [Judged(at, one, True, one > 0.5, lot.random() < one) for at, one in enumerate(supports)]
        threshold = threshold_for(made, 0.5, 0.85).threshold
        if threshold is not None:
            found += 1
            broken += (1 + threshold) / 2 < 0.85
    assert found > 20
    assert broken <= found / 10
