"""Bounds: the same number with another bound is another statement."""

from __future__ import annotations

import pytest

from core.verify.checks import dates, numbers
from tests.helpers.comparing import vetoes

BELOW = [
    "up to 30 percent", "at most 30 percent", "no more than 30 percent", "less than 30 percent", "under 30 percent",
    "nearly 30 percent", "almost 30 percent", "just under 30 percent", "30 percent or less", "below 30 percent",
    "not more than 30 percent", "a maximum of 30 percent", "as much as 30 percent", "30 percent at most",
]  # fmt: skip
ABOVE = [
    "at least 30 percent", "no less than 30 percent", "more than 30 percent", "over 30 percent", "30 percent or more",
    "not less than 30 percent", "upwards of 30 percent", "in excess of 30 percent", "just over 30 percent",
    "a minimum of 30 percent", "30-plus percent", "30 percent at least", "above 30 percent", "well over 30 percent",
]  # fmt: skip


@pytest.mark.parametrize(("below", "above"), list(zip(BELOW, ABOVE, strict=True)))
def test_a_ceiling_is_no_floor(below: str, above: str) -> None:
    first, second = (f"The scheme cut water use by {bound}." for bound in (below, above))
    assert vetoes(first, second) == ["numbers"]
    assert vetoes(second, first) == ["numbers"]
    assert vetoes(first, first) == vetoes(second, second) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("No more than 12 children may ride in the van.", "No fewer than 12 children may ride in the van."),
        ("The dam holds over 40 million litres.", "The dam holds under 40 million litres."),
        ("Nearly 500 trees died.", "More than 500 trees died."),
        ("The trip takes at least two hours.", "The trip takes at most two hours."),
        ("The repair cost at least $5 million.", "The repair cost up to $5 million."),
        ("Pupils aged 16 and over may vote.", "Pupils aged 16 and under may vote."),
        ("The load must not exceed 300 kg.", "The load must exceed 300 kg."),
        ("The fine is capped at 200 euros.", "The fine is at least 200 euros."),
        ("Rents fell by 30 percent.", "Rents fell by up to 30 percent."),
        ("The ferry carried 900 cars.", "The ferry carried fewer than 900 cars."),
        ("Nearly 500 trees died.", "In all, 512 trees died."),
        ("Just over 500 trees died.", "In all, 487 trees died."),
        ("More than doubled: rents in the harbour.", "Rents in the harbour almost doubled."),
        ("The work ends by 2030.", "The work ends after 2030."),
        ("The tax was paid until 2019.", "The tax has been paid since 2019."),
        ("Nobody may be held for more than three days.", "People may be held for at least three days."),
        (
            "Teams must field at least three cars.",
            "Teams must field a minimum of two cars, at a fee of 150,000 euros a car.",
        ),
        ("The shop sold more than 40 bikes.", "The shop sold no more than 40 bikes."),
    ],
)
def test_another_bound_on_the_same_number_is_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("More than 500 trees died.", "612 trees died."),
        ("At least 500 trees died.", "More than 500 trees died."),
        ("Up to 30 percent died.", "30 percent died."),
        ("At most 12 children ride.", "No more than twelve children ride."),
        ("Under 500 trees died.", "Nearly 500 trees died."),
        ("About 500 trees died.", "Nearly 500 trees died."),
        ("Nearly 500 trees died.", "487 trees died."),
        ("Just over 500 trees died.", "506 trees died."),
        ("Over 500 trees died.", "Just over 500 trees died."),
        ("500 trees died.", "About 500 trees died."),
        ("The scheme can cut water use by up to 30 percent.", "The scheme can cut water use by as much as 30 percent."),
        ("A class has at most 30 pupils.", "A class has a maximum of 30 pupils."),
        ("At least 500 trees died.", "At least 500 trees died, and up to 900 were hurt."),
        ("The van holds 12 children.", "The van holds no more than 12 children."),
        ("He was almost 40 years old.", "He was 39 years old."),
        ("The bridge spans over 40 metres.", "The bridge spans more than 40 metres."),
        ("Children under 12 ride free.", "Children below 12 ride free."),
        ("Rents fell by 30 percent over ten years.", "Over ten years rents fell by 30 percent."),
    ],
)
def test_bounds_that_agree_are_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Nobody may be held for more than three days.", "People may be held no longer than 72 hours."),
        ("No class has more than 30 pupils.", "A class has at most 30 pupils."),
        ("The van never carried fewer than 12 children.", "The van carried at least 12 children."),
    ],
)
def test_a_bound_that_is_denied_is_the_bound_of_the_other_side(claim: str, evidence: str) -> None:
    assert not numbers.check(claim, evidence).veto
    assert not dates.check(claim, evidence).veto
