"""What is said of RAGatouille's index and of what stands in holds: an index of another checkpoint, work that was
stopped, vectors that nobody has made yet."""

from __future__ import annotations

import pytest

from core.errors import ExtraMissing
from core.labels import JobKind
from core.late.index import FALLBACK, NEITHER
from core.late.variants import LateVariants
from core.late.wording import state_lines
from core.ports.engines import Engines
from core.ports.late import LateCheck
from core.records import Query, SearchRequest, StageSwitches
from core.settings.values import Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from pages.words.late_page import index_line, standing, stood_in
from tests.helpers.late_choosing import with_texts_engine, work
from tests.helpers.late_engines import TextsEngine

TREES = ("oak", "elm", "lime", "beech", "birch", "willow")
MISSING = "The extra is not installed."


@pytest.fixture
def engine(workbench: Workbench, engines: Engines) -> TextsEngine:
    return with_texts_engine(workbench, engines)


@pytest.fixture
def project(workbench: Workbench, engine: TextsEngine) -> OpenProject:
    """One that chose RAGatouille before it had a source: the exact engine's encoder has no vectors of it."""
    opened = workbench.open(workbench.create("Trees").slug)
    opened.choose_late_engine("ragatouille")
    opened.add_texts([(tree, f"The {tree} stands in the old garden of the town.") for tree in TREES])
    return opened


def notes(opened: OpenProject) -> tuple[str, ...]:
    return opened.search(SearchRequest((Query("Where does the elm stand?"),), k=3)).notes


def without_the_extra(bench: Workbench, project: OpenProject) -> None:
    make = bench._variants._make

    def making(settings: Settings, base: Engines) -> Engines:
        made = make(settings, base)

        def encoder() -> object:
            raise ExtraMissing(MISSING)

        made.make_encoder = encoder  # type: ignore[assignment]
        return made

    bench.engines.late_check = lambda: LateCheck("checkpoint", MISSING)
    bench._variants = LateVariants(making)
    project.renew()


def test_an_index_of_another_checkpoint_is_not_said_to_be_used(project: OpenProject, engine: TextsEngine) -> None:
    assert work(project)[-1] is JobKind.INDEX_LATE
    assert project.late_state().serves
    engine.made_with = "another@2"
    state = project.late_state()
    why = "the index was made with checkpoint@1, not with another@2"
    assert (state.built is not None, state.stale, state.serves) == (True, why, False)
    assert f"It is not used: {why}." in " ".join(state_lines(state))
    assert index_line(state, state.built).endswith(f"It is not used: {why}.")  # type: ignore[arg-type]
    for jobs in ([], [project.index_late()]):
        assert "Until then searches use the exact engine and say so." in standing(state, jobs).says
    project.choose_late_engine("exact")
    said = " ".join(project.late_effects("ragatouille"))
    assert f"cannot be used ({why}) and is built anew" in said
    assert "is still there and is used" not in said


def test_building_after_a_stop_encodes_first_and_builds_once(project: OpenProject) -> None:
    run_next(project.job_context(), "test", kinds=[JobKind.ADD])
    for job in project.jobs(active=True):
        project.cancel(job.id)
    state = project.late_state()
    assert state.to_encode == len(TREES)
    assert "6 passages not prepared yet." in standing(state).says
    assert project.index_late().kind is JobKind.INDEX_LATE
    assert work(project) == [JobKind.ENCODE, JobKind.INDEX_LATE]
    assert project.late_state().to_encode == 0
    assert notes(project) == ()


def test_where_nothing_is_encoded_nothing_stands_in_and_a_search_has_it_encoded(
    workbench: Workbench, project: OpenProject
) -> None:
    work(project)
    without_the_extra(workbench, project)
    result = project.search(SearchRequest((Query("Where does the elm stand?"),), k=3))
    assert result.encoded == 0
    assert result.notes[0].startswith(NEITHER)
    assert MISSING in result.notes[0]
    assert any("only words find them" in note for note in result.notes)
    assert not any(FALLBACK in note for note in result.notes)
    assert stood_in(result)
    assert [job.kind for job in project.jobs(active=True)] == [JobKind.ENCODE]
    assert work(project) == [JobKind.ENCODE]
    after = notes(project)
    assert after[0].startswith(FALLBACK)
    assert not any("only words find them" in note for note in after)
    assert project.jobs(active=True) == []


def test_what_is_stopped_stays_stopped_and_a_search_by_words_asks_for_nothing(
    workbench: Workbench, project: OpenProject
) -> None:
    work(project)
    without_the_extra(workbench, project)
    words = StageSwitches(dense=False, late_interaction=False, mmr=False)
    project.search(SearchRequest((Query("elm"),), stages=words, k=3))
    assert project.jobs(active=True) == []
    notes(project)
    for job in project.jobs(active=True):
        project.cancel(job.id)
    notes(project)
    assert project.jobs(active=True) == []
