"""The engine that compares word by word, chosen for a project on the settings page and in the query lab."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import LateEngineError
from core.labels import JobKind
from core.late import delta as late_delta
from core.ports.engines import Engines
from core.records import Query, SearchRequest
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.late_choosing import with_texts_engine
from tests.helpers.late_engines import TextsEngine
from tests.pages.conftest import button, texts, work
from tests.pages.reviewed import press

Visit = Callable[..., AppTest]
QUESTION = "Do heat pumps still work when it is freezing?"


@pytest.fixture
def engine(bench: Workbench, engines: Engines) -> TextsEngine:
    """Makes RAGatouille usable in the projects of this test; an engine for tests stands in for it."""
    made = with_texts_engine(bench, engines)
    made.name = "RAGatouille"
    return made


@pytest.fixture
def able(engine: TextsEngine, filled: OpenProject) -> OpenProject:
    """A project that can choose."""
    filled.renew()
    return filled


def choose(at: AppTest, choice: str) -> AppTest:
    return next(one for one in at.radio if one.label == "Engine of this project").set_value(choice).run()


def badges(at: AppTest) -> str:
    return " ".join(str(one.value) for one in at.markdown if "-badge[" in str(one.value))


def lab(visit: Visit, **params: str) -> AppTest:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false", **params)
    at.session_state["late-engine-panel"] = True
    return at.run()


@pytest.mark.parametrize("page", ["settings", "queries"])
def test_where_it_is_not_set_up_the_exact_engine_answers_and_the_page_is_calm(
    visit: Visit, filled: OpenProject, page: str
) -> None:
    at = lab(visit) if page == "queries" else visit("settings", project="heat")
    assert not at.exception
    assert "Exact engine (built in)" in badges(at)
    assert "The setting of this installation." in texts(at)
    assert not [*at.error, *at.warning]
    assert "What is missing" not in texts(at)
    choose(at, "ragatouille")
    assert not at.exception
    assert not [*at.error, *at.warning]
    said = texts(at)
    assert "not set up on this computer. Nothing here needs it" in said
    assert "What is missing: " in said
    assert "`pip install '.[ragatouille]'`" in said
    assert not [one for one in at.button if one.key == "late-use"]
    press(at, "Keep it as it is")
    assert "not set up on this computer. Nothing here needs it" not in texts(at)
    assert filled.late_state().chosen == ""
    assert not filled.jobs(active=True)


@pytest.mark.parametrize("page", ["settings", "queries"])
def test_what_a_choice_causes_is_said_before_it_is_done(visit: Visit, able: OpenProject, page: str) -> None:
    at = lab(visit) if page == "queries" else visit("settings", project="heat")
    assert "ColBERT checkpoint “checkpoint”" in "".join(caption for one in at.radio for caption in one.proto.captions)
    choose(at, "ragatouille")
    said = texts(at)
    assert "What this causes" in said
    assert "All passages are prepared for search by meaning" in said
    assert "builds an index of" in said
    assert "exact engine and say so" in said
    assert able.late_state().chosen == ""
    assert not able.jobs(active=True)
    press(at, "Use the RAGatouille index in this project")
    assert not at.exception
    assert not at.error
    assert "The passages are being prepared. Its index is built after that." in texts(at)
    if page == "queries":  # the test runner forgets that a panel is open
        at = lab(visit)
    assert "RAGatouille index: to come" in badges(at)
    assert able.late_state().chosen == "ragatouille"
    (job,) = able.jobs(active=True)
    assert job.kind is JobKind.ENCODE
    assert at.button(key=f"stop-{job.id}")
    assert not [one for one in at.button if one.key == "late-build"]


def test_the_index_is_described_and_built_again_on_request(
    visit: Visit, able: OpenProject, engine: TextsEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_delta, "MAX_SHARE", 0.9)
    able.choose_late_engine("ragatouille")
    work(able)
    at = visit("settings", project="heat")
    assert not at.exception
    assert not [*at.error, *at.warning]
    assert "RAGatouille index: in use" in badges(at)
    assert f"The index holds {able.coverage()[1]} passages, built just now. Nothing has changed since." in texts(at)
    able.add_text("Limes", "A lime in the street shades the pavement of an afternoon in summer.")
    while run_next(able.job_context(), "test", kinds=[JobKind.ADD, JobKind.ENCODE]) is not None:
        pass
    at = visit("settings", project="heat")
    assert "Since then 1 added: searches take that into account." in texts(at)
    press(at, "Build the index again")
    assert "The index is being built in the background." in texts(at)
    work(able)
    assert engine.builds == 2
    assert "Nothing has changed since." in texts(visit("settings", project="heat"))


def test_a_build_that_failed_says_why_and_can_be_tried_again(
    visit: Visit, able: OpenProject, engine: TextsEngine
) -> None:
    engine.build_error = LateEngineError("No C++ compiler was found. Install one.")
    able.choose_late_engine("ragatouille")
    work(able)
    at = visit("settings", project="heat")
    assert not at.exception
    assert "RAGatouille index: not built" in badges(at)
    assert "Until then searches use the exact engine and say so." in texts(at)
    assert "No C++ compiler was found. Install one. Mend that, then build it again." in " ".join(
        one.value.replace("\\", "") for one in at.error
    )
    engine.build_error = None
    press(at, "Build the index now")
    work(able)
    at = visit("settings", project="heat")
    assert "RAGatouille index: in use" in badges(at)
    assert not at.error


def test_an_index_of_another_checkpoint_is_not_called_in_use(
    visit: Visit, able: OpenProject, engine: TextsEngine
) -> None:
    able.choose_late_engine("ragatouille")
    work(able)
    engine.made_with = "another@2"
    at = visit("settings", project="heat")
    assert "RAGatouille index: to be built again" in badges(at)
    assert "Until then searches use the exact engine and say so." in texts(at)
    assert "It is not used: the index was made with checkpoint@1, not with another@2." in texts(at)
    assert "Nothing has changed since." not in texts(at)
    press(at, "Build the index again")
    assert "RAGatouille index: being built" in badges(at)
    assert "Until then the earlier one is used." not in texts(at)


def test_after_a_stop_the_button_goes_on_with_what_is_left(visit: Visit, able: OpenProject) -> None:
    (job,) = able.choose_late_engine("ragatouille")
    able.cancel(job.id)
    at = visit("settings", project="heat")
    assert "not prepared yet." in texts(at)
    press(at, "Prepare the passages and build the index")
    assert "The passages are being prepared; the index is built after that." in texts(at)
    assert {one.kind for one in able.jobs(active=True)} == {JobKind.ENCODE, JobKind.INDEX_LATE}
    work(able)
    assert "RAGatouille index: in use" in badges(visit("settings", project="heat"))


def test_many_passages_are_warned_of_before_anything_is_built(
    visit: Visit, able: OpenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_delta, "MANY_PASSAGES", 2)
    at = visit("settings", project="heat")
    assert not at.warning
    choose(at, "ragatouille")
    assert "passages are many for this engine" in " ".join(one.value for one in at.warning)
    press(at, "Use the RAGatouille index in this project")
    work(able)
    at = visit("settings", project="heat")
    assert button(at, "Build the index again")
    assert "passages are many for this engine" in " ".join(one.value for one in at.warning)


def test_the_way_back_keeps_the_index_and_says_so(visit: Visit, able: OpenProject) -> None:
    able.choose_late_engine("ragatouille")
    work(able)
    at = choose(visit("settings", project="heat"), "")
    assert "from the next one on" in texts(at)
    press(at, "Follow the installation in this project")
    assert able.late_state().engine == "exact"
    assert "Exact engine (built in)" in badges(at)
    assert "It is not used now, and kept for the way back." in texts(at)


def test_without_an_open_project_there_is_nothing_to_choose(visit: Visit, bench: Workbench) -> None:
    at = visit("settings")
    assert not at.exception
    assert "Word-by-word comparison" not in texts(at)


def test_one_search_can_use_the_exact_engine_and_the_figures_compare_both(visit: Visit, able: OpenProject) -> None:
    assert next(one for one in lab(visit).toggle if one.key == "exact").label == (
        "Compare word by word with every passage"
    )
    able.choose_late_engine("ragatouille")
    work(able)
    at = lab(visit, ran="yes")
    assert next(one for one in at.toggle if one.key == "exact").label == "Exact engine for this search"
    assert "in place of RAGatouille" not in texts(at)
    for grade in (2, 0, 1):
        asked = next(one for one in at.segmented_control if one.key.startswith("judge-") and one.key.endswith("-None"))
        asked.set_value(grade).run()
    at.segmented_control(key="part").set_value("Which steps help").run()
    assert not at.exception
    assert not at.error
    table = at.dataframe[0].value
    rows = set(zip(table["Steps"], table["Word by word"], strict=True))
    assert ("Words", "–") in rows
    assert {("Word by word, every passage", one) for one in ("Exact engine", "RAGatouille index")} <= rows
    assert "has no figure" not in texts(at)


def test_an_engine_that_cannot_answer_has_no_figures_and_the_reason_is_told(
    visit: Visit, able: OpenProject, engine: TextsEngine
) -> None:
    able.choose_late_engine("ragatouille")
    work(able)
    for passage in able.search(SearchRequest((Query(QUESTION),))).passages[:3]:
        able.lab.judge(QUESTION, passage.passage.id, 1)
    engine.broken = True
    at = lab(visit, ran="yes", part="Which steps help")
    assert not at.exception
    assert not at.error
    assert "Where the RAGatouille index has no figure: its process ended (signal 9)." in texts(at)
    table = at.dataframe[0].value
    assert set(table[table["Word by word"] == "RAGatouille index"]["nDCG at 10"]) == {"–"}
