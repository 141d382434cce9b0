"""A file is replaced whole, or the old one stays and nothing is left beside it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.text import files
from core.text.files import write_whole


def _names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("durable", [False, True])
def test_bytes_and_writers_replace_a_file(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "x.txt"
    write_whole(path, b"one", durable=durable)
    assert path.read_bytes() == b"one"
    write_whole(path, lambda beside: beside.write_bytes(b"two"), durable=durable)
    assert path.read_bytes() == b"two"
    assert _names(tmp_path) == ["x.txt"]


@pytest.mark.parametrize("fault", [OSError("full"), KeyboardInterrupt()])
def test_a_writer_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, fault: BaseException) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"old")

    def fail(beside: Path) -> None:
        beside.write_bytes(b"half")
        raise fault

    with pytest.raises(type(fault)):
        write_whole(path, fail)
    assert (path.read_bytes(), _names(tmp_path)) == (b"old", ["x.txt"])


def test_a_rename_that_fails_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", b"x")
    assert _names(tmp_path) == ["folder"]


def test_a_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_whole(path, b"x")
    assert path.read_bytes() == b"x"


def test_the_mode_is_as_asked_and_never_wider_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    replace = os.replace
    monkeypatch.setattr(
        files.os, "replace", lambda source, target: (seen.append(os.stat(source).st_mode), replace(source, target))
    )
    write_whole(tmp_path / "keys", b"secret", mode=0o600)
    assert stat.S_IMODE(seen[0]) == stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o600
    write_whole(tmp_path / "page", b"open", mode=0o640)
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == 0o640


def test_a_durable_file_and_its_folder_reach_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forced = []
    monkeypatch.setattr(files.os, "fsync", lambda descriptor: forced.append(os.fstat(descriptor).st_mode))
    write_whole(tmp_path / "x", b"x", durable=True)
    assert [stat.S_ISREG(forced[0]), stat.S_ISDIR(forced[1])] == [True, True]
    write_whole(tmp_path / "x", b"y")
    assert len(forced) == 2
