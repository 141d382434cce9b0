"""Measures against numbers worked out by hand, and against trec_eval."""

from __future__ import annotations

import random
from math import log2

import pytest

from core.evaluate.measures import average_precision, measure, ndcg, per_query, precision, recall, reciprocal_rank

JUDGED = {"a": 2, "b": 1, "c": 0, "d": 1}
RANKING = ["c", "a", "x", "b"]


def test_ndcg() -> None:
    found = 2 / log2(3) + 1 / log2(5)
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert ndcg(RANKING, JUDGED) == pytest.approx(found / ideal)
    assert ndcg(RANKING, JUDGED, 2) == pytest.approx((2 / log2(3)) / (2 + 1 / log2(3)))


def test_recall() -> None:
    assert recall(RANKING, JUDGED) == pytest.approx(2 / 3)
    assert recall(RANKING, JUDGED, 2) == pytest.approx(1 / 3)


def test_precision_counts_empty_places_as_misses() -> None:
    assert precision(RANKING, JUDGED, 4) == 0.5
    assert precision(RANKING, JUDGED, 10) == 0.2


def test_reciprocal_rank() -> None:
    assert reciprocal_rank(RANKING, JUDGED) == 0.5
    assert reciprocal_rank(RANKING, JUDGED, 1) == 0.0


def test_average_precision() -> None:
    assert average_precision(RANKING, JUDGED) == pytest.approx((1 / 2 + 2 / 4) / 3)


@pytest.mark.parametrize("name", ["ndcg@10", "recall@5", "precision@10", "mrr", "map"])
@pytest.mark.parametrize("judged", [{}, {"a": 0}, {"a": -1}])
def test_nothing_relevant_and_nothing_found_are_zero(name: str, judged: dict[str, int]) -> None:
    assert measure(name)(["a"], judged) == 0.0
    assert measure(name)([], {"a": 1}) == 0.0


@pytest.mark.parametrize("name", ["accuracy", "ndcg@", "ndcg@x", "recall@0", "precision"])
def test_an_unknown_measure_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=name.split("@")[0]):
        measure(name)


def test_a_query_that_was_not_answered_scores_zero() -> None:
    assert per_query("mrr", {"1": ["a"]}, {"1": {"a": 1}, "2": {"a": 1}}) == {"1": 1.0, "2": 0.0}


def test_every_measure_equals_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle pytrec-eval-terrier is not installed")
    dice = random.Random(5)
    documents = [f"d{n}" for n in range(40)]
    qrels = {str(q): {d: dice.choice([0, 0, 1, 2]) for d in dice.sample(documents, 12)} for q in range(20)}
    run = {q: dice.sample(documents, 25) for q in qrels}
    scored = {q: {d: float(-rank) for rank, d in enumerate(ranking)} for q, ranking in run.items()}
    names = {"ndcg@10": "ndcg_cut_10", "recall@5": "recall_5", "precision@10": "P_10"}
    names |= {"mrr": "recip_rank", "map": "map"}
    asked = {"ndcg_cut.10", "recall.5", "P.10", "recip_rank", "map"}
    oracle = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(scored)
    for name, theirs in names.items():
        for query, value in per_query(name, run, qrels).items():
            assert value == pytest.approx(oracle[query][theirs], abs=1e-6), (name, query)
