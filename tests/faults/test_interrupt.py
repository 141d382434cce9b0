"""Ctrl-C on the command line: what is read stays, the rest is marked as stopped, nothing is called broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from core.labels import FetchState, JobKind, JobState
from core.workbench.wiring import open_workbench
from tests.faults.adding_child import source

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = 80


def own_group_that_can_be_interrupted() -> None:
    """As a shell starts a command in a terminal; a test runner may have been started with SIGINT ignored."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interrupted_add_keeps_what_was_read_and_says_what_was_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    workbench = open_workbench(root)
    project = workbench.open(workbench.create("Interrupted").slug)
    paths = []
    for number in range(FILES):
        paths.append(tmp_path / f"s{number}.txt")
        paths[-1].write_bytes(source(number) * 40)
    command = [
        sys.executable,
        "-m",
        "core.commands",
        "--root",
        str(root),
        "add",
        "-p",
        "interrupted",
        *map(str, paths),
    ]
    running = subprocess.Popen(
        command, cwd=REPOSITORY, preexec_fn=own_group_that_can_be_interrupted, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not project.sources.documents():
        assert running.poll() is None, running.communicate()[1]
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate()
    assert "Traceback" not in errors
    assert running.returncode == 130
    states = [row.state for row in project.sources.acquisitions()]
    assert set(states) == {FetchState.STORED, FetchState.CANCELLED}
    assert states.count(FetchState.STORED) == len(project.sources.documents())
    assert [job.state for job in project.jobs.all() if job.kind is JobKind.ADD] == [JobState.CANCELLED]
    workbench.close()
