"""kill -9 of the server and of the worker while people review: what was confirmed is there, and undo goes on."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.export.formats import ExportFormat
from core.labels import Status
from core.records import Decision
from core.records.decision_chain import faults_of
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.contract.judged import add_report
from tests.helpers.killed import rest_of

REPOSITORY = Path(__file__).resolve().parents[2]
TEXT = "Otters swim [1]. Herons wait [2]. Mills turn [3]. Rivers rise [4]."
ROWS, KILLS, MOST_BEFORE, STARTS_WITHIN_S = 12, 10, 12, 90


def _server(root: Path, slug: str, person: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.review_child", str(root), slug, person]
    with (root.parent / "server.log").open("ab") as log:
        return subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=log, text=True)


def _worker_of(server: subprocess.Popen[str]) -> psutil.Process:
    moment = threading.Event()
    for _ in range(STARTS_WITHIN_S * 50):
        if children := psutil.Process(server.pid).children():
            return children[0]
        moment.wait(0.02)
    raise AssertionError("the server started no worker")


def _confirmed(lines: list[str]) -> dict[int, str]:
    """Only lines that were printed whole count."""
    return {int(line.split()[0]): line.split()[1] for line in lines if line.endswith("\n")}


def _killed(root: Path, slug: str, number: int, moments: random.Random) -> tuple[dict[int, str], psutil.Process]:
    """Kill the worker (odd turns, after which reviewing goes on for a moment) and the server; what it had confirmed."""
    server = _server(root, slug, f"person {number}")
    worker = _worker_of(server)
    assert server.stdout is not None
    lines = [server.stdout.readline() for _ in range(moments.randrange(1, MOST_BEFORE))]
    assert server.poll() is None, (root.parent / "server.log").read_text("utf-8", "replace")[-2000:]
    threading.Event().wait(moments.random() * 0.05)  # a moment inside a later write; nothing is asserted about it
    if number % 2:
        worker.kill()
        lines += [server.stdout.readline() for _ in range(4)]
    server.send_signal(signal.SIGKILL)
    rest = rest_of(server)
    return _confirmed([*lines, *rest.splitlines(keepends=True)]), worker


def _log(opened: OpenProject) -> list[Decision]:
    log = opened.reviews.log.entries()
    assert faults_of(log) == []
    return log


@pytest.mark.slow
def test_no_confirmed_decision_is_lost_when_the_server_or_the_worker_is_killed(workbench: Workbench) -> None:
    opened = workbench.open(workbench.create("Reviewed").slug)
    report = add_report(opened.context.store, TEXT, rows=ROWS)  # type: ignore[arg-type]
    rows = [replace(row, status=Status.SOURCE_NOT_INDEXED) for row in opened.audits.findings(report.id)]
    opened.context.store.put_findings(rows)
    slug, moments = opened.project.slug, random.Random(20261128)
    confirmed: dict[int, str] = {}
    orphans = []
    for number in range(KILLS):
        told, worker = _killed(workbench.root, slug, number, moments)
        orphans.append(worker)
        assert told
        confirmed |= told
        log = _log(opened)
        assert confirmed.items() <= {one.id: one.hash for one in log}.items()
        assert len(log) - len(confirmed) <= number + 1  # at most one a kill was kept and not told
    _, alive = psutil.wait_procs(orphans, timeout=STARTS_WITHIN_S)  # a worker ends when its server is gone
    assert not alive
    for number in range(KILLS):  # who was cut off can take back what he last decided, and bring it back
        person, reviews = f"person {number}", opened.reviews
        if (last := reviews.undoable(person)) is not None:
            undone, redone = reviews.undo(person), reviews.redo(person)
            assert undone is not None
            assert redone is not None
            assert undone.target == redone.target == last.id
    opened.exports.start(report.id, ExportFormat.JSON)
    finish_jobs(workbench, opened)
    newest = next(one for one in opened.exports.earlier() if one.there)
    told = {one["id"]: one["hash"] for one in json.loads(opened.exports.result(newest.job).body)["decisions"]}
    assert told
    assert told.items() <= {one.id: one.hash for one in _log(opened)}.items()
    assert not opened.jobs.all(active=True)
