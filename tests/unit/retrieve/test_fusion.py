"""Fusion of rankings, of scores, and with a reranker, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from core.records import Hit
from core.retrieve.fusion import convex_combination, fuse_with_reranker, reciprocal_rank_fusion, scaled


def test_score_is_the_sum_of_reciprocal_ranks() -> None:
    fused = reciprocal_rank_fusion([[7, 3], [3, 9]], k=60)
    assert [(hit.passage_id, hit.score) for hit in fused] == [
        (3, pytest.approx(1 / 62 + 1 / 61)),
        (7, pytest.approx(1 / 61)),
        (9, pytest.approx(1 / 62)),
    ]


def test_ties_are_broken_by_passage_id_whatever_the_order_of_the_rankings() -> None:
    one = reciprocal_rank_fusion([[9, 1], [1, 9]])
    other = reciprocal_rank_fusion([[1, 9], [9, 1]])
    assert [hit.passage_id for hit in one] == [hit.passage_id for hit in other] == [1, 9]


def test_inputs_are_not_changed() -> None:
    rankings = [[2, 1], [1]]
    reciprocal_rank_fusion(rankings)
    assert rankings == [[2, 1], [1]]


def test_weights_scale_a_ranking() -> None:
    fused = reciprocal_rank_fusion([[1], [2]], k=1, weights=[1.0, 3.0])
    assert [(hit.passage_id, hit.score) for hit in fused] == [(2, pytest.approx(1.5)), (1, pytest.approx(0.5))]


def test_a_repeated_passage_counts_once_in_a_ranking_at_its_better_rank() -> None:
    assert reciprocal_rank_fusion([[4, 4, 5]], k=0)[1].score == pytest.approx(1 / 2)


def test_nothing_fuses_to_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0]])
def test_weights_must_fit_the_rankings(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weight"):
        reciprocal_rank_fusion([[1], [2]], weights=weights)


def test_scores_are_scaled_between_their_lowest_and_highest() -> None:
    assert scaled({1: 2.0, 2: 4.0, 3: 3.0}) == {1: 0.0, 2: 1.0, 3: 0.5}
    assert scaled({1: 2.0, 2: 4.0}, lowest=0.0) == {1: 0.5, 2: 1.0}
    assert scaled({1: 2.0, 2: 2.0}) == {1: 1.0, 2: 1.0}
    assert scaled({}) == {}


def test_convex_combination_is_a_weighted_mean() -> None:
    fused = convex_combination([{1: 1.0, 2: 0.0}, {1: 0.0, 2: 0.5}], [1.0, 3.0])
    assert fused == [Hit(2, pytest.approx(0.375)), Hit(1, pytest.approx(0.25))]


def test_a_passage_that_a_scale_does_not_know_is_judged_by_the_others() -> None:
    fused = convex_combination([{1: 0.9, 2: 0.5}, {2: 1.0}], [1.0, 1.0])
    assert fused == [Hit(1, pytest.approx(0.9)), Hit(2, pytest.approx(0.75))]


def test_equal_scores_are_ordered_by_passage_id_and_weight_zero_is_no_error() -> None:
    assert [hit.passage_id for hit in convex_combination([{9: 0.5, 2: 0.5}], [1.0])] == [2, 9]
    assert convex_combination([{1: 1.0}], [0.0]) == [Hit(1, 0.0)]


def test_one_weight_a_scale() -> None:
    with pytest.raises(ValueError, match="weight"):
        convex_combination([{1: 1.0}], [])


# ---------------------------------------------------------------- with a reranker


def test_both_orders_count() -> None:
    fused, spoken = fuse_with_reranker([1, 2, 3], [0.1, 0.2, 9.0], k=60)
    assert [hit.passage_id for hit in spoken] == [3, 2, 1]
    assert spoken[0].score == 9.0
    # 1: 1/61 + 1/63, 3: 1/63 + 1/61, 2: 2/62: the outer two tie above the middle one, the earlier first.
    assert [hit.passage_id for hit in fused] == [1, 3, 2]
    assert fused[0].score == pytest.approx(1 / 61 + 1 / 63)


def test_one_bad_opinion_does_not_replace_the_order() -> None:
    fused, _ = fuse_with_reranker([1, 2, 3, 4], [0.0, 3.0, 2.0, 1.0])
    assert fused[0].passage_id == 2
    assert [hit.passage_id for hit in fused].index(1) < 3


def test_equal_scores_keep_the_earlier_order() -> None:
    fused, spoken = fuse_with_reranker([9, 4, 7], [1.0, 1.0, 1.0])
    assert [hit.passage_id for hit in fused] == [hit.passage_id for hit in spoken] == [9, 4, 7]


def test_weight_zero_leaves_the_order_alone() -> None:
    fused, _ = fuse_with_reranker([1, 2], [0.0, 9.0], weight=0.0)
    assert [hit.passage_id for hit in fused] == [1, 2]
