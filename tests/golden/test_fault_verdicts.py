"""Claims with one difference, or in another notation, through the whole audit: what is false does not pass, what is
equal does. Cases with a number are those of ``shared/faults``; the others were written before the rules that decide
them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.labels import Status
from core.ports.engines import Engines
from core.records import Finding
from core.settings.values import Settings
from core.workbench.demo import finish_jobs
from core.workbench.wiring import open_workbench

CASES = json.loads(Path(__file__).with_name("fault_verdicts.json").read_text(encoding="utf-8"))
AROUND = "The council met on a Tuesday in the old town hall. Minutes of the meeting were kept by the clerk."


def _ended(claim: str, number: int) -> str:
    return f"{claim} [{number}]."


@pytest.fixture(scope="module")
def rows(engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    """The row of every claim, by its number in the report: one report that cites one page a claim."""
    workbench = open_workbench(tmp_path_factory.mktemp("faults"), Settings(), engines=engines)
    opened = workbench.open(workbench.create("Faults").slug)
    pages = [
        (f"https://note.example/{at}", f"{case['source']} {AROUND}".encode(), "text/plain")
        for at, case in enumerate(CASES, 1)
    ]
    opened.sources.add_snapshots(pages)
    finish_jobs(workbench, opened)
    claims = "\n\n".join(_ended(case["claim"], at) for at, case in enumerate(CASES, 1))
    listed = "\n".join(f"{at}. Note {at}. https://note.example/{at}" for at in range(1, len(CASES) + 1))
    text = f"# Notes\n\n{claims}\n\n## References\n\n{listed}\n"
    report, _ = opened.audits.add("faults.md", text.encode(), "text/markdown")
    finish_jobs(workbench, opened)
    found = {row.marker_text.strip("[]"): row for row in opened.audits.findings(report.id)}
    workbench.close()
    return found


@pytest.mark.parametrize("at", range(1, len(CASES) + 1), ids=[f"{case['case']}-{case['kind']}" for case in CASES])
def test_what_is_false_does_not_pass_and_what_is_equal_does(rows: dict[str, Finding], at: int) -> None:
    case, row = CASES[at - 1], rows[str(at)]
    assert (row.status is Status.PASS) is (case["right"] == "accept"), (case, row.reasons, row.explanation)
