"""The parts that every command shares: the opened workbench, output as text or JSON, errors as exit codes. Exit codes:
0 done; 1 done, but something needs a look (a source failed, a zip is not sound); 2 not done."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from core.errors import ProjectNotFound, WorkbenchError
from core.text.jsonable import jsonable

if TYPE_CHECKING:
    from core.records import Job
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

NEEDS_A_LOOK = 1
FAILED = 2
POLL_S = 0.2


@dataclass
class Session:
    """One run of the command line."""

    root: Path
    as_json: bool = False

    @contextmanager
    def workbench(self) -> Iterator[Workbench]:
        """The workbench, closed afterwards; its errors end the command with exit code 2."""
        from core.workbench.wiring import open_workbench

        try:
            workbench = open_workbench(self.root)
            try:
                yield workbench
            finally:
                workbench.close()
        except WorkbenchError as error:
            self.fail(f"{error}", kind=type(error).__name__)

    def fail(self, message: str, *, kind: str) -> NoReturn:
        """End with exit code 2 and the message on standard error."""
        if self.as_json:
            print(json.dumps({"error": kind, "message": message}, ensure_ascii=False), file=sys.stderr)
        else:
            print(f"workbench: {message}", file=sys.stderr)
        raise typer.Exit(FAILED)

    def show(self, value: object, text: Callable[[Console], None]) -> None:
        """Print ``value`` as JSON, or let ``text`` print it for people."""
        if self.as_json:
            print(json.dumps(jsonable(value), ensure_ascii=False, indent=2))
        else:
            text(Console(highlight=False))


def session(context: typer.Context) -> Session:
    run = context.find_object(Session)
    assert run is not None, "the callback of core.commands.__main__ makes it"
    return run


def carry_out(workbench: Workbench, project: OpenProject, job: Job) -> Job:
    """Carry a job out here, or watch the worker that has the root; returns the job as it ended. Encoding that follows
    is carried out too, so that the command ends with everything searchable. Raises ProjectNotFound: somebody deleted
    the project meanwhile."""
    try:
        with _bar() as bar:
            lines: dict[int, object] = {}
            while not project.detached and (active := project.jobs.all(active=True)):
                _draw(bar, lines, active)
                # Asked for each time: whoever holds the root may end, or work for another project only.
                with workbench.catalog.claim_worker() as mine:
                    worked = mine and _run_watched(project, bar, lines)
                if not worked:
                    time.sleep(POLL_S)
        ended = project.jobs.get(job.id)
    except WorkbenchError as error:
        if not project.detached:
            raise
        raise _gone(project) from error
    if project.detached:
        raise _gone(project)
    return ended


def _gone(project: OpenProject) -> ProjectNotFound:
    return ProjectNotFound(f"The project {project.project.name!r} was deleted meanwhile, and the work on it has ended.")


def _run_watched(project: OpenProject, bar: Progress, lines: dict[int, object]) -> bool:
    """Carry out the next job while drawing it; False when none could be claimed."""
    import threading

    from core.workbench.jobs import run_next

    failure: list[BaseException] = []
    ran: list[Job | None] = []
    ended = threading.Event()

    def work() -> None:
        try:
            ran.append(run_next(project.job_context(), f"command-line-{os.getpid()}"))
        except BaseException as error:  # carried to the caller's thread below
            failure.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, name="job").start()
    try:
        # An event and no join: an interrupted join takes a running thread for ended.
        while not ended.wait(POLL_S):
            _draw(bar, lines, project.jobs.all(active=True))
    except KeyboardInterrupt:  # what is finished stays; the rest is marked as stopped, not left to look at work
        for job in project.jobs.all(active=True):
            project.jobs.cancel(job.id)
        ended.wait()
        raise
    if failure:
        raise failure[0]
    return ran != [None]


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


def _draw(bar: Progress, lines: dict[int, object], jobs: list[Job]) -> None:
    for job in jobs:
        if job.id not in lines:
            lines[job.id] = bar.add_task(job.kind.value, total=None)
        bar.update(lines[job.id], completed=job.done, total=job.total, description=job.message or job.kind.value)  # type: ignore[arg-type]
