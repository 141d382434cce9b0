"""What changed since a snapshot, and when it is built anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.late import delta as late_delta
from core.late.delta import Manifest, delta_of, why_build
from core.late.index import FOLDER
from storage.database.layout import Layout

HELD = Manifest("p1", "model@1", "Texts", "2026-01-02T03:04:05+00:00", "stamp", dict.fromkeys(range(1, 11), "h"))


def test_added_and_removed_are_told_apart() -> None:
    delta = delta_of([1, 2, 3, 4], [9, 3, 4, 7])
    assert delta.added == (7, 9)
    assert delta.removed == {1, 2}
    assert delta.share == 1.0
    assert delta_of([], [1]).share == 1.0
    assert delta_of([1, 2], [2, 1]).share == 0


@pytest.mark.parametrize(
    ("manifest", "present", "said"),
    [
        (None, range(1, 11), "no index yet"),
        (HELD, range(1, 11), ""),
        (HELD, range(2, 12), ""),  # one gone, one new: 20 %
        (HELD, range(1, 14), "3 changes"),
        (HELD, range(4, 11), "3 changes"),
        (replace(HELD, checkpoint="model@2"), range(1, 11), "made with model@2"),
        (replace(HELD, project="p2"), range(1, 11), "another project"),
        (None, [1, 2], ""),  # too few to index
    ],
)
def test_it_is_built_when_missing_too_far_off_or_of_another_model(
    manifest: Manifest | None, present: range, said: str
) -> None:
    told = why_build(manifest, "p1", "model@1", list(present))
    assert told == "" if not said else said in told


def test_many_passages_are_warned_of_and_ten_thousand_are_not() -> None:
    assert late_delta.build_warning(10_000) == ""
    assert "10,001 passages are many" in late_delta.build_warning(10_001)


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "a.bin").write_bytes(b"1")
    held = replace(HELD, files=late_delta.file_hashes(tmp_path))
    late_delta.write_manifest(tmp_path, held)
    assert late_delta.read_manifest(tmp_path) == held
    assert late_delta.damaged_file(tmp_path, held) == ""


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"format": 99}', '{"format": 1, "passages": 3}', "\x00"])
def test_a_manifest_that_is_none_counts_as_no_index(tmp_path: Path, body: str) -> None:
    (tmp_path / late_delta.MANIFEST).write_text(body)
    assert late_delta.read_manifest(tmp_path) is None
    assert late_delta.read_manifest(tmp_path / "nowhere") is None


def test_a_changed_a_missing_and_a_foreign_file_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"1")
    held = replace(HELD, files=late_delta.file_hashes(tmp_path))
    (tmp_path / "b.bin").write_bytes(b"foreign")
    assert late_delta.damaged_file(tmp_path, held) == "b.bin"
    (tmp_path / "b.bin").unlink()
    (tmp_path / "a.bin").write_bytes(b"2")
    assert late_delta.damaged_file(tmp_path, held) == "a.bin"
    (tmp_path / "a.bin").unlink()
    assert late_delta.damaged_file(tmp_path, held) == "a.bin"


def test_the_folder_is_the_one_that_the_seeds_name() -> None:
    assert Path("x") / FOLDER == Layout(Path("x")).graph / "colbert_index"
