"""The bundled demo project: made on request, with everything in it searchable and its report audited."""

import os
import threading

from core import demo
from core.errors import JobError
from core.labels import JobState
from core.records import Project
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench


def find_demo(workbench: Workbench) -> Project | None:
    """The demo project under this root, or None."""
    for summary in workbench.projects(archived=True):
        if summary.project.demo and summary.problem is None:
            return summary.project
    return None


REPORT_NAME = "street-trees-briefing.md"


def request_demo(workbench: Workbench, *, audit: bool = True) -> Project:
    """Make the demo project and ask for its sources to be read and (with ``audit``) its report to be audited after
    them; the worker does the rest."""

    def fill(project: OpenProject) -> None:
        for missing in demo.unavailable():
            project.sources.record_failure(missing.url, missing.state, missing.message)
        project.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
        if audit:
            project.audits.add(REPORT_NAME, demo.report().encode(), "text/markdown")

    return workbench.create(demo.DEMO_NAME, demo=True, fill=fill)


def ensure_demo(workbench: Workbench, *, audit: bool = True) -> tuple[Project, bool]:
    """The demo project, made if it is not there, read, encoded and audited when this returns; and whether it was made.
    Without ``audit`` a project that is made here has its sources only. Raises JobError: a source of the demo could not
    be read or encoded, or its report not be audited, which is a fault of the installation."""
    there = find_demo(workbench)
    project = there or request_demo(workbench, audit=audit)
    finish_jobs(workbench, workbench.open(project.slug))
    return project, there is None


def finish_jobs(workbench: Workbench, project: OpenProject) -> None:
    """Carry out what waits in a project, or watch the worker that has the root do it (JobError on a failed job)."""
    before = {job.id for job in project.jobs.all() if not job.state.active}
    idle = threading.Event()
    while project.jobs.all(active=True):
        with workbench.catalog.claim_worker() as mine:
            worked = mine and run_next(project.job_context(), f"demo-{os.getpid()}") is not None
        if not worked:
            idle.wait(0.3)
    for job in project.jobs.all():
        if job.id not in before and job.state is JobState.FAILED:
            raise JobError(f"Job {job.id} ({job.kind}) of {project.project.name!r} failed: {job.error}")
