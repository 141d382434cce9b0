"""Rerankers put the text that answers first."""

from __future__ import annotations

import numpy as np
import pytest

from core.backends.heuristic_reranker import HeuristicReranker, coverage, proximity
from core.backends.resolve import load_reranker
from core.ports.store import Reranker
from core.settings.values import Models

QUERY = "How many people live in Berlin?"
ANSWER = "Berlin had a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers."
OTHER = "New York City is famous for the Metropolitan Museum of Art."


@pytest.fixture(scope="module")
def cross_encoder() -> Reranker:
    return load_reranker(Models())


def test_the_cross_encoder_gives_the_raw_logits_of_the_model_card(cross_encoder: Reranker) -> None:
    answer, other = cross_encoder.score(QUERY, [ANSWER, OTHER])
    assert answer > 5
    assert other < -5


def test_a_pair_has_the_same_score_in_any_company(cross_encoder: Reranker) -> None:
    together = cross_encoder.score(QUERY, [OTHER * 5, ANSWER, OTHER])
    assert together[1] == cross_encoder.score(QUERY, [ANSWER])[0]
    assert cross_encoder.score(QUERY, []).shape == (0,)


def test_an_answer_at_the_end_of_a_long_text_is_found(cross_encoder: Reranker) -> None:
    filler = "The museum opens at nine and closes at five. " * 80
    long, none = cross_encoder.score(QUERY, [filler + ANSWER, filler])
    assert long > none + 3


def test_a_very_long_query_is_scored(cross_encoder: Reranker) -> None:
    assert np.isfinite(cross_encoder.score("word " * 2000, [ANSWER])).all()


def test_the_heuristic_prefers_covering_then_near_then_titled() -> None:
    far = "aspirin helps. " + "filler " * 30 + "stroke"
    near = "aspirin against stroke. " + "filler " * 30
    titled = "Aspirin and stroke\n" + near
    none, one, two, three, four = HeuristicReranker().score("aspirin stroke", ["cats", "aspirin", far, near, titled])
    assert 0 == none < one < two < three < four <= 1


def test_coverage_counts_whole_stemmed_words() -> None:
    assert coverage({"stroke", "risk"}, ["risk", "strokes"]) == 0.5
    assert coverage(set(), ["risk"]) == 0


def test_proximity_is_found_words_over_the_shortest_run() -> None:
    assert proximity({"a", "b"}, ["a", "x", "x", "b", "a"]) == 1
    assert proximity({"a", "b"}, ["a", "x", "x", "b"]) == 0.5
    assert proximity({"a", "b"}, ["a", "x"]) == 0


def test_an_empty_query_scores_nothing() -> None:
    assert HeuristicReranker().score("", ["text"]).tolist() == [0]
