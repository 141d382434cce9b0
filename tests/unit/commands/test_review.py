"""Promises of ``workbench review``: JSON that parses, exit codes, messages that help."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from core.labels import Role
from core.ports.engines import Engines
from core.workbench.wiring import open_workbench
from tests.helpers.auditing import REPORT, SOURCES, audited, judged_by
from tests.helpers.verifying import WordJudge

Call = Callable[..., Result]


@pytest.fixture
def root(tmp_path: Path, engines: Engines) -> Path:
    """A root with an audited report in it."""
    workbench = open_workbench(tmp_path / "root")
    with judged_by(workbench, engines, WordJudge()) as bench:
        opened = bench.open(bench.create("P").slug)
        opened.sources.add_snapshots(SOURCES)
        audited(bench, opened, REPORT)
    workbench.close()
    return tmp_path / "root"


@pytest.fixture
def call(root: Path) -> Call:
    def run(command: str, *arguments: str, by: str = "ann", plain: bool = False) -> Result:
        words = ["--root", str(root), *([] if plain else ["--json"]), "review", command, "-p", "p", *arguments]
        return CliRunner().invoke(app, words, env={"WORKBENCH_REVIEWER": by})

    return run


def test_from_the_queue_to_a_decision_and_back(call: Call) -> None:
    listed = call("list")
    assert listed.exit_code == 1
    first, second, *_ = json.loads(listed.stdout)["items"]
    seen = ("--version", str(first["version"]), "--seen", "0")
    done = json.loads(call("decide", str(first["row_id"]), "reject", "--note", "No.", *seen).stdout)
    assert (done["item"], done["kind"], done["by"], done["note"]) == (first["key"], "reject", "ann", "No.")
    moved = call("decide", first["key"], "accept", *seen, by="ben")
    assert moved.exit_code == 2
    assert "RowMoved" in moved.stderr
    refused = call("decide", f"citation:{second['row_id']}", "accept")  # its source is not here
    assert refused.exit_code == 2
    assert "NoteMissing" in refused.stderr
    call("decide", f"citation:{second['row_id']}", "accept", "--note", "checked elsewhere: in print")
    progress = json.loads(call("list").stdout)["progress"]
    assert (progress["decided"], progress["total"]) == (2, 5)
    assert [one["target"] for one in json.loads(call("undo", "--steps", "5").stdout)] == [2, 1]
    assert json.loads(call("redo").stdout)[0]["target"] == 1
    assert [one["kind"] for one in json.loads(call("history", first["key"]).stdout)] == ["reject", "undo", "redo"]
    text = call("list", plain=True)
    assert "1 of 5 decided" in text.stdout
    assert "Spot check" in text.stdout


def test_a_conflict_is_shown_and_settled(call: Call) -> None:
    number = str(json.loads(call("list").stdout)["items"][0]["row_id"])
    call("decide", number, "accept", by="ben")
    call("decide", number, "reject", by="cleo")
    told = call("agreement")
    assert told.exit_code == 1
    (pair,) = json.loads(told.stdout)["pairs"]
    assert (pair["n"], pair["percent"], pair["table"]) == (1, 0.0, [{"first": "accept", "second": "reject", "n": 1}])
    assert "ben and cleo: 0% of 1 the same" in call("agreement", plain=True).stdout
    assert json.loads(call("decide", number, "reject", "--settle").stdout)["settles"] == [1, 2]
    assert call("agreement").exit_code == 0


def test_the_log_is_written_and_read(call: Call, tmp_path: Path) -> None:
    number = str(json.loads(call("list").stdout)["items"][0]["row_id"])
    call("decide", number, "accept")
    assert call("export", "--out", str(tmp_path / "log.jsonl")).exit_code == 0
    assert call("export").stdout_bytes == (tmp_path / "log.jsonl").read_bytes()
    assert json.loads(call("import", str(tmp_path / "log.jsonl")).stdout) == {
        "added": 0, "known": 1, "unknown_items": 0,
    }  # fmt: skip
    assert "There is no file" in call("import", str(tmp_path / "none")).stderr
    assert "cannot be written" in call("export", "--out", str(tmp_path / "no" / "log")).stderr


def test_a_threshold_is_previewed_before_it_is_applied(call: Call) -> None:
    found = json.loads(call("threshold", "--set", "1").stdout)
    assert (len(found["to_review"]), found["changed"]) == (2, None)
    refused = call("threshold", "--target", "0.9", "--apply")
    assert refused.exit_code == 2
    assert "at least 35" in refused.stderr
    assert call("threshold", "--apply").exit_code == 2
    assert "2 rows would go to REVIEW" in call("threshold", "--set", "1", plain=True).stdout


def test_what_is_refused_is_told_why(call: Call, root: Path) -> None:
    assert "ReportNotFound" in call("decide", "999", "accept").stderr
    assert "not there any more" in call("decide", "citation:abc", "accept").stderr
    assert "ClaimNotFound" in call("history", "claim:7").stderr
    workbench = open_workbench(root)
    workbench.open("p").reviews.people.set_role("ann", Role.OWNER, by="ann")
    workbench.close()
    number = str(json.loads(call("list").stdout)["items"][0]["row_id"])
    assert "may not decide" in call("decide", number, "accept", by="eve").stderr
    assert call("undo", by="eve").exit_code == 2
