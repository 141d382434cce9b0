"""The process of RAGatouille ends with the workbench, however that ends, and leaves nothing behind.

Nothing here needs the extra: the process waits for its first message, which never comes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from core.backends.ragatouille.ending import end_session

ROOT = Path(__file__).resolve().parents[3]
WORKER = "core.backends.ragatouille.worker"
APP = f"""
import os, subprocess, sys
command = [sys.executable, "-P", "-m", {WORKER!r}, str(os.getpid()), sys.argv[1], sys.argv[2]]
worker = subprocess.Popen(command, stdin=0, start_new_session=True)
print(worker.pid, flush=True)
worker.wait()
"""
"""A workbench that has just started the process."""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("task", ["search", "build"])
def test_killed_with_kill_9_the_workbench_leaves_no_process_and_no_folder(tmp_path: Path, task: str) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    (aside / "left.o").write_text("what a compiler wrote")
    read_end, write_end = os.pipe()  # held open here: the process learns of the end by looking for its parent only
    try:
        with subprocess.Popen(
            [sys.executable, "-c", APP, str(aside), task], stdin=read_end, stdout=subprocess.PIPE, env=environment()
        ) as app:
            assert app.stdout is not None
            worker = psutil.Process(int(app.stdout.readline()))
            app.send_signal(signal.SIGKILL)
        psutil.wait_procs([worker], timeout=60)
        assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
        assert not aside.exists()
    finally:
        os.close(write_end)
        os.close(read_end)


def test_it_ends_when_nobody_can_ask_any_more(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    command = [sys.executable, "-P", "-m", WORKER, str(os.getpid()), str(aside), "search"]
    subprocess.run(command, stdin=subprocess.DEVNULL, env=environment(), timeout=60, check=False)
    assert not aside.exists()


def test_a_workbench_that_is_gone_already_is_noticed(tmp_path: Path) -> None:
    """It was killed while the process started: what is the parent now was never the workbench."""
    aside = tmp_path / "aside"
    aside.mkdir()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", WORKER, str(gone.pid), str(aside), "search"], stdin=subprocess.PIPE,
        env=environment(), start_new_session=True,
    ) as worker:  # fmt: skip
        worker.wait(60)
        assert worker.returncode == -signal.SIGKILL
    assert not aside.exists()


COMPILING = f"""
import subprocess, sys, time
from {WORKER} import _end_with
compiler = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], process_group=0)
print(compiler.pid, flush=True)
if sys.argv[1] != "0":
    _end_with(int(sys.argv[1]), sys.argv[2])
time.sleep(600)
"""
"""A process in the middle of compiling: ninja gives each compiler a process group of its own."""


@pytest.mark.parametrize("who", ["the workbench", "the process itself"])
def test_its_compilers_end_with_it(tmp_path: Path, who: str) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    parent = str(gone.pid) if who == "the process itself" else "0"
    with subprocess.Popen(
        [sys.executable, "-c", COMPILING, parent, str(tmp_path / "aside")], stdout=subprocess.PIPE, env=environment(),
        start_new_session=True,
    ) as worker:  # fmt: skip
        assert worker.stdout is not None
        compiler = psutil.Process(int(worker.stdout.readline()))
        if who == "the workbench":
            end_session(worker.pid)
        assert worker.wait(60) == -signal.SIGKILL
        psutil.wait_procs([compiler], timeout=60)
        assert not compiler.is_running() or compiler.status() == psutil.STATUS_ZOMBIE
