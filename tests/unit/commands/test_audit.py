"""``workbench audit``: exit codes, JSON, Markdown and SARIF that hold to their forms, without a running worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.audit.sarif import sarif
from core.commands.__main__ import app
from core.labels import Reason, Status
from core.ports.engines import Engines
from core.records import Finding, StoredReport
from core.workbench import wiring
from tests.contract.builders import FakeClock
from tests.helpers.auditing import REPORT, SOURCES, with_judge
from tests.helpers.verifying import WordJudge

CLEAN = "The city planted 400 limes on Mill Lane between 2015 and 2019 [1].\n\n## References\n\n1. https://trees.example/limes\n"
Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command line over a project with sources, with the shared models and a judge that counts words."""
    shared = with_judge(engines, WordJudge())
    shared.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(wiring, "_engines", lambda *_: shared)
    root = tmp_path / "root"
    made = wiring.open_workbench(root)
    made.open(made.create("Streets").slug).sources.add_snapshots(SOURCES)
    made.close()

    def run(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, ["--root", str(root), *arguments], input=text)

    return run


def test_exit_codes_say_all_pass_review_or_not_done(call: Call, tmp_path: Path) -> None:
    clean, mixed = tmp_path / "clean.md", tmp_path / "mixed.md"
    clean.write_text(CLEAN)
    mixed.write_text(REPORT)
    assert call("audit", str(clean), "-p", "streets").exit_code == 0
    told = call("audit", str(mixed), "-p", "streets")
    assert told.exit_code == 1
    assert "5 citations: PASS 2, REVIEW 2, SOURCE_NOT_INDEXED 1" in told.stdout
    for arguments in (("missing.md",), (str(clean), "--sarif", "--md")):
        assert call("audit", *arguments, "-p", "streets").exit_code == 2
    assert call("audit", str(clean), "-p", "nowhere").exit_code == 2
    (tmp_path / "junk.bin").write_bytes(bytes(range(32)) * 10)
    assert call("audit", str(tmp_path / "junk.bin"), "-p", "streets").exit_code == 2


def test_a_report_without_a_citation_is_no_pass_and_a_target_that_cannot_be_written_is_one_line(
    call: Call, tmp_path: Path
) -> None:
    bare, clean = tmp_path / "bare.md", tmp_path / "clean.md"
    bare.write_text("# Trees\n\nThe city planted 400 limes.\n")
    clean.write_text(CLEAN)
    told = call("audit", str(bare), "-p", "streets")
    assert told.exit_code == 1
    assert "no citation was found" in told.stderr
    told = call("audit", str(clean), "-p", "streets", "--md", "--out", str(tmp_path / "no" / "such" / "x.md"))
    assert told.exit_code == 2
    assert "cannot be written" in told.stderr
    assert "Traceback" not in told.output


def test_json_holds_rows_and_counts_and_the_same_file_is_not_kept_twice(call: Call, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.md"
    mixed.write_text(REPORT)
    first, second = (json.loads(call("--json", "audit", str(mixed), "-p", "streets").stdout) for _ in range(2))
    assert first == second
    assert [row["status"] for row in first["findings"]][:2] == ["PASS", "PASS"]
    assert first["summary"]["by_reason"]["dangling_marker"] == 1
    mixed.write_text(REPORT.replace("# Three", "# The three"))
    third = json.loads(call("--json", "audit", str(mixed), "-p", "streets").stdout)
    assert (third["report"]["version"], third["report"]["family"]) == (2, first["report"]["family"])


def test_markdown_is_a_table_and_goes_to_a_file_on_request(call: Call, tmp_path: Path) -> None:
    (tmp_path / "clean.md").write_text(CLEAN)
    out = tmp_path / "table.md"
    result = call("audit", str(tmp_path / "clean.md"), "-p", "streets", "--md", "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    lines = out.read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert all(line.startswith(("| ", "|---")) for line in lines)


def test_sarif_points_into_the_report(call: Call, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.md"
    mixed.write_text(REPORT)
    result = call("audit", str(mixed), "-p", "streets", "--sarif")
    assert result.exit_code == 1
    check_sarif(json.loads(result.stdout), REPORT)


def check_sarif(log: dict, text: str) -> None:  # type: ignore[type-arg]
    """What the schema of SARIF 2.1.0 asks of the parts that are used here, and that regions are where they say."""
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert (
                run["artifacts"][place["artifactLocation"]["index"]]["location"]["uri"]
                == place["artifactLocation"]["uri"]
            )
            region = place["region"]
            assert min(region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]) >= 1
            start = region["charOffset"]
            lines = text.split("\n")
            before = sum(len(line) + 1 for line in lines[: region["startLine"] - 1])
            assert before + region["startColumn"] - 1 == start
            after = sum(len(line) + 1 for line in lines[: region["endLine"] - 1])
            assert after + region["endColumn"] - 1 == start + region["charLength"]


def test_a_sarif_of_text_read_from_another_format_brings_the_text() -> None:
    now = FakeClock()()
    report = StoredReport(1, "r.pdf", None, "application/pdf", "h", "b", now, length=9)
    rows = [
        Finding(1, 1, 0, "numeric", "[1]", "One two", marker=(8, 9), claim=(0, 7), status=Status.SOURCE_NOT_INDEXED),
        Finding(2, 1, 1, "numeric", "[1]", "One two", claim=(0, 7), status=Status.PASS),
        Finding(3, 1, 2, "unused", "", "", status=Status.REVIEW, reasons=(Reason.UNUSED_REFERENCE,)),
    ]
    log = sarif(report, "One\ntwo [", rows, "r.pdf")
    (run,) = log["runs"]  # type: ignore[misc]
    assert run["artifacts"][0]["contents"] == {"text": "One\ntwo ["}
    assert [result["ruleId"] for result in run["results"]] == ["source_not_indexed", "unused_reference"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["endLine"] == 2


def test_a_report_that_is_here_under_another_name_is_not_kept_twice(call: Call, tmp_path: Path) -> None:
    def kept(name: str, text: str) -> tuple[int, int, int]:
        (tmp_path / name).write_text(text, "utf-8")
        told = json.loads(call("--json", "audit", str(tmp_path / name), "-p", "streets").stdout)["report"]
        return told["id"], told["family"], told["version"]

    number, family, version = first = kept("briefing.md", f"# Limes\n\n{CLEAN}")
    assert version == 1
    assert kept("report.md", f"# Limes\n\n{CLEAN}") == kept("report.md", f"# Limes\n\n{CLEAN}") == first
    assert kept("other.md", f"# Oaks\n\n{CLEAN}")[1:] == (number + 1, 1)
    assert kept("final.md", f"# Limes\n\nSo it is. {CLEAN}")[1:] == (family, 2)  # the title is the same
    page = f"<html><head><title>Limes</title></head><body><h1>Limes</h1><p>{CLEAN * 3}</p></body></html>"
    assert kept("page.html", page)[1:] == (family, 3)
    assert kept("page.html", page.replace("<p>", "<p >"))[1:] == (family, 3)  # other bytes, the same text
