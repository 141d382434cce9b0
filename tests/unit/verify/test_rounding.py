"""Rounding is settled by rule: the model reads the figure of the evidence; shares in words are percentages."""

from __future__ import annotations

import pytest

from core.verify.checks.numbers import check
from core.verify.checks.outcomes import Outcome
from core.verify.checks.rounding import as_the_evidence_writes


@pytest.mark.parametrize(
    ("claim", "evidence", "read"),
    [
        ("It cost about 2,300 crowns.", "It cost 2,280 crowns.", "It cost about 2,280 crowns."),
        ("Nearly half of it was spent.", "48 per cent of it was spent.", "Nearly 48 per cent of it was spent."),
        ("One in five trees died.", "20 per cent of the trees died.", "20 per cent of trees died."),
        ("It was $2.3 bn.", "It was $2,280 million.", "It was $2,280 million."),
        ("Three times as many.", "3.1 times as many.", "3.1 times as many."),
        ('He said "[W]e plant tree[s]".', "We plant trees.", 'He said "We plant trees".'),
    ],
)
def test_a_rounded_figure_is_read_as_the_evidence_has_it(claim: str, evidence: str, read: str) -> None:
    assert as_the_evidence_writes(claim, evidence) == read


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It cost 2,300 crowns.", "It cost 2,500 crowns."),
        ("It cost 2,300 crowns.", "It cost 2,300 crowns, or 2,280 before."),
        ("More than 40 % died.", "43 % died."),
        ("In 2021 it rose.", "In 2022 it rose."),
        ("Nothing counts here.", "20 per cent."),
    ],
)
def test_what_is_no_rounding_stays(claim: str, evidence: str) -> None:
    assert as_the_evidence_writes(claim, evidence) == claim


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Nearly half of the trees died.", "48 per cent of the trees died."),
        ("About a third of the trees died.", "31 per cent of the trees died."),
        ("Two thirds of the trees died.", "66.4 per cent of the trees died."),
        ("Less than half of the trees died.", "48 per cent of the trees died."),
        ("One in three trees died.", "34 % of the trees died."),
        ("Three out of four trees died.", "75 % of the trees died."),
        ("Half of the trees died.", "Of the trees, 49.7 % died."),
        ("20 per cent of the trees died.", "A fifth of the trees died."),
    ],
)
def test_shares_in_words_agree_with_percentages(claim: str, evidence: str) -> None:
    assert check(claim, evidence).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Half of the trees died.", "40 per cent of the trees died."),
        ("More than half of the trees died.", "3 per cent of the trees died."),
        ("One in three trees died.", "20 per cent of the trees died."),
        ("About 2,300 trees died.", "2,180 trees died."),
    ],
)
def test_other_shares_are_vetoed(claim: str, evidence: str) -> None:
    assert check(claim, evidence).veto


def test_one_in_five_years_is_no_share() -> None:
    assert check("It floods one in five years.", "It floods every five years.").outcome is not Outcome.FAILED
