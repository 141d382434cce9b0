"""A row on whose words the program fails is given to a person with that said; every other row is decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.labels import Reason, Status
from core.ports.engines import Engines
from core.verify import checks
from core.verify.checks import numbers, run_checks
from core.verify.checks.outcomes import CheckResult, Outcome
from core.workbench.demo import finish_jobs
from core.workbench.workbench import Workbench
from tests.helpers.auditing import audited, judged_by
from tests.helpers.verifying import WordJudge

HUGE = "9" * 309
HOSTILE = [
    f"The river carried {HUGE} litres of rain in May.",
    f"The river carried {'1' + '0' * 5000} litres of rain in May.",
    "The river carried 1," + ",".join(["000"] * 130) + " litres of rain in May.",
    "The river rose by 3 1/\u0660 m in the storm of May.",
    "The river rose by 1/\u0660 of 0/0 m in the storm of May.",
    "The river rose by \u00bd\u0663\u00b2 million m in the storm of May.",
    "The river rose by " + "million " * 60 + "m in the storm of May.",
    "The river rose by 10^999 to 1e999 m in the storm of May.",
    "The river rose on 31/02/\u0662\u0660\u0662\u0661 and on 2020-13-45 at 25:61.",
    "In one in 0 of 0 towns \u0663 out of \u0660 rivers rose by \u246b \u2167 \U0001d7d9 m.",
    "The river rose by 0." + "0" * 400 + "1 m in the storm of May.",
]


@pytest.mark.parametrize("claim", HOSTILE)
def test_checks_answer_on_numbers_that_no_computer_holds(claim: str) -> None:
    for evidence in (claim, "The river rose by 3 m.", "", claim.replace("9", "8").replace("000", "001")):
        assert not [result for result in run_checks(claim, evidence) if result.outcome is Outcome.BROKEN]


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        (HUGE, HUGE, Outcome.PASSED),
        (HUGE, "9" * 308 + "8", Outcome.FAILED),
        (HUGE, "9" * 310, Outcome.FAILED),
        ("1" + "0" * 330, "1" + ",000" * 110, Outcome.PASSED),
        ("3 1/2", "3.5", Outcome.PASSED),
        ("\u0663", "3", Outcome.PASSED),
        ("\u0663", "4", Outcome.FAILED),
    ],
)
def test_large_and_foreign_numbers_are_compared_by_value(claim: str, evidence: str, outcome: Outcome) -> None:
    words = "The river carried {} litres of rain."
    assert numbers.check(words.format(claim), words.format(evidence)).outcome is outcome


class Choking(WordJudge):
    """A judge that fails on one word."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        if any("unspeakable" in claim for claim, _ in pairs):
            raise ValueError("unspeakable")
        return super().judge(pairs)


REPORT = """# Rain

The city planted 400 limes on Mill Lane between 2015 and 2019 [1]. The city planted unspeakable limes on Mill Lane [1].
Takings in the high street rose by 4 per cent within a year [2]. The unspeakable swifts came back [1][2].

## References

1. Limes. https://trees.example/limes
2. Shops. https://lanes.example/shops
"""
SOURCES = [
    ("https://trees.example/limes", b"The city planted 400 limes on Mill Lane between 2015 and 2019.", "text/plain"),
    ("https://lanes.example/shops", b"Takings in the high street rose by 4 per cent within a year.", "text/plain"),
]


def test_a_row_on_which_the_judge_fails_is_review_and_the_others_are_judged(
    workbench: Workbench, engines: Engines
) -> None:
    with judged_by(workbench, engines, Choking()) as bench:
        project = bench.open(bench.create("Choking").slug)
        project.sources.add_snapshots(SOURCES)
        finish_jobs(bench, project)
        rows = project.audits.findings(audited(bench, project, REPORT).id)
        failed = [row for row in rows if "unspeakable" in row.claim_text]
        assert len(failed) == 3
        for row in failed:
            assert (row.status, row.reasons, row.basis) == (Status.REVIEW, (Reason.NOT_CHECKED,), "")
            assert "ValueError" in row.explanation
        assert {row.status for row in rows if row not in failed} == {Status.PASS}


def test_a_row_on_which_a_check_fails_never_passes_and_the_others_are_judged(
    workbench: Workbench, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choking(claim: str, evidence: str) -> CheckResult:
        return CheckResult("numbers", Outcome.PASSED, f"{1 // ('400' not in claim)}")

    monkeypatch.setitem(checks.CHECKS, "numbers", choking)
    with judged_by(workbench, engines, WordJudge()) as bench:
        project = bench.open(bench.create("Check").slug)
        project.sources.add_snapshots(SOURCES)
        finish_jobs(bench, project)
        rows = project.audits.findings(audited(bench, project, REPORT).id)
        first = rows[0]
        assert (first.status, first.reasons[0]) == (Status.REVIEW, Reason.NOT_CHECKED)
        assert "ZeroDivisionError" in first.explanation
        assert rows[2].status is Status.PASS


def test_hostile_rows_leave_the_rest_of_a_report_alone(workbench: Workbench, engines: Engines) -> None:
    with judged_by(workbench, engines, WordJudge()) as bench:
        project = bench.open(bench.create("Numbers").slug)
        source = "\n\n".join([*HOSTILE, "The city planted 400 limes on Mill Lane."])
        project.sources.add_snapshots([("https://trees.example/limes", source.encode(), "text/plain")])
        finish_jobs(bench, project)
        text = "\n\n".join(f"{claim[:-1]} [1]." for claim in [*HOSTILE, "The city planted 400 limes on Mill Lane."])
        report = audited(bench, project, f"# Numbers\n\n{text}\n\n## References\n\n1. L. https://trees.example/limes\n")
        rows = project.audits.findings(report.id)
        assert len(rows) == len(HOSTILE) + 1
        assert all(row.status is not None and Reason.NOT_CHECKED not in row.reasons for row in rows)
        assert rows[-1].status is Status.PASS
