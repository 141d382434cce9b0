"""Promises: whoever asks how much is told whether the answer has such an amount."""

from __future__ import annotations

import pytest

from core.answer.amount import Amount, amount_asked
from core.answer.check import figures


def holds(question: str, sentence: str) -> bool:
    amount = amount_asked(question, figures)
    assert isinstance(amount, Amount)
    return amount.is_in(sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How much is the order for the jets worth?", "The order is valued at $8.8 billion at list prices."),
        ("What did the order cost?", "The order came to 12 million euros."),
        ("What is the price of a ticket?", "A ticket is sold for £12."),
        ("How much do households pay for heat?", "Households pay 90 euros a month for heat."),
        ("What share of the smog comes from burning stubble?", "Burning stubble makes 44 percent of the smog."),
        ("What percentage of voters agreed?", "11 of the 12 voters agreed."),
        ("What proportion of streets has trees?", "A third of the streets has trees."),
        ("How many people died in the crashes?", "The crashes killed 346 people."),
        ("How many people die of smog each year?", "Smog causes 9 million premature deaths a year."),
        ("How many moons does Saturn have?", "Saturn has eighty-three moons."),
        ("How long is the river?", "The river runs for 240 km."),
        ("How long did the trial last?", "The trial lasted 18 months."),
        ("How old is the oldest tree?", "The oldest tree is about 400 years old."),
        ("How hot does the street get?", "The street reaches 61 °C."),
        ("How much cooler are streets with trees?", "Streets with trees were 1.3 degrees cooler."),
        ("How heavy is the engine?", "The engine weighs 4 tonnes."),
        ("How strong is the effect?", "The effect was 0.4."),
        ("How much electricity does a pump need?", "A pump needs 2,400 kWh of electricity a year."),
    ],
)
def test_an_amount_of_the_kind_that_was_asked_for_is_found(question: str, sentence: str) -> None:
    assert holds(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How much is the order for the jets worth?", "The order is for 30 of Boeing's 787-9 jets."),
        ("What did the order cost?", "The order was placed on 20 November 2019."),
        ("What share of the smog comes from burning stubble?", "The smog comes from 10 million vehicles."),
        ("How many people died in the crashes?", "The jets cost $120 million after the crashes."),
        ("How many people died in the crashes?", "Many people died in the crashes."),
        ("How many people die of smog each year?", "Smog shortens the lives of 660 million people."),
        ("How long is the river?", "The river holds 40 kinds of fish."),
        ("How hot does the street get?", "The street has 48 trees."),
        ("How much cooler are streets with trees?", "Streets with trees are cooler in summer."),
        ("How much does the engine cost?", "A ticket is sold for £12."),
    ],
)
def test_another_figure_is_not_the_amount(question: str, sentence: str) -> None:
    assert not holds(question, sentence)


@pytest.mark.parametrize(
    "question", ["Why are streets with trees cooler?", "What did scientists find on Titan?", "Who paid for the trees?"]
)
def test_a_question_that_asks_for_no_amount_lacks_none(question: str) -> None:
    assert amount_asked(question, figures) is None
