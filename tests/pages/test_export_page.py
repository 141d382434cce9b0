"""The export page: choose, write, see it again after a reload, download, delete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.export.formats import FORMATS, ExportFormat
from core.labels import DecisionKind, JobKind, JobState, Role
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]


def write(opened: OpenProject) -> None:
    """What the worker would do."""
    while run_next(opened.job_context(), "test", kinds=[JobKind.EXPORT]) is not None:
        pass


def press(at: AppTest, label: str) -> AppTest:
    found: Any = button(at, label)
    return found.click().run()  # type: ignore[no-any-return]


def test_without_a_report_the_page_leads_to_the_audit(visit: Visit, bench: Workbench) -> None:
    at = visit("export", project=bench.create("Heat").slug)
    assert not at.exception
    assert "nothing to export yet" in texts(at)
    assert press(at, "Check a report").title[0].value == "Citation audit"


def test_a_file_is_asked_for_and_is_there_after_a_reload(visit: Visit, audited: OpenProject) -> None:
    at = visit("export", project="trees")
    assert not at.exception
    assert not at.error
    assert len(at.radio(key="export-format").options) == len(FORMATS)
    assert "Nothing was written yet" in texts(at)
    at.radio(key="export-format").set_value(ExportFormat.CSV).run()
    at = press(at, "Write the file")
    (job,) = [one for one in audited.jobs.all(active=True) if one.kind is JobKind.EXPORT]
    assert (job.payload["format"], job.payload["report"]) == ("csv", 1)
    assert "It waits for its turn." in texts(at)
    write(audited)
    again = visit("export", project="trees")
    assert "briefing-audit.csv" in texts(again)
    assert "SHA-256" in texts(again)
    assert len(again.get("download_button")) == 1
    assert audited.exports.result(job).body.count(b"\r\n") == len(audited.audits.findings(1)) + 1


def test_a_file_can_be_deleted(visit: Visit, audited: OpenProject) -> None:
    audited.exports.start(1, ExportFormat.MARKDOWN)
    write(audited)
    at = visit("export", project="trees", report="1")
    at = press(at, "Delete")
    assert "was deleted here" in texts(at)
    assert not at.get("download_button")
    assert not audited.exports.earlier()


def test_the_words_of_sources_can_be_left_out_but_not_of_a_pack(visit: Visit, audited: OpenProject) -> None:
    at = visit("export", project="trees")
    at.checkbox(key="export-sources").uncheck().run()
    assert "without the words of the sources" in texts(at)
    at.radio(key="export-format").set_value(ExportFormat.PACK).run()
    assert at.checkbox(key="export-sources").disabled
    assert "the log of decisions, with names" in texts(at)
    press(at, "Write the file")
    (job,) = [one for one in audited.jobs.all(active=True) if one.kind is JobKind.EXPORT]
    assert job.payload["sources"] is True


@pytest.mark.parametrize("format", [one.format for one in FORMATS])
def test_that_a_source_was_deleted_is_said_before_and_beside_every_file(
    visit: Visit, audited: OpenProject, format: ExportFormat
) -> None:
    row = next(one for one in audited.audits.findings(1) if one.verdict and one.document_id)
    assert row.document_id is not None
    assert "not in the project any more" not in texts(visit("export", project="trees"))
    audited.sources.delete(row.document_id)
    at = visit("export", project="trees")
    at.radio(key="export-format").set_value(format).run()
    assert len([one for one in at.warning if "not in the project any more" in one.value]) == 1
    job = audited.exports.start(1, format)
    write(audited)
    assert audited.jobs.get(job.id).state is JobState.DONE
    again = visit("export", project="trees")
    at.radio(key="export-format").set_value(format).run()
    told = [one.value for one in again.warning if "not in the project any more" in one.value]
    assert len(told) == 2, "before writing, and beside the file"
    assert any("a check of this pack will fail" in one for one in told) == (format is ExportFormat.PACK)


def test_a_link_to_a_report_that_is_not_there_says_so(visit: Visit, audited: OpenProject) -> None:
    at = visit("export", project="trees", report="99")
    assert "no such report" in texts(at)
    assert at.query_params["report"] == "1"


def test_an_export_that_failed_says_why(visit: Visit, audited: OpenProject) -> None:
    job = audited.exports.start(1, ExportFormat.HTML)
    audited.audits.delete(1)
    write(audited)
    assert audited.jobs.get(job.id).state is JobState.FAILED
    other = visit("export", project="trees")
    assert not other.exception


@pytest.mark.parametrize("format", [one.format for one in FORMATS])
def test_every_format_of_the_demo_report_is_written(audited: OpenProject, format: ExportFormat) -> None:
    job = audited.exports.start(1, format)
    write(audited)
    ended = audited.jobs.get(job.id)
    assert ended.state is JobState.DONE, ended.error
    assert audited.exports.result(job).body


def test_in_blind_review_the_page_says_what_is_left_out_and_shows_no_export_of_others(
    visit: Visit, audited: OpenProject
) -> None:
    reviews = audited.reviews
    reviews.people.set_role("Ann", Role.OWNER, by="Ann")
    reviews.people.set_role("Cy", Role.REVIEWER, by="Ann")
    reviews.people.set_policy(replace(reviews.people.policy(), blind=True), by="Ann")
    item = reviews.queue("Ann")[0]
    reviews.decide(item.key, DecisionKind.REJECT, by="Ann", version=item.version, seen=item.seen)
    audited.exports.start(1, ExportFormat.CSV, by="Ann")
    write(audited)
    for who, sees in (("Cy", False), ("", False), ("Ann", True)):
        at = visit("export", project="trees", **({"reviewer": who} if who else {}))
        assert not at.exception
        assert ("Review is blind in this project" in texts(at)) is not sees
        assert bool(at.get("download_button")) is sees
    at = visit("export", project="trees", reviewer="Cy")
    press(at, "Write the file")
    assert audited.exports.earlier()[0].by == "Cy"
