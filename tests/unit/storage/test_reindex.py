"""A project made with another tokenizer is indexed anew when it is opened."""

from __future__ import annotations

import pytest

from core.records import Filters
from storage.catalog import SqliteCatalog
from storage.tables import passages
from tests.contract.builders import add


def test_a_changed_tokenizer_reaches_the_word_index(catalog: SqliteCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
    slug = catalog.create("Old words").slug
    store = catalog.open(slug)
    old = add(store, "Old running otters.")
    add(store, "Running otters.", supersedes=old.id)
    generation = store.generation()
    store.close()
    monkeypatch.setattr(passages, "stored_terms", lambda text: text.lower().rstrip(".").split())
    store = catalog.open(slug)
    assert len(store.lexical(["running"], Filters(), 5)) == 1
    assert store.lexical(["run"], Filters(), 5) == []
    assert store.generation() > generation
    with store._db.write() as connection:
        connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
    generation = store.generation()
    store.close()
    again = catalog.open(slug)
    assert again.generation() == generation
    again.close()
