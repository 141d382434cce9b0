"""The reranker joins the earlier order and cannot overrule it alone."""

from __future__ import annotations

import pytest

from core.retrieve.fusion import fuse_with_reranker


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
