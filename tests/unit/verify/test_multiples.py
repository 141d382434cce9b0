"""Multiples in words: doubled, tripled, halved, twofold, twice, cut by a third."""

from __future__ import annotations

import pytest

from tests.helpers.comparing import vetoes


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Rents doubled in the harbour district.", "Rents tripled in the harbour district."),
        ("The bill was halved after the repair.", "The bill was cut by a third after the repair."),
        ("The bill was cut by a third after the repair.", "The bill was halved after the repair."),
        ("The number of nests quadrupled in a decade.", "The number of nests doubled in a decade."),
        ("Sales saw a twofold rise in spring.", "Sales saw a fivefold rise in spring."),
        ("Elms are twice as tall as limes.", "Elms are three times as tall as limes."),
        ("The lake has twice as many fish as in May.", "The lake has half as many fish as in May."),
        ("Output trebled within a year.", "Output doubled within a year."),
        ("The cost of a permit doubled.", "The cost of a permit was halved."),
        ("The fare doubled in June.", "The fare rose from 2 euros to 6 euros in June."),
        ("The fare doubled in June.", "The fare rose by 40 percent in June."),
        ("The plan is to triple the number of buses.", "The plan is to double the number of buses."),
        ("Risk increased 10-fold in smokers.", "Risk increased 2-fold in smokers."),
        ("Wages were cut in half.", "Wages were cut by a quarter."),
        ("The club won the cup twice.", "The club won the cup three times."),
        ("Rents have more than doubled.", "Rents have nearly doubled."),
    ],
)
def test_another_multiple_is_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == ["numbers"]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Rents doubled in the harbour district.", "Rents in the harbour district are twice as high as before."),
        ("Rents doubled.", "Rents rose by 100 percent."),
        ("The bill was halved.", "The bill fell by half."),
        ("The bill was cut by half.", "The bill was halved."),
        ("The bill was cut in half.", "The bill was reduced by 50 percent."),
        ("Output trebled.", "Output tripled."),
        ("Output rose threefold.", "Output rose from 20 tonnes to 60 tonnes."),
        ("The fare doubled.", "The fare rose from 2.10 euros to 4.15 euros."),
        ("The number of nests more than doubled.", "The number of nests rose from 20 to 47."),
        ("Sales saw a two-fold rise.", "Sales saw a 2-fold rise."),
        ("Elms are twice as tall.", "Elms are two times as tall."),
        ("It grew by a factor of four.", "It quadrupled."),
        ("The bill was cut by a third.", "The bill was cut by 33 percent."),
        ("Limes live twice as long as elms.", "Elms live half as long as limes."),
        # other matters in the same words
        ("The hotel has 12 double rooms.", "The hotel has 12 double rooms and a triple room."),
        ("The double-blind trial had 40 patients.", "The double-blind trial tripled its staff and had 40 patients."),
        ("The mayor doubled down on the plan.", "The mayor held to the plan, and costs tripled."),
        ("The barn doubled as a school.", "The barn was a school too, and its roof tripled in weight."),
        ("He won the title five times.", "He is a five-time winner of the title."),
        ("The bus comes twice a day.", "The bus comes two times a day."),
        ("The bus comes twice a day.", "The bus comes at 9:00 and at 17:00 each day."),
        ("The tree has a half-life of 5 years.", "The tree has a half-life of 5 years and doubled in mass."),
        ("The manifold was replaced.", "The manifold was replaced and pressure doubled."),
    ],
)
def test_the_same_multiple_in_other_words_is_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []
