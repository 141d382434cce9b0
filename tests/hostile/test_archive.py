"""A project's zip: everything comes back from ours, and what is no whole zip is refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import ArchiveError
from core.labels import FetchState
from core.records import Filters
from storage.archive import format as archive
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.contract.builders import add
from tests.hostile.archives import members_of, refused

# ---------------------------------------------------------------- sound archives


def test_everything_but_vectors_comes_back(catalog: SqliteCatalog, sound: Path, tmp_path: Path) -> None:
    assert catalog.verify_archive(sound) == []
    elsewhere = SqliteCatalog(tmp_path / "elsewhere", utc_now)
    project = elsewhere.import_archive(sound)
    assert (project.name, project.slug) == ("Full", "full")
    given, taken = catalog.open("full"), elsewhere.open("full")
    documents = given.documents(superseded=True)
    assert taken.documents(superseded=True) == documents
    for document in documents:
        assert taken.text(document.id) == given.text(document.id)
        assert taken.blob(document.blob_hash) == given.blob(document.blob_hash)
        assert [replace(one, id=0) for one in taken.passages_of(document.id)] == [
            replace(one, id=0) for one in given.passages_of(document.id)
        ]
    assert taken.grade_changes() == given.grade_changes()
    (upload, failed, waiting), before = taken.acquisitions(), given.acquisitions()
    assert [upload, failed] == before[:2]
    assert waiting.state is FetchState.CANCELLED
    assert [hit.score for hit in taken.lexical(["otter"], Filters(), 9)] == [
        hit.score for hit in given.lexical(["otter"], Filters(), 9)
    ]
    assert taken.coverage("e") == (0, given.coverage("e")[1])
    metadata = json.loads(taken.layout.index_metadata.read_text())
    assert metadata["indexed_hashes"] == [one.content_hash for one in taken.documents()]
    given.close()
    taken.close()


def test_a_second_import_is_a_second_project(catalog: SqliteCatalog, sound: Path) -> None:
    assert catalog.import_archive(sound).slug == "full-2"
    assert catalog.import_archive(sound, name="../Other").slug == "other"


def test_an_archive_holds_no_database_and_no_paths(sound: Path) -> None:
    names = set(members_of(sound))
    assert all(archive.ALLOWED_NAME.fullmatch(name) for name in names)
    assert not [name for name in names if "db" in name.split("/")[0]]
    assert str(sound.parent).encode() not in members_of(sound)["manifest.json"]


def test_our_own_very_repetitive_sources_are_not_taken_for_a_bomb(catalog: SqliteCatalog, tmp_path: Path) -> None:
    store = catalog.open(catalog.create("Zeros").slug)
    add(store, "zeros", blob_hash=store.put_blob(b"\x00" * 30_000_000))
    store.close()
    path = catalog.export("zeros", tmp_path / "zeros.zip")
    assert catalog.verify_archive(path) == []
    assert catalog.import_archive(path).slug == "zeros-2"


def test_an_export_that_fails_leaves_the_old_file(catalog: SqliteCatalog, sound: Path, tmp_path: Path) -> None:
    before = sound.read_bytes()
    for blob in (catalog.root / "full" / "blobs").glob("*/*"):
        blob.unlink()
    with pytest.raises(Exception, match="missing"):
        catalog.export("full", sound)
    assert sound.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["full.zip", "root"]
    with pytest.raises(ArchiveError, match="could not be written"):
        catalog.export("full", tmp_path / "no" / "such" / "folder.zip")


# ---------------------------------------------------------------- not a zip, or not whole


@pytest.mark.parametrize("body", [b"", b"not a zip", b"PK\x03\x04" + b"\x00" * 100, b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_not_a_zip_isrefused(catalog: SqliteCatalog, tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "bad.zip"
    path.write_bytes(body)
    refused(catalog, path, r"not a whole zip|missing|manifest")


def test_a_missing_file_is_named(catalog: SqliteCatalog, tmp_path: Path) -> None:
    refused(catalog, tmp_path / "none.zip", "no file")


@pytest.mark.parametrize("share", [0.2, 0.7, 0.99])
def test_a_truncated_zip_isrefused(catalog: SqliteCatalog, sound: Path, share: float) -> None:
    body = sound.read_bytes()
    sound.write_bytes(body[: int(len(body) * share)])
    refused(catalog, sound, "not a whole zip")


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_byte_anywhere_is_noticed(catalog: SqliteCatalog, sound: Path, seed: int) -> None:
    """Whatever byte is flipped, either it is noticed or what is read is the same as before."""
    body = bytearray(sound.read_bytes())
    at = int(np.random.default_rng(seed).integers(len(body)))
    body[at] ^= 0x40
    flipped = sound.with_name("flipped.zip")
    flipped.write_bytes(body)
    if not catalog.verify_archive(flipped):
        assert members_of(flipped) == members_of(sound)
