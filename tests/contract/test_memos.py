"""Notes of the engine about a project."""

from __future__ import annotations

from core.ports import ProjectStore


def test_a_note_is_kept_under_its_name_and_replaced(store: ProjectStore) -> None:
    before = store.generation()
    assert store.memo("chunking") is None
    store.set_memo("chunking", "one")
    store.set_memo("chunking", "two")
    store.set_memo("generation", "no counter of the store's own")
    assert store.memo("chunking") == "two"
    assert store.generation() == before
