"""Members of a project's zip: foreign names, links, bombs and lies about sizes are refused."""

from __future__ import annotations

import hashlib
import stat
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from storage.archive import format as form
from storage.catalog import SqliteCatalog
from tests.hostile.archives import change_line, members_of, refused, rewrite


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
def test_a_name_that_is_not_ours_isrefused(catalog: SqliteCatalog, sound: Path, name: str) -> None:
    refused(catalog, rewrite(sound, {**members_of(sound), name: b"x"}), "does not belong")


def test_a_nul_in_a_name_isrefused(catalog: SqliteCatalog, sound: Path) -> None:
    name = "blobs/" + "0" * 64
    rewrite(sound, {**members_of(sound), name + "#x": b"x"})
    sound.write_bytes(sound.read_bytes().replace((name + "#x").encode(), (name + "\0x").encode()))
    refused(catalog, sound, "does not belong")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_occurs_twice_isrefused(catalog: SqliteCatalog, sound: Path) -> None:
    with zipfile.ZipFile(sound, "a") as opened:
        opened.writestr("documents.jsonl", b"{}")
    refused(catalog, sound, "occurs 2 times")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFDIR, stat.S_IFCHR])
def test_links_and_devices_arerefused(catalog: SqliteCatalog, sound: Path, kind: int) -> None:
    info = zipfile.ZipInfo("blobs/" + "0" * 64)
    info.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(sound, "a") as opened:
        opened.writestr(info, b"/etc/passwd")
    refused(catalog, sound, "not an ordinary file")


def test_members_that_the_manifest_does_not_name_or_has_lost_arerefused(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    extra = {**members, "blobs/" + "0" * 64: b"x"}
    refused(catalog, rewrite(sound, extra, honest=False), "not in the manifest")
    for name in ("documents.jsonl", next(name for name in members if name.startswith("texts/")), "manifest.json"):
        refused(
            catalog,
            rewrite(sound, {key: body for key, body in members.items() if key != name}, honest=False)
            if name in members
            else sound,
            "missing",
        )


def test_a_zip_bomb_is_refused_before_it_is_unpacked(catalog: SqliteCatalog, sound: Path) -> None:
    body = b"\x00" * 60_000_000
    members = {**members_of(sound), f"blobs/{hashlib.sha256(body).hexdigest()}": body}
    refused(catalog, rewrite(sound, members), "zip bomb")


def test_a_bomb_that_lies_about_its_size_is_stopped_while_unpacking(catalog: SqliteCatalog, sound: Path) -> None:
    body = b"\x00" * 60_000_000
    digest = hashlib.sha256(body).hexdigest()
    name = f"blobs/{digest}"
    members = change_line(members_of(sound), "documents.jsonl", lambda one: one["document"].update(blob_hash=digest), 1)
    old = hashlib.sha256(b"An old page.").hexdigest()
    rewrite(sound, {**{key: one for key, one in members.items() if key != f"blobs/{old}"}, name: body})
    raw = bytearray(sound.read_bytes())
    at = raw.index(b"PK\x01\x02", raw.index(zlib.compress(body, 6)[2:50]))
    while raw[at + 46 : at + 46 + len(name)] != name.encode():
        at = raw.index(b"PK\x01\x02", at + 4)
    struct.pack_into("<I", raw, at + 24, 1000)  # the central directory's unpacked size
    sound.write_bytes(raw)
    refused(catalog, sound, r"damaged|zip bomb|differs")


def test_bytes_that_belong_to_nothing_arerefused(catalog: SqliteCatalog, sound: Path) -> None:
    members = {**members_of(sound), f"blobs/{hashlib.sha256(b'stowaway').hexdigest()}": b"stowaway"}
    refused(catalog, rewrite(sound, members), "belongs to nothing")


def test_members_that_share_their_bytes_arerefused(catalog: SqliteCatalog, sound: Path) -> None:
    """Fifield's bomb: many names over one packed body."""
    raw = bytearray(sound.read_bytes())
    first = raw.index(b"PK\x01\x02")
    second = raw.index(b"PK\x01\x02", first + 4)
    raw[second + 42 : second + 46] = raw[first + 42 : first + 46]
    sound.write_bytes(raw)
    refused(catalog, sound, "overlaps")


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
    monkeypatch.setattr(form, limit, value)
    refused(catalog, sound, reason)
