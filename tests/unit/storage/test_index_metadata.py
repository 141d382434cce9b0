"""``10_graph/index_metadata.json`` says what the index holds, always."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.labels import Grade
from core.records import QueryRecord
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables import index_metadata
from tests.contract.builders import START, add, add_all


def _read(store: SqliteProjectStore) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(store.layout.index_metadata.read_text())
    return found


def _assert_true(store: SqliteProjectStore) -> None:
    found, documents = _read(store), store.documents()
    assert found["document_count"] == len(documents)
    assert found["indexed_hashes"] == [one.content_hash for one in documents] == list(found["sources"])
    assert found["index_built"] is bool(documents)
    for one in documents:
        source = found["sources"][one.content_hash]
        assert source["title"] == one.title
        assert source["quality"] == one.grade_in_force
        assert source["passage_count"] == len(store.passages_of(one.id))
        assert source["url"] == (one.canonical_url or (one.urls or (None,))[0])
        assert datetime.fromisoformat(source["fetch_date"]) == one.fetched.replace(microsecond=0)


def test_it_has_the_keys_of_the_specification(store: SqliteProjectStore) -> None:
    document = add(store, "Some text.", urls=("https://a/",))
    found = _read(store)
    assert {"index_built", "document_count", "indexed_hashes", "sources", "retrieval_stats"} <= set(found)
    assert set(found["sources"][document.content_hash]) == {"url", "title", "quality", "fetch_date", "passage_count"}
    assert found["sources"][document.content_hash]["fetch_date"] == START.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert set(found["retrieval_stats"]) == {"total_queries", "avg_results_per_query", "cache_hit_rate"}


def test_an_empty_project_has_no_index_yet(store: SqliteProjectStore) -> None:
    assert _read(store)["index_built"] is False
    _assert_true(store)


def test_it_follows_every_change(store: SqliteProjectStore) -> None:
    one, two, three = add_all(store, ["Text one.", "Text two.", "Text three."], title='A "title"\n')
    _assert_true(store)
    store.override_grade(two.id, Grade.A, "known", "ann")
    _assert_true(store)
    add(store, "Text one.", urls=("https://late/",))
    _assert_true(store)
    add(store, "Text four.", supersedes=one.id)
    _assert_true(store)
    store.replace_passages(three.id, [])
    _assert_true(store)
    store.delete(two.id)
    _assert_true(store)
    add(store, "Text one.")
    _assert_true(store)
    store.touch(three.id, urls=["https://t/"], fetched=datetime.now(UTC))
    _assert_true(store)


def test_answered_searches_are_counted(store: SqliteProjectStore) -> None:
    for results, cached in ((10, False), (0, False), (5, True), (5, True)):
        store.record_query(QueryRecord(START, "q", results, cached, {}))
    assert _read(store)["retrieval_stats"] == {"total_queries": 4, "avg_results_per_query": 5.0, "cache_hit_rate": 0.5}


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "older", "not json", "middle", "letter"])
def test_what_a_crash_left_is_mended_at_the_next_opening(catalog: SqliteCatalog, damage: str) -> None:
    slug = catalog.create("Crash").slug
    store = catalog.open(slug)
    path = store.layout.index_metadata
    add(store, "Text one.")
    older = path.read_bytes()
    add(store, "Text two.")
    store.close()
    newest = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        half = len(newest) // 2
        damaged = {
            "empty": b"",
            "cut": newest[:-7],
            "older": older,
            "not json": b"\xff{",
            "middle": newest[:half] + b"\0" * 9 + newest[half + 9 :],
            "letter": newest.replace(b"A title", b"B title", 1),
        }
        assert damaged[damage] != newest
        path.write_bytes(damaged[damage])
    opened = catalog.open(slug)
    _assert_true(opened)
    assert path.read_bytes() == newest
    opened.close()


def test_many_writers_leave_the_newest_state(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Many").slug
    stores = [catalog.open(slug) for _ in range(4)]
    threads = [
        threading.Thread(target=add_all, args=(store, [f"Text {number} {at}." for at in range(8)]))
        for number, store in enumerate(stores)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _assert_true(stores[0])
    assert _read(stores[0])["document_count"] == 32
    for store in stores:
        store.close()


def test_a_large_project_is_written_at_the_latest_when_it_is_closed(
    catalog: SqliteCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_metadata, "AT_ONCE_UPTO", 3)
    monkeypatch.setattr(index_metadata, "LATER_S", 3600.0)
    slug = catalog.create("Large").slug
    store = catalog.open(slug)
    add_all(store, [f"Text {at}." for at in range(8)])
    assert _read(store)["document_count"] == 4
    store.close()
    assert _read(store)["document_count"] == 8


def test_closing_a_deleted_project_is_no_error(catalog: SqliteCatalog, tmp_path: Path) -> None:
    store = catalog.open(catalog.create("Gone").slug)
    catalog.delete("gone", confirm="Gone")
    store.close()
    assert not (catalog.root / "gone").exists()
