"""Worth of a look: each factor by itself, and the draw of passed rows."""

from __future__ import annotations

import pytest

from core.labels import ClaimType
from core.review.rows import FLOOR, Measured, closeness, spot_checks, worth


@pytest.mark.parametrize(
    ("support", "near"),
    [(0.7, 1.0), (0.35, 0.5), (0.63, 0.9), (1.0, 1 - 0.3 / 0.7), (0.0, FLOOR)],
)
def test_closeness_falls_with_the_distance_from_the_threshold(support: float, near: float) -> None:
    assert closeness(Measured(support, 0.7))[0] == pytest.approx(near)


def test_worth_is_the_product_of_its_factors() -> None:
    """Closeness 0.9, a central claim 1, three sentences 3/4."""
    value, why = worth(Measured(0.63, 0.7), ClaimType.C1, 3)
    assert value == pytest.approx(0.675)
    assert why == "Support 0.63, just below the 0.70 needed; a central claim; 3 sentences rest on this source."
    assert worth(Measured(0.63, 0.7), ClaimType.C2, 3)[0] == pytest.approx(0.405)
    assert worth(Measured(0.63, 0.7), ClaimType.C1, 0)[0] == pytest.approx(0.45)


def test_doubt_comes_before_certainty_and_the_central_before_the_supporting() -> None:
    near, far = Measured(0.68, 0.7), Measured(0.1, 0.7)
    assert worth(near, ClaimType.C2, 1)[0] > worth(far, ClaimType.C2, 1)[0]
    assert worth(near, ClaimType.C1, 1)[0] > worth(near, ClaimType.C2, 1)[0]
    assert worth(near, None, 5)[0] > worth(near, None, 1)[0]
    assert worth(Measured(0.95, 0.7, overruled=True), None, 1)[0] > worth(far, None, 1)[0]
    assert worth(Measured(None, 0.7, undecided="no single source"), None, 1)[1].startswith("No single source;")


def test_a_tenth_of_what_passed_is_drawn_and_hardly_moves() -> None:
    keys = [f"citation:{number}" for number in range(200)]
    drawn = spot_checks(keys)
    assert len(drawn) == 20
    assert spot_checks(list(reversed(keys))) == drawn
    assert len(set(spot_checks([*keys, "citation:new"])) & set(drawn)) >= 19
    assert len(spot_checks(keys[:7])) == 5
    assert len(spot_checks(keys[:3])) == 3
    assert spot_checks([]) == []
