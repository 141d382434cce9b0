"""The late engine of an installation: followed by all its projects, and stood in for where its checkpoint fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.backends.ragatouille.checkpoint import find_checkpoint
from core.backends.resolve import describe_models
from core.errors import ModelDamaged, ModelNotFound
from core.labels import JobKind, JobState
from core.ports.engines import Engines
from core.settings.values import Models, Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT, SOURCES, audited, brief
from tests.helpers.late_projects import broken, late_of, search, stood_in, use, with_texts_engine, work
from tests.helpers.verifying import WordJudge

TREES = ("oak", "elm", "lime", "beech", "birch", "willow")


@pytest.fixture
def bench(workbench: Workbench) -> Workbench:
    return workbench


@pytest.fixture
def project(bench: Workbench, engines: Engines) -> OpenProject:
    """Filled while the exact engine was set."""
    use(bench, engines, None)
    opened = bench.open(bench.create("Trees").slug)
    opened.sources.add_texts([(tree, f"The {tree} stands in the old garden of the town.") for tree in TREES])
    assert work(opened) == [JobKind.ADD, JobKind.ENCODE]
    return opened


def test_until_its_vectors_are_there_searches_go_by_those_that_are(
    bench: Workbench, project: OpenProject, engines: Engines
) -> None:
    before = search(project)
    with_texts_engine(bench, engines)
    meanwhile = search(project)
    assert [scored.passage.id for scored in meanwhile.passages] == [scored.passage.id for scored in before.passages]
    assert stood_in(meanwhile)
    assert any("still being prepared for it (0 of 6)" in note for note in meanwhile.notes)
    assert not any("only" in note for note in meanwhile.notes)
    assert not search(project).cached
    project.catch_up()
    assert work(project) == [JobKind.ENCODE, JobKind.INDEX_LATE]
    assert not stood_in(search(project))


def test_the_way_back_and_forth_encodes_and_builds_nothing_again(
    bench: Workbench, project: OpenProject, engines: Engines
) -> None:
    first = search(project)
    engine = with_texts_engine(bench, engines)
    late = late_of(bench)
    project.catch_up()
    work(project)
    again = search(project)
    use(bench, engines, None)
    project.catch_up()
    assert work(project) == []
    assert [scored.passage.id for scored in search(project).passages] == [
        scored.passage.id for scored in first.passages
    ]
    state = project.late.state()
    assert (state.engine, state.indexed, state.serves) == ("exact", 6, True)
    use(bench, engines, late)
    project.catch_up()
    assert work(project) == []
    assert [scored.score for scored in search(project).passages] == [scored.score for scored in again.passages]
    assert engine.builds == 1


def test_what_came_in_under_the_other_engine_is_all_that_is_encoded(
    bench: Workbench, project: OpenProject, engines: Engines
) -> None:
    with_texts_engine(bench, engines)
    late = late_of(bench)
    project.catch_up()
    work(project)
    use(bench, engines, None)
    project.sources.add_text("Ash", "The ash stands behind the bakery.")
    work(project)
    use(bench, engines, late)
    project.catch_up()
    job = run_next(project.job_context(), "test")
    assert job is not None
    assert (job.kind, job.result["encoded"]) == (JobKind.ENCODE, 1)


@pytest.mark.parametrize("choice", ["ragatouille", "exact", "warp"])
def test_the_choice_that_an_earlier_version_kept_for_a_project_is_ignored(
    bench: Workbench, project: OpenProject, engines: Engines, choice: str
) -> None:
    project.job_context().store.set_memo("late-engine", choice)
    assert project.late.state().engine == "exact"
    assert search(bench.open(project.project.slug)).notes == ()
    with_texts_engine(bench, engines)
    assert project.late.state().engine == "ragatouille"


# ---------------------------------------------------------------- settings, and several processes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "shared"


@pytest.fixture
def pair(root: Path, engines: Engines) -> Iterator[tuple[Workbench, Workbench]]:
    """The page's process and the worker's, over one root."""
    page, worker = open_workbench(root), open_workbench(root)
    for bench in (page, worker):
        with_texts_engine(bench, engines)
    yield page, worker
    for bench in (page, worker):
        if bench.settings.models.late_engine == "ragatouille":
            late_of(bench).close()


def test_a_change_of_other_settings_keeps_its_process_and_another_checkpoint_ends_it(
    root: Path, engines: Engines
) -> None:
    root.mkdir()
    models = '[models]\nlate_engine = "ragatouille"\n'
    (root / "workbench.toml").write_text(models)
    page = open_workbench(root)
    engine = with_texts_engine(page, engines)
    opened = page.open(page.create("Trees").slug)
    opened.sources.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    work(opened)
    search(opened)
    (root / "workbench.toml").write_text(f"{models}[retrieval]\nk = 7\n")
    assert page.refresh()
    assert opened.settings.retrieval.k == 7
    assert not stood_in(search(opened))
    assert (engine.opened, engine.closed) == (1, 0)
    (root / "workbench.toml").write_text(f'{models}late_checkpoint = "another"\n')
    assert page.refresh()
    assert opened.settings.models.checkpoint == "another"
    assert engine.closed == 1


def test_settings_are_taken_over_while_a_project_is_gone(root: Path, pair: tuple[Workbench, Workbench]) -> None:
    page, worker = pair
    slug = page.create("Trees").slug
    page.open(slug)
    worker.delete(slug, confirm="Trees")
    (root / "workbench.toml").write_text("[retrieval]\nk = 7\n")
    assert page.refresh()
    assert page.settings.retrieval.k == 7


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize("at_first_text", [False, True])
def test_without_the_checkpoint_meaning_goes_on_with_the_encoder_of_the_exact_engine(
    bench: Workbench, project: OpenProject, engines: Engines, at_first_text: bool
) -> None:
    before = search(project)
    with_texts_engine(bench, engines)
    broken(bench, engines, ModelNotFound("The checkpoint is gone."), at_first_text=at_first_text)
    project.sources.add_text("Ash", "The ash stands behind the bakery.")
    jobs = []
    while (job := run_next(project.job_context(), "test")) is not None:
        jobs.append((job.kind, job.state))
    assert (JobKind.ENCODE, JobState.FAILED) not in jobs
    assert project.coverage() == (7, 7)
    result = search(project)
    assert result.stand_in is not None
    assert (result.stand_in.engine, result.stand_in.reason) == ("Texts", "The checkpoint is gone.")
    assert result.notes[0] == "The exact engine compared word by word in place of Texts: The checkpoint is gone."
    assert {"dense", "late_interaction"} <= {step.stage.value for step in result.passages[0].trail}
    assert result.passages[0].passage.id == before.passages[0].passage.id
    assert project.late.state().problem == "The checkpoint is gone."


def test_every_process_knows_that_a_checkpoint_cannot_be_read_and_tries_it_again_on_request(
    root: Path, pair: tuple[Workbench, Workbench], engines: Engines
) -> None:
    page, worker = pair
    slug = page.create("Trees").slug
    here = page.open(slug)
    whole = {bench: late_of(bench).make_encoder for bench in pair}
    for bench in pair:
        broken(bench, engines, ModelDamaged("The model c cannot be loaded: it is cut short."), at_first_text=True)
    here.sources.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    assert work(worker.open(slug)) == [JobKind.ADD, JobKind.ENCODE]  # and no index is built of what cannot be read
    assert page.open(slug).late.state().problem == "The model c cannot be loaded: it is cut short."
    assert page.open(slug).statistics().encoded == page.open(slug).coverage()[0] == 6
    assert page.open(slug).late.state().rebuild == ""
    notes = str(search(page.open(slug)).notes)
    assert "cannot be loaded" in notes and "being prepared" not in notes  # noqa: PT018 - one note
    third = open_workbench(root)
    with_texts_engine(third, engines)
    broken(third, engines, ModelDamaged("not asked"), at_first_text=True)
    assert third.open(slug).late.state().problem == "The model c cannot be loaded: it is cut short."
    page.open(slug).late.build()
    jobs = []
    while (job := run_next(worker.open(slug).job_context(), "test")) is not None:
        jobs.append(job.kind)
    assert jobs == [JobKind.ENCODE, JobKind.INDEX_LATE]
    assert page.open(slug).late.state().problem.startswith("The model c")
    for bench in pair:  # repaired: another content, another fingerprint
        with_texts_engine(bench, engines)
        late_of(bench).make_encoder = whole[bench]
    page.open(slug).catch_up()
    assert JobKind.ENCODE in work(worker.open(slug))
    assert page.open(slug).late.state().problem == ""


def test_citations_are_checked_with_the_exact_engine_on_vectors_of_the_checkpoint(
    bench: Workbench, engines: Engines
) -> None:
    use(bench, engines, None)
    judge = WordJudge()
    bench.engines.make_entailer = lambda: judge
    opened = bench.open(bench.create("Streets").slug)
    opened.sources.add_snapshots(SOURCES)
    first = audited(bench, opened)
    engine = with_texts_engine(bench, engines)
    bench.engines.make_entailer = lambda: judge
    second = audited(bench, opened, REPORT + "\n")
    assert brief(opened.audits.findings(second.id)) == brief(opened.audits.findings(first.id))
    assert opened.coverage()[0] == opened.coverage()[1] > 0
    assert engine.asked == 0


def test_the_checkpoint_is_the_one_that_somebody_named() -> None:
    assert Models(late_engine="ragatouille", late_checkpoint="folder/c").checkpoint == "folder/c"
    assert Models(late="folder/c").checkpoint == "folder/c"
    assert Models().checkpoint == Models(late_engine="ragatouille").checkpoint == ""


def test_a_checkpoint_that_nobody_named_is_not_called_by_the_name_of_another_model(tmp_path: Path) -> None:
    bench = open_workbench(tmp_path / "root", Settings(models=Models(late_engine="ragatouille")))
    state = bench.open(bench.create("Trees").slug).late.state()
    assert state.checkpoint == ""
    bench.close()
    with pytest.raises(ModelNotFound, match=r"No checkpoint is named for RAGatouille.*Settings page"):
        find_checkpoint(Settings().models.checkpoint, allow_downloads=False)
    assert "bge" not in str([info.problem for info in describe_models(Models(late_engine="ragatouille"))])


def test_an_installation_without_its_checkpoint_goes_on_by_meaning(tmp_path: Path) -> None:
    settings = Settings(models=Models(late_engine="ragatouille", late_checkpoint=str(tmp_path / "none")))
    bench = open_workbench(tmp_path / "root", settings)
    opened = bench.open(bench.create("Trees").slug)
    opened.sources.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    assert work(opened) == [JobKind.ADD, JobKind.ENCODE]
    result = search(opened)
    assert result.notes[0].startswith("The exact engine compared word by word in place of RAGatouille: ")
    assert stood_in(result)
    assert "dense" in {step.stage.value for step in result.passages[0].trail}
    state = opened.late.state()
    assert state.engine == "ragatouille"
    assert state.problem
    bench.close()
