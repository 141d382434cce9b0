"""Databases, blobs and late.db on a bad day."""

from __future__ import annotations

import sqlite3
import threading
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from core.errors import BlobMissing, DatabaseBusy, DatabaseDamaged, StorageError
from core.records import Filters, QuantizedTokens
from storage import open_catalog
from storage.catalog import SqliteCatalog
from storage.database import database
from storage.database.database import Database
from storage.store import SqliteProjectStore
from storage.tables import late
from storage.tables.blobs import blob_path, pack, unpack
from tests.contract.builders import FakeClock, add


def _encode(store: SqliteProjectStore) -> None:
    missing = store.missing("e", 100)
    store.put_vectors(
        "e",
        [one for one, _ in missing],
        np.ones((len(missing), 4), np.float32),
        [QuantizedTokens(np.ones((2, 3), np.int8), 1.0)] * len(missing),
    )


@pytest.mark.parametrize("damage", ["missing", "noise", "empty"])
def test_a_lost_late_db_is_made_again_and_its_work_reported(catalog: SqliteCatalog, damage: str) -> None:
    slug = catalog.create("Late").slug
    store = catalog.open(slug)
    add(store, "Otters swim.")
    _encode(store)
    store.close()
    path = store.layout.late
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "empty" else b"\xa5" * 20_000)
    again = catalog.open(slug)
    assert again.missing("e", 5, tokens=False) == []
    assert len(again.missing("e", 5)) == 1
    assert again.coverage("e") == (0, 1)
    assert len(again.dense(np.ones(4, np.float32), "e", Filters(), 5)) == 1
    assert again.coverage("e") == (0, 1)  # also when the matrix of vectors is in memory
    _encode(again)
    assert again.missing("e", 5) == []
    assert again.coverage("e") == (1, 1)
    again.close()


