"""Sentences are chosen so that together they answer the claim."""

from __future__ import annotations

import numpy as np
import pytest

from core.verify.by_words import UnitWords, spread


def test_the_second_choice_covers_what_the_first_leaves_open() -> None:
    covered = np.array([[0.5, 0.0], [0.5, 0.0], [0.0, 0.5]])
    # 1.0 + 2 × 0.5; then 0.4 + 2 × 0.5 = 1.4 beats 0.9 + 0; then what is left
    assert spread([1.0, 0.9, 0.4], covered, 2.0, 3) == [
        (0, pytest.approx(2.0)),
        (2, pytest.approx(1.4)),
        (1, pytest.approx(0.9)),
    ]


def test_without_words_the_order_is_that_of_relevance_and_ties_go_to_the_earlier() -> None:
    assert [at for at, _ in spread([0.5, 0.7, 0.7], np.zeros((3, 0)), 2.0, 5)] == [1, 2, 0]
    assert spread([], np.zeros((0, 2)), 2.0, 5) == []


def test_the_words_of_a_unit_are_worth_their_share_of_the_claim() -> None:
    words = UnitWords(["trees cool streets", "trees grow", "cats sleep"])
    covered = words.covered("trees cool", [0, 1, 2])
    assert covered.shape == (3, 2)
    assert covered[2].sum() == 0
    assert covered[0].sum() > covered[1].sum() > 0
    assert covered.sum(axis=1).max() <= 1


def test_scores_are_those_of_lucene_bm25_by_hand() -> None:
    words = UnitWords(["trees cool", "trees grow tall", "cats sleep"])
    # "tree" in 2 of 3: idf = ln(1 + 1.5 / 2.5); length 2 of mean 7/3
    idf = np.log(1 + 1.5 / 2.5)
    expected = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / (7 / 3)))
    scores = words.scores("tree tree")
    assert scores[0] == pytest.approx(expected)
    assert scores[2] == 0


@pytest.mark.parametrize("texts", [[], ["", "..."], ["the of"]])
def test_texts_without_words_score_nothing(texts: list[str]) -> None:
    words = UnitWords(texts)
    assert words.scores("trees").tolist() == [0.0] * len(texts)
    assert words.covered("trees", range(len(texts))).shape == (len(texts), 1)
