"""``workbench export`` of a report: every format by its name, to a file, a folder or standard output."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from core.ports.engines import Engines
from core.workbench import wiring
from tests.helpers.auditing import with_judge
from tests.helpers.packs import bench, fill
from tests.helpers.verifying import WordJudge

Call = Callable[..., Result]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Path:
    folder = tmp_path_factory.mktemp("export") / "root"
    with bench(folder, engines) as workbench:
        fill(workbench)
        workbench.create("Empty")
    return folder


@pytest.fixture
def call(root: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> Call:
    shared = with_judge(engines, WordJudge())
    shared.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(wiring, "_engines", lambda *_: shared)
    return lambda *arguments: CliRunner().invoke(app, ["--root", str(root), *arguments])


@pytest.mark.parametrize(
    ("format", "begins"),
    [
        ("csv", b"\xef\xbb\xbf"),
        ("xlsx", b"PK"),
        ("json", b"{"),
        ("markdown", b"# Citation audit"),
        ("docx", b"PK"),
        ("html", b"<!DOCTYPE html>"),
        ("sarif", b"{"),
        ("pack", b"PK"),
    ],
)
def test_every_format_is_written_by_its_name(call: Call, tmp_path: Path, format: str, begins: bytes) -> None:
    out = tmp_path / "out"
    told = call("export", "--project", "streets", "--report", "1", "--format", format, "-o", str(out))
    assert told.exit_code == 0, told.output
    assert out.read_bytes().startswith(begins)


def test_without_a_number_the_newest_report_goes_into_a_folder_under_its_own_name(call: Call, tmp_path: Path) -> None:
    told = call("--json", "export", "-p", "streets", "--format", "html", "-o", str(tmp_path))
    assert told.exit_code == 0, told.output
    value = json.loads(told.stdout)
    assert Path(value["file"]) == tmp_path / "report-audit.html"
    assert value["report"] == 1


def test_standard_output_holds_the_file_and_nothing_else(call: Call) -> None:
    told = call("export", "-p", "streets", "--format", "json", "-o", "-")
    assert json.loads(told.stdout)["format"] == "evidence-workbench audit"


def test_a_whole_project_is_written_as_before(call: Call, tmp_path: Path) -> None:
    assert call("export", "streets", str(tmp_path / "all.zip")).exit_code == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "pack.json" not in archive.namelist()
    verified = call("verify", str(tmp_path / "all.zip"))
    assert verified.exit_code == 0
    assert "every member matches" in verified.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("export",), "Name the project"),
        (("export", "streets"), "--format"),
        (("export", "-p", "streets", "--report", "1"), "--format"),
        (("export", "-p", "streets", "--format", "exe"), "exe"),
        (("export", "-p", "streets", "--report", "99", "--format", "csv", "-o", "-"), "99"),
        (("export", "-p", "empty", "--format", "csv", "-o", "-"), "no report"),
        (("export", "-p", "streets", "--format", "pack", "--without-source-words"), "Include them"),
        (("export", "-p", "streets", "--format", "csv", "-o", "/no/such/folder/x.csv"), "cannot be written"),
        (("export", "-p", "nowhere", "--format", "csv", "-o", "-"), "nowhere"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(call: Call, arguments: tuple[str, ...], reason: str) -> None:
    told = call(*arguments)
    assert told.exit_code == 2
    assert reason in told.output.replace("\n", " ")
    assert "Traceback" not in told.output


def test_what_is_no_regular_file_is_left_alone(call: Call, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for arguments in (("-p", "streets", "--format", "csv", "-o", str(pipe)), ("streets", str(pipe))):
        told = call("export", *arguments)
        assert told.exit_code == 2
        assert "no regular file" in told.output.replace("\n", " ")
    assert pipe.is_fifo()


def test_an_export_that_fails_leaves_the_earlier_file_whole(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, link = tmp_path / "out.csv", tmp_path / "link.csv"
    out.write_text("earlier")
    link.symlink_to(out)

    def full(_source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(shutil, "copyfile", full)
        assert call("export", "-p", "streets", "--format", "csv", "-o", str(link)).exit_code == 2
    assert out.read_text() == "earlier"
    assert sorted(tmp_path.iterdir()) == [link, out]
    assert call("export", "-p", "streets", "--format", "csv", "-o", str(link)).exit_code == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")
    assert link.is_symlink()
