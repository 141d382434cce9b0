"""Dates: how they are read, and which follow from which."""

from __future__ import annotations

import pytest

from core.verify.checks.dates import check
from core.verify.checks.intervals import dates
from core.verify.checks.outcomes import Outcome


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 12 June 2021", 20210612, 20210612),
        ("on June 12th, 2021", 20210612, 20210612),
        ("2021-06-12", 20210612, 20210612),
        ("13/05/2019", 20190513, 20190513),
        ("03/05/2019", 20190000, 20199999),
        ("in June 2021", 20210600, 20210699),
        ("2015\u201316", 20150000, 20169999),
        ("between 2015 and 2019", 20150000, 20199999),
        ("from 2015 to 2019", 20150000, 20199999),
        ("the 1990s", 19900000, 19999999),
        ("the 19th century", 18000000, 19009999),
        ("in May", 500, 599),
    ],
)
def test_forms_of_dates(text: str, first: int, last: int) -> None:
    (found,) = dates(text)
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize("text", ["1500 people", "2,000 trees", "It may rain", "in 2000 people", "$1999", "H1N1"])
def test_other_numbers_and_words_are_no_dates(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It began in June 2021.", "It began on 12 June 2021."),
        ("It began in the 1990s.", "It began in 1994."),
        ("It happened before 2000.", "It happened in 1995."),
        ("It ran since 2019.", "It has run since May 2019."),
        ("It ran from 2015 to 2019.", "It ran 2015\u201319."),
        ("It was there in 2017.", "It was there between 2015 and 2019."),
        ("It lasted three years.", "It lasted from 2015 to 2018."),
        ("It lasted 18 months.", "It lasted 1.5 years."),
        ("She died in 1938.", "She (1874\u20131938) painted."),
    ],
)
def test_what_follows_from_the_evidence_passes(claim: str, evidence: str) -> None:
    assert check(claim, evidence).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It began in 2018.", "It began in 2019."),
        ("It began in July 2021.", "It began in June 2021."),
        ("It began on 12 June 2021.", "It began in June 2021."),
        ("It ran from 2012 to 2019.", "It ran from 2015 to 2019."),
        ("It happened before 1990.", "It happened in 1995."),
        ("It lasted five years.", "It lasted three years."),
        ("The book of 1900 is hers.", "She (1874\u20131938) painted."),
    ],
)
def test_another_or_a_finer_date_vetoes(claim: str, evidence: str) -> None:
    result = check(claim, evidence)
    assert result.veto
    assert result.explanation.endswith(".")


def test_the_year_that_tells_works_apart_does_not_veto_alone() -> None:
    result = check("Split (2016 American film) stars Betty Buckley.", "The film stars Betty Buckley.")
    assert result.outcome is Outcome.FAILED
    assert not result.veto


def test_no_date_is_not_applicable() -> None:
    assert check("It rained.", "In 2019.").outcome is Outcome.NOT_APPLICABLE
