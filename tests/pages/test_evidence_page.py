"""The Evidence browser."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from core.labels import JobKind
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]
QUESTION = "Do heat pumps still work when it is freezing?"


def test_without_sources_the_page_leads_to_adding_some(visit: Visit, bench: Workbench) -> None:
    at = visit("evidence", project=bench.create("Heat").slug)
    assert "no sources yet" in texts(at)
    button(at, "Add sources").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Sources"


def test_an_empty_box_says_what_to_ask(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug)
    assert not at.exception
    assert "Ask a question" in texts(at)


def test_the_right_passage_comes_first_with_source_grade_and_marked_words(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION)
    assert not at.exception
    assert not at.error
    bodies = [element.proto.body for element in at.get("html")]
    assert next(body for body in bodies if body.startswith("<h2>")) == "<h2>1. Heat pumps in winter</h2>"
    first = next(body for body in bodies if body.startswith("<p>"))
    assert "<mark>pumps</mark>" in first
    assert "Grade " in texts(at)
    assert "Very close match" in texts(at)


def test_filters_and_steps_come_out_of_the_address(visit: Visit, filled: OpenProject) -> None:
    trees = next(one for one in filled.sources.documents() if one.title == "Trees in the street")
    at = visit("evidence", project=filled.project.slug, q="street", docs=trees.id, meaning="false", wordwise="false")
    titles = {element.proto.body for element in at.get("html") if element.proto.body.startswith("<h2>")}
    assert titles == {"<h2>1. Trees in the street</h2>"}
    assert "only “Trees in the street”" in texts(at)
    assert [one.value for one in at.toggle if one.label in ("By meaning", "Word by word")] == [False, False]


def test_a_filter_that_leaves_nothing_says_so_and_can_be_cleared(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION, grade="A")
    assert "No passage was found" in texts(at)
    button(at, "Clear filters").click().run()  # type: ignore[attr-defined]
    assert "No passage was found" not in texts(at)
    assert "grade" not in at.query_params


@pytest.mark.parametrize(
    "params",
    [
        {"grade": "Z"},
        {"grade": "<script>"},
        {"docs": "nonsense,,../x"},
        {"from_": "yesterday"},
        {"to": "0000-99-99"},
        {"k": "-5"},
        {"k": "1e9"},
        {"lang": "klingon"},
        {"rerank": "perhaps"},
        {"doc": "nonsense", "passage": "-1"},
        {"doc": "../../etc", "passage": "9" * 40},
        {"passage": "\u0661\u0662"},
    ],
)
def test_a_stale_or_hostile_address_does_no_harm(visit: Visit, filled: OpenProject, params: dict[str, str]) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION, **params)
    assert not at.exception
    assert not at.error
    assert any(element.proto.body.startswith("<h2>1. ") for element in at.get("html"))


def test_a_passage_in_the_address_opens_the_source_there(visit: Visit, filled: OpenProject) -> None:
    document = next(one for one in filled.sources.documents() if one.title == "Heat pumps in winter")
    passages = filled.sources.passages(document.id)
    at = visit("evidence", project=filled.project.slug, q="noise", doc=document.id, passage=str(passages[0].id))
    assert not at.exception
    assert f"passage 1 of {len(passages)}" in texts(at)
    assert "Field tests in Norway" in texts(at)
    assert button(at, "Passage before").disabled  # type: ignore[attr-defined]
    button(at, "Close").click().run()  # type: ignore[attr-defined]
    assert "passage" not in at.query_params
    assert any(element.proto.body.startswith("<h2>1. ") for element in at.get("html"))


def test_a_passage_of_a_deleted_source_is_a_message_not_a_crash(visit: Visit, filled: OpenProject) -> None:
    document = filled.sources.documents()[0]
    passage = filled.sources.passages(document.id)[0]
    filled.sources.delete(document.id)
    at = visit("evidence", project=filled.project.slug, q=QUESTION, doc=document.id, passage=str(passage.id))
    assert not at.exception
    assert "not here any more" in texts(at)


def test_close_reading_ends_in_reordered_results_that_say_so(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION, rerank="true")
    assert not at.exception
    assert "Reordered after close reading" in texts(at)


def test_repainting_does_not_count_as_another_search(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION)
    at.run()
    at.run()
    assert filled.statistics().total_queries == 1


def test_a_search_shows_its_steps_statistics_and_fingerprint(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project=filled.project.slug, q=QUESTION)
    for panel in ("waterfall", "statistics"):
        at.session_state[panel] = True
    at.run()
    columns = [list(frame.value.columns) for frame in at.dataframe]
    assert any({"rank", "title", "lexical", "dense", "fusion"} <= set(names) for names in columns)
    assert {metric.label for metric in at.metric} >= {"Searches", "Without a result", "From memory"}
    assert at.json


@pytest.mark.parametrize("page", ["evidence", "queries", "ask"])
def test_only_the_demo_project_offers_questions_to_try(
    visit: Visit, bench: Workbench, filled: OpenProject, page: str
) -> None:
    assert "Questions to try" not in texts(visit(page, project=filled.project.slug))
    demo = bench.open(bench.create("Demo", demo=True).slug)
    demo.sources.add_text("A note", "Trees cool the street in the afternoon.")
    from tests.pages.conftest import work

    work(demo)
    at = visit(page, project=demo.project.slug)
    assert "Questions to try" in texts(at)
    example = next(one for one in at.button if one.label.replace("\\", "").endswith("?"))
    example.click().run()
    assert at.query_params["q"]
    assert not at.exception


def test_a_passage_of_a_pdf_is_shown_on_its_page_or_as_text(visit: Visit, filled: OpenProject) -> None:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(70, 700, "Borehole pumps held their heat through the coldest week of the year.")
    canvas.save()
    filled.sources.add_files([("bore.pdf", file.getvalue(), "application/pdf")])
    while run_next(filled.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    document = next(document for document in filled.sources.documents() if document.filename == "bore.pdf")
    [passage] = filled.sources.passages(document.id)
    at = visit("evidence", project=filled.project.slug, q="noise", doc=document.id, passage=str(passage.id))
    assert not at.exception
    assert len(at.get("image")) == 1
    assert "could not be found in the picture" not in texts(at)
    look = next(element for element in at.button_group if element.key == "reader-look")
    look.set_value("Stored text").run()
    assert not at.get("image")
    assert "Borehole" in texts(at)
