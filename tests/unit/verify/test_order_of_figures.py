"""Figures in another order are other figures: "7 to 2" is not "2 to 7"."""

from __future__ import annotations

import pytest

from core.verify.word_for_word import states
from tests.helpers.comparing import vetoes


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "The committee voted for the new park bench by 7 to 2.",
            "The committee voted for the new park bench by 2 to 7.",
        ),
        ("The council approved the plan by 9 votes to 4.", "The council approved the plan by 4 votes to 9."),
        ("Merrin won the final 3-1.", "Merrin won the final 1-3."),
        ("The board rejected the offer seven to two.", "The board rejected the offer two to seven."),
        ("The mix of sand and clay was 3:1.", "The mix of sand and clay was 1:3."),
        ("The mix of sand and clay was three to one.", "The mix of sand and clay was 1:3."),
        ("The fee went from 40 euros to 30 euros in May.", "The fee went from 30 euros to 40 euros in May."),
        ("The share of elms fell from 5% to 2%.", "The share of elms fell from 2% to 5%."),
        ("The score in the cup match was 21 to 14.", "The score in the cup match was 14\u201321."),
        ("The court ruled 6\u20133 for the tenants.", "The court ruled 3\u20136 for the tenants."),
    ],
)
def test_a_pair_of_figures_the_other_way_round_is_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == ["numbers"]
    assert not states(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The committee voted by 7 to 2.", "The committee voted 7-2."),
        ("The committee voted seven to two.", "The committee voted by 7 to 2."),
        # a loser's score is told the other way round
        ("Harwick lost the final to Merrin 1-3.", "Merrin won the final against Harwick 3-1."),
        ("Merrin beat Harwick 3-1.", "Harwick were beaten 1-3 by Merrin."),
        ("Merrin defeated Harwick 3-0 at home.", "It was a home defeat (0-3) of the season for Harwick."),
        # names in another order
        ("The match of Merrin and Harwick ended 3-1.", "The match of Harwick and Merrin ended 1-3."),
        # groups and ranges, no order in time
        (
            "The wait fell from 8.1 to 4.6 minutes with the new desk.",
            "The wait was shorter with the new desk (4.6 vs 8.1 minutes).",
        ),
        ("It takes 2 to 7 days.", "It takes two to seven days."),
        ("Of the nine members, 7 agreed and 2 did not.", "2 members disagreed and 7 agreed."),
        ("The shop opens at 7:20.", "The shop opens at 7:20 and shuts at 20:07."),
        # both orders stand there
        ("The vote was 7 to 2.", "The vote was 7 to 2, after 2 to 7 in the first round."),
        ("It grew from 3 metres to 5 metres.", "It grew to 5 metres, from 3 metres in spring."),
    ],
)
def test_the_same_pair_told_in_another_way_is_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "The board of the school chose the blue bus by 8 to 3.",
            "The board of the school chose the blue bus by 3 to 8.",
        ),
        (
            "Rooms 3 and 5 of the old school were painted green and blue.",
            "Rooms 5 and 3 of the old school were painted green and blue.",
        ),
        (
            "Wards 2 and 4 lost 6 and 9 nurses last winter.",
            "Wards 2 and 4 lost 9 and 6 nurses last winter.",
        ),
        ("The bus to the old harbour leaves stop 4.", "The bus to the old harbour leaves stop 7."),
    ],
)
def test_one_digit_figures_count_where_a_sentence_states_a_claim(claim: str, evidence: str) -> None:
    assert not states(claim, evidence)
    assert states(claim, claim)
