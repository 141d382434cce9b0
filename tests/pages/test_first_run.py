"""The way of someone who knows only the address of the page and "check this report"."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import JobKind, Status
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]

REPORT = """# Shade in the street

Street trees cool the pavement [1]. They also cost money [2].

## References

1. Varga, I. (2023). Cooling by street trees. https://journal.example/cooling
2. Office of the Auditor. (2024). Value for money.
"""


def paste(at: AppTest, text: str, name: str = "") -> AppTest:
    """Give a report as text on the first page."""
    at.segmented_control(key="start-way").set_value("Text").run()
    next(one for one in at.text_input if one.label == "Name").input(name)
    at.text_area[0].input(text)
    return button(at, "Check its citations").click().run()  # type: ignore[attr-defined, no-any-return]


def labels(at: AppTest) -> list[str]:
    return [one.label for one in at.button]


def check_without_sources(opened: OpenProject) -> None:
    """What the worker does with a report in an empty project."""
    while run_next(opened.job_context(), "test", kinds=[JobKind.AUDIT]) is not None:
        pass


def test_the_first_page_offers_to_check_a_report_before_anything_else(visit: Visit) -> None:
    at = visit()
    assert not at.exception
    assert at.subheader[0].value == "Check a report"
    primary = [one.label for one in at.button if one.proto.type == "primary"]
    assert primary == ["Check its citations"]


def test_with_projects_there_it_is_one_click_away(visit: Visit, bench: Workbench) -> None:
    bench.create("Heat")
    at = visit()
    button(at, "Check a report").click().run()  # type: ignore[attr-defined]
    assert "Check its citations" in labels(at)


def test_a_report_becomes_a_project_of_its_name_and_is_open(visit: Visit, bench: Workbench) -> None:
    at = paste(visit(), REPORT)
    assert not at.exception
    assert not at.error
    assert [one.project.name for one in bench.projects()] == ["Shade in the street"]
    assert any(one.label == "Reports" for one in at.button)  # the report as the page of the audit
    assert "“Shade in the street” was read. Its citations are being checked." in texts(at)
    opened = bench.open("shade-in-the-street")
    assert [job.kind for job in opened.jobs.all(active=True)] == [JobKind.AUDIT]


def test_a_file_is_taken_as_well_and_one_without_a_title_names_the_project_by_its_file(
    visit: Visit, bench: Workbench
) -> None:
    at = visit()
    at.file_uploader[0].upload("notes on shade.txt", b"Trees cool the street (Varga, 2023).\n", "text/plain")
    button(at, "Check its citations").click().run()  # type: ignore[attr-defined]
    assert not at.error
    assert bench.projects()[0].project.name == "notes on shade"


@pytest.mark.parametrize(
    ("name", "body"), [("a.docx", b"PK no zip"), ("a.pdf", b"%PDF-1.4 nothing"), ("a.md", b"   \n"), ("a.md", b"")]
)
def test_what_cannot_be_read_is_a_message_and_leaves_no_project(
    visit: Visit, bench: Workbench, name: str, body: bytes
) -> None:
    at = visit()
    at.file_uploader[0].upload(name, body, "")
    button(at, "Check its citations").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert len(at.error) == 1
    assert not bench.projects()


@pytest.mark.parametrize("title", ["../../etc/passwd", "\u202e\u200b", "x" * 500, "<img src=x>", "CON"])
def test_a_hostile_title_makes_a_safe_project(visit: Visit, bench: Workbench, title: str) -> None:
    at = paste(visit(), f"# {title}\n\nTrees cool the street [1].\n\n## References\n\n1. A. https://a.example/s\n")
    assert not at.exception
    assert not at.error
    (made,) = bench.projects()
    assert made.project.path.parent == bench.root
    assert len(made.project.name) <= 200


def test_the_next_step_is_to_get_what_is_cited_with_one_click(visit: Visit, bench: Workbench) -> None:
    paste(visit(), REPORT)
    opened = bench.open("shade-in-the-street")
    check_without_sources(opened)
    assert {one.status for one in opened.audits.findings(1)} == {Status.SOURCE_NOT_INDEXED}
    at = visit("citations", project="shade-in-the-street", report="1")
    assert not at.error
    assert "To check 2 citations, the 2 sources cited there must be here." in texts(at)
    assert "Of 1 the report gives no address" in texts(at)
    assert "Review what needs you" not in labels(at)  # with nothing read there is nothing to decide on
    button(at, "Fetch 1 cited source").click().run()  # type: ignore[attr-defined]
    job = opened.jobs.all(active=True)[0]
    assert job.kind is JobKind.CITED_SOURCES
    assert job.payload["findings"] == [opened.audits.findings(1)[0].id]


def test_in_an_empty_project_the_sources_are_offered_without_waiting_for_a_check(visit: Visit) -> None:
    at = paste(visit(), REPORT)
    assert "Fetch 1 cited source" in labels(at)


def test_what_is_checked_already_can_be_reviewed_while_the_rest_is_checked(visit: Visit, audited: OpenProject) -> None:
    audited.audits.audit(1)
    at = visit("citations", project="trees", report="1")
    rows = audited.audits.findings(1)
    ready = [one for one in rows if one.status not in (Status.PASS, None) and one.verdict is not None]
    assert f"Its citations are being checked. {len(ready)} of them can be reviewed already." in texts(at)
    assert "Review what needs you" in labels(at)


def test_sources_of_ones_own_are_read_and_then_the_report_is_checked(visit: Visit, bench: Workbench) -> None:
    paste(visit(), REPORT)
    opened = bench.open("shade-in-the-street")
    check_without_sources(opened)
    opened.audits.audit(1)  # one that waits already must not be taken for the one after the sources
    at = visit("citations", project="shade-in-the-street", report="1")
    at.segmented_control(key="add-way").set_value("Text").run()
    next(one for one in at.text_input if one.label == "Title").input("Cooling by street trees")
    at.text_area[-1].input("Street trees cool the pavement, as we measured.")
    button(at, "Add text").click().run()  # type: ignore[attr-defined]
    assert not at.error
    assert [job.kind for job in sorted(opened.jobs.all(active=True), key=lambda one: one.id)][-2:] == [
        JobKind.ADD,
        JobKind.AUDIT,
    ]
    assert any(one.label == "Reports" for one in at.button)  # the report as the page of the audit
    assert "Review what needs you" not in labels(at)  # what was checked without the source says nothing yet


def test_a_checked_report_is_two_clicks_from_its_review(visit: Visit, audited: OpenProject) -> None:
    at = visit()
    button(at, "Open").click().run()  # type: ignore[attr-defined]
    assert any(one.label == "Reports" for one in at.button)  # the report as the page of the audit
    assert at.query_params["report"] in ("1", ["1"])
    assert "15 citations wait for your decision" in texts(at)
    assert next(one.label for one in at.button if one.proto.type == "primary") == "Review what needs you"
    button(at, "Review what needs you").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Review"
    assert at.query_params["report"] in ("1", ["1"])


def test_the_demo_opens_on_its_report(visit: Visit, bench: Workbench) -> None:
    at = visit()
    button(at, "Make the demo project").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert not at.error
    assert any(one.label == "Reports" for one in at.button)  # the report as the page of the audit
    assert at.query_params["report"] in ("1", ["1"])
    opened = bench.open(bench.projects()[0].project.slug)
    assert {job.kind for job in opened.jobs.all(active=True)} >= {JobKind.ADD, JobKind.AUDIT}


@pytest.mark.parametrize("wanted", ["abc", "1e3", "-1"])
def test_a_nonsense_report_in_the_address_is_said_and_the_list_shown(
    visit: Visit, audited: OpenProject, wanted: str
) -> None:
    at = visit("citations", project="trees", report=wanted)
    assert not at.exception
    assert "This project has no such report." in texts(at)
    assert "Open" in labels(at)
    assert "report" not in at.query_params


def test_no_component_hides_a_module_of_the_standard_library() -> None:
    folder = Path(__file__).resolve().parents[2] / "pages" / "shared"  # first on the path under Streamlit
    assert not {one.stem for one in folder.glob("*.py")} & set(sys.stdlib_module_names)
