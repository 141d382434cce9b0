"""A worker that is to stop while an audit waits for its sources: it ends, and the next worker judges with them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.labels import JobKind, JobState
from core.ports.engines import Engines
from core.workbench.demo import finish_jobs
from core.workbench.wiring import open_workbench
from tests.helpers.auditing import REPORT, SOURCES

REPOSITORY = Path(__file__).resolve().parents[2]


def test_an_audit_that_waits_does_not_hold_the_worker_and_is_not_done_without_its_sources(
    tmp_path: Path, engines: Engines
) -> None:
    root = tmp_path / "root"
    bench = open_workbench(root, engines=engines)
    project = bench.open(bench.create("Stopped").slug)
    store = project.job_context().store
    project.sources.add_snapshots(SOURCES)
    reading = store.claim_job("another", kinds=(JobKind.ADD,))
    assert reading is not None
    report, audit = project.audits.add("report.md", REPORT.encode(), "text/markdown")
    worker = subprocess.Popen([sys.executable, "-m", "core.workbench.worker", str(root)], cwd=REPOSITORY)
    while "Waiting" not in store.job(audit.id).message:
        assert worker.poll() is None
        store.update_job(reading.id, "another", 0, None, "reading")
        time.sleep(0.05)
    worker.send_signal(signal.SIGTERM)
    while worker.poll() is None:
        store.update_job(reading.id, "another", 0, None, "reading")
        time.sleep(0.05)
    assert store.job(audit.id).state is JobState.RUNNING
    bench.close()
    later = datetime.now(UTC) + timedelta(minutes=5)  # the claims of both are stale by then
    bench = open_workbench(root, clock=lambda: later, engines=engines)
    project = bench.open("stopped")
    finish_jobs(bench, project)
    assert [row.document_id is not None for row in project.audits.findings(report.id)][:4] == [True, True, True, False]
    bench.close()
