"""RAGatouille itself behind the product: built, searched, extended, shrunk, reopened, killed.

The tests share one project and leave it usable for the next.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from core.errors import JobCancelled, LateEngineError
from core.labels import JobKind
from core.late.delta import damaged_file
from core.late.index import LateIndex
from core.records import Filters
from core.workbench.open_project import OpenProject
from tests.helpers.late_projects import work
from tests.ragatouille.conftest import sentence
from tools.ragatouille_demo import REOPENED, ask, overlap, wait_for_engine

if importlib.util.find_spec("ragatouille") is None:
    pytest.skip("needs the extra: pip install '.[ragatouille]'", allow_module_level=True)

pytestmark = pytest.mark.ragatouille

QUESTIONS = [f"Where does tree {number} stand? {sentence(number)[:30]}" for number in range(0, 60, 3)]


def index_of(opened: OpenProject) -> LateIndex:
    index = opened.late.index
    assert index is not None
    return index


def stood_in(opened: OpenProject, text: str) -> list[str]:
    stand_in = ask(opened, text).stand_in
    return [] if stand_in is None else [stand_in.reason]


def test_its_best_passages_are_those_of_exact_maxsim(project: OpenProject) -> None:
    wait_for_engine(project, QUESTIONS[0])
    assert overlap(project, QUESTIONS) >= 0.95


def test_its_scores_are_on_the_scale_of_ours(project: OpenProject) -> None:
    """Else what was added since could not be ranked among what it found."""
    wait_for_engine(project, QUESTIONS[0])
    long = "tall trees that were planted long ago behind an old house of the town and are still there today " * 3
    for text in ("elm", QUESTIONS[3], long):
        ours, its = ask(project, text, exact=True).passages[0], ask(project, text).passages[0]
        assert its.score == pytest.approx(ours.score, rel=0.05)


def test_the_index_folder_is_whole_and_searching_does_not_change_it(project: OpenProject) -> None:
    wait_for_engine(project, QUESTIONS[0])
    manifest = index_of(project).manifest
    assert manifest is not None
    assert damaged_file(project.project.path / "10_graph" / "colbert_index", manifest) == ""
    assert sorted(path.name for path in (project.project.path / "10_graph").iterdir() if "colbert" in path.name) == [
        "colbert_index"
    ]


def test_added_and_deleted_sources_count_at_once(project: OpenProject) -> None:
    wait_for_engine(project, QUESTIONS[0])
    project.sources.add_text("Zeppelins", "Silver zeppelins hang over the harbour on Sundays.")
    assert work(project) == [JobKind.ADD, JobKind.ENCODE]
    best = ask(project, "silver zeppelins over the harbour").passages[0]
    assert "zeppelins" in best.passage.text
    project.sources.delete(best.document.id)
    first = ask(project, QUESTIONS[5]).passages[0]
    project.sources.delete(first.document.id)
    left = ask(project, QUESTIONS[5], k=60).passages
    assert first.document.id not in {one.document.id for one in left}
    assert not any("zeppelins" in one.passage.text for one in left)
    assert stood_in(project, QUESTIONS[5]) == []
    assert overlap(project, QUESTIONS) >= 0.95


def test_texts_are_those_of_the_database(project: OpenProject) -> None:
    wait_for_engine(project, QUESTIONS[0])
    for one in ask(project, QUESTIONS[2], k=30).passages:
        assert project.sources.text(one.document.id)[one.passage.start : one.passage.end] == one.passage.text


def test_it_answers_the_same_in_a_new_process(project: OpenProject, root: Path, checkpoint: Path) -> None:
    command = [sys.executable, "-m", "tools.ragatouille_demo", "--reopen", str(root), str(checkpoint), QUESTIONS[7]]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
    wait_for_engine(project, QUESTIONS[7], k=REOPENED)
    here = [str(one.passage.id) for one in ask(project, QUESTIONS[7], k=REOPENED).passages]
    assert printed.split()[:-1] == here


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_it_is_stood_in_for_and_started_again(project: OpenProject, number: signal.Signals) -> None:
    k = 20 + number  # other tests ask for fewer: no kept answer is shown
    wait_for_engine(project, QUESTIONS[0], k=k)
    pid = index_of(project).pid
    assert pid is not None
    os.kill(pid, number)
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=10)
    answer = ask(project, QUESTIONS[1], k=k)
    exact = ask(project, QUESTIONS[1], k=k, exact=True)
    assert [one.passage.id for one in answer.passages] == [one.passage.id for one in exact.passages]
    assert answer.stand_in is not None
    assert "its process ended" in answer.stand_in.reason
    wait_for_engine(project, QUESTIONS[2], k=k)
    assert index_of(project).pid != pid


def test_killed_in_the_middle_of_building_nothing_half_is_left(project: OpenProject) -> None:
    index, held = index_of(project), index_of(project).manifest
    mine = psutil.Process()

    def builders() -> list[psutil.Process]:
        return [one for one in mine.children() if one.cmdline()[-1:] == ["build"]]

    def kill_when_under_way(done: int, total: int | None, message: str = "") -> None:
        for one in builders() if "Encoding" in message else []:
            one.kill()

    with pytest.raises(LateEngineError, match=r"RAGatouille's process ended"):
        index.build(project.job_context().store, kill_when_under_way, project.job_context().clock)
    assert index.manifest == held
    assert not list((project.project.path / "10_graph").glob(".colbert*"))
    assert stood_in(project, QUESTIONS[4]) == [] or wait_for_engine(project, QUESTIONS[4]) >= 0


def test_a_build_that_the_user_stops_stops(project: OpenProject) -> None:
    index, held = index_of(project), index_of(project).manifest

    def stop(done: int, total: int | None, message: str = "") -> None:
        if done:
            raise JobCancelled("Stopped on request.")

    with pytest.raises(JobCancelled):
        index.build(project.job_context().store, stop, project.job_context().clock)
    assert index.manifest == held
    assert not [one for one in psutil.Process().children() if one.cmdline()[-1:] == ["build"]]


def test_many_searches_at_once_get_their_own_answers(project: OpenProject) -> None:
    wait_for_engine(project, QUESTIONS[0])
    alone = {text: [one.passage.id for one in ask(project, text, k=7).passages] for text in QUESTIONS[:8]}
    together: dict[str, list[int]] = {}

    def one(text: str) -> None:
        together[text] = [found.passage.id for found in ask(project, text, k=6).passages]

    threads = [threading.Thread(target=one, args=(text,)) for text in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == {text: ids[:6] for text, ids in alone.items()}


def test_two_projects_do_not_see_one_another(project: OpenProject, bench: object) -> None:
    from core.workbench.workbench import Workbench

    assert isinstance(bench, Workbench)
    other = bench.open(bench.create("Ships").slug)
    other.sources.add_texts([(f"Ship {number}", f"Ship {number} sails to port {number}.") for number in range(5)])
    work(other)
    wait_for_engine(other, "ship 3")
    wait_for_engine(project, QUESTIONS[0])
    assert index_of(other).pid != index_of(project).pid
    assert all("Ship" in one.passage.text for one in ask(other, "ship 3").passages)
    assert not any("Ship" in one.passage.text for one in ask(project, "ship 3").passages)
    assert other.job_context().store.passage_ids(Filters()) != []
    index_of(other).close()
