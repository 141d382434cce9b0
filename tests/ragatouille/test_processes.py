"""The processes of RAGatouille: stopped when they are not needed, and with the workbench, leaving nothing behind."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from core.errors import LateEngineError
from core.labels import JobKind
from core.records import Filters
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.late_projects import work
from tools.ragatouille_demo import ask, wait_for_engine

if importlib.util.find_spec("ragatouille") is None:
    pytest.skip("needs the extra: pip install '.[ragatouille]'", allow_module_level=True)

pytestmark = pytest.mark.ragatouille

APP = """
import sys, time
from pathlib import Path
from tools.ragatouille_demo import ask, open_with_engine
workbench = open_with_engine(Path(sys.argv[1]), Path(sys.argv[2]))
opened = workbench.open(workbench.projects()[0].project.slug)
if sys.argv[3] == "search":
    ask(opened, "where does the elm stand?", k=9)
    print(opened.late.index.pid, flush=True)
    time.sleep(600)
else:
    import psutil
    def tell(done, total, message=""):
        if done:
            print(psutil.Process().children()[0].pid, flush=True)
            time.sleep(600)
    opened.late.index.build(opened.job_context().store, tell, opened.job_context().clock)
"""


def pid_of(opened: OpenProject) -> int:
    index = opened.late.index
    assert index is not None
    assert index.pid is not None
    return index.pid


def gone(pid: int, within_s: float = 60.0) -> bool:
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return True
    psutil.wait_procs([process], timeout=within_s)
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("task", ["search", "build"])
def test_with_the_workbench_killed_its_process_goes_too(
    project: OpenProject, root: Path, checkpoint: Path, tmp_path: Path, task: str
) -> None:
    index = project.late.index
    assert index is not None
    held = index.manifest
    command = [sys.executable, "-c", APP, str(root), str(checkpoint), task]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}) as app:
        assert app.stdout is not None
        pid = int(app.stdout.readline())
        assert list(tmp_path.glob("workbench-ragatouille-*"))
        app.send_signal(signal.SIGKILL)
    assert gone(pid)
    assert not list(tmp_path.glob("workbench-ragatouille-*"))
    assert index.manifest == held


def test_unused_it_is_stopped_and_the_exact_engine_answers_until_it_is_back(project: OpenProject) -> None:
    wait_for_engine(project, "where does the lime stand?", k=11)
    pid, index = pid_of(project), project.late.index
    assert index is not None
    assert index.close_unless_used()
    assert gone(pid)
    answer = ask(project, "where does the yew stand?", k=12)
    exact = ask(project, "where does the yew stand?", k=12, exact=True)
    assert answer.stand_in is not None
    assert "still starting" in answer.stand_in.reason
    assert [one.passage.id for one in answer.passages] == [one.passage.id for one in exact.passages]
    wait_for_engine(project, "where does the yew stand?", k=12)
    assert pid_of(project) != pid


def test_renamed_its_project_is_served_on_and_deleted_its_process_goes(bench: Workbench) -> None:
    made = bench.create("Boats")
    opened = bench.open(made.slug)
    opened.sources.add_texts([(f"Boat {number}", f"Boat {number} sails to port {number}.") for number in range(5)])
    work(opened)
    wait_for_engine(opened, "boat 3")
    pid = pid_of(opened)
    bench.rename(made.slug, "Barges")
    opened = bench.open(made.slug)
    assert ask(opened, "boat 2").stand_in is None
    assert pid_of(opened) == pid
    folder = opened.project.path
    bench.delete(made.slug, confirm="Barges")
    assert gone(pid)
    assert not folder.exists()


def test_deleted_while_its_index_is_built_a_project_does_not_come_back(bench: Workbench) -> None:
    opened = bench.open(bench.create("Rafts").slug)
    opened.sources.add_texts([(f"Raft {number}", f"Raft {number} drifts to port {number}.") for number in range(5)])
    context, index, folder = opened.job_context(), opened.late.index, opened.project.path
    assert index is not None
    while run_next(context, "test", kinds=[JobKind.ADD, JobKind.ENCODE]) is not None:
        pass
    seen: list[str] = []

    def delete_when_under_way(done: int, total: int | None, message: str = "") -> None:
        if "Encoding" in message and not seen:
            seen.append(message)
            bench.delete(folder.name, confirm="Rafts")

    assert len(context.store.passage_ids(Filters())) == 5
    with pytest.raises((OSError, LateEngineError)):
        index.build(context.store, delete_when_under_way, context.clock)
    assert seen
    assert not folder.exists()
