"""RM3 by hand, and the text that carries its weights."""

from __future__ import annotations

import pytest

from core.expand.feedback import feedback, relevance_model, rm3
from core.labels import QueryKind

PASSAGES = [("shade shade tree cool", 3.0), ("tree water", 1.0)]


def test_the_relevance_model_is_that_of_lavrenko_and_croft() -> None:
    # P(D1|Q) = 3/4, P(D2|Q) = 1/4; P(w|D1): shade 2/4, tree 1/4, cool 1/4; P(w|D2): tree 1/2, water 1/2.
    assert relevance_model(PASSAGES) == pytest.approx(
        {"shade": 0.375, "tree": 0.1875 + 0.125, "cool": 0.1875, "water": 0.125}
    )


def test_rm3_mixes_the_cut_relevance_model_with_the_question() -> None:
    # The two largest: shade 0.375, tree 0.3125; brought to sum 1: 6/11, 5/11. The question: tree 1/2, city 1/2.
    made = rm3("tree city", PASSAGES, feedback_terms=2, weight=0.5)
    assert made == pytest.approx({"tree": 0.25 + 0.5 * 5 / 11, "shade": 0.5 * 6 / 11, "citi": 0.25})
    assert list(made) == ["tree", "shade", "citi"]
    assert sum(made.values()) == pytest.approx(1.0)


def test_the_ends_of_the_weight_are_the_question_alone_and_the_passages_alone() -> None:
    question_alone = rm3("tree city", PASSAGES, feedback_terms=2, weight=1.0)
    assert {stem for stem, share in question_alone.items() if share} == {"tree", "citi"}
    assert rm3("city", PASSAGES, feedback_terms=1, weight=0.0)["shade"] == pytest.approx(1.0)


def test_function_words_numbers_and_short_words_bring_nothing() -> None:
    assert relevance_model([("the of and 2023 at which an x1 tree", 1.0)]) == {"tree": 1.0}
    assert relevance_model([]) == {}
    assert relevance_model([("the and", 2.0)]) == {}
    assert relevance_model([("tree", 0.0)]) == {}


def test_the_text_repeats_words_by_their_weight_in_their_usual_form() -> None:
    (one,) = feedback(
        "Do trees cool?",
        [("cooling shade shading shade water city trees trees wind rain", 2.0)],
        feedback_terms=5,
        weight=0.5,
    )
    assert one.kind is QueryKind.FEEDBACK
    assert one.web_text == ""  # words of the project's own sources stay here
    words = one.text.split()
    assert {"trees", "shade"} <= set(words)
    assert "do" not in words
    assert words.count("trees") > words.count("shade") >= 1
    assert max(words.count(word) for word in words) <= 5
    assert "shade" in one.why


@pytest.mark.parametrize("passages", [[], [("trees trees", 1.0)], [("the of", 1.0)]])
def test_passages_without_a_new_word_make_no_variant(passages: list[tuple[str, float]]) -> None:
    assert feedback("Do trees cool?", passages, feedback_terms=5, weight=0.5) == []


def test_the_text_stays_within_what_a_search_takes() -> None:
    long = [(" ".join(f"w{'x' * 60}{chr(97 + at)}" for at in range(26)), 1.0)]
    (one,) = feedback("tree", long, feedback_terms=100, weight=0.9)
    assert len(one.text) <= 2000


def test_a_question_without_spaces_stays_whole_before_its_new_words() -> None:
    (one,) = feedback("街道树", [("街道树木降温", 1.0)], feedback_terms=10, weight=0.5)
    assert one.text.startswith("街道树 ")
    assert "降温" in one.text.split()
