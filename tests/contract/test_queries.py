"""QueryLog: statistics that add up, and a cache that never answers from an older state."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.ports.store import ProjectStore
from core.records import QueryRecord
from tests.contract.builders import START, add


def test_statistics_add_up(store: ProjectStore) -> None:
    add(store, "One passage.")
    for at in range(101):
        store.record_query(
            QueryRecord(START + timedelta(seconds=at), f"q{at}", at % 2 * 10, at == 100, {"lexical": float(at)})
        )
    found = store.statistics("toy@1")
    assert (found.documents, found.passages, found.encoded) == (1, 1, 0)
    assert (found.total_queries, found.zero_result_queries) == (101, 51)
    assert found.avg_results_per_query == pytest.approx(500 / 101)
    assert found.cache_hit_rate == pytest.approx(1 / 101)
    assert found.latency["lexical"] == (pytest.approx(49.5), pytest.approx(94.05))  # the cached one is left out
    assert [one.query for one in found.recent[:2]] == ["q100", "q99"]
    assert found.recent[0] == QueryRecord(START + timedelta(seconds=100), "q100", 0, True, {"lexical": 100.0})
    assert [one.query for one in store.queries()] == [f"q{at}" for at in range(101)]
    assert [one.query for one in store.queries(limit=2)] == ["q99", "q100"]


def test_statistics_of_an_unused_project_are_zero(store: ProjectStore) -> None:
    found = store.statistics("toy@1")
    assert (found.total_queries, found.avg_results_per_query, found.cache_hit_rate, found.latency) == (0, 0.0, 0.0, {})


def test_a_cached_value_ends_with_its_generation(store: ProjectStore) -> None:
    assert store.cached("k") is None
    store.cache("k", b"value", keep=5)
    assert store.cached("k") == b"value"
    add(store, "A new text changes the answer.")
    assert store.cached("k") is None
    store.cache("k", b"new", keep=5)
    assert store.cached("k") == b"new"


def test_the_cache_keeps_what_was_used_last(store: ProjectStore) -> None:
    for key in "abc":
        store.cache(key, key.encode(), keep=3)
    assert store.cached("a") == b"a"
    store.cache("d", b"d", keep=3)
    assert [store.cached(key) for key in "abcd"] == [b"a", None, b"c", b"d"]
    store.cache("e", b"e", keep=0)
    assert [store.cached(key) for key in "abcde"] == [None] * 5
