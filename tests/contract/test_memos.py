"""Notes of the engine about a project."""

from __future__ import annotations

from core.ports.store import ProjectStore


def test_a_note_is_kept_under_its_name_and_replaced(store: ProjectStore) -> None:
    before = store.generation()
    assert store.memo("chunking") is None
    store.set_memo("chunking", "one")
    store.set_memo("chunking", "two")
    store.set_memo("generation", "no counter of the store's own")
    assert store.memo("chunking") == "two"
    assert store.generation() == before


def test_notes_are_listed_by_the_beginning_of_their_names(store: ProjectStore) -> None:
    for name in ("judged:b", "judged:a", "judged", "lab-judged:c", "JUDGED:d", "judged_e"):
        store.set_memo(name, name.upper())
    assert store.memos("judged:") == {"judged:a": "JUDGED:A", "judged:b": "JUDGED:B"}
    assert set(store.memos("")) >= {"judged", "lab-judged:c", "judged_e"}
    assert store.memos("%") == {}