def test_a_late_db_that_another_process_lost_or_replaced_is_followed(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Late").slug
    worker = catalog.open(slug)
    add(worker, "Otters swim.")
    _encode(worker)
    assert (worker.missing("e", 5), worker.coverage("e")) == ([], (1, 1))
    worker.layout.late.unlink()
    page = catalog.open(slug)
    assert page.coverage("e") == worker.coverage("e") == (0, 1)
    _encode(worker)
    assert page.coverage("e") == worker.coverage("e") == (1, 1)
    assert len(page.tokens(page.passage_ids(Filters()), "e")) == 1
    page.close()
    worker.close()


def test_damage_met_only_while_searching_costs_matrices_but_no_search(
    catalog: SqliteCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = catalog.create("Late").slug
    store = catalog.open(slug)
    for at in range(40):
        add(store, f"Text {at}.")
    missing = store.missing("e", 100)
    codes = np.random.default_rng(1).integers(-127, 128, (60, 96), dtype=np.int8)  # as hard to pack as real ones
    store.put_vectors(
        "e", [one for one, _ in missing], np.ones((40, 4), np.float32), [QuantizedTokens(codes, 1.0)] * 40
    )
    store.close()
    body = bytearray(store.layout.late.read_bytes())
    body[32768:] = b"\xa5" * (len(body) - 32768)
    store.layout.late.write_bytes(body)
    monkeypatch.setattr(late, "_small", lambda path: False)  # as for a file too large to check at opening
    again = catalog.open(slug)
    ids = again.passage_ids(Filters())
    assert len(again.tokens(ids, "e")) < 40
    assert len(again.missing("e", 100)) == 40
    _encode(again)
    assert again.missing("e", 100) == []
    assert len(again.tokens(ids, "e")) == 40
    again.close()


def test_a_page_of_noise_in_the_database_is_named_with_what_to_do(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Hurt").slug
    store = catalog.open(slug)
    for at in range(40):
        add(store, f"Text {at}. " * 30)
    store.close()
    path = store.layout.database
    body = bytearray(path.read_bytes())
    body[8192:] = b"\xa5" * (len(body) - 8192)
    path.write_bytes(body)
    with pytest.raises(DatabaseDamaged, match="Restore"):
        catalog.open(slug)


def test_a_writer_that_waits_too_long_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.05)
    first = Database(tmp_path / "x.db", create=True)
    second = Database(tmp_path / "x.db")
    with first.write() as connection:
        connection.execute("CREATE TABLE t(x)")
        blocked = second.write()
        with pytest.raises(DatabaseBusy, match="locked"):
            blocked.__enter__()
    with second.write() as connection:
        connection.execute("INSERT INTO t VALUES(1)")
    first.close()
    second.close()


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    files = Database(tmp_path / "x.db", create=True)
    with files.write() as connection:
        connection.execute("CREATE TABLE t(x)")

    def interrupted() -> None:
        with files.write() as connection:
            connection.execute("INSERT INTO t VALUES(1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with files.read() as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    files.close()


def test_a_closed_project_says_so(store: SqliteProjectStore) -> None:
    store.close()
    with pytest.raises(StorageError, match="closed"):
        store.documents()
    with pytest.raises(StorageError, match="closed"):
        add(store, "Too late.")


def test_readers_are_used_again_whatever_threads_there_are(store: SqliteProjectStore) -> None:
    for _ in range(30):
        thread = threading.Thread(target=store.documents)
        thread.start()
        thread.join()
    assert len(store._db._pool) < 5


def test_a_write_to_a_project_deleted_by_another_process_brings_nothing_back(catalog: SqliteCatalog) -> None:
    store = catalog.open(catalog.create("Gone").slug)
    catalog.delete("gone", confirm="Gone")
    with pytest.raises(StorageError):
        add(store, "Written too late.")
    assert not (catalog.root / "gone").exists()
    store.close()


# ---------------------------------------------------------------- blobs


@pytest.mark.parametrize("damage", ["missing", "noise", "cut", "other", "bomb"])
def test_bytes_that_changed_on_disk_are_never_handed_out(store: SqliteProjectStore, damage: str) -> None:
    body = b"exactly as received " * 50
    blob_hash = store.put_blob(body)
    path = blob_path(store.layout, blob_hash)
    packed = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {
                "noise": b"\xa5" * 99,
                "cut": packed[:-5],
                "other": pack(b"y" * len(body)),
                "bomb": pack(b"\x00" * 50_000_000),
            }[damage]
        )
    with pytest.raises(BlobMissing, match="again"):
        store.blob(blob_hash)
    if damage == "missing":  # adding the source again repairs it
        assert store.put_blob(body) == blob_hash
        assert store.blob(blob_hash) == body


def test_a_blob_is_unpacked_only_to_its_recorded_size() -> None:
    with pytest.raises(ValueError, match="instead of"):
        unpack(pack(b"\x00" * 1_000_000), 10)


def test_another_process_sees_new_vectors_in_its_dense_search(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Two").slug
    first, second = catalog.open(slug), catalog.open(slug)
    query = np.ones(4, np.float32)
    assert second.dense(query, "e", Filters(), 5) == []
    add(first, "Otters swim.")
    _encode(first)
    assert len(second.dense(query, "e", Filters(), 5)) == 1
    first.delete(first.documents()[0].id)
    assert second.dense(query, "e", Filters(), 5) == []
    first.close()
    second.close()


def test_both_places_where_time_comes_from_are_the_injected_clock(tmp_path: Path) -> None:
    clock = FakeClock()
    catalog = open_catalog(tmp_path, clock=clock)
    project = catalog.create("Clock")
    assert project.created == clock()
    clock.advance(timedelta(days=1).total_seconds())
    store = catalog.open(project.slug)
    assert add(store, "Text.").created == clock()
    store.close()


def test_token_matrices_are_packed_and_come_back_as_they_were(catalog: SqliteCatalog) -> None:
    store = catalog.open(catalog.create("Packed").slug)
    add(store, "One text.")
    [(text_hash, _)] = store.missing("e", 5)
    codes = (
        np.random.default_rng(2).normal(0, 12, (70, 160)).clip(-127, 127).astype(np.int8)
    )  # shaped as unit vectors are
    store.put_vectors("e", [text_hash], np.ones((1, 4), np.float32), [QuantizedTokens(codes, 0.01)])
    [kept] = store.tokens(store.passage_ids(Filters()), "e").values()
    assert np.array_equal(kept.codes, codes)
    assert kept.scale == 0.01
    with sqlite3.connect(store.layout.late) as connection:
        (size,) = connection.execute("SELECT length(codes) FROM tokens").fetchone()
    assert size < 0.85 * codes.size
    store.close()
