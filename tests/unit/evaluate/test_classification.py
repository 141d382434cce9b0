"""Agreement of machine and people, worked out by hand."""

from __future__ import annotations

import pytest

from core.evaluate.judge_quality import Confusion, confusion
from core.evaluate.measures import holm


def test_pairs_are_counted() -> None:
    pairs = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] + [(False, False)] * 3
    assert confusion(pairs) == Confusion(6, 2, 1, 3)


def test_measures() -> None:
    counts = Confusion(6, 2, 1, 3)
    assert counts.accuracy() == pytest.approx(9 / 12)
    assert counts.balanced_accuracy() == pytest.approx((6 / 7 + 3 / 5) / 2)
    assert counts.macro_f1() == pytest.approx((12 / 15 + 6 / 9) / 2)


def test_what_has_nothing_to_divide_by_is_unknown_and_not_zero() -> None:
    assert [getattr(confusion([]), name)() for name in ("accuracy", "balanced_accuracy", "macro_f1")] == [None] * 3
    only_holds = confusion([(True, True)] * 4)
    assert (only_holds.accuracy(), only_holds.balanced_accuracy(), only_holds.macro_f1()) == (1.0, None, None)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == [pytest.approx(0.03), pytest.approx(0.06), pytest.approx(0.06)]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
