"""Negation: which side denies, and when that decides."""

from __future__ import annotations

import pytest

from core.verify.checks.negation import check
from core.verify.checks.outcomes import Outcome


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
