"""Hashes that are stored keep their values."""

from __future__ import annotations

from pathlib import Path

from core.text.hashing import digest, file_digest, hex_digest

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_texts_bytes_and_files_have_the_published_value(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert {hex_digest("abc"), hex_digest(b"abc"), digest("abc").hex(), file_digest(tmp_path / "abc")} == {ABC}


def test_every_text_has_a_hash() -> None:
    assert hex_digest("Zürich").startswith("4251685e06cab635")
    assert len(hex_digest("\ud800")) == 64
