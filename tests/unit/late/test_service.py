"""What is said of RAGatouille's index and of what stands in holds: an index of another checkpoint, work that was
stopped, vectors that nobody has made yet."""

from __future__ import annotations

import pytest

from core.commands.engine import state_lines
from core.errors import ExtraMissing
from core.labels import JobKind
from core.ports.engines import Engines, LateCheck
from core.records import Query, SearchRequest, StageSwitches
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from pages.words.late_page import index_line, standing, stood_in
from tests.helpers.late_engines import TextsEngine
from tests.helpers.late_projects import broken, late_of, with_texts_engine, work

TREES = ("oak", "elm", "lime", "beech", "birch", "willow")
STARTS = "The exact engine compared word by word in place of"
MISSING = "The extra is not installed."


@pytest.fixture
def engine(workbench: Workbench, engines: Engines) -> TextsEngine:
    return with_texts_engine(workbench, engines)


@pytest.fixture
def project(workbench: Workbench, engine: TextsEngine) -> OpenProject:
    """One that was filled under RAGatouille: the exact engine's encoder has no vectors of it."""
    opened = workbench.open(workbench.create("Trees").slug)
    opened.sources.add_texts([(tree, f"The {tree} stands in the old garden of the town.") for tree in TREES])
    return opened


def notes(opened: OpenProject) -> tuple[str, ...]:
    return opened.search(SearchRequest((Query("Where does the elm stand?"),), k=3)).notes


def without_the_extra(bench: Workbench, engines: Engines) -> None:
    late_of(bench).check = lambda: LateCheck("checkpoint", MISSING)
    broken(bench, engines, ExtraMissing(MISSING), at_first_text=False)


def test_an_index_of_another_checkpoint_is_not_said_to_be_used(project: OpenProject, engine: TextsEngine) -> None:
    assert work(project)[-1] is JobKind.INDEX_LATE
    assert project.late.state().serves
    engine.made_with = "another@2"
    state = project.late.state()
    why = "the index was made with checkpoint@1, not with another@2"
    assert (state.built is not None, state.stale, state.serves) == (True, why, False)
    assert f"It is not used: {why}." in " ".join(state_lines(state))
    assert index_line(state, state.built).endswith(f"It is not used: {why}.")  # type: ignore[arg-type]
    for jobs in ([], [project.late.build()]):
        assert "Until then searches use the exact engine and say so." in standing(state, jobs).says


def test_building_after_a_stop_encodes_first_and_builds_once(project: OpenProject) -> None:
    run_next(project.job_context(), "test", kinds=[JobKind.ADD])
    for job in project.jobs.all(active=True):
        project.jobs.cancel(job.id)
    state = project.late.state()
    assert state.to_encode == len(TREES)
    assert "6 passages not prepared yet." in standing(state).says
    assert project.late.build().kind is JobKind.INDEX_LATE
    assert work(project) == [JobKind.ENCODE, JobKind.INDEX_LATE]
    assert project.late.state().to_encode == 0
    assert notes(project) == ()


def test_where_nothing_is_encoded_nothing_stands_in_and_a_search_has_it_encoded(
    workbench: Workbench, project: OpenProject, engines: Engines
) -> None:
    work(project)
    without_the_extra(workbench, engines)
    result = project.search(SearchRequest((Query("Where does the elm stand?"),), k=3))
    assert result.encoded == 0
    assert result.notes[0] == f"Neither the exact engine compared word by word, nor Texts: {MISSING}"
    assert any("only words find them" in note for note in result.notes)
    assert not any(STARTS in note for note in result.notes)
    assert stood_in(result)
    assert [job.kind for job in project.jobs.all(active=True)] == [JobKind.ENCODE]
    assert work(project) == [JobKind.ENCODE]
    after = notes(project)
    assert after[0].startswith(STARTS)
    assert not any("only words find them" in note for note in after)
    assert project.jobs.all(active=True) == []


def test_what_is_stopped_stays_stopped_and_a_search_by_words_asks_for_nothing(
    workbench: Workbench, project: OpenProject, engines: Engines
) -> None:
    work(project)
    without_the_extra(workbench, engines)
    words = StageSwitches(dense=False, late_interaction=False, mmr=False)
    project.search(SearchRequest((Query("elm"),), stages=words, k=3))
    assert project.jobs.all(active=True) == []
    notes(project)
    for job in project.jobs.all(active=True):
        project.jobs.cancel(job.id)
    notes(project)
    assert project.jobs.all(active=True) == []
