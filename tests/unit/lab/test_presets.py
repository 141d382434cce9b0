"""Own presets are files that can be shared; one with a fault is named and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.lab.presets import FOLDER, MAX_PRESETS, Preset, delete_preset, own_presets, save_preset
from core.labels import QueryKind
from core.records import StageSwitches

MINE = Preset("Légal / précis", "", frozenset({QueryKind.TRANSFORM}), StageSwitches(rerank=True, mmr=False))


def test_a_preset_is_kept_replaced_and_deleted(tmp_path: Path) -> None:
    assert own_presets(tmp_path) == ([], [])
    save_preset(tmp_path, MINE)
    save_preset(tmp_path, Preset("bare", "no steps", frozenset()))
    assert own_presets(tmp_path) == ([Preset("bare", "no steps", frozenset()), MINE], [])
    changed = Preset(MINE.name, "", frozenset({QueryKind.HYDE}), StageSwitches())
    save_preset(tmp_path, changed)
    assert own_presets(tmp_path)[0][1] == changed
    delete_preset(tmp_path, MINE.name)
    assert [one.name for one in own_presets(tmp_path)[0]] == ["bare"]
    delete_preset(tmp_path, "unknown")


def test_names_never_leave_the_folder(tmp_path: Path) -> None:
    save_preset(tmp_path, Preset("../../evil", "", frozenset()))
    assert [path.parent for path in tmp_path.rglob("*.toml")] == [tmp_path / FOLDER]


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b"])
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="name"):
        save_preset(tmp_path, Preset(name, "", frozenset()))
    assert not list(tmp_path.rglob("*.toml"))


@pytest.mark.parametrize(
    "body",
    [
        b"not toml",
        b"\xff\xfe",
        b"name = 'x'",
        b"kinds = 3",
        b"kinds = ['moon']",
        b"kinds = []\n[steps]\nmoon = true",
        b"kinds = []\n[steps]\nrerank = 'yes'",
        b"kinds = []\nsteps = 1",
        b"kinds = [" + b"[" * 5000,
        b"x = '" + b"y" * 20_000 + b"'",
        b"kinds = []\nname = '" + b"n" * 100 + b"'",
    ],
)
def test_a_file_with_a_fault_is_named_and_the_others_are_there(tmp_path: Path, body: bytes) -> None:
    save_preset(tmp_path, MINE)
    (tmp_path / FOLDER / "broken.toml").write_bytes(body)
    found, problems = own_presets(tmp_path)
    assert found == [MINE]
    assert len(problems) == 1
    assert "broken.toml" in problems[0]


def test_there_is_an_end_to_presets(tmp_path: Path) -> None:
    for at in range(MAX_PRESETS):
        save_preset(tmp_path, Preset(f"p{at}", "", frozenset()))
    with pytest.raises(SettingsError, match="Delete one"):
        save_preset(tmp_path, MINE)
