"""Maximal marginal relevance on three or four vectors in the plane."""

from __future__ import annotations

import numpy as np
import pytest

from core.records import Hit
from core.retrieve.variety import maximal_marginal_relevance, over_sources

EAST = np.array([1, 0], dtype=np.float32)
NORTH = np.array([0, 1], dtype=np.float32)
HITS = [Hit(1, 1.0), Hit(2, 0.9), Hit(3, 0.0)]


def ids(hits: list[Hit]) -> list[int]:
    return [hit.passage_id for hit in hits]


def test_a_repetition_comes_after_something_new() -> None:
    order = maximal_marginal_relevance(HITS, {1: EAST, 2: EAST, 3: NORTH}, lam=0.5)
    # Second step: passage 2 is worth .5 * .9 - .5 * 1 = -.05, passage 3 is worth .5 * 0 - .5 * 0 = 0.
    assert ids(order) == [1, 3, 2]
    assert [hit.score for hit in order] == [pytest.approx(0.5), pytest.approx(0.0), pytest.approx(-0.05)]


def test_lambda_one_keeps_the_order() -> None:
    assert ids(maximal_marginal_relevance(HITS, {1: EAST, 2: EAST, 3: NORTH}, lam=1.0)) == [1, 2, 3]


def test_a_passage_without_a_vector_is_similar_to_nothing() -> None:
    assert ids(maximal_marginal_relevance(HITS, {1: EAST, 3: NORTH}, lam=0.5)) == [1, 2, 3]
    assert ids(maximal_marginal_relevance(HITS, {}, lam=0.0)) == [1, 2, 3]


def test_only_the_pool_is_reordered_and_nothing_is_lost() -> None:
    hits = [*HITS, Hit(4, -1.0)]
    order = maximal_marginal_relevance(hits, {1: EAST, 2: EAST, 3: EAST, 4: NORTH}, lam=0.0, pool=3)
    assert ids(order) == [1, 2, 3, 4]
    assert ids(hits) == [1, 2, 3, 4]


def test_opposite_vectors_are_not_rewarded() -> None:
    order = maximal_marginal_relevance([Hit(1, 1.0), Hit(2, 0.5), Hit(3, 0.5)], {1: EAST, 2: NORTH, 3: -EAST}, lam=0.5)
    assert ids(order) == [1, 2, 3]


def test_equal_scores_and_short_lists() -> None:
    assert ids(maximal_marginal_relevance([Hit(5, 0.1), Hit(6, 0.1)], {}, lam=0.5)) == [5, 6]
    assert maximal_marginal_relevance([], {}, lam=0.5) == []
    assert maximal_marginal_relevance([Hit(1, 3.0)], {1: EAST}, lam=0.5) == [Hit(1, 3.0)]


def test_of_ten_results_three_are_of_one_source_while_others_answer_as_well() -> None:
    hits = [Hit(number, 1 - number / 100) for number in range(20)]
    sources = {number: "long" if number < 14 else f"other {number % 3}" for number in range(20)}
    order = over_sources(hits, sources, {hit.passage_id: hit.score for hit in hits}, first=10)
    assert ids(order) == [0, 1, 2, 14, 15, 16, 17, 18, 19, 3, *range(4, 14)]


def test_a_source_that_answers_alone_keeps_all_its_places() -> None:
    hits = [*(Hit(number, 1 - number / 100) for number in range(6)), Hit(6, 0.5)]
    sources = {number: "long" if number < 6 else "other" for number in range(7)}
    assert over_sources(hits, sources, {hit.passage_id: hit.score for hit in hits}, first=7) == hits


def test_the_next_ten_results_begin_anew_and_what_follows_the_first_is_left_alone() -> None:
    hits = [Hit(number, 1.0) for number in range(16)]
    sources = {number: "long" if number < 12 else "other" for number in range(16)}
    order = over_sources(hits, sources, dict.fromkeys(range(16), 1.0), first=12)
    assert ids(order) == [0, 1, 2, 12, 13, 14, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15]
    assert over_sources([], {}, {}, first=10) == []
