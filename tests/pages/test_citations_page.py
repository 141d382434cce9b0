"""The citation audit."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.audit.outcome import Holding, machine_holding
from core.labels import JobKind, Reason, Status
from core.records import Finding
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]


def row(opened: OpenProject, reason: Reason | None = None, status: Status | None = None) -> Finding:
    """The first row of the audited report with this reason (or status)."""
    return next(
        one
        for one in opened.audits.findings(1)
        if (reason is None or reason in one.reasons) and (status is None or one.status is status)
    )


def table(at: AppTest) -> list[list[str]]:
    """The rows of the table of citations, cell by cell: claim, outcome, why, source, support."""
    page = next(element.proto.body for element in at.get("html") if element.proto.body.startswith("<table>"))
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", page)[1:]]
    return [[html.unescape(re.sub("<.*?>", "", cell)) for cell in row] for row in rows]


def outcomes(at: AppTest) -> set[str]:
    return {row[1] for row in table(at)}


def bodies(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def test_without_a_report_the_page_says_what_to_do(visit: Visit, bench: Workbench) -> None:
    at = visit("citations", project=bench.create("Heat").slug)
    assert not at.exception
    assert "Give a report above" in texts(at)
    button(at, "Add sources").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Sources"


def test_a_pasted_report_is_read_and_its_audit_asked_for(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("citations", project="heat")
    at.segmented_control(key="report-way").set_value("Text").run()
    at.text_input[0].input("My report")
    at.text_area[0].input("Trees cool the street [1].\n\n## References\n\n1. A study. https://a.example/study\n")
    button(at, "Check its citations").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert not at.error
    assert [one.name for one in opened.audits.reports()] == ["My report"]
    assert [job.kind for job in opened.jobs.all(active=True)] == [JobKind.AUDIT]
    assert at.query_params["report"] == "1"
    assert "1 citation, none checked yet." in texts(at)
    assert at.pills(key="outcome-chips").options[0] == "… not checked yet 1"


def test_an_empty_paste_and_no_file_are_said_plainly(visit: Visit, bench: Workbench) -> None:
    bench.create("Heat")
    at = visit("citations", project="heat")
    button(at, "Check its citations").click().run()  # type: ignore[attr-defined]
    assert "No file was chosen" in texts(at)
    at.segmented_control(key="report-way").set_value("Text").run()
    button(at, "Check its citations").click().run()  # type: ignore[attr-defined]
    assert "The text is empty" in texts(at)


def test_the_list_counts_what_came_out_and_opens_a_report(visit: Visit, audited: OpenProject) -> None:
    at = visit("citations", project="trees")
    assert "38 of 53 citations hold" in texts(at)
    button(at, "Open").click().run()  # type: ignore[attr-defined]
    assert at.query_params["report"] == "1"
    assert "38 of 53 citations hold, " in texts(at)


def test_the_top_says_how_many_hold_and_the_table_tells_each_by_sign_and_word(
    visit: Visit, audited: OpenProject
) -> None:
    at = visit("citations", project="trees", report="1", pane="Table")
    assert not at.exception
    assert not at.error
    seen = texts(at)
    assert "(precision)" in seen
    assert "(recall)" in seen
    assert len(table(at)) == len(audited.audits.findings(1))
    assert outcomes(at) == {"✓ holds", "✗ does not hold", "! needs a look", "? source missing", "never cited"}


def test_filters_come_out_of_the_address_and_can_be_cleared(visit: Visit, audited: OpenProject) -> None:
    at = visit("citations", project="trees", report="1", pane="Table", outcome="fails", reason="Number differs")
    assert {row[2].split(";")[0] for row in table(at)} == {"Number differs"}
    button(at, "Show all").click().run()  # type: ignore[attr-defined]
    assert len(table(at)) == len(audited.audits.findings(1))
    assert "outcome" not in at.query_params
    assert "reason" not in at.query_params


def test_the_rows_of_one_source_can_be_asked_for(visit: Visit, audited: OpenProject) -> None:
    wanted = row(audited, Reason.NUMBER_MISMATCH).document_id
    assert wanted
    at = visit("citations", project="trees", report="1", pane="Table", source=wanted)
    rows = [one for one in audited.audits.findings(1) if one.document_id == wanted]
    assert len(table(at)) == len(rows) > 1
    at.selectbox[0].set_value("").run()
    assert "source" not in at.query_params


def test_a_row_shows_claim_passage_reason_and_checks(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.NUMBER_MISMATCH)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    assert not at.exception
    assert not at.error
    page, seen = bodies(at), texts(at)
    assert f"<mark>{finding.claim_text}</mark>" in page
    assert "wind speed under closed canopies was 28 per cent lower than in the open partner street.</mark>" in page
    assert "Number differs. Take the number from the source, with its unit." in seen
    assert "The claim says 38 per cent, the source 28 per cent." in seen
    assert "Nothing to compare: quoted words." in seen


def test_the_part_that_is_supported_is_marked_in_the_claim(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.PARTIAL)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    assert "The part that the source does support" in texts(at)
    assert "<mark>The Heat Action Plan commits Port Merrin to 12,000 further street trees by 2030</mark>" in bodies(at)


def test_the_rescue_of_a_row_can_be_copied(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.WRONG_SOURCE)
    assert finding.rescue
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    assert finding.rescue.citation in [one.value for one in at.code]
    assert "Another source here says it" in texts(at)


def test_a_source_with_too_little_support_is_told_to_perhaps_say_it(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.WRONG_SOURCE)
    assert finding.rescue
    likely = replace(finding.rescue, supports=0.56, carries=False)
    audited.context.store.put_findings([replace(finding, reasons=(Reason.NOT_MENTIONED,), rescue=likely)])
    seen = texts(visit("citations", project="trees", report="1", finding=str(finding.id)))
    assert "Another source here may say it" in seen
    assert "Another source here says it" not in seen
    assert "Another source says it" not in seen


def test_steps_go_through_the_rows_that_the_filters_leave(visit: Visit, audited: OpenProject) -> None:
    rows = [one for one in audited.audits.findings(1) if machine_holding(one) is Holding.FAILS]
    at = visit("citations", project="trees", report="1", outcome="fails", finding=str(rows[0].id))
    assert button(at, "Before").disabled  # type: ignore[attr-defined]
    button(at, "Next").click().run()  # type: ignore[attr-defined]
    assert at.query_params["finding"] == str(rows[1].id)


def test_the_source_opens_at_the_words_that_decide_and_leads_on_and_back(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.NUMBER_MISMATCH)
    at = visit("citations", project="trees", report="1", pane="Table", outcome="fails", finding=str(finding.id))
    at.button(key="open-cited").click().run()
    assert finding.verdict
    assert finding.verdict.rationale
    start, end = finding.verdict.rationale
    assert at.query_params["mark"] == f"{start}-{end}"
    button(at, "All about this source").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Sources"
    assert "28 per cent lower than in the open partner street.</mark>" in bodies(at)
    button(at, "Back to the citation").click().run()  # type: ignore[attr-defined]
    assert "<h1>" in bodies(at)
    assert at.query_params["finding"] == str(finding.id)
    assert "mark" not in at.query_params
    assert outcomes(at) == {"✗ does not hold"}  # the filters are as they were


def test_every_cited_sentence_of_the_report_leads_to_its_row(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.NUMBER_MISMATCH)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    page = bodies(at)
    other = row(audited, Reason.CONTRADICTED)
    assert f'class="shade-wrong" href="?project=trees&amp;report=1&amp;finding={other.id}"' in page
    assert 'class="shade-wrong current"' in page
    for shade in ("verified", "nosource", "failing", "uncited"):
        assert f'class="shade-{shade}"' in page
    filtered = bodies(visit("citations", project="trees", report="1", outcome="fails"))
    assert 'class="shade-wrong"' in filtered
    assert not [shade for shade in ("verified", "nosource", "uncited") if f'<a class="shade-{shade}"' in filtered]


def test_a_missing_source_can_be_fetched_for_its_row_alone_and_for_all(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.LINK_DEAD)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    report = visit("citations", project="trees", report="1")
    assert any(one.label.startswith("Fetch ") and "source" in one.label for one in report.button)
    at.button(key="fetch-one").click().run()
    assert not at.exception
    assert not at.error
    job = audited.jobs.all(active=True)[0]
    assert job.kind is JobKind.CITED_SOURCES
    assert job.payload["findings"] == [finding.id]


def test_a_row_can_be_checked_again(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.LOW_SUPPORT)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    at.button(key="again-one").click().run()
    job = audited.jobs.all(active=True)[0]
    assert (job.kind, job.payload["findings"]) == (JobKind.AUDIT, [finding.id])
    assert "Checking citations" in "".join(str(element.proto.text) for element in at.get("progress"))


@pytest.mark.parametrize(
    "params",
    [
        {"finding": "99999"},
        {"finding": "x"},
        {"finding": "\u0661"},
        {"finding": "9" * 40},
        {"outcome": "<script>"},
        {"outcome": "waiting"},
        {"reason": "nonsense"},
        {"source": "../../etc"},
        {"pane": "x"},
        {"sort": "<b>"},
        {"outcome": ",,"},
        {"doc": "nonsense", "passage": "-1", "mark": "a-b"},
        {"mark": "9-1"},
        {"mark": "0-" + "9" * 30},
    ],
)
def test_a_stale_or_hostile_address_does_no_harm(visit: Visit, audited: OpenProject, params: dict[str, str]) -> None:
    at = visit("citations", project="trees", report="1", **{"pane": "Table", **params})
    assert not at.exception
    assert not at.error
    if params.get("pane") != "x":
        assert len(table(at)) == len(audited.audits.findings(1))


def test_a_filtered_report_can_be_left_for_the_list(visit: Visit, audited: OpenProject) -> None:
    at = visit("citations", project="trees", report="1", pane="Table", outcome="fails", finding="3")
    button(at, "Reports").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert not at.error
    assert "38 of 53 citations hold" in texts(at)
    assert "finding" not in at.query_params


def test_an_older_version_says_so_and_leads_to_the_newest(visit: Visit, audited: OpenProject) -> None:
    newer, _ = audited.audits.add("briefing.md", b"# Trees\n\nTrees cool [1].\n\n1. A study.\n", supersedes=1)
    at = visit("citations", project="trees", report="1", outcome="fails")
    assert "Version 1, not the newest" in texts(at)
    button(at, "Open the newer one").click().run()  # type: ignore[attr-defined]
    assert at.query_params["report"] == str(newer.id)
    assert not at.exception


@pytest.mark.parametrize("report", ["7", "x", "-1"])
def test_a_report_that_is_not_there_leads_to_those_that_are(visit: Visit, audited: OpenProject, report: str) -> None:
    at = visit("citations", project="trees", report=report)
    assert not at.exception
    assert "38 of 53 citations hold" in texts(at)


def test_a_source_deleted_since_is_a_message_not_a_crash(visit: Visit, audited: OpenProject) -> None:
    finding = row(audited, Reason.NUMBER_MISMATCH)
    assert finding.document_id
    audited.sources.delete(finding.document_id)
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    assert not at.exception
    assert "unexpected" not in texts(at)


DIALOG = """
import streamlit as st
from pages.shared import reports
from pages.shared import address, notices, session

