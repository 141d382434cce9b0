"""The worker process: carries out the jobs of all projects under one root. Run as ``python -m core.workbench.worker
ROOT``. One worker per root (a file lock); a second one waits for the first to end. Five lanes, one thread each, so that
nothing long holds up a new source: one lane encodes, one judges citations and claims, one exports and measures, one
asks the web and language models, the other does everything else."""

import argparse
import logging
import os
import signal
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from core.errors import WorkbenchError
from core.labels import JobKind
from core.workbench.jobs import run_next
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench

log = logging.getLogger("workbench.worker")

POLL_S = 0.3
SWEEP_S = 15.0
LEAVE_WITHIN_S = 8.0
"""Seconds that jobs have to end once the worker is to stop. Less than the service waits before it kills."""
JUDGING = (JobKind.AUDIT, JobKind.VERIFY, JobKind.CITED_SOURCES)
ASIDE = (JobKind.EXPORT, JobKind.EVALUATE, JobKind.CHECK)
ASKING = (JobKind.EXPAND, JobKind.WEB_SEARCH, JobKind.ASK, JobKind.OPINION)
ENCODING = (JobKind.ENCODE, JobKind.INDEX_LATE)
LANES = {
    "encode": ENCODING,
    "judge": JUDGING,
    "aside": ASIDE,
    "ask": ASKING,
    "sources": tuple(kind for kind in JobKind if kind not in (*ENCODING, *JUDGING, *ASIDE, *ASKING)),
}


def run_lane(workbench: Workbench, lane: str, wake: threading.Event, stop: threading.Event) -> None:
    """Carry out this lane's jobs until ``stop``."""
    worker = f"{lane}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
    caught_up: set[str] = set()
    settings = workbench.settings_number
    while not stop.is_set():
        wake.clear()
        try:
            workbench.refresh()
            if settings != workbench.settings_number:  # other passages or another encoder may be wanted now
                settings = workbench.settings_number
                caught_up.clear()
            for summary in workbench.projects(archived=True):
                project = summary.project
                if summary.problem is None and not stop.is_set():
                    first = lane == "encode" and project.id not in caught_up
                    caught_up.add(project.id)
                    _drain(workbench, project.slug, worker, LANES[lane], stop, catch_up=first)
        except Exception:  # the root may be away for a moment (a network drive): the lane must outlive it
            log.exception("lane %s: trying again in %.0f s", lane, SWEEP_S)
        wake.wait(SWEEP_S)


def _drain(
    workbench: Workbench, slug: str, worker: str, kinds: tuple[JobKind, ...], stop: threading.Event, *, catch_up: bool
) -> None:
    try:
        project = workbench.open(slug)
        if catch_up:
            project.catch_up()
        while not stop.is_set() and (job := run_next(project.job_context(), worker, kinds=kinds)) is not None:
            workbench.refresh()
            log.info("%s: %s job %s is %s", slug, job.kind, job.id, job.state)
            workbench.catalog.wake(slug)  # a finished job may have left work for the other lane
    except WorkbenchError as error:
        log.error("%s: %s", slug, error)
    except Exception:  # a fault of ours: the other projects of this lane are to be served all the same
        log.exception("%s: left until the next look", slug)


def serve(root: Path, stop: threading.Event, server: int | None = None) -> None:
    """Hold the root's worker lock and work until ``stop`` is set, or until the parent process is gone. ``server`` is
    the process id of the parent, where it is known: a parent killed while this process still starts is missed else."""
    parent = os.getppid() if server is None else server
    workbench = open_workbench(root)
    wakes = {lane: threading.Event() for lane in LANES}
    try:
        while not stop.is_set() and os.getppid() == parent:
            with workbench.catalog.claim_worker() as mine:
                if not mine:
                    stop.wait(1.0)
                    continue
                threads = [
                    threading.Thread(target=run_lane, args=(workbench, lane, wakes[lane], stop), name=lane)
                    for lane in LANES
                ]
                for thread in threads:
                    thread.start()
                _watch(workbench, wakes, threads, stop, parent)
                for event in wakes.values():
                    event.set()
                end_lanes(threads, LEAVE_WITHIN_S)
    finally:
        workbench.close()


def end_lanes(threads: Sequence[threading.Thread], within_s: float) -> None:
    """Wait for the lanes; end this process when one is not done in time. Its job may wait for a lane that has ended, as
    an audit does for its sources. The job is claimed again by the next worker, as after a crash."""
    end = time.monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    if busy := [thread.name for thread in threads if thread.is_alive()]:
        log.warning("stopped in the middle of a job (lane %s); the next worker does it again", ", ".join(busy))
        os._exit(0)


def _watch(
    workbench: Workbench,
    wakes: dict[str, threading.Event],
    threads: list[threading.Thread],
    stop: threading.Event,
    parent: int,
) -> None:
    """Pass on wake-up calls until ``stop``; sets it when the server has gone or a lane has died."""
    while not stop.wait(POLL_S):
        if os.getppid() != parent:  # the server was killed: do not stay behind as an orphan
            stop.set()
        elif not all(thread.is_alive() for thread in threads):
            stop.set()
            raise SystemExit("A lane of the worker has died; see the log above. Start the worker again.")
        else:
            try:
                woken = [workbench.refresh(), *workbench.catalog.woken()]
            except (OSError, WorkbenchError) as error:
                log.error("%s", error)
                continue
            for event in wakes.values() if any(woken) else ():
                event.set()


def main() -> None:
    """Entry point of ``python -m core.workbench.worker``."""
    parser = argparse.ArgumentParser(prog="python -m core.workbench.worker", description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--server", type=int, help="process id of the server that this worker ends with")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    serve(arguments.root, stop, arguments.server)


if __name__ == "__main__":
    main()
