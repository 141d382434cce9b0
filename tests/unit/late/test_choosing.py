"""A project's own engine of late interaction: chosen, followed by other processes, left again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.backends.paired_encoder import PairedEncoder
from core.backends.ragatouille.checkpoint import find_checkpoint
from core.backends.resolve import describe_models
from core.errors import ExtraMissing, LateEngineError, ModelDamaged, ModelError, ModelNotFound, SettingsError
from core.labels import JobKind, JobState
from core.late import choice as late_choice
from core.late.index import FALLBACK
from core.late.variants import LateVariants
from core.ports.engines import Engines
from core.ports.late import LateCheck
from core.settings.values import Models, Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT, SOURCES, audited, brief
from tests.helpers.late_choosing import search, stood_in, with_texts_engine, work
from tests.helpers.late_engines import TextsEngine
from tests.helpers.verifying import WordJudge

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


def test_until_its_vectors_are_there_searches_go_by_those_that_are(project: OpenProject) -> None:
    before = search(project)
    project.choose_late_engine("ragatouille")
    meanwhile = search(project)
    assert [one.passage.id for one in meanwhile.passages] == [one.passage.id for one in before.passages]
    assert any("still being prepared for it (0 of 6)" in note for note in meanwhile.notes)
    assert not any("only" in note for note in meanwhile.notes)
    assert not search(project).cached


def test_nothing_happens_where_it_is_chosen_already_or_cannot_be(
    bench: Workbench, project: OpenProject, engine: TextsEngine
) -> None:
    assert project.choose_late_engine("") == []
    with pytest.raises(SettingsError, match="There is no engine 'plaid'"):
        project.choose_late_engine("plaid")
    bench.engines.late_check = lambda: LateCheck("checkpoint", "No compiler was found. Install one.", LateEngineError)
    with pytest.raises(LateEngineError, match=r"No compiler was found\. Install one\."):
        project.choose_late_engine("ragatouille")
    assert (project.late_state().chosen, project.jobs(active=True)) == ("", [])
    assert project.late_effects("ragatouille") == ["It cannot be chosen here: No compiler was found. Install one."]


def test_the_way_back_and_forth_encodes_and_builds_nothing_again(project: OpenProject, engine: TextsEngine) -> None:
    first = search(project)
    project.choose_late_engine("ragatouille")
    work(project)
    again = search(project)
    assert project.choose_late_engine("exact") == []
    assert [one.passage.id for one in search(project).passages] == [one.passage.id for one in first.passages]
    assert project.late_state().engine == "exact"
    assert project.late_state().built is not None
    assert project.choose_late_engine("ragatouille") == []
    assert [one.score for one in search(project).passages] == [one.score for one in again.passages]
    assert engine.builds == 1


def test_what_came_in_under_the_other_engine_is_all_that_is_encoded(project: OpenProject) -> None:
    project.choose_late_engine("ragatouille")
    work(project)
    project.choose_late_engine("exact")
    project.add_text("Ash", "The ash stands behind the bakery.")
    work(project)
    effects = project.late_effects("ragatouille")
    assert effects[0].startswith("1 of 7 passages is prepared")
    assert [job.kind for job in project.choose_late_engine("ragatouille")] == [JobKind.ENCODE]
    job = run_next(project.job_context(), "test")
    assert job is not None
    assert job.result["encoded"] == 1


def test_work_for_the_engine_that_is_left_is_stopped(project: OpenProject) -> None:
    project.choose_late_engine("ragatouille")
    project.choose_late_engine("exact")
    assert [job.state for job in project.jobs()[:1]] == [JobState.CANCELLED]
    project.choose_late_engine("ragatouille")
    run_next(project.job_context(), "test")
    running = project.job_context().store.claim_job("another worker", kinds=[JobKind.INDEX_LATE])
    assert running is not None
    project.choose_late_engine("")
    assert project.job(running.id).cancel_requested
    assert [job.kind for job in project.choose_late_engine("ragatouille")] == [JobKind.INDEX_LATE]


def test_an_unknown_choice_of_a_later_version_is_none(project: OpenProject) -> None:
    store = project.job_context().store
    store.set_memo(late_choice.MEMO, "warp")
    assert project.late_state().chosen == ""


# ---------------------------------------------------------------- several processes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "shared"


@pytest.fixture
def pair(root: Path, engines: Engines) -> Iterator[tuple[Workbench, Workbench]]:
    """The page's process and the worker's, over one root."""
    page, worker = open_workbench(root), open_workbench(root)
    for one in (page, worker):
        with_texts_engine(one, engines)
    yield page, worker
    for one in (page, worker):
        one._variants.close()


def test_another_process_follows_without_a_restart(pair: tuple[Workbench, Workbench]) -> None:
    page, worker = pair
    slug = page.create("Trees").slug
    here, there = page.open(slug), worker.open(slug)
    here.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    work(there)
    here.choose_late_engine("ragatouille")
    assert work(there) == [JobKind.ENCODE, JobKind.INDEX_LATE]  # it holds the project open: each job looks
    assert not stood_in(search(here))
    assert not stood_in(search(worker.open(slug)))
    here.choose_late_engine("exact")
    assert worker.open(slug).settings.models.late_engine == "exact"


def test_a_job_that_was_claimed_just_before_the_choice_is_made_up_for(pair: tuple[Workbench, Workbench]) -> None:
    page, worker = pair
    slug = page.create("Trees").slug
    here, there = page.open(slug), worker.open(slug)
    here.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    work(there)
    before = there.job_context()
    here.choose_late_engine("ragatouille")
    assert run_next(before, "test") is not None  # encodes for the exact engine, of which nothing is left to do
    assert work(there) == [JobKind.ENCODE, JobKind.INDEX_LATE]
    here.index_late()
    late = run_next(before, "test")
    assert late is not None
    assert late.state is JobState.DONE
    assert work(there) == [JobKind.INDEX_LATE]


def test_a_choice_survives_a_change_of_the_settings_and_keeps_its_process(
    root: Path, pair: tuple[Workbench, Workbench], engines: Engines
) -> None:
    page, _ = pair
    opened = page.open(page.create("Trees").slug)
    engine = with_texts_engine(page, engines)
    opened.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    opened.choose_late_engine("ragatouille")
    work(opened)
    search(opened)
    (root / "workbench.toml").write_text("[retrieval]\nk = 7\n")
    assert page.refresh()
    assert (opened.settings.retrieval.k, opened.settings.models.late_engine) == (7, "ragatouille")
    assert not stood_in(search(opened))
    assert (engine.opened, engine.closed) == (1, 0)
    (root / "workbench.toml").write_text('[models]\nlate_checkpoint = "another"\n')
    assert page.refresh()
    assert opened.settings.models.late == "another"
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


def broken(bench: Workbench, error: ModelError, *, at_first_text: bool) -> None:
    """The checkpoint cannot be found, or turns out damaged when it is read."""
    make = bench._variants._make

    class Damaged:
        fingerprint = "damaged@1"
        dim = late_dim = 8

        def __getattr__(self, name: str) -> object:
            raise error

    def making(settings: Settings, base: Engines) -> Engines:
        made = make(settings, base)
        whole = made.make_encoder

        def encoder() -> object:
            whole()
            if at_first_text:
                return PairedEncoder(base.encoder(), Damaged())  # type: ignore[arg-type]
            raise error

        made.make_encoder = encoder  # type: ignore[assignment]
        return made

    bench._variants = LateVariants(making)


@pytest.mark.parametrize("at_first_text", [False, True])
def test_without_the_checkpoint_meaning_goes_on_with_the_installations_encoder(
    bench: Workbench, project: OpenProject, at_first_text: bool
) -> None:
    before = search(project)
    broken(bench, ModelNotFound("The checkpoint is gone."), at_first_text=at_first_text)
    project.choose_late_engine("ragatouille")
    project.add_text("Ash", "The ash stands behind the bakery.")
    jobs = []
    while (job := run_next(project.job_context(), "test")) is not None:
        jobs.append((job.kind, job.state))
    assert (JobKind.ENCODE, JobState.FAILED) not in jobs
    assert project.coverage() == (7, 7)
    result = search(project)
    assert any(note.startswith(FALLBACK) and "The checkpoint is gone." in note for note in result.notes)
    assert {"dense", "late_interaction"} <= {step.stage.value for step in result.passages[0].trail}
    assert result.passages[0].passage.id == before.passages[0].passage.id
    assert project.late_state().problem == "The checkpoint is gone."


def test_every_process_knows_that_a_checkpoint_cannot_be_read_and_tries_it_again_on_request(
    root: Path, pair: tuple[Workbench, Workbench], engines: Engines
) -> None:
    page, worker = pair
    slug = page.create("Trees").slug
    here = page.open(slug)
    here.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    work(worker.open(slug))
    whole = worker._variants._make
    for one in pair:
        broken(one, ModelDamaged("The model c cannot be loaded: it is cut short."), at_first_text=True)
    here.choose_late_engine("ragatouille")
    assert work(worker.open(slug)) == [JobKind.ENCODE]  # and no index is built of what cannot be read
    assert page.open(slug).late_state().problem == "The model c cannot be loaded: it is cut short."
    assert page.open(slug).statistics().encoded == page.open(slug).coverage()[0] == 6
    assert page.open(slug).late_state().rebuild == ""
    notes = str(search(page.open(slug)).notes)
    assert "cannot be loaded" in notes and "being prepared" not in notes  # noqa: PT018 - one note
    third = open_workbench(root)
    with_texts_engine(third, engines)
    broken(third, ModelDamaged("not asked"), at_first_text=True)
    assert third.open(slug).late_state().problem == "The model c cannot be loaded: it is cut short."
    third._variants.close()
    page.open(slug).index_late()
    jobs = []
    while (job := run_next(worker.open(slug).job_context(), "test")) is not None:
        jobs.append(job.kind)
    assert jobs == [JobKind.ENCODE, JobKind.INDEX_LATE]
    assert page.open(slug).late_state().problem.startswith("The model c")
    for one in pair:
        one._variants = LateVariants(whole)  # repaired: another content, another fingerprint
        one.open(slug).renew()
    page.open(slug).catch_up()
    assert JobKind.ENCODE in work(worker.open(slug))
    assert page.open(slug).late_state().problem == ""


def test_a_copied_root_says_why_its_choice_does_not_hold_and_a_zip_leaves_it_out(
    bench: Workbench, project: OpenProject, tmp_path: Path
) -> None:
    project.choose_late_engine("ragatouille")
    work(project)
    assert bench.open(bench.duplicate(project.project.slug, "Copy").slug).late_state().chosen == "ragatouille"
    archive = bench.export(project.project.slug, tmp_path / "trees.zip")
    assert bench.open(bench.import_archive(archive, name="In").slug).late_state().chosen == ""
    bench.engines.late_check = lambda: LateCheck("checkpoint", "The extra is not installed.")
    broken(bench, ExtraMissing("The extra is not installed."), at_first_text=False)
    project.renew()
    state = project.late_state()
    assert (state.engine, state.problem) == ("ragatouille", "The extra is not installed.")
    assert any("The extra is not installed." in note for note in search(project).notes)
    assert project.choose_late_engine("exact") == []
    assert search(project).notes == ()


def test_citations_are_checked_with_the_exact_engine_on_vectors_of_the_choice(
    bench: Workbench, engine: TextsEngine
) -> None:
    judge = WordJudge()
    bench.engines.make_entailer = lambda: judge
    opened = bench.open(bench.create("Streets").slug)
    opened.add_snapshots(SOURCES)
    first = audited(bench, opened)
    opened.choose_late_engine("ragatouille")
    second = audited(bench, opened, REPORT + "\n")
    asked = engine.asked
    assert brief(opened.audits.findings(second.id)) == brief(opened.audits.findings(first.id))
    assert opened.coverage()[0] == opened.coverage()[1] > 0
    assert engine.asked == asked == 0


# ---------------------------------------------------------------- the installation's own engine


def test_a_project_may_keep_to_the_exact_engine_where_the_installation_uses_ragatouille() -> None:
    settings = Settings(models=Models(late_engine="ragatouille", late_checkpoint="folder/c"))
    assert late_choice.settings_for(settings, "").models.late == "folder/c"
    assert late_choice.settings_for(settings, "exact").models.late == settings.models.late
    plain = Settings()
    assert late_choice.settings_for(plain, "exact") is late_choice.settings_for(plain, "") is plain
    assert late_choice.settings_for(plain, "ragatouille").models.late == ""


def test_a_checkpoint_that_nobody_named_is_not_called_by_the_name_of_another_model(tmp_path: Path) -> None:
    bench = open_workbench(tmp_path / "root", Settings(models=Models(late_engine="ragatouille")))
    state = bench.open(bench.create("Trees").slug).late_state()
    assert state.checkpoint == ""
    bench.close()
    with pytest.raises(ModelNotFound, match=r"No checkpoint is named for RAGatouille.*Settings page"):
        find_checkpoint(late_choice.settings_for(Settings(), "ragatouille").models.late, allow_downloads=False)
    older = Settings(models=Models(late="folder/c"))
    assert late_choice.settings_for(older, "ragatouille").models.late == "folder/c"
    assert "bge" not in str([one.problem for one in describe_models(Models(late_engine="ragatouille"))])


def test_an_installation_without_its_checkpoint_goes_on_by_meaning(tmp_path: Path) -> None:
    settings = Settings(models=Models(late_engine="ragatouille", late_checkpoint=str(tmp_path / "none")))
    bench = open_workbench(tmp_path / "root", settings)
    opened = bench.open(bench.create("Trees").slug)
    opened.add_texts([(tree, f"The {tree} stands in the old garden.") for tree in TREES])
    assert work(opened) == [JobKind.ADD, JobKind.ENCODE]
    result = search(opened)
    assert result.notes[0].startswith(f"{FALLBACK} RAGatouille:")
    assert "dense" in {step.stage.value for step in result.passages[0].trail}
    state = opened.late_state()
    assert (state.installation, state.chosen) == ("ragatouille", "")
    assert state.problem
    opened.choose_late_engine("exact")
    assert search(opened).notes == ()
    bench.close()
