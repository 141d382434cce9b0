"""A project's zip: everything comes back from ours, nothing is taken from a bad one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ArchiveError, HostileArchive
from core.labels import FetchState, Grade, SourceKind
from core.model import Fetched, Filters, Heading, PageSpan
from storage import archive, archive_read
from storage.base import utc_now
from storage.catalog import SqliteCatalog
from tests.contract.builders import add

TEXT = "Otters swim in the tidal mill.\nHerons wait. 東京 ½ \u2028 end."
Members = dict[str, bytes]


@pytest.fixture
def catalog(tmp_path: Path) -> SqliteCatalog:
    """A root with one project, ``full``."""
    made = SqliteCatalog(tmp_path / "root", utc_now)
    store = made.open(made.create("Full").slug)
    (upload, failed, waiting) = store.request(
        SourceKind.UPLOAD,
        [("a.html", Fetched(b"<p>otters</p>", "text/html")), ("https://gone/", None), ("https://later/", None)],
        "batch",
    )
    first = add(
        store,
        TEXT,
        size=20,
        context="Mills › tides",
        acquisition=upload.id,
        blob_hash=upload.blob_hash,
        title="A <title>",
        urls=("https://a/", "https://b/"),
        published=date(2020, 1, 2),
        language="en",
        tags=("x", "y"),
        signature=b"\x00\xff",
        pages=(PageSpan(1, 0, 20), PageSpan(2, 20, 40)),
        headings=(Heading(1, 0, 6, "Otters"),),
        authors=("Ann",),
    )
    store.finish_acquisition(failed.id, FetchState.GONE, "410")
    old = add(store, "An old page.")
    add(store, "A new page. " * 5000, supersedes=old.id, near_duplicate_of=first.id)
    store.override_grade(first.id, Grade.A, "peer reviewed", "ann")
    assert store.acquisition(waiting.id).state is FetchState.QUEUED
    missing = store.missing("e", 1000)
    store.put_vectors("e", [one for one, _ in missing], np.ones((len(missing), 4), np.float32), None)
    store.close()
    return made


@pytest.fixture
def sound(catalog: SqliteCatalog, tmp_path: Path) -> Path:
    """An archive of it."""
    return catalog.export("full", tmp_path / "full.zip")


def _members(path: Path) -> Members:
    with zipfile.ZipFile(path) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist()}


def _rewrite(path: Path, members: Members, *, honest: bool = True) -> Path:
    """Write a zip of ``members``; ``honest`` makes the manifest fit them."""
    members = dict(members)
    if honest:
        manifest = json.loads(members["manifest.json"])
        manifest["members"] = {
            name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
            for name, body in members.items()
            if name != "manifest.json"
        }
        members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, body in members.items():
            opened.writestr(name, body)
    return path


def _refused(catalog: SqliteCatalog, path: Path, reason: str) -> None:
    """Import and verify both say why, and the root is as it was."""
    before = sorted(os.listdir(catalog.root))
    with pytest.raises(HostileArchive, match=reason):
        catalog.import_archive(path)
    assert sorted(os.listdir(catalog.root)) == before
    problems = catalog.verify_archive(path)
    assert problems
    assert any(_matches(reason, problem) for problem in problems)


def _matches(reason: str, problem: str) -> bool:
    import re

    return re.search(reason, problem) is not None


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
    names = set(_members(sound))
    assert all(archive.ALLOWED_NAME.fullmatch(name) for name in names)
    assert not [name for name in names if "db" in name.split("/")[0]]
    assert str(sound.parent).encode() not in _members(sound)["manifest.json"]


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
def test_what_is_not_a_zip_is_refused(catalog: SqliteCatalog, tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "bad.zip"
    path.write_bytes(body)
    _refused(catalog, path, r"not a whole zip|missing|manifest")


def test_a_missing_file_is_named(catalog: SqliteCatalog, tmp_path: Path) -> None:
    _refused(catalog, tmp_path / "none.zip", "no file")


@pytest.mark.parametrize("share", [0.2, 0.7, 0.99])
def test_a_truncated_zip_is_refused(catalog: SqliteCatalog, sound: Path, share: float) -> None:
    body = sound.read_bytes()
    sound.write_bytes(body[: int(len(body) * share)])
    _refused(catalog, sound, "not a whole zip")


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_byte_anywhere_is_noticed(catalog: SqliteCatalog, sound: Path, seed: int) -> None:
    """Whatever byte is flipped, either it is noticed or what is read is the same as before."""
    body = bytearray(sound.read_bytes())
    at = int(np.random.default_rng(seed).integers(len(body)))
    body[at] ^= 0x40
    flipped = sound.with_name("flipped.zip")
    flipped.write_bytes(body)
    if not catalog.verify_archive(flipped):
        assert _members(flipped) == _members(sound)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/passwd",
        "texts/../../evil.txt",
        "blobs/..\\evil",
        "project.db",
        "late.db",
        "blobs/" + "0" * 63,
        "BLOBS/" + "0" * 64,
        "texts/" + "0" * 64 + ".txt/",
        "manifest.json/",
        "c:\\x",
        "blobs/" + "0" * 64 + "\n",
        "__MACOSX/x",
        "documents.jsonl ",
        "x" * 5000,
    ],
)
def test_a_name_that_is_not_ours_is_refused(catalog: SqliteCatalog, sound: Path, name: str) -> None:
    _refused(catalog, _rewrite(sound, {**_members(sound), name: b"x"}), "does not belong")


def test_a_nul_in_a_name_is_refused(catalog: SqliteCatalog, sound: Path) -> None:
    name = "blobs/" + "0" * 64
    _rewrite(sound, {**_members(sound), name + "#x": b"x"})
    sound.write_bytes(sound.read_bytes().replace((name + "#x").encode(), (name + "\0x").encode()))
    _refused(catalog, sound, "does not belong")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_occurs_twice_is_refused(catalog: SqliteCatalog, sound: Path) -> None:
    with zipfile.ZipFile(sound, "a") as opened:
        opened.writestr("documents.jsonl", b"{}")
    _refused(catalog, sound, "occurs 2 times")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFDIR, stat.S_IFCHR])
def test_links_and_devices_are_refused(catalog: SqliteCatalog, sound: Path, kind: int) -> None:
    info = zipfile.ZipInfo("blobs/" + "0" * 64)
    info.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(sound, "a") as opened:
        opened.writestr(info, b"/etc/passwd")
    _refused(catalog, sound, "not an ordinary file")


def test_members_that_the_manifest_does_not_name_or_has_lost_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    extra = {**members, "blobs/" + "0" * 64: b"x"}
    _refused(catalog, _rewrite(sound, extra, honest=False), "not in the manifest")
    for name in ("documents.jsonl", next(name for name in members if name.startswith("texts/")), "manifest.json"):
        _refused(
            catalog,
            _rewrite(sound, {key: body for key, body in members.items() if key != name}, honest=False)
            if name in members
            else sound,
            "missing",
        )


# ---------------------------------------------------------------- bombs


def test_a_zip_bomb_is_refused_before_it_is_unpacked(catalog: SqliteCatalog, sound: Path) -> None:
    body = b"\x00" * 60_000_000
    members = {**_members(sound), f"blobs/{hashlib.sha256(body).hexdigest()}": body}
    _refused(catalog, _rewrite(sound, members), "zip bomb")


def test_a_bomb_that_lies_about_its_size_is_stopped_while_unpacking(catalog: SqliteCatalog, sound: Path) -> None:
    body = b"\x00" * 60_000_000
    digest = hashlib.sha256(body).hexdigest()
    name = f"blobs/{digest}"
    members = _change_line(_members(sound), "documents.jsonl", lambda one: one["document"].update(blob_hash=digest), 1)
    old = hashlib.sha256(b"An old page.").hexdigest()
    _rewrite(sound, {**{key: one for key, one in members.items() if key != f"blobs/{old}"}, name: body})
    raw = bytearray(sound.read_bytes())
    at = raw.index(b"PK\x01\x02", raw.index(zlib.compress(body, 6)[2:50]))
    while raw[at + 46 : at + 46 + len(name)] != name.encode():
        at = raw.index(b"PK\x01\x02", at + 4)
    struct.pack_into("<I", raw, at + 24, 1000)  # the central directory's unpacked size
    sound.write_bytes(raw)
    _refused(catalog, sound, r"damaged|zip bomb|differs")


def test_bytes_that_belong_to_nothing_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = {**_members(sound), f"blobs/{hashlib.sha256(b'stowaway').hexdigest()}": b"stowaway"}
    _refused(catalog, _rewrite(sound, members), "belongs to nothing")


def test_members_that_share_their_bytes_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    """Fifield's bomb: many names over one packed body."""
    raw = bytearray(sound.read_bytes())
    first = raw.index(b"PK\x01\x02")
    second = raw.index(b"PK\x01\x02", first + 4)
    raw[second + 42 : second + 46] = raw[first + 42 : first + 46]
    sound.write_bytes(raw)
    _refused(catalog, sound, "overlaps")


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MAX_MEMBERS", 5, "members"),
        ("MAX_MEMBER_BYTES", 100, "allowed"),
        ("MAX_TOTAL_BYTES", 1000, "more than"),
    ],
)
def test_number_and_sizes_are_capped(
    catalog: SqliteCatalog, sound: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, reason: str
) -> None:
    monkeypatch.setattr(archive_read, limit, value)
    _refused(catalog, sound, reason)


