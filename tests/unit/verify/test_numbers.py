"""Numbers: how they are read, when one follows from another, and what vetoes."""

from __future__ import annotations

import pytest

from core.verify.checks.numbers import check
from core.verify.checks.numerals import numerals, place
from core.verify.checks.outcomes import Outcome
from core.verify.checks.quantities import quantities


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,234.5 and 1.2 million", [1234.5, 1.2e6]),
        ("10 000 people", [10000]),
        ("twelve, twenty-one, one hundred and fifty", [12, 21, 150]),
        ("a dozen, two dozen, half a million", [12, 24, 5e5]),
        ("two thirds of the pits, a third of voters, three-quarters of them", [2 / 3, 1 / 3, 0.75]),
        ("1/2 cup, 2\u00bd cups, 1 1/2 cups", [0.5, 2.5, 1.5]),
        ("$3m, 5M", [3e6, 5e6]),
        ("twenty-five millions", [25e6]),
    ],
)
def test_digits_words_and_fractions_are_read(text: str, values: list[float]) -> None:
    assert [n.value for n in numerals(text)] == pytest.approx(values)


@pytest.mark.parametrize(
    "text",
    [
        "the third man",
        "1st, 2nd, 23rd",
        "the second half",
        "COVID-19 and IL-6",
        "thirty seventh",
        "4Q",
        "one of them",
        "3D",
    ],
)
def test_ordinals_and_identifiers_are_no_numbers(text: str) -> None:
    assert numerals(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "low", "high"),
    [
        ("0.9\u20131.7 \u00b0C", "degree Celsius", 0.9, 1.7),
        ("10 to 20 kg", "gram", 10000, 20000),
        ("between 5 and 7 per cent", "percent", 5, 7),
        ("2-3 million people", "", 2e6, 3e6),
        ("12 percentage points", "percentage point", 12, 12),
        ("\u00a35m", "British pound", 5e6, 5e6),
        ("$3.5 billion", "dollar", 3.5e9, 3.5e9),
        ("5-km walk", "metre", 5000, 5000),
    ],
)
def test_units_and_ranges_are_brought_to_one_form(text: str, kind: str, low: float, high: float) -> None:
    (found,) = quantities(text)
    assert (found.unit.kind, found.low, found.high) == (kind, pytest.approx(low), pytest.approx(high))


def test_the_place_of_the_last_digit() -> None:
    assert [place(v) for v in (1200, 1.5, 7, 0)] == pytest.approx([100, 0.1, 1, 1])


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It cooled by about 1 \u00b0C.", "It cooled by 1.3 \u00b0C."),
        ("45 per cent survived.", "45% survived."),
        ("45% survived.", "Of the trees, 44.6 percent survived."),
        ("More than 500 trees died.", "612 trees died."),
        ("It is 5 miles away.", "It is 8 km away."),
        ("Some 5,000 people came.", "4,987 people came."),
        ("12 trees died.", "Twelve trees died."),
        ("Half of the pits were dry.", "50% of the pits were dry: one half of the pits."),
        ("Between 10 and 20 trees died.", "15 trees died."),
        ("It fell by 0.9 to 1.7 degrees.", "It was lower by 0.9\u20131.7 \u00b0C."),
    ],
)
def test_rounding_conversion_and_bounds_are_tolerated(claim: str, evidence: str) -> None:
    assert check(claim, evidence).outcome is Outcome.PASSED


def test_rounding_is_stated() -> None:
    result = check("It cooled by about 1 \u00b0C.", "It cooled by 1.3 \u00b0C.")
    assert result.explanation == "\u201c1.3 \u00b0C\u201d is reported as \u201c1 \u00b0C\u201d: rounded."


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It cooled by 1.9 \u00b0C.", "It cooled by 1.3 \u00b0C."),
        ("34 of 50 trees died.", "31 of 50 trees died."),
        ("Shares rose by 12 per cent.", "Shares rose by 12 percentage points."),
        ("It costs $12 million.", "It costs $12 billion."),
        ("More than 800 trees died.", "612 trees died."),
        ("Fewer than 500 trees died.", "More than 500 trees died."),
        ("Sales fell by 12%.", "Sales rose by 12%."),
        ("It warmed by 3 \u00b0F.", "It warmed by 3 \u00b0C."),
    ],
)
def test_another_value_unit_or_direction_vetoes(claim: str, evidence: str) -> None:
    result = check(claim, evidence)
    assert result.veto
    assert result.claim_spans


def test_a_count_of_listed_things_is_shown_without_veto() -> None:
    result = check("She planted three kinds of tree.", "She planted oak, lime and maple.")
    assert result.outcome is Outcome.FAILED
    assert not result.veto


def test_years_and_spans_of_time_belong_to_dates() -> None:
    assert check("In 2019 it lasted 3 years.", "Nothing.").outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A simulation of 60 streets found the air 0.4 \u00b0C warmer.", "The air was 0.4 \u00b0C warmer with trees."),
        ("Half of the money goes to the five hottest districts.", "Half of the money goes to Docklands and others."),
        ("It lost 34 trees.", "It lost trees."),
    ],
)
def test_a_number_with_nothing_to_compare_is_shown_without_veto(claim: str, evidence: str) -> None:
    result = check(claim, evidence)
    assert result.outcome is Outcome.FAILED
    assert not result.veto
