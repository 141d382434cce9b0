"""Quantifiers: the claim may say no more than the evidence."""

from __future__ import annotations

import pytest

from core.verify.checks.outcomes import Outcome
from core.verify.checks.quantifiers import check


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("All trees survived.", "Some trees survived."),
        ("Every tree survived.", "Most trees survived."),
        ("It always rains.", "It often rains."),
        ("Most trees survived.", "Few trees survived."),
        ("Only oaks survived.", "Mainly oaks survived."),
        ("All trees survived.", "Nearly all trees survived."),
    ],
)
def test_stronger_than_the_evidence_vetoes(claim: str, evidence: str) -> None:
    assert check(claim, evidence).veto


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("All trees survived.", "Every tree survived."),
        ("Most trees survived.", "62% of the trees survived."),
        ("Most trees survived.", "All trees survived."),
        ("Some trees survived.", "All trees survived."),
        ("At least one tree survived.", "An oak survived."),
        ("Not all trees survived.", "Some trees survived."),
        ("He wrote All the King's Men.", "He wrote it."),
        ("The most important tree is an oak.", "An oak matters."),
        ("It costs only $5.", "It costs $5."),
    ],
)
def test_equal_weaker_denied_or_in_a_title_does_not_veto(claim: str, evidence: str) -> None:
    assert not check(claim, evidence).veto


@pytest.mark.parametrize(
    ("claim", "evidence"), [("Most trees survived.", "Trees survived."), ("Only oaks survived.", "Oaks survived.")]
)
def test_most_and_only_without_any_word_for_it_are_shown_without_veto(claim: str, evidence: str) -> None:
    result = check(claim, evidence)
    assert result.outcome is Outcome.FAILED
    assert not result.veto


def test_the_line_quotes_both_words() -> None:
    result = check("All trees survived.", "Some trees survived.")
    assert result.explanation == "The claim says \u201cAll\u201d, the evidence only \u201cSome\u201d."