# ---------------------------------------------------------------- contents


def _change_line(members: Members, name: str, change: Callable[[dict[str, Any]], None], line: int = 0) -> Members:
    lines = members[name].split(b"\n")
    record = json.loads(lines[line])
    change(record)
    lines[line] = json.dumps(record).encode()
    return {**members, name: b"\n".join(lines)}


def test_a_changed_byte_is_named_by_its_member(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    for name in members:
        if name != "manifest.json":
            changed = _rewrite(sound, {**members, name: members[name] + b" "}, honest=False)
            _refused(catalog, changed, f"{name!r} differs")


def test_a_text_or_blob_that_is_not_its_name_is_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    for folder in ("texts/", "blobs/"):
        name = next(one for one in members if one.startswith(folder))
        _refused(catalog, _rewrite(sound, {**members, name: b"forged"}), "SHA-256")


@pytest.mark.parametrize(
    "spans",
    [
        [[0, 0, 10_000_000, None, 0]],
        [[0, -1, 5, None, 0]],
        [[0, 5, 5, None, 0]],
        [[0, 9, 5, None, 0]],
        [[0, 0, 5, None, 7]],
        [[0, 0, 5, None, -1]],
        [[3, 0, 5, None, 0]],
        [[0, 0, 5, None, 0], [0, 5, 9, None, 0]],
        [[0, 0, 5, 10**40, 0]],
        [[0, 0.5, 5, None, 0]],
        "x",
    ],
)
def test_wrong_offsets_are_refused(catalog: SqliteCatalog, sound: Path, spans: object) -> None:
    members = _change_line(_members(sound), "passages.jsonl", lambda record: record.update(spans=spans))
    _refused(catalog, _rewrite(sound, members), r"outside its text|line 1|cannot be stored")


@pytest.mark.parametrize(
    "change",
    [
        {"id": "0" * 16},
        {"content_hash": "0" * 64},
        {"blob_hash": "0" * 64},
        {"blob_hash": "../x"},
        {"grade": "F"},
        {"fetched": "yesterday"},
        {"fetched": "2020-01-01T00:00:00"},
        {"near_duplicate_of": "nobody"},
        {"superseded_by": "nobody"},
        {"pages": [[1, 0, 10**9]]},
        {"pages": [[10**30, 0, 1]]},
        {"title": None},
        {"headings": [[1, -5, 3, "x"]]},
        {"urls": "x"},
        {"assessment": {"grade": "A", "reasons": [["r", 1e999, "t"]]}},
        {"title": 7},
    ],
)
def test_a_wrong_document_is_refused(catalog: SqliteCatalog, sound: Path, change: dict[str, object]) -> None:
    members = _change_line(_members(sound), "documents.jsonl", lambda record: record["document"].update(change))
    path = _rewrite(sound, members)
    before = sorted(os.listdir(catalog.root))
    with pytest.raises(HostileArchive):
        catalog.import_archive(path)
    assert sorted(os.listdir(catalog.root)) == before


@pytest.mark.parametrize("name", ["documents.jsonl", "passages.jsonl", "acquisitions.jsonl", "grade_changes.jsonl"])
@pytest.mark.parametrize("line", [b"null", b"[]", b"{", b'{"x": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_line_that_is_no_record_is_refused(catalog: SqliteCatalog, sound: Path, name: str, line: bytes) -> None:
    members = _members(sound)
    _refused(catalog, _rewrite(sound, {**members, name: line + b"\n" + members[name]}), f"line 1 of {name!r}")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something else"},
        {"version": 2},
        {"version": 0},
        {"members": []},
        {"counts": {"documents": -1}},
        {"extra": 1},
        {"project": {"name": "x" * 5000, "created": "2020-01-01T00:00:00Z"}},
    ],
)
def test_a_wrong_manifest_is_refused(catalog: SqliteCatalog, sound: Path, change: dict[str, object]) -> None:
    members = _members(sound)
    manifest = {**json.loads(members["manifest.json"]), **change}
    _refused(
        catalog,
        _rewrite(sound, {**members, "manifest.json": json.dumps(manifest).encode()}, honest=False),
        r"manifest|format",
    )


def test_a_document_that_occurs_twice_is_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    first = members["documents.jsonl"].split(b"\n")[0]
    _refused(
        catalog,
        _rewrite(sound, {**members, "documents.jsonl": first + b"\n" + members["documents.jsonl"]}),
        "occurs twice",
    )


def test_a_text_that_is_not_utf8_is_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    body = b"\xff\xfe not text"
    digest = hashlib.sha256(body).hexdigest()

    def rename(record: dict[str, Any]) -> None:
        record["document"].update(id=digest[:16], content_hash=digest)

    members = _change_line(members, "documents.jsonl", rename, line=1)
    old = json.loads(_members(sound)["documents.jsonl"].split(b"\n")[1])["document"]["content_hash"]
    del members[f"texts/{old}.txt"]
    members[f"texts/{digest}.txt"] = body
    _refused(catalog, _rewrite(sound, members), "UTF-8")


def test_a_hostile_project_name_gets_a_safe_folder(catalog: SqliteCatalog, sound: Path) -> None:
    members = _members(sound)
    manifest = json.loads(members["manifest.json"])
    manifest["project"]["name"] = "../../evil\x00"
    project = catalog.import_archive(_rewrite(sound, {**members, "manifest.json": json.dumps(manifest).encode()}))
    assert project.path.parent == catalog.root
    shutil.rmtree(project.path)
