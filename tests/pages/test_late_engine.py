"""The engine that compares word by word, on the settings page and in the query lab."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ExtraMissing, LateEngineError
from core.labels import JobKind
from core.late import delta as late_delta
from core.ports.engines import Engines, LateCheck
from core.records import Query, SearchRequest
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.late_engines import TextsEngine
from tests.helpers.late_projects import broken, late_of, use, with_texts_engine
from tests.pages.conftest import button, texts, work
from tests.pages.reviewed import press

Visit = Callable[..., AppTest]
QUESTION = "Do heat pumps still work when it is freezing?"


@pytest.fixture
def engine(bench: Workbench, engines: Engines) -> TextsEngine:
    """Sets RAGatouille for this test; an engine for tests takes its place."""
    made = with_texts_engine(bench, engines)
    made.name = "RAGatouille"
    return made


@pytest.fixture
def able(filled: OpenProject, engine: TextsEngine) -> OpenProject:
    """A project whose passages the late engine has not prepared yet."""
    return filled


@pytest.fixture
def indexed(able: OpenProject) -> OpenProject:
    """That project after the worker prepared its passages and built the index."""
    able.catch_up()
    work(able)
    return able


def badges(at: AppTest) -> str:
    return " ".join(str(one.value) for one in at.markdown if "-badge[" in str(one.value))


def lab(visit: Visit, **params: str) -> AppTest:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false", **params)
    at.session_state["late-engine-panel"] = True
    return at.run()


@pytest.mark.parametrize("page", ["settings", "queries"])
def test_where_the_exact_engine_is_set_the_page_is_calm(visit: Visit, filled: OpenProject, page: str) -> None:
    at = lab(visit) if page == "queries" else visit("settings", project="heat")
    assert not at.exception
    assert "Exact engine (built in)" in badges(at)
    assert "The setting of this installation." in texts(at)
    assert not [*at.error, *at.warning]
    assert "What is missing" not in texts(at)
    assert not [shown for shown in at.button if shown.key == "late-build"]
    assert not filled.jobs.all(active=True)


@pytest.mark.parametrize("page", ["settings", "queries"])
def test_where_it_is_set_and_cannot_be_used_the_page_says_what_is_missing(
    visit: Visit, bench: Workbench, able: OpenProject, engines: Engines, page: str
) -> None:
    late_of(bench).check = lambda: LateCheck("checkpoint", "The extra is not installed.")
    broken(bench, engines, ExtraMissing("The extra is not installed."), at_first_text=False)
    at = lab(visit) if page == "queries" else visit("settings", project="heat")
    assert not at.exception
    assert not [*at.error, *at.warning]
    assert "RAGatouille index: not here" in badges(at)
    shown = texts(at)
    assert "not set up on this computer. Nothing here needs it" in shown
    assert "What is missing: The extra is not installed." in shown
    assert "`pip install '.[ragatouille]'`" in shown
    assert not [shown for shown in at.button if shown.key == "late-build"]


def test_while_passages_are_prepared_the_index_is_to_come(visit: Visit, able: OpenProject) -> None:
    able.catch_up()
    at = visit("settings", project="heat")
    assert "RAGatouille index: to come" in badges(at)
    (job,) = able.jobs.all(active=True)
    assert job.kind is JobKind.ENCODE
    assert at.button(key=f"stop-{job.id}")
    assert not [shown for shown in at.button if shown.key == "late-build"]


def test_the_index_is_described_and_built_again_on_request(
    visit: Visit, able: OpenProject, engine: TextsEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_delta, "MAX_SHARE", 0.9)
    able.catch_up()
    work(able)
    at = visit("settings", project="heat")
    assert not at.exception
    assert not [*at.error, *at.warning]
    assert "RAGatouille index: in use" in badges(at)
    assert f"The index holds {able.coverage()[1]} passages, built just now. Nothing has changed since." in texts(at)
    able.sources.add_text("Limes", "A lime in the street shades the pavement of an afternoon in summer.")
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
    able.catch_up()
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
    able.catch_up()
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
    able.catch_up()
    (job,) = able.jobs.all(active=True)
    able.jobs.cancel(job.id)
    at = visit("settings", project="heat")
    assert "not prepared yet." in texts(at)
    press(at, "Prepare the passages and build the index")
    assert "The passages are being prepared; the index is built after that." in texts(at)
    assert {one.kind for one in able.jobs.all(active=True)} == {JobKind.ENCODE, JobKind.INDEX_LATE}
    work(able)
    assert "RAGatouille index: in use" in badges(visit("settings", project="heat"))


def test_many_passages_are_warned_of_before_the_index_is_built(
    visit: Visit, able: OpenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_delta, "MANY_PASSAGES", 2)
    at = visit("settings", project="heat")
    assert button(at, "Prepare the passages and build the index")
    assert "passages are many for this engine" in " ".join(warning.value for warning in at.warning)
    able.catch_up()
    work(able)
    at = visit("settings", project="heat")
    assert button(at, "Build the index again")
    assert "passages are many for this engine" in " ".join(warning.value for warning in at.warning)


def test_under_the_exact_engine_the_index_is_kept_and_said_to_be(
    visit: Visit, bench: Workbench, indexed: OpenProject, engines: Engines
) -> None:
    use(bench, engines, None)
    at = visit("settings", project="heat")
    assert "Exact engine (built in)" in badges(at)
    assert "It is not used now, and kept for the way back." in texts(at)


def test_without_an_open_project_there_is_nothing_to_show(visit: Visit, bench: Workbench) -> None:
    at = visit("settings")
    assert not at.exception
    assert "Word-by-word comparison" not in texts(at)


def test_one_search_can_use_the_exact_engine_and_the_figures_compare_both(
    visit: Visit, bench: Workbench, able: OpenProject, engines: Engines
) -> None:
    late = late_of(bench)
    use(bench, engines, None)
    assert next(one for one in lab(visit).toggle if one.key == "exact").label == (
        "Compare word by word with every passage"
    )
    use(bench, engines, late)
    able.catch_up()
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
    able.catch_up()
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
