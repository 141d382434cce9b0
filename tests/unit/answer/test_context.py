"""Promises of the context: what bears on the question, best first, within the budget, shared text once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answer.context import narrowed, shifted
from core.records import Passage

TEXT = (
    "The limes on Mill Lane cool the air in the street by more than a degree. The committee met on Tuesday at seven in "
    "the town hall as usual. Limes also shade the houses on both sides of the lane. Yes."
)


def passage(number: int, start: int, end: int) -> tuple[Passage, float]:
    return Passage("d", number, start, end, TEXT[start:end], id=number), 1.0


def score(question: str, sentences: Sequence[tuple[str, float]]) -> list[float]:
    return [0.9 if "cool" in text else 0.5 if "shade" in text else 0.05 for text, _ in sentences]


def test_strips_are_exact_and_best_first() -> None:
    made = narrowed("?", [passage(1, 0, len(TEXT))], score, least=0.5, budget=4096)
    assert [TEXT[one.start : one.end] for one in made.strips] == [one.text for one in made.strips]
    assert [one.text.split()[0] for one in made.strips] == ["The", "Limes"]
    assert made.strips[1].text.endswith("Yes.")
    assert made.dropped == 1
    assert made.tokens == sum(one.tokens for one in made.strips)


def test_text_of_two_passages_is_taken_once() -> None:
    made = narrowed("?", [passage(1, 0, len(TEXT)), passage(2, 0, 73)], score, least=0.5, budget=4096)
    assert len(made.strips) == 2


def test_what_does_not_fit_the_budget_is_counted() -> None:
    made = narrowed("?", [passage(1, 0, len(TEXT))], score, least=0.5, budget=20)
    assert (len(made.strips), made.over_budget) == (1, 1)


def test_nothing_is_kept_when_nothing_bears_on_it() -> None:
    assert narrowed("?", [passage(1, 74, 145)], score, least=0.5, budget=4096).strips == ()
    assert narrowed("?", [], score, least=0.5, budget=4096).strips == ()


def test_the_shift_keeps_the_order_and_the_range() -> None:
    values = [shifted(value) for value in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)]
    assert values == sorted(values)
    assert 0 <= values[0] < values[-1] <= 1
    assert shifted(0.25) == pytest.approx(0.5, abs=0.001)
