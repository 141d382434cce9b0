"""Cohen's kappa and its interval, against figures worked out by hand."""

from __future__ import annotations

import pytest

from core.labels import DecisionKind
from core.review.agreement import agreement, agreements

YES, NO, WRONG = DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE
PAIRS = [(YES, YES)] * 20 + [(YES, NO)] * 5 + [(NO, YES)] * 10 + [(NO, NO)] * 15


def test_kappa_and_its_interval() -> None:
    """p_o = 0.7, p_e = 0.5 · 0.6 + 0.5 · 0.4 = 0.5. Fleiss, Cohen & Everitt (1969), eq. 13: the numerator is
    0.4 (0.5 - 1.1 · 0.3)² + 0.3 (0.5 - 0.9 · 0.3)² + 0.3² (0.1 · 1.1² + 0.2 · 0.9²) - 0.05² = 0.0504; over
    50 · 0.5⁴ that is 0.016128, so the standard error is 0.126996."""
    found = agreement("ann", "ben", PAIRS)
    assert (found.n, found.percent, found.kappa) == (50, 0.7, pytest.approx(0.4))
    assert (found.low, found.high) == (
        pytest.approx(0.4 - 1.959964 * 0.126996, abs=1e-5),
        pytest.approx(0.648908, abs=1e-5),
    )
    assert found.table == {(YES, YES): 20, (YES, NO): 5, (NO, YES): 10, (NO, NO): 15}
    assert found.note == ""


def test_kappa_does_not_hang_on_who_comes_first() -> None:
    found, turned = agreement("ann", "ben", PAIRS), agreement("ben", "ann", [(b, a) for a, b in PAIRS])
    assert (turned.kappa, turned.low, turned.high) == pytest.approx((found.kappa, found.low, found.high))


def test_three_kinds_of_decision() -> None:
    """p_o = 3/5; marginals (2, 2, 1)/5 and (2, 1, 2)/5 give p_e = (4 + 2 + 2)/25 = 0.32; kappa = 0.28/0.68."""
    few = agreement("a", "b", [(YES, YES), (YES, WRONG), (NO, YES), (NO, NO), (WRONG, WRONG)])
    assert few.kappa == pytest.approx(0.28 / 0.68)
    assert "5 items only" in few.note


def test_where_kappa_does_not_exist_that_is_said() -> None:
    same = agreement("a", "b", [(YES, YES)] * 9)
    assert (same.percent, same.kappa, same.low) == (1.0, None, None)
    assert "does not exist" in same.note
    none = agreement("a", "b", [])
    assert (none.n, none.kappa) == (0, None)


def test_full_agreement_is_one_and_full_disagreement_minus_one() -> None:
    full = agreement("a", "b", [(YES, YES)] * 5 + [(NO, NO)] * 5)
    # Wilson's lower end of 10 of 10 is 10 / (10 + 1.96^2) = .7225; p_e is .5, so kappa .445.
    assert (full.kappa, full.low, full.high) == (1.0, pytest.approx(0.445, abs=0.001), 1.0)
    assert agreement("a", "b", [(YES, NO)] * 5 + [(NO, YES)] * 5).kappa == -1.0


def test_only_people_with_an_item_in_common_are_compared() -> None:
    found = agreements([{"ann": YES, "ben": NO}, {"cleo": YES, "ben": YES}, {"ann": YES, "ben": YES}])
    assert [(one.first, one.second, one.n) for one in found] == [("ann", "ben", 2), ("ben", "cleo", 1)]


def test_so_few_items_allow_no_interval() -> None:
    few = agreement("a", "b", [(YES, YES)] * 5 + [(NO, NO)] * 4)
    assert (few.kappa, few.low, few.high) == (1.0, None, None)
    assert few.note == "Over 9 items only: so few allow no interval."
    assert agreement("a", "b", [(YES, NO)]).note == "Over 1 item only: so few allow no interval."
