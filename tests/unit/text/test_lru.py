"""The value used least recently goes first."""

from __future__ import annotations

from core.text.lru import Lru


def test_reading_and_writing_both_count_as_use() -> None:
    cache: Lru[str, int] = Lru(2)
    assert (cache.put("a", 1), cache.put("b", 2)) == ([], [])
    assert cache.get("a") == 1
    assert cache.put("c", 3) == ["b"]
    assert [cache.get(key) for key in "abc"] == [1, None, 3]
    assert cache.put("a", 4) == []
    assert cache.put("d", 5) == ["c"]
    assert cache.get("a") == 4
