"""kill -9 in the middle of an add, at twenty random moments: nothing acknowledged is lost, nothing is there twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.labels import FetchState, JobKind
from core.ports.engines import Engines
from core.records import Query, SearchRequest, StageSwitches
from core.workbench.jobs import run_next
from core.workbench.wiring import open_workbench
from tests.helpers.killed import rest_of

MOMENTS = 20
REPOSITORY = Path(__file__).resolve().parents[2]
WORDS = StageSwitches(dense=False, late_interaction=False, mmr=False)


def killed_run(root: Path, slug: str, number: int, delay: float) -> list[tuple[str, int]]:
    """What the child acknowledged before it was killed, ``delay`` seconds after its first acknowledgement."""
    command = [sys.executable, "-m", "tests.faults.adding_child", str(root), slug, str(number)]
    child = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(delay)
    child.send_signal(signal.SIGKILL)
    rest = rest_of(child)
    whole = [line.split() for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]
    return [(word, int(count)) for word, count in whole]


@pytest.mark.slow
def test_every_acknowledged_source_survives(tmp_path: Path, engines: Engines) -> None:
    rng = random.Random(20261127)
    root = tmp_path / "root"
    first = open_workbench(root)
    slug = first.create("Killed").slug
    first.close()
    requested: set[int] = set()
    for _ in range(MOMENTS):
        delay = rng.choice((0.0, rng.uniform(0, 0.05), rng.uniform(0, 0.4)))
        lines = killed_run(root, slug, max(requested, default=0) + 1, delay)
        assert lines, "the child acknowledged nothing"
        requested |= {number for word, number in lines if word == "requested"}
        later = datetime.now(UTC) + timedelta(minutes=5)  # the dead worker's claims are stale by then
        workbench = open_workbench(root, clock=lambda moment=later: moment, engines=engines)
        project = workbench.open(slug)
        while run_next(project.job_context(), "after", kinds=(JobKind.ADD,)):
            pass
        rows = {row.origin: row.state for row in project.sources.acquisitions()}
        assert all(rows[f"s{number}.txt"] is FetchState.STORED for number in requested)
        names = [document.filename for document in project.sources.documents()]
        assert len(names) == len(set(names))
        assert {f"s{number}.txt" for number in requested} <= set(names)
        for number in sorted(requested)[-3:]:
            found = project.search(SearchRequest((Query(f"number{number}"),), stages=WORDS))
            assert {one.document.filename for one in found.passages} == {f"s{number}.txt"}
        metadata = json.loads((project.project.path / "10_graph" / "index_metadata.json").read_text())
        assert metadata["document_count"] == len(names)
        assert set(metadata["indexed_hashes"]) == {document.content_hash for document in project.sources.documents()}
        workbench.close()
