"""Decompose, then recompose: strips are whole sentences at exact places, the best first, within the budget."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.records import Passage, Strip
from core.retrieve.crag import NO_BACKGROUND, Background, background, relative, sampled
from core.retrieve.refine import nearness, refine, whole, within
from core.settings.values import Crag

TEXT = (
    "Street trees lower the air temperature under their canopy on hot afternoons. "
    "The committee met on a Tuesday and approved the minutes of its last meeting. "
    "Dr. Linde measured 1.3 degrees of cooling under closed canopy in forty streets."
)
QUESTION = "How far do street trees lower the air temperature?"


def passage(text: str = TEXT, *, number: int = 1, document: str = "d", start: int = 0) -> Passage:
    return Passage(document, number, start, start + len(text), text, "Title", id=number)


def test_strips_are_whole_sentences_at_their_places_in_the_document() -> None:
    document = "Before it. " + TEXT
    kept = refine(QUESTION, [passage(start=11)], {1: 0.6}, Crag(), all_kept=True)
    assert len(kept.strips) == 3
    for strip in kept.strips:
        assert document[strip.start : strip.end] == strip.text
        assert strip.text.endswith(".")
        assert strip.tokens == -(-len(strip.text) // 4)
        assert 0 <= strip.relevance <= 1
    assert max(kept.strips, key=lambda one: one.relevance).text.startswith("Street trees lower")


def test_what_does_not_bear_on_the_question_is_dropped_and_counted() -> None:
    other = "The board met and approved the minutes. Nobody objected, and the chair closed the session at noon."
    kept = refine(QUESTION, [passage(), passage(other, number=2, document="e")], {1: 0.6, 2: 0.1}, Crag())
    assert {one.document_id for one in kept.strips} == {"d"}
    assert kept.dropped >= 1
    assert all(one.relevance > 0.5 for one in kept.strips)


def test_the_best_comes_first_and_equals_keep_their_order() -> None:
    kept = refine(
        QUESTION, [passage(number=1), passage(number=2, document="e")], {1: 0.5, 2: 0.5}, Crag(), all_kept=True
    )
    values = [one.relevance for one in kept.strips]
    assert values == sorted(values, reverse=True)
    assert [one.document_id for one in kept.strips[:2]] == ["d", "e"]


def test_the_budget_of_tokens_holds_and_what_does_not_fit_is_counted() -> None:
    many = [passage(number=n, document=f"d{n}") for n in range(1, 41)]
    kept = refine(QUESTION, many, dict.fromkeys(range(1, 41), 0.9), Crag(token_budget=100))
    assert kept.tokens == sum(one.tokens for one in kept.strips) <= 100
    assert kept.over_budget > 0
    assert whole(many, 200).tokens <= 200
    assert within([], 100, 0).strips == ()


def test_long_pages_of_the_web_leave_room_for_what_the_project_has() -> None:
    def strip(number: int, document: str, relevance: float, tokens: int) -> Strip:
        return Strip(number, document, 0, 4, "text", relevance, tokens)

    paper = [strip(1, "paper", 0.6, 100)]
    pages = [strip(2 + at, "page", 0.9, 200) for at in range(10)]
    assert {one.document_id for one in within([*paper, *pages], 1000, 0).strips} == {"page"}
    shared = within([*paper, *pages], 1000, 0, {"paper"})
    assert [one.document_id for one in shared.strips] == ["page"] * 4 + ["paper"]
    many = [strip(20 + at, "paper", 0.6, 100) for at in range(10)]
    halves = within([*many, *pages], 1000, 0, {"paper"})
    assert [one.document_id for one in halves.strips] == ["page"] * 2 + ["paper"] * 6
    assert within(pages, 1000, 0, {"paper"}).tokens == 1000


def test_text_that_two_passages_share_is_taken_once() -> None:
    first = Passage("d", 0, 0, 154, TEXT[:154], id=1)
    second = Passage("d", 1, 77, len(TEXT), TEXT[77:], id=2)
    kept = refine(QUESTION, [first, second], {1: 0.7, 2: 0.7}, Crag(), all_kept=True)
    spans = sorted((one.start, one.end) for one in kept.strips)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_without_an_encoder_words_decide() -> None:
    kept = refine(QUESTION, [passage()], {}, Crag())
    assert any("Street trees" in one.text for one in kept.strips)
    assert nearness(None, {1: np.ones(3, np.float32)}, NO_BACKGROUND) == {}


def test_nearness_is_relative_to_what_any_passage_has() -> None:
    question = np.asarray([1, 0], np.float32)
    vectors = {1: np.asarray([1, 0], np.float32), 2: np.asarray([0.6, 0.8], np.float32)}
    near = nearness(question, vectors, Background(0.6, 0.5))
    assert near == pytest.approx({1: 1.0, 2: 0.0}, abs=1e-6)
    assert relative(0.2, 0.6) < 0


def test_a_small_project_leans_on_the_usual_values_and_a_large_one_on_its_own() -> None:
    question = np.asarray([1, 0], np.float32)
    few = background(question, {1: question})
    many = background(question, dict.fromkeys(range(64), question))
    assert NO_BACKGROUND.question < few.question < many.question < 1
    assert NO_BACKGROUND.pairs <= few.pairs < many.pairs < 1
    assert background(None, {1: question}) == background(question, {}) == NO_BACKGROUND
    assert len(sampled(range(50_000))) == 64
    assert sampled([3, 5]) == [3, 5]
    assert sampled([]) == []


@pytest.mark.parametrize("text", ["", "   ", "x", "東京の木は涼しい。" * 3, "no end " * 200, "a\x00b. \ud800 c."])
def test_any_text_can_be_cut(text: str) -> None:
    kept = refine("trees?", [passage(text)], {1: 0.7}, Crag(), all_kept=True)
    assert all(text[one.start : one.end] == one.text for one in kept.strips)


def test_a_question_without_words_keeps_by_meaning_only() -> None:
    assert refine("??", [passage()], {1: 0.8}, Crag()).strips
    assert not refine("??", [passage()], {1: 0.1}, Crag()).strips
