"""kill -9 while the demo is made leaves no demo, and the next start makes a whole one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from core import demo
from core.labels import FetchState
from core.workbench.demo import find_demo
from core.workbench.wiring import open_workbench
from tests.faults.demo_child import STEPS

REPOSITORY = Path(__file__).resolve().parents[2]


def _run(root: Path, step: str) -> int:
    command = [sys.executable, "-m", "tests.faults.demo_child", str(root), step]
    return subprocess.run(command, cwd=REPOSITORY, check=False).returncode


def test_the_demo_is_whole_or_absent(tmp_path: Path) -> None:
    for step in filter(None, STEPS):
        assert _run(tmp_path, step) == -9, step
        with closing(open_workbench(tmp_path)) as workbench:
            assert workbench.projects(archived=True) == [], step
    assert _run(tmp_path, "") == 0
    assert not list(tmp_path.glob(".new-*")), "what was left unfinished is swept away"
    with closing(open_workbench(tmp_path)) as workbench:
        project = find_demo(workbench)
        assert project is not None
        opened = workbench.open(project.slug)
        asked = [row.state for row in opened.sources.acquisitions()]
        assert asked.count(FetchState.QUEUED) == len(demo.sources())
        assert len(asked) == len(demo.sources()) + len(demo.unavailable())
        assert len(opened.audits.reports()) == 1
        assert all(job.state.active for job in opened.jobs.all())
