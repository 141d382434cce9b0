"""A project's own engine of late interaction: chosen, followed by other processes, left again."""

from __future__ import annotations

import pytest

from core.engines import Engines
from core.jobs import run_next
from core.labels import JobKind, JobState
from core.late_index import FALLBACK
from core.model import Query, SearchRequest, SearchResult
from core.opened import OpenProject
from core.workbench import Workbench
from tests.late_choosing import with_texts_engine
from tests.late_engines import TextsEngine

TREES = ("oak", "elm", "lime", "beech", "birch", "willow")


@pytest.fixture
def bench(workbench: Workbench) -> Workbench:
    return workbench


@pytest.fixture
def engine(bench: Workbench, engines: Engines) -> TextsEngine:
    return with_texts_engine(bench, engines)


@pytest.fixture
def project(bench: Workbench, engine: TextsEngine) -> OpenProject:
    opened = bench.open(bench.create("Trees").slug)
    opened.add_texts([(tree, f"The {tree} stands in the old garden of the town.") for tree in TREES])
    assert work(opened) == [JobKind.ADD, JobKind.ENCODE]
    return opened


def work(opened: OpenProject) -> list[JobKind]:
    done = []
    while (job := run_next(opened.job_context(), "test")) is not None:
        assert job.state is JobState.DONE, job.error
        done.append(job.kind)
    return done


def search(opened: OpenProject, text: str = "Where does the elm stand?") -> SearchResult:
    return opened.search(SearchRequest((Query(text),), k=3))


def stood_in(result: SearchResult) -> bool:
    return any(note.startswith(FALLBACK) for note in result.notes)


def test_a_project_chooses_and_what_is_needed_is_made(project: OpenProject, engine: TextsEngine) -> None:
    before = project.late_state()
    assert (before.chosen, before.engine, before.installation, before.problem) == ("", "exact", "exact", "")
    jobs = project.choose_late_engine("ragatouille")
    assert [job.kind for job in jobs] == [JobKind.ENCODE]
    assert stood_in(search(project))
    assert work(project) == [JobKind.ENCODE, JobKind.INDEX_LATE]
    result = search(project)
    assert not stood_in(result)
    assert engine.asked > 0
    after = project.late_state()
    assert (after.chosen, after.engine, after.indexed, after.added, after.removed) == (
        "ragatouille",
        "ragatouille",
        6,
        0,
        0,
    )
    assert after.built is not None
    assert after.rebuild == after.failed == ""