st.navigation([st.Page(address.Page.CITATIONS, default=True)], position="hidden")
st.query_params["project"] = "trees"
notices.show_notice()
reports.delete_report(session.workbench().open("trees").audits.report(1))
"""


def test_a_report_is_deleted_after_a_question_and_its_sources_stay(visit: Visit, audited: OpenProject) -> None:
    at = visit("citations", project="trees")
    at.button(key="delete-report-1").click().run()
    assert "the sources stay" in texts(at)
    assert audited.audits.reports()
    # Held open: the test runner cannot run a dialog alone, as the browser does.
    held = AppTest.from_string(DIALOG, default_timeout=60).run()
    button(held, "Delete").click().run()  # type: ignore[attr-defined]
    assert not audited.audits.reports()
    assert audited.sources.documents()


def test_hostile_text_of_a_report_stays_text(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    bait = "<img src=x onerror=alert(1)> ![p](http://evil.example/a.png) :material/delete:"
    text = f"# {bait}\n\nThe parrot said {bait} in 1999 [1]. </a></p><script>alert(2)</script> rose by 40 per cent.\n"
    opened.audits.add(bait, f"{text}\n## References\n\n1. {bait} https://a.example/x\n".encode(), "text/markdown")
    at = visit("citations", project="heat", report="1", finding="1")
    assert not at.exception
    page = bodies(at)
    assert "<img" not in page
    assert "<script>alert(2)" not in page
    for element in [*at.markdown, *at.caption, *at.warning, *at.success]:
        assert "![p](http" not in element.value
        assert "<img src" not in element.value.replace("\\", "") or "\\<img" in element.value
