"""A changed byte is told by the thing that it changed; a whole project has no faults."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from core.errors import DatabaseDamaged, StorageError
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from storage.tables.blobs import blob_path, pack
from tests.contract.builders import add

TEXT = "Otters swim in the river. Herons stand beside it. The council counted forty of each in spring and in autumn."


def _execute(store: SqliteProjectStore, statement: str, *values: object) -> None:
    with sqlite3.connect(store.layout.database) as connection:
        connection.create_function("pack", 1, lambda text: pack(text.encode()))
        connection.execute(statement, values)


def test_a_whole_project_has_no_faults(store: SqliteProjectStore) -> None:
    add(store, TEXT)
    assert store.problems() == []


def test_a_changed_word_of_a_text_is_damage_when_it_is_read(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    changed = TEXT.replace("forty", "fifty")
    _execute(store, "UPDATE document_texts SET body = ?", pack(changed.encode()))
    with pytest.raises(DatabaseDamaged, match=r"does not match its SHA-256.*Restore"):
        store.text(document.id)
    assert any(document.id in line for line in store.problems())


def test_a_changed_passage_is_told_by_document_and_place(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    _execute(store, "UPDATE passage_texts SET text = replace(text, 'Otters', 'Badger') WHERE id = 1")
    assert store.problems() == [
        f"Passage 1 of document {document.id} is not what was stored. Add the source again."
    ]  # fmt: skip


def test_a_changed_file_of_received_bytes_is_told_by_its_path(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    path = blob_path(store.layout, document.blob_hash)
    path.write_bytes(pack(TEXT.replace("forty", "fifty").encode()))
    assert any(str(path) in line for line in store.problems())


def test_no_changed_byte_of_the_database_gives_another_text_without_a_word(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "root", utc_now)
    slug = catalog.create("Rot").slug
    store = catalog.open(slug)
    written = [f"{TEXT} Number {at} of the series." for at in range(6)]
    documents = [add(store, text) for text in written]
    passages = store.passages(range(1, 40))
    path = store.layout.database
    store.close()
    whole = path.read_bytes()
    drawn = random.Random(16)
    for _ in range(60):
        at = drawn.randrange(100, len(whole))  # the header is SQLite's own matter
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << drawn.randrange(8))]) + whole[at + 1 :])
        try:
            opened = catalog.open(slug)
        except StorageError:
            continue
        with closing(opened):
            told, same = opened.problems(), False
            with suppress(StorageError):  # said, when it is read
                texts = [opened.text(document.id) for document in documents]
                same = texts == written and opened.passages(range(1, 40)) == passages
        path.write_bytes(whole)
        assert told or same, at


def test_the_command_says_what_differs_and_ends_with_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    catalog = SqliteCatalog(root, utc_now)
    slug = catalog.create("Checked").slug
    with closing(catalog.open(slug)) as store:
        add(store, TEXT)
        sound = CliRunner().invoke(app, ["--root", str(root), "check", slug])
        assert (sound.exit_code, "Sound" in sound.output) == (0, True)
        _execute(store, "UPDATE passage_texts SET text = 'Otters fly.' WHERE id = 1")
    rotten = CliRunner().invoke(app, ["--root", str(root), "check", slug])
    assert rotten.exit_code == 1
    assert "Passage 1" in rotten.output
