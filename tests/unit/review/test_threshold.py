"""The threshold of a project: what it decides anew, and what decisions say of it."""

from __future__ import annotations

import pytest

from core.errors import ReviewError
from core.labels import DecisionKind
from core.records import StoredReport
from core.review.review import Reviews
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT, audited
from tests.helpers.reviewing import decide
from tests.helpers.verifying import WordJudge

ACCEPT, REJECT = DecisionKind.ACCEPT, DecisionKind.REJECT


def by_word(project: OpenProject, report: StoredReport) -> dict[str, tuple[str, str, int]]:
    """Status, first reason and version of the rows, by the first word of their claim."""
    rows = project.audits.findings(report.id)
    return {
        row.claim_text.split()[0]: (row.status.value if row.status else "", next(iter(row.reasons), ""), row.version)
        for row in rows
        if row.claim_text
    }


def test_a_threshold_decides_rows_anew_and_judges_no_pair_again(
    bench: Workbench, project: OpenProject, report: StoredReport, reviews: Reviews, judge: WordJudge
) -> None:
    before = by_word(project, report)
    support = {
        row.claim_text.split()[0]: row.verdict.supports for row in project.audits.findings(report.id) if row.verdict
    }
    assert before["The"][0] == "REVIEW"
    low = support["The"] / 2
    judge.asked.clear()
    preview = reviews.threshold.preview(low)
    assert len(preview.to_pass) == 1
    assert reviews.threshold.apply(low, by="ann") == 1
    after = by_word(project, report)
    assert after["The"][:2] == ("PASS", "")
    assert after["The"][2] > before["The"][2]
    assert after["Takings"] == before["Takings"]
    assert reviews.threshold.current() == low
    finish_jobs(bench, project)
    assert by_word(project, report)["The"][:2] == ("PASS", "")
    assert judge.asked == []
    assert reviews.threshold.apply(None, by="ann") == 1
    finish_jobs(bench, project)
    assert {word: row[:2] for word, row in by_word(project, report).items()} == {
        word: row[:2] for word, row in before.items()
    }
    assert judge.asked == []


def test_an_audit_uses_the_threshold_of_the_project(
    bench: Workbench, project: OpenProject, reviews: Reviews, report: StoredReport, judge: WordJudge
) -> None:
    item = next(one for one in reviews.queue("ann") if one.text.startswith("Takings"))
    decide(reviews, item, REJECT)
    assert reviews.threshold.apply(1.0, by="ann") == 2
    assert reviews.item(item.key, "ann").stale_why == (
        "The machine said PASS then and says REVIEW now (the threshold went from 0.70 to 1.00)."
    )
    finish_jobs(bench, project)
    second = audited(bench, project, REPORT.replace("Three", "Five"))
    assert {row[0] for row in by_word(project, second).values()} == {"REVIEW", "SOURCE_NOT_INDEXED"}
    rows = project.audits.findings(second.id)
    assert "1.00 needed" in rows[1].explanation or rows[1].reasons


def test_a_change_of_the_threshold_that_broke_off_is_finished(
    bench: Workbench, project: OpenProject, report: StoredReport, reviews: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("core.review.threshold.redecide", broken)
        with pytest.raises(KeyboardInterrupt):
            reviews.threshold.apply(1.0, by="ann")
    assert by_word(project, report)["Takings"][0] == "PASS"
    project.catch_up()
    assert by_word(project, report)["Takings"][0] == "REVIEW"


def test_what_decisions_say_of_the_machine(project: OpenProject, report: StoredReport, reviews: Reviews) -> None:
    assert reviews.threshold.reliability().ece is None
    assert reviews.threshold.precision().share is None
    for item in reviews.queue("ann"):
        decide(reviews, item, ACCEPT if item.machine == "PASS" else REJECT)
    found = reviews.threshold.precision()
    assert (found.k, found.n, found.share, found.high) == (2, 2, 1.0, 1.0)
    assert found.low == pytest.approx(0.34238, abs=1e-5)
    assert reviews.threshold.reliability().n == 3
    asked = reviews.threshold.lowest_for(0.9)
    assert asked.threshold is None
    assert "at least 35" in asked.why
    with pytest.raises(ReviewError, match="not between 0 and 1"):
        reviews.threshold.lowest_for(90)
