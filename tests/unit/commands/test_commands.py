"""Promises of the command line: JSON that parses, exit codes, messages that help."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from core.labels import JobKind
from core.workbench.wiring import open_workbench
from tests.conftest import REPOSITORY

NOTE = "Street trees cool the air by two degrees on hot days. " * 5


@pytest.fixture
def call(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), *arguments], input=text)

    return run


def test_a_command_loads_no_judge_and_no_reader_before_it_needs_them() -> None:
    code = (
        "import sys, core.commands.__main__\n"
        "early = {'core.verify', 'core.audit.pairing', 'core.acquire.intake', 'core.pack.check', 'storage'}\n"
        "assert not early & set(sys.modules), early & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)


def test_from_nothing_to_a_found_passage(call) -> None:  # type: ignore[no-untyped-def]
    assert call("project", "create", "Hot streets").exit_code == 0
    added = call("--json", "add", "-p", "hot-streets", "--title", "Note", "-", text=NOTE)
    assert added.exit_code == 0, added.output
    assert json.loads(added.stdout)["encoded"] == json.loads(added.stdout)["searchable"] > 0
    found = json.loads(call("--json", "search", "-p", "hot-streets", "what do trees do to heat?").stdout)
    assert found["passages"][0]["document"]["title"] == "Note"
    assert json.loads(call("--json", "stats", "-p", "hot-streets").stdout)["total_queries"] == 1


def test_pasted_text_is_graded_and_corrected_from_the_command_line(call) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    call("add", "-p", "p", "--title", "Note", "-", text=NOTE)
    (before,) = json.loads(call("--json", "sources", "-p", "p").stdout)
    assert before["grade"] == "E"
    change = ("source", before["id"], "-p", "p")
    assert call(*change, "--grade", "B").exit_code == 2  # a grade needs its reason
    given = ("--grade", "B", "--reason", "Minutes of the council", "--title", "Minutes of May", "--author", "Ada Lund",
             "--published", "2021-05-03")  # fmt: skip
    assert call(*change, *given).exit_code == 0
    (after,) = json.loads(call("--json", "sources", "-p", "p").stdout)
    assert (after["grade"], after["title"], after["authors"], after["published"], after["mended"]) == (
        "B", "Minutes of May", ["Ada Lund"], "2021-05-03", ["title", "authors", "published"],
    )  # fmt: skip
    found = json.loads(call("--json", "search", "-p", "p", "minutes").stdout)  # the title stands over the passages
    assert found["passages"][0]["document"]["title"] == "Minutes of May"
    assert (
        call(*change, "--published", "May").exit_code == call("source", "nothing", "-p", "p", "--accept").exit_code == 2
    )


def test_a_source_that_fails_gives_exit_code_1_and_its_state(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    (tmp_path / "zero.pdf").write_bytes(b"")
    added = call("--json", "add", "-p", "p", str(tmp_path / "zero.pdf"))
    assert added.exit_code == 1
    assert json.loads(added.stdout)["sources"][0]["state"] == "empty"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("search", "-p", "nowhere", "x"), "nowhere"),
        (("project", "create", "   "), "name"),
        (("project", "delete", "nowhere", "--confirm", "x"), "nowhere"),
        (("verify", "missing.zip"), "missing.zip"),
        (("import", "missing.zip"), "missing.zip"),
    ],
)
def test_an_error_is_exit_code_2_with_one_line_that_names_the_thing(
    call, arguments: tuple[str, ...], hint: str
) -> None:  # type: ignore[no-untyped-def]
    result = call(*arguments)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert "Traceback" not in result.stderr
    as_json = call("--json", *arguments)
    assert hint in json.loads(as_json.stderr)["message"]


def test_export_verify_import_round_trip(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "One")
    call("add", "-p", "one", "--title", "Note", "-", text=NOTE)
    archive = tmp_path / "one.zip"
    assert call("export", "one", str(archive)).exit_code == 0
    assert json.loads(call("--json", "verify", str(archive)).stdout)["sound"] is True
    imported = json.loads(call("--json", "import", str(archive), "--name", "Two").stdout)
    assert imported["slug"] == "two"
    found = json.loads(call("--json", "search", "-p", "two", "trees", "--words-only").stdout)
    assert found["passages"][0]["document"]["title"] == "Note"


@pytest.mark.parametrize("members", [(), ("photo.jpg",)])
def test_a_zip_that_is_none_of_the_workbench_cannot_be_checked(  # type: ignore[no-untyped-def]
    call, tmp_path: Path, members: tuple[str, ...]
) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        for name in members:
            other.writestr(name, b"bytes")
    checked = call("verify", str(tmp_path / "other.zip"))
    assert checked.exit_code == 2
    assert "other.zip" in checked.output


def test_a_damaged_archive_is_not_sound_and_is_not_imported(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "One")
    call("add", "-p", "one", "--title", "Note", "-", text=NOTE)
    archive = tmp_path / "one.zip"
    call("export", "one", str(archive))
    archive.write_bytes(archive.read_bytes()[:-200])
    assert call("verify", str(archive)).exit_code == 2  # cut off: no zip that could be checked
    assert call("import", str(archive)).exit_code == 2
    assert len(json.loads(call("--json", "project", "list").stdout)) == 1


@pytest.mark.parametrize("name", ["", "y" * 5000])
def test_a_source_name_that_can_be_no_file_is_refused(call, name: str) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    result = call("add", "-p", "p", name)
    assert result.exit_code == 2
    assert call("--json", "sources", "-p", "p").stdout.strip() == "[]"


def test_text_on_standard_input_may_have_another_encoding(call) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    text = ("Le café de la gare a été fermé à cause de la chaleur en été. " * 4).encode("latin-1")
    assert call("add", "-p", "p", "--title", "Note", "-", text=text).exit_code == 0
    found = json.loads(call("--json", "search", "-p", "p", "café", "--words-only").stdout)
    assert "café" in found["passages"][0]["passage"]["text"]


def test_a_root_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["--root", str(tmp_path / "file"), "project", "list"])
    assert result.exit_code == 2
    assert str(tmp_path / "file") in result.stderr


def test_an_error_of_an_older_job_is_no_error_of_this_command(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    with closing(open_workbench(tmp_path / "root")) as workbench:
        workbench.open("p").jobs.schedule(JobKind.ADD, {"acquisitions": [4711]})
    (tmp_path / "good.txt").write_text(NOTE)
    for text in ("", "Rain gardens hold water. " * 5):
        (tmp_path / "good.txt").write_text(NOTE + text)
        added = call("--json", "add", "-p", "p", str(tmp_path / "good.txt"))
        assert added.exit_code == 0, added.output
        assert json.loads(added.stdout)["problems"] == []
    assert any(job["error"] for job in json.loads(call("--json", "jobs", "-p", "p").stdout))


@pytest.mark.parametrize("wrong", ["/nosuch", "x" * 300, "ftp://a.example/x", "http://[bad", "-", "empty-folder"])
def test_nothing_is_asked_for_where_one_of_the_sources_is_wrong(call, tmp_path: Path, wrong: str) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    (tmp_path / "ok.ris").write_text("TY  - JOUR\nUR  - https://a.example/x\nER  - \n")
    (tmp_path / "good.txt").write_text(NOTE)
    (tmp_path / "empty-folder").mkdir()
    named = str(tmp_path / wrong) if wrong == "empty-folder" else wrong
    right = [str(tmp_path / "good.txt"), "https://a.example/y"]
    result = call("add", "-p", "p", "--references", str(tmp_path / "ok.ris"), "--", *right, named, text="")
    assert (result.exit_code, "Traceback" in result.output) == (2, False), result.output
    assert json.loads(call("--json", "jobs", "-p", "p").stdout) == []


def test_a_list_that_holds_no_reference_is_refused_with_the_reason(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    call("project", "create", "P")
    (tmp_path / "x.ris").write_text("hello world")
    result = call("add", "-p", "p", "--references", str(tmp_path / "x.ris"))
    assert result.exit_code == 2
    assert "line 1" in result.stderr
