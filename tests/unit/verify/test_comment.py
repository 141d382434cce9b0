"""A report's comment in front of a fact is not asked of the source."""

from __future__ import annotations

import pytest

from core.verify.comment import fact_of


@pytest.mark.parametrize(
    ("claim", "fact"),
    [
        (
            "Drought takes much of the benefit away: in August 2022 the difference shrank to 0.6 °C",
            "in August 2022 the difference shrank to 0.6 °C",
        ),
        (
            "People help more: of the trees adopted by residents, 91 per cent were alive after three years",
            "of the trees adopted by residents, 91 per cent were alive after three years",
        ),
        ("The start was late: at 10:30 the first bus left town.", "at 10:30 the first bus left town."),
    ],
)
def test_the_fact_is_what_stands_behind_the_colon(claim: str, fact: str) -> None:
    start, end = fact_of(claim)
    assert claim[start:end] == fact


@pytest.mark.parametrize(
    "claim",
    [
        "Trees cool streets by 1.3 °C.",
        "Results: 5 of 10 patients died in the trial of the drug in 2020.",  # a label, no statement
        "Half of 20 trees died: 10 were lost in the drought of 2022 alone.",  # a figure of its own
        "The law says: nobody may drive under the age of 18 in 2020.",  # the sentence goes on
        "Berlin grows faster than ever: 40,000 people moved there in 2020.",  # says where in the comment
        "The mayor was clear: “Trees were planted in 2020 on every street.”",  # a quotation
        "Costs rise: they rise again and again: by 5 per cent in 2020.",
        "Drought is bad: trees suffer a lot.",  # nothing concrete
        "",
        ":",
        "a: b",
    ],
)
def test_everything_else_stays_whole(claim: str) -> None:
    assert fact_of(claim) == (0, len(claim))
