"""Other sessions delete, hold and end things; what waits must notice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.errors import ModelDamaged, ProjectNotFound
from core.labels import FetchState, JobKind, JobState, SourceKind
from core.ports.engines import Engines
from core.ports.store import JointEncoder
from core.records import Fetched, Query, SearchRequest
from core.workbench.demo import finish_jobs
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from core.workbench.worker import LANES, run_lane

REPOSITORY = Path(__file__).resolve().parents[2]
TEXT = "Street trees cool the air by two degrees on hot days. " * 4


def test_a_project_deleted_and_made_anew_elsewhere_is_opened_anew(workbench: Workbench) -> None:
    slug = workbench.create("Same").slug
    workbench.open(slug).sources.add_text("Old", TEXT)
    other = open_workbench(workbench.root)
    other.delete(slug, confirm="Same")
    with pytest.raises(ProjectNotFound):
        workbench.open(slug)
    assert other.create("Same").slug == slug
    other.open(slug).sources.add_text("New", TEXT)
    other.close()
    finish_jobs(workbench, workbench.open(slug))
    assert [document.title for document in workbench.open(slug).sources.documents()] == ["New"]


def test_a_command_takes_over_when_whoever_held_the_root_ends(tmp_path: Path) -> None:
    root = tmp_path / "root"
    workbench = open_workbench(root)
    workbench.create("Waiting")
    note = tmp_path / "note.txt"
    note.write_text(TEXT)
    held = workbench.catalog.claim_worker()
    assert held.__enter__()
    command = [sys.executable, "-m", "core.commands", "--root", str(root), "add", "-p", "waiting", str(note)]
    adding = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    while not workbench.open("waiting").jobs.all(active=True):
        time.sleep(0.02)
    held.__exit__(None, None, None)
    output, _ = adding.communicate(timeout=120)
    assert adding.returncode == 0
    assert "stored" in output
    workbench.close()


def test_a_worker_lane_outlives_a_root_that_is_away_for_a_moment(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.workbench.worker.SWEEP_S", 0.05)
    project = workbench.open(workbench.create("Away").slug)
    away = workbench.root.with_name("away")
    os.rename(workbench.root, away)
    stop, wake = threading.Event(), threading.Event()
    lane = threading.Thread(target=run_lane, args=(workbench, next(iter(LANES)), wake, stop))
    lane.start()
    time.sleep(0.3)
    os.rename(away, workbench.root)
    project.jobs.schedule(JobKind.ENCODE)
    while project.jobs.all()[0].state.active:
        assert lane.is_alive()
        time.sleep(0.02)
    stop.set()
    wake.set()
    lane.join()
    assert project.jobs.all()[0].state is JobState.DONE


def test_a_worker_whose_server_is_killed_ends(tmp_path: Path) -> None:
    root = tmp_path / "root"
    open_workbench(root).close()
    start = f"p = subprocess.Popen([sys.executable, '-m', 'core.workbench.worker', {str(root)!r}])"
    script = f"import subprocess, sys, time; {start}; print(p.pid, flush=True); time.sleep(600)"
    server = subprocess.Popen([sys.executable, "-c", script], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    watched = open_workbench(root)
    while True:  # the worker has begun once the root is held
        with watched.catalog.claim_worker() as mine:
            if not mine:
                break
        time.sleep(0.05)
    server.send_signal(signal.SIGKILL)
    server.communicate()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{worker}").exists() and " Z" not in Path(f"/proc/{worker}/stat").read_text()[:60]:
        assert time.monotonic() < deadline, "the worker stayed behind"
        time.sleep(0.05)
    watched.close()


def test_queued_sources_without_a_job_get_one(workbench: Workbench) -> None:
    project = workbench.open(workbench.create("Left over").slug)
    note = Fetched(body=TEXT.encode(), media_type="text/plain")
    project.context.store.request(SourceKind.PASTE, [("Note", note)])  # as after a crash before its job was made
    assert [row.state for row in project.sources.acquisitions()] == [FetchState.QUEUED]
    project.catch_up()
    finish_jobs(workbench, project)
    assert [row.state for row in project.sources.acquisitions()] == [FetchState.STORED]


def test_a_model_that_fails_at_its_first_text_leaves_search_by_words(workbench: Workbench, engines: Engines) -> None:
    project = workbench.open(workbench.create("Broken model").slug)
    project.sources.add_text("Note", TEXT)
    finish_jobs(workbench, project)

    class Broken:
        fingerprint = "broken"
        dim = late_dim = 4

        def encode_queries_jointly(self, texts: object) -> None:
            raise ModelDamaged("the model cannot be read")

    def broken() -> JointEncoder:
        return Broken()  # type: ignore[return-value]

    whole, workbench.engines._made["encoder"] = workbench.engines._made["encoder"], broken()
    try:
        result = project.search(SearchRequest((Query("street trees"),)))
    finally:
        workbench.engines._made["encoder"] = whole
    assert result.passages[0].document.title == "Note"
    assert any("cannot be read" in note for note in result.notes)


def test_an_unexpected_error_of_one_project_keeps_no_lane_from_the_others(
    workbench: Workbench, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (workbench.create(name).slug for name in ("First", "Second"))
    for slug in (first, second):
        workbench.open(slug).sources.add_text("Trees", TEXT)
    latest = workbench.projects()[0].project.slug

    def fails() -> None:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(workbench.open(latest), "catch_up", fails)
    monkeypatch.setattr(workbench.open(latest), "job_context", fails)
    other = workbench.open({first: second, second: first}[latest])
    wake, stop = threading.Event(), threading.Event()
    lane = threading.Thread(target=run_lane, args=(workbench, "sources", wake, stop))
    lane.start()
    try:
        deadline = time.monotonic() + 12  # the lane looks again after 15 s
        while JobKind.ADD in {job.kind for job in other.jobs.all(active=True)} and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        stop.set()
        wake.set()
        lane.join()
    assert JobKind.ADD not in {job.kind for job in other.jobs.all(active=True)}
