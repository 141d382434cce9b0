"""The engine of late interaction in a project: built as a job, used by searches, never in an archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import HostileArchive, JobCancelled, LateEngineError, LateEngineStopped
from core.labels import JobKind, JobState
from core.late.engine import LateEngine
from core.late.index import LateIndexes
from core.late.job import last_failure
from core.ports.engines import Engines, LateCheck
from core.records import Job
from core.settings.values import Models, Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from core.workbench.worker import LANES
from tests.helpers.late_engines import TextsEngine
from tests.helpers.late_projects import search, stood_in, work

PAGES = [
    (f"https://example.org/{word}", f"<p>The {word} stands in the old garden of the town.</p>".encode(), "text/html")
    for word in ("oak", "elm", "lime", "beech", "birch", "willow")
]


@pytest.fixture
def engine(engines: Engines) -> TextsEngine:
    return TextsEngine(engines.encoder())


@pytest.fixture
def bench(tmp_path: Path, engines: Engines, engine: TextsEngine) -> Iterator[Workbench]:
    late = LateEngine(
        LateIndexes(engine), make_encoder=engines.encoder, make_stand_in=engines.encoder,
        check=lambda: LateCheck("checkpoint", ""),
    )  # fmt: skip
    own = Engines(
        engines.encoder, engines.reranker, engines.extractor, engines.fetcher, engines.entailer,
        make_late_engine=lambda: late,
    )  # fmt: skip
    made = open_workbench(tmp_path / "root", Settings(models=Models(late_engine="ragatouille")), engines=own)
    yield made
    late.close()


@pytest.fixture
def project(bench: Workbench) -> OpenProject:
    opened = bench.open(bench.create("Trees").slug)
    opened.sources.add_snapshots(PAGES)
    return opened


def test_it_is_built_after_encoding_and_then_used(project: OpenProject, engine: TextsEngine) -> None:
    assert stood_in(search(project))
    assert work(project) == [JobKind.ADD, JobKind.ENCODE, JobKind.INDEX_LATE]
    result = search(project)
    assert not stood_in(result)
    assert "elm" in result.passages[0].passage.text
    assert engine.asked > 0
    assert JobKind.INDEX_LATE in LANES["encode"]
    assert JobKind.INDEX_LATE not in LANES["sources"]


def test_what_our_own_engine_gave_in_its_place_is_not_kept(project: OpenProject, engine: TextsEngine) -> None:
    work(project)
    engine.broken = True
    assert stood_in(search(project))
    engine.broken = False
    again = search(project)
    assert not again.cached
    assert not stood_in(again)
    assert search(project).cached


def test_catching_up_builds_what_is_missing_and_only_that(project: OpenProject, engine: TextsEngine) -> None:
    work(project)
    project.catch_up()
    assert work(project) == []
    engine.made_with = "another checkpoint"
    project.catch_up()
    assert work(project) == [JobKind.INDEX_LATE]


def test_it_is_built_anew_on_request(project: OpenProject, engine: TextsEngine) -> None:
    work(project)
    project.late.build()
    assert work(project) == [JobKind.INDEX_LATE]
    assert engine.builds == 2


def run_once(opened: OpenProject) -> Job:
    job = run_next(opened.job_context(), "test")
    assert job is not None
    assert job.kind is JobKind.INDEX_LATE
    return job


def failure(opened: OpenProject) -> str:
    return last_failure(opened.job_context().store, opened.late.index)


@pytest.fixture
def failed(project: OpenProject, engine: TextsEngine) -> OpenProject:
    """A project whose index could not be built, for a reason that lasts."""
    engine.build_error = LateEngineError("no compiler was found.")
    opened = project
    while (job := run_next(opened.job_context(), "test")) is not None and job.kind is not JobKind.INDEX_LATE:
        assert job.state is JobState.DONE
    assert job is not None
    assert job.state is JobState.FAILED
    return opened


def test_a_build_that_failed_for_good_is_not_asked_for_again_by_itself(
    failed: OpenProject, engine: TextsEngine
) -> None:
    assert failure(failed) == "no compiler was found."
    for _ in range(2):
        failed.catch_up()
    failed.sources.add_text("Ash", "The ash stands behind the bakery.")
    assert work(failed) == [JobKind.ADD, JobKind.ENCODE]
    assert engine.builds == 1
    assert "not built yet" in search(failed).notes[0]


@pytest.mark.parametrize("what", ["versions", "made_with"])
def test_it_is_asked_for_again_when_what_it_depended_on_has_changed(
    failed: OpenProject, engine: TextsEngine, what: str
) -> None:
    setattr(engine, what, "another")
    assert failure(failed) == ""
    failed.catch_up()
    assert run_once(failed).state is JobState.FAILED
    assert failure(failed) == "no compiler was found."
    engine.build_error = None
    setattr(engine, what, "a third")
    failed.catch_up()
    assert run_once(failed).state is JobState.DONE
    assert last_failure(failed.job_context().store) == ""


def test_it_is_asked_for_again_when_the_project_has_grown_much(failed: OpenProject, engine: TextsEngine) -> None:
    engine.build_error = None
    failed.sources.add_texts([(f"Text {number}", f"A tree of number {number}.") for number in range(30)])
    assert work(failed) == [JobKind.ADD, JobKind.ENCODE, JobKind.INDEX_LATE]


def test_it_is_built_again_on_request_whatever_failed_before(failed: OpenProject, engine: TextsEngine) -> None:
    engine.build_error = None
    failed.late.build()
    assert run_once(failed).state is JobState.DONE
    assert failure(failed) == ""
    assert not stood_in(search(failed))


@pytest.mark.parametrize("error", [LateEngineStopped("its process ended (signal 9)."), OSError(28, "disk full")])
def test_what_may_have_been_chance_is_tried_twice(project: OpenProject, engine: TextsEngine, error: Exception) -> None:
    work(project)
    for builds in (2, 3):
        engine.build_error = error
        engine.made_with = "another checkpoint"
        project.catch_up()
        assert run_once(project).state is JobState.FAILED
        assert engine.builds == builds
    assert str(error) in failure(project)
    project.catch_up()
    assert work(project) == []


def test_a_build_that_is_stopped_is_no_failure(project: OpenProject, engine: TextsEngine) -> None:
    work(project)
    engine.build_error = JobCancelled("Stopped on request.")
    engine.made_with = "another checkpoint"
    project.catch_up()
    assert run_once(project).state is JobState.CANCELLED
    assert failure(project) == ""


def test_a_few_new_sources_are_found_without_building_and_many_are_not(
    project: OpenProject, engine: TextsEngine
) -> None:
    work(project)
    project.sources.add_text("Ash", "The ash stands behind the bakery.")
    assert work(project) == [JobKind.ADD, JobKind.ENCODE]
    result = search(project, "What stands behind the bakery?")
    assert "ash" in result.passages[0].passage.text
    assert not stood_in(result)
    project.sources.add_texts([(name, f"The {name} stands at the pond.") for name in ("Fir", "Yew")])
    assert work(project) == [JobKind.ADD, JobKind.ENCODE, JobKind.INDEX_LATE]


def test_without_the_setting_the_job_says_what_to_set(workbench: Workbench) -> None:
    opened = workbench.open(workbench.create("Plain").slug)
    assert opened.late.index is None
    opened.late.build()
    job = run_next(opened.job_context(), "test")
    assert job is not None
    assert job.state is JobState.FAILED
    assert "models.late_engine" in str(job.error)


def test_an_archive_and_a_copy_leave_the_index_out(
    bench: Workbench, project: OpenProject, engine: TextsEngine, tmp_path: Path
) -> None:
    work(project)
    held = project.project.path / "10_graph" / "colbert_index"
    assert held.is_dir()
    archive = bench.export(project.project.slug, tmp_path / "trees.zip")
    assert not [name for name in zipfile.ZipFile(archive).namelist() if "colbert" in name]
    for made in (bench.import_archive(archive, name="In"), bench.duplicate(project.project.slug, "Copy")):
        assert not (made.path / "10_graph" / "colbert_index").exists()
        opened = bench.open(made.slug)
        opened.catch_up()
        assert JobKind.INDEX_LATE in work(opened)
        assert not stood_in(search(opened))


def test_an_index_smuggled_into_an_archive_is_refused(bench: Workbench, project: OpenProject, tmp_path: Path) -> None:
    work(project)
    archive = bench.export(project.project.slug, tmp_path / "trees.zip")
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr("10_graph/colbert_index/manifest.json", "{}")
    with pytest.raises(HostileArchive):
        bench.import_archive(archive, name="In")


def test_every_kind_of_job_has_a_lane() -> None:
    assert sorted(kind for kinds in LANES.values() for kind in kinds) == sorted(JobKind)
