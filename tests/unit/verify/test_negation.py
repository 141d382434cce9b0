"""Negation: which side denies, and when that decides."""

from __future__ import annotations

import pytest

from core.verify.checks import dates, negation, quantifiers, quotes
from core.verify.checks.negation import check
from core.verify.checks.outcomes import Outcome
from core.verify.clauses import clauses


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The trees did not survive the summer.", "The trees survived the summer."),
        ("The band never won an award.", "In 2004 the band won the award for best song."),
        ("The drug does not reduce mortality.", "The drug reduces mortality in adults."),
        ("The trees survived the summer.", "The trees did not survive the summer."),
        ("The drug reduces mortality.", "The drug failed to reduce mortality."),
    ],
)
def test_one_side_denying_vetoes(claim: str, evidence: str) -> None:
    assert check(claim, evidence).veto


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The trees did not survive the summer.", "None of the trees survived the summer."),
        ("The drug has no effect on mortality.", "The drug did not affect mortality."),
        ("He is not alive.", "He died in 1990."),
        ("It was not only cheap but good.", "It was cheap and good."),
        ("They do not come from the same country.", "One is from Peru and one from Chile."),
        ("Mice lacking Sirt1 gain weight.", "Mice with a deletion of Sirt1 gain weight."),
        ('She said "we did not win".', "They lost the game."),
    ],
)
def test_both_sides_hints_and_idioms_do_not_veto(claim: str, evidence: str) -> None:
    assert not check(claim, evidence).veto


def test_negations_of_other_sentences_do_not_count() -> None:
    evidence = "The trees survived the summer. Nobody could say what the council would not pay for next."
    assert check("The trees did not survive the summer.", evidence).veto


def test_no_denial_is_not_applicable() -> None:
    assert check("It rained.", "It rained.").outcome is Outcome.NOT_APPLICABLE


def test_spans_point_at_the_denying_word() -> None:
    claim = "The trees did not survive the summer."
    (span,) = check(claim, "The trees survived the summer.").claim_spans
    assert claim[slice(*span)] == "not"


NIGHT = (
    "Street trees cool people where they walk. In the afternoon the streets were 1.3 °C cooler. "
    "At night the leafy streets were 0.2 °C cooler, a difference that could not be distinguished from zero."
)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The trees cooled their streets just as strongly at night as in the afternoon.", NIGHT),
        ("The drug reduced mortality in older patients.", "Mortality did not differ significantly in older patients."),
        ("The drug reduced deaths of older patients.", "Pain fell. There was no significant difference in deaths of "
         "older patients."),
    ],
)  # fmt: skip
def test_an_effect_that_was_not_shown_is_no_support(claim: str, evidence: str) -> None:
    assert negation.check(claim, evidence).veto


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The drug reduced pain.", "The drug reduced pain. Mortality was not significantly different."),
        ("The drug did not reduce pain.", "There was no significant difference in pain."),
        ("Pain was similar in both groups.", "Pain did not differ significantly between the groups."),
        ("Both drugs reduced pain equally.", "Pain did not differ between the drugs."),
        ("The streets were 1.3 °C cooler in the afternoon.", NIGHT),
    ],
)
def test_other_matters_and_equality_are_left_alone(claim: str, evidence: str) -> None:
    assert not negation.check(claim, evidence).veto


def test_a_sample_is_not_the_population() -> None:
    claim = "A large majority of the city's residents wants more trees."
    evidence = "Most of the people we talked to would like more trees in their street."
    found = quantifiers.check(claim, evidence)
    assert found.veto
    assert "residents" in found.explanation
    assert "people we talked to" in found.explanation
    assert not quantifiers.check("Most of the residents who were asked want more trees.", evidence).veto
    assert not quantifiers.check(claim, "Most residents would like more trees in their street.").veto


def test_a_second_phrase_with_the_same_preposition_is_a_part_of_its_own() -> None:
    claim = "The plan commits the city to 12,000 further trees by 2030 and to free air conditioning for pensioners"
    assert [claim[a:b] for a, b in clauses(claim)] == [
        "The plan commits the city to 12,000 further trees by 2030",
        "and to free air conditioning for pensioners",
    ]


def test_a_title_in_quotation_marks_may_be_given_longer_or_shorter() -> None:
    claim = "The court decided the case “Brown v. Board of Education of Topeka, Kansas” in 1954."
    found = quotes.check(claim, "The court decided Brown v. Board of Education of Topeka in 1954.")
    assert (found.outcome, found.veto) == (Outcome.FAILED, False)
    said = quotes.check("He said “we planted for the future”.", "He said we planted for the photograph.")
    assert said.veto


def test_one_in_two_thousand_is_no_year() -> None:
    assert dates.check("1/2000 people carry it.", "1 in 2,000 people carry it.").outcome is Outcome.NOT_APPLICABLE
