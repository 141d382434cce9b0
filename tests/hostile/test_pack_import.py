"""Taking in an audit pack says what checking it says: what `verify` refuses is refused, what it flags is told."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from core.errors import HostileArchive
from core.export.formats import ExportFormat
from core.pack.check import import_checked
from core.ports.engines import Engines
from core.workbench import wiring
from core.workbench.open_project import first_of
from core.workbench.workbench import Workbench
from tests.helpers.packs import bench, checked, exported, fill
from tests.hostile.archives import Members, members_of, rewrite


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[tuple[Workbench, Path]]:
    """A workbench and a sound pack."""
    folder = tmp_path_factory.mktemp("imports")
    with bench(folder / "root", engines) as workbench:
        opened, report = fill(workbench)
        yield workbench, exported(opened, report, ExportFormat.PACK, folder / "pack.zip")


@pytest.fixture
def workbench(place: tuple[Workbench, Path]) -> Workbench:
    return place[0]


@pytest.fixture
def pack(place: tuple[Workbench, Path], tmp_path: Path) -> Path:
    """A copy of the sound pack."""
    return Path(shutil.copy(place[1], tmp_path / "pack.zip"))


def passing(members: Members) -> Members:
    """Every row that was for review passes."""
    return {**members, "findings.jsonl": members["findings.jsonl"].replace(b'"REVIEW"', b'"PASS"')}


def scripted(members: Members) -> Members:
    """A page that runs something."""
    page = members["report.html"].replace(b"</body>", b"<script>1</script></body>")
    assert page != members["report.html"]
    return {**members, "report.html": page}


def misspelt(members: Members) -> Members:
    info = members["pack.json"].replace(b'"pass_support"', b'"pass_suppor"')
    assert info != members["pack.json"]
    return {**members, "pack.json": info}


def imported(pack: Path, root: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> Result:
    """What `workbench import` says of it."""
    monkeypatch.setattr(wiring, "_engines", lambda *_: engines)
    monkeypatch.setattr(engines, "close", lambda: None)
    return CliRunner().invoke(app, ["--root", str(root), "--json", "import", str(pack)])


def test_a_sound_pack_is_taken_in_without_a_word(
    workbench: Workbench, pack: Path, tmp_path: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = workbench.open(import_checked(workbench, pack).slug)
    assert taken.import_differences() == []
    ended = imported(pack, tmp_path / "root", engines, monkeypatch)
    assert (ended.exit_code, ended.stderr) == (0, "")


@pytest.mark.parametrize("empty", [True, False])
def test_a_wrong_pack_json_is_refused_and_nothing_is_left(workbench: Workbench, pack: Path, empty: bool) -> None:
    members = members_of(pack)
    rewrite(pack, {**members, "pack.json": b"{}"} if empty else misspelt(members))
    (reason,) = checked(workbench, pack, judge=False).refused
    before = sorted(os.listdir(workbench.root))
    with pytest.raises(HostileArchive) as caught:
        import_checked(workbench, pack)
    assert str(caught.value) == reason
    assert sorted(os.listdir(workbench.root)) == before


@pytest.mark.parametrize(
    ("change", "words"), [(passing, "report.html shows"), (scripted, "report.html is not the page")]
)
def test_what_checking_flags_is_told_by_the_project_and_by_the_command(
    workbench: Workbench, pack: Path, tmp_path: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch,
    change: object, words: str,
) -> None:  # fmt: skip
    assert callable(change)
    rewrite(pack, change(members_of(pack)))
    found = checked(workbench, pack, judge=False)
    taken = workbench.open(import_checked(workbench, pack).slug)
    told = taken.import_differences()
    assert told == first_of([*found.problems, *found.differences])
    assert any(words in one for one in told)
    assert taken.audits.reports()
    ended = imported(pack, tmp_path / "root", engines, monkeypatch)
    assert ended.exit_code == 1
    assert ended.stderr.count("Taken in, but: ") == len(told)
    assert words in ended.stderr
    assert json.loads(ended.stdout)["name"] == "Streets"


def test_at_most_ten_lines_are_told_and_how_many_more() -> None:
    told = first_of([f"\x1b[31m{number}" for number in range(13)])
    assert told[0] == " [31m0"
    assert told[10:] == ["And 3 more; `workbench verify` lists them."]


def test_the_zip_of_a_project_is_not_checked_as_a_pack(workbench: Workbench, tmp_path: Path) -> None:
    packed = workbench.export("streets", tmp_path / "streets.zip")
    assert workbench.open(import_checked(workbench, packed).slug).import_differences() == []
