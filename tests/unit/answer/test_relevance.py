"""Promises of relevance and of evidence put together from strips."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answer.draft import evidence_of, shown
from core.answer.relevance import Relevance, coverage, narrowed, shifted
from core.ports.engines import Engines
from core.records import Passage, Strip
from core.workbench.workbench import Workbench
from tests.helpers.asking import answered, filled
from tests.unit.answer.answering import evidence


def test_what_answers_is_more_relevant_than_what_does_not(engines: Engines) -> None:
    relevance = Relevance(engines.encoder())
    question = "What does shade do to the temperature of a street?"
    answer, aside, other = relevance(
        question,
        [
            ("In the shade of trees a street was three degrees cooler.", 1.0),
            ("The street has many shops.", 1.0),
            ("The violin was built in Cremona.", 1.0),
        ],
    )
    assert answer > aside > other
    assert other < 0.3 < 0.6 < answer


def test_the_same_sentence_is_encoded_once_and_counts_by_how_its_passage_was_found(engines: Engines) -> None:
    relevance = Relevance(engines.encoder())
    best, worst = relevance("Do trees cool?", [("Trees cool streets.", 1.0), ("Trees cool streets.", 0.0)])
    assert best > worst


def test_without_an_encoder_words_count() -> None:
    assert coverage("How do trees cool the streets?", "A tree cools its street.") == 1.0
    assert coverage("the of", "anything") == 0.0
    near, far = Relevance(None)("How do trees cool streets?", [("Trees cool streets.", 0.5), ("Cats sleep.", 0.5)])
    assert near > 0.5 > far
    assert Relevance(None)("x", []) == []


def test_strips_of_a_passage_come_together_best_first() -> None:
    strips = [
        Strip(1, "a", 10, 15, "later", 0.9, 1),
        Strip(2, "b", 0, 4, "else", 0.8, 1),
        Strip(1, "a", 0, 5, "first", 0.6, 1),
        Strip(3, "gone", 0, 5, "gone!", 0.5, 1),
        Strip(0, "b", 20, 24, "page", 0.4, 1),
    ]
    passages = {1: (0, 20, "first and then later"), 2: (0, 9, "else what")}
    documents = {"a": ("A", "https://a.example/", None), "b": ("B", None, "a")}
    found = evidence_of(strips, passages, documents, 10, {1: 0.5, 2: 1.0})
    assert [(one.number, one.document_id, one.parts, one.relevance) for one in found] == [
        (1, "a", ((0, 5), (10, 15)), 0.9),
        (2, "b", ((0, 4),), 0.8),
        (3, "b", ((20, 24),), 0.4),
    ]
    assert [one.search_score for one in found] == [0.5, 1.0, 0.5]
    assert found[2].text == "page"
    assert len(evidence_of(strips, passages, documents, 1)) == 1


def test_a_model_is_shown_the_kept_parts_and_their_ranges_lead_back() -> None:
    text = "One stands here. Two is left out. Three follows. Four too."
    [one] = evidence(text, start=1000, kept=[(0, 16), (34, 48), (49, 58)])
    part = shown(one)
    assert part.text == "One stands here.\n\u2026\nThree follows. Four too."
    at = part.text.index("Three")
    assert part.place(at, at + 5) == (1034, 1039)
    assert part.place(0, len(part.text)) == (1000, 1016)
    assert part.place(16, 19) is None
    [whole] = evidence(text)
    assert shown(whole).text == text


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


def test_the_triad_of_an_answer_is_kept(workbench: Workbench) -> None:
    opened = filled(workbench)
    answered(workbench, opened)
    [(_, triad)] = opened.answers.triads()
    assert triad.groundedness == 1.0
    assert triad.answer_relevance is not None
    assert 0 < triad.answer_relevance <= 1
    assert triad.context_relevance is not None
