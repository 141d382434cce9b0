"""Records of a project's zip: nothing is taken from a bad one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import HostileArchive
from storage.archive.format import VERSION
from storage.catalog import SqliteCatalog
from tests.hostile.archives import change_line, members_of, refused, rewrite


def test_a_changed_byte_is_named_by_its_member(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    for name in members:
        if name != "manifest.json":
            changed = rewrite(sound, {**members, name: members[name] + b" "}, honest=False)
            refused(catalog, changed, f"{name!r} differs")


def test_a_text_or_blob_that_is_not_its_name_isrefused(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    for folder in ("texts/", "blobs/"):
        name = next(one for one in members if one.startswith(folder))
        refused(catalog, rewrite(sound, {**members, name: b"forged"}), "SHA-256")


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
def test_wrong_offsets_arerefused(catalog: SqliteCatalog, sound: Path, spans: object) -> None:
    members = change_line(members_of(sound), "passages.jsonl", lambda record: record.update(spans=spans))
    refused(catalog, rewrite(sound, members), r"outside its text|line 1|cannot be stored")


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
def test_a_wrong_document_isrefused(catalog: SqliteCatalog, sound: Path, change: dict[str, object]) -> None:
    members = change_line(members_of(sound), "documents.jsonl", lambda record: record["document"].update(change))
    path = rewrite(sound, members)
    before = sorted(os.listdir(catalog.root))
    with pytest.raises(HostileArchive):
        catalog.import_archive(path)
    assert sorted(os.listdir(catalog.root)) == before


@pytest.mark.parametrize(
    "name",
    [
        "documents.jsonl",
        "passages.jsonl",
        "acquisitions.jsonl",
        "grade_changes.jsonl",
        "reports.jsonl",
        "findings.jsonl",
        "claims.jsonl",
    ],
)
@pytest.mark.parametrize("line", [b"null", b"[]", b"{", b'{"x": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_line_that_is_no_record_isrefused(catalog: SqliteCatalog, sound: Path, name: str, line: bytes) -> None:
    members = members_of(sound)
    refused(catalog, rewrite(sound, {**members, name: line + b"\n" + members[name]}), f"line 1 of {name!r}")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something else"},
        {"version": VERSION + 1},
        *({"version": version} for version in range(VERSION)),
        {"members": []},
        {"counts": {"documents": -1}},
        {"extra": 1},
        {"project": {"name": "x" * 5000, "created": "2020-01-01T00:00:00Z"}},
    ],
)
def test_a_wrong_manifest_isrefused(catalog: SqliteCatalog, sound: Path, change: dict[str, object]) -> None:
    members = members_of(sound)
    manifest = {**json.loads(members["manifest.json"]), **change}
    refused(
        catalog,
        rewrite(sound, {**members, "manifest.json": json.dumps(manifest).encode()}, honest=False),
        r"manifest|format",
    )


def test_a_document_that_occurs_twice_isrefused(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    first = members["documents.jsonl"].split(b"\n")[0]
    refused(
        catalog,
        rewrite(sound, {**members, "documents.jsonl": first + b"\n" + members["documents.jsonl"]}),
        "occurs twice",
    )


def test_a_text_that_is_not_utf8_isrefused(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    body = b"\xff\xfe not text"
    digest = hashlib.sha256(body).hexdigest()

    def rename(record: dict[str, Any]) -> None:
        record["document"].update(id=digest[:16], content_hash=digest)

    members = change_line(members, "documents.jsonl", rename, line=1)
    old = json.loads(members_of(sound)["documents.jsonl"].split(b"\n")[1])["document"]["content_hash"]
    del members[f"texts/{old}.txt"]
    members[f"texts/{digest}.txt"] = body
    refused(catalog, rewrite(sound, members), "UTF-8")


def test_a_hostile_project_name_gets_a_safe_folder(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    manifest = json.loads(members["manifest.json"])
    manifest["project"]["name"] = "../../evil\x00"
    project = catalog.import_archive(rewrite(sound, {**members, "manifest.json": json.dumps(manifest).encode()}))
    assert project.path.parent == catalog.root
    shutil.rmtree(project.path)
