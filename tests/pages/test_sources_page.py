"""The Sources page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import FetchState, Grade, JobState
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.contract.builders import add
from tests.pages.conftest import button, texts, work

Visit = Callable[..., AppTest]


def test_without_a_project_the_page_offers_those_that_are_there(visit: Visit, bench: Workbench) -> None:
    bench.create("Heat")
    at = visit("sources")
    assert at.title[0].value == "No project is open"
    button(at, "Heat").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Sources"


def test_an_empty_project_says_how_to_begin(visit: Visit, bench: Workbench) -> None:
    at = visit("sources", project=bench.create("Heat").slug)
    assert not at.exception
    assert "No source is stored yet" in texts(at)


def test_pasted_text_becomes_a_source(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("sources", project=opened.project.slug)
    at.segmented_control[0].set_value("Text").run()
    at.text_input[0].input("A note")
    at.text_area[0].input("Heat pumps move heat from the cold air outside into the house.")
    button(at, "Add text").click().run()  # type: ignore[attr-defined]
    assert "waiting" in "".join(str(element.proto.text) for element in at.get("progress"))
    work(opened)
    at.run()
    assert [document.title for document in opened.sources.documents()] == ["A note"]
    assert "1 source, 1 passage" in texts(at)


def test_files_are_added_once_one_is_chosen(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("sources", project=opened.project.slug)
    assert button(at, "Add files").disabled  # type: ignore[attr-defined]
    at.file_uploader[0].set_value(("note.txt", b"Heat pumps move heat from the cold air outside.", "text/plain")).run()
    button(at, "Add files").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert [row.origin for row in opened.sources.acquisitions()] == ["note.txt"]


def test_a_folder_that_is_not_there_is_a_message(visit: Visit, bench: Workbench) -> None:
    at = visit("sources", project=bench.create("Heat").slug)
    at.segmented_control[0].set_value("Folder").run()
    at.text_input[0].input("/no/such/folder")
    button(at, "Add folder").click().run()  # type: ignore[attr-defined]
    assert len(at.error) == 1
    assert not at.exception


def test_what_could_not_be_read_is_listed_with_its_reason_and_can_be_forgotten(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    opened.sources.add_files([("empty.txt", b"", "text/plain"), ("<b>![](http://x)</b>.exe", b"MZ\x00\x01" * 50, "")])
    work(opened)
    assert all(item.state.failed for item in opened.sources.acquisitions())
    at = visit("sources", project=opened.project.slug)
    seen = texts(at)
    assert "Empty file" in seen
    assert "<b>![](http://x)</b>.exe" in seen
    assert FetchState.UNSUPPORTED_TYPE.value not in seen
    button(at, "Forget").click().run()  # type: ignore[attr-defined]
    assert len(opened.sources.acquisitions()) == 1


def failures(at: AppTest) -> list[tuple[str, bool]]:
    """(label, unfolded) of the list of what could not be read."""
    return [(one.label, one.proto.expanded) for one in at.expander if "could not be read" in one.label]


def test_what_could_not_be_read_is_folded_beside_a_table_and_open_where_there_is_none(
    visit: Visit, filled: OpenProject, bench: Workbench
) -> None:
    empty = bench.open(bench.create("Empty").slug)
    for opened in (filled, empty):
        opened.sources.add_files([("empty.txt", b"", "text/plain")])
        work(opened)
    label = "1 source could not be read: see why and what to do"
    assert failures(visit("sources", project="heat")) == [(label, False)]
    assert failures(visit("sources", project=empty.project.slug)) == [(label, True)]


def test_a_source_that_waits_for_no_job_is_listed_and_can_be_retried(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    opened.sources.add_files([("pumps.txt", b"Heat pumps move heat into a house.", "text/plain")])
    assert not failures(visit("sources", project="heat"))  # its job is still to come
    (job,) = opened.jobs.all(active=True)
    opened.context.store.claim_job("broken off")
    opened.context.store.finish_job(job.id, "broken off", JobState.FAILED, error="disk full")
    assert opened.sources.acquisitions()[0].state is FetchState.QUEUED
    at = visit("sources", project="heat")
    assert failures(at)
    button(at, "Retry").click().run()  # type: ignore[attr-defined]
    work(opened)
    assert [document.title for document in opened.sources.documents()] == ["pumps.txt"]


def test_the_table_lists_every_source_with_its_facts(visit: Visit, filled: OpenProject) -> None:
    at = visit("sources", project=filled.project.slug)
    frame = at.dataframe[0].value
    assert len(frame) == 3
    assert {"Heat pumps in winter", "Trees in the street"} <= set(frame["Title"])
    assert set(frame["Type"]) == {"Markdown"}
    assert list(frame.columns[:7]) == ["Title", "Authors", "Year", "Type", "Grade", "Language", "Tags"]


def test_a_source_shows_its_text_its_grade_with_reasons_and_its_passages(visit: Visit, filled: OpenProject) -> None:
    document = next(one for one in filled.sources.documents() if one.title == "Heat pumps in winter")
    at = visit("sources", project=filled.project.slug, doc=document.id)
    seen = texts(at)
    assert not at.exception
    assert not at.error
    assert "Field tests in Norway" in seen
    assert "1 of " in texts(visit("sources", project=filled.project.slug, doc=document.id, part="Passages"))
    seen = texts(visit("sources", project=filled.project.slug, doc=document.id, part="Grade"))
    for reason in document.assessment.reasons:
        assert reason.text in seen


def test_a_grade_set_by_hand_needs_a_reason_and_is_logged(visit: Visit, filled: OpenProject) -> None:
    document = filled.sources.documents()[0]
    at = visit("sources", project=filled.project.slug, doc=document.id, part="Grade")
    grade = next(one for one in at.selectbox if one.label == "Grade")
    grade.select("A – very strong source")
    button(at, "Set the grade").click().run()  # type: ignore[attr-defined]
    assert "reason" in texts(at)
    assert filled.sources.document(document.id).grade_override is None
    next(one for one in at.text_input if one.label.startswith("Reason")).input("I know the author")
    button(at, "Set the grade").click().run()  # type: ignore[attr-defined]
    assert filled.sources.document(document.id).grade_override is Grade.A
    assert "I know the author" in texts(at)
    assert any("Grade A" in element.value for element in at.markdown)


def test_a_title_is_corrected_and_a_page_of_an_answer_is_accepted_by_hand(visit: Visit, filled: OpenProject) -> None:
    document = filled.sources.documents()[0]
    at = visit("sources", project=filled.project.slug, doc=document.id, part="About")
    next(one for one in at.text_input if one.label == "Title").input("The right title")
    button(at, "Keep the corrections").click().run()  # type: ignore[attr-defined]
    assert len(at.dataframe) == 1  # the list stays beside it
    corrected = filled.sources.document(document.id)
    assert (corrected.title, corrected.mended) == ("The right title", ("title",))
    store = filled.context.store
    page = add(store, "A page of the web about trees.", accepted=False)
    at = visit("sources", project=filled.project.slug, doc=page.id)
    assert "not accepted" in texts(at)
    button(at, "Accept as a source").click().run()  # type: ignore[attr-defined]
    assert filled.sources.document(page.id).accepted


def test_a_hostile_source_is_shown_as_text(visit: Visit, filled: OpenProject) -> None:
    document = next(one for one in filled.sources.documents() if one.filename == "hostile.md")
    at = visit("sources", project=filled.project.slug, doc=document.id)
    assert not at.exception
    bodies = "".join(element.proto.body for element in at.get("html"))
    assert "<script" not in bodies
    assert "<img" not in bodies
    for element in at.markdown:
        assert "](http" not in element.value.replace("\\]", "")


@pytest.mark.parametrize("wanted", ["nonsense", "../../x", "0" * 16, "'; drop table documents; --", "\U0001f600"])
def test_an_unknown_source_in_the_address_leads_to_the_list_with_a_message(
    visit: Visit, filled: OpenProject, wanted: str
) -> None:
    at = visit("sources", project=filled.project.slug, doc=wanted)
    assert not at.exception
    assert "no such source" in texts(at)
    assert len(at.dataframe) == 1


def test_pasted_ids_and_addresses_are_asked_for_and_what_is_none_is_named(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("sources", project=opened.project.slug)
    at.segmented_control(key="add-way").set_value("Web addresses").run()
    at.text_area[0].input("10.5555/trees\narXiv:2101.00001\nhttps://a.example/x\n![x](http://e)<b>")
    button(at, "Fetch").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    origins = [row.origin for row in reversed(opened.sources.acquisitions())]
    assert origins[:3] == [
        "https://doi.org/10.5555/trees",
        "https://arxiv.org/pdf/2101.00001",
        "https://a.example/x",
    ]


def test_a_file_of_references_is_asked_for_and_its_odd_entries_stay_named(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("sources", project=opened.project.slug)
    at.segmented_control(key="add-way").set_value("References").run()
    bib = b"@misc{a, doi={10.5555/a}}\n@misc{b, title={<img src=x> ![x](http://e/)}}\n@misc{broken, title={\n"
    at.file_uploader[0].set_value(("x.bib", bib, "text/plain")).run()
    button(at, "Fetch what they list").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert [row.origin for row in opened.sources.acquisitions()] == ["https://doi.org/10.5555/a"]
    assert "2 entries of the list could not be used" in [one.label for one in at.expander]
    assert "line 3, @misc{broken" in texts(at)
    at.button(key="unusable-away").click().run()
    assert "line 3, @misc{broken" not in texts(at)


def test_a_list_that_is_none_and_a_site_without_a_name_are_messages(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("sources", project=opened.project.slug)
    at.segmented_control(key="add-way").set_value("References").run()
    at.file_uploader[0].set_value(("x.json", b"{not json", "application/json")).run()
    button(at, "Fetch what they list").click().run()  # type: ignore[attr-defined]
    assert "not valid JSON" in texts(at)
    at.segmented_control(key="add-way").set_value("Site").run()
    button(at, "Fetch the site").click().run()  # type: ignore[attr-defined]
    assert len(at.error) == 1
    assert opened.jobs.all() == []
    at.text_input[0].input("example.org")
    button(at, "Fetch the site").click().run()  # type: ignore[attr-defined]
    assert opened.jobs.all()[0].payload["sitemap"] == "https://example.org/"
