"""A project with an audited report, decisions on it, and its audit pack; judged by counting words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.export.formats import ExportFormat
from core.labels import DecisionKind, JobKind, JobState
from core.pack.check import PackCheck, check_pack
from core.ports.engines import Engines
from core.records import Finding, StoredReport
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT, SOURCES, audited, with_judge
from tests.helpers.verifying import WordJudge


@contextmanager
def bench(root: Path, engines: Engines) -> Iterator[Workbench]:
    """A workbench with the shared models and the word judge."""
    made = open_workbench(root, engines=with_judge(engines, WordJudge()))
    try:
        yield made
    finally:
        made.close()


def fill(workbench: Workbench, text: str = REPORT) -> tuple[OpenProject, StoredReport]:
    """The project ``streets`` with three sources, an audited report and two decisions."""
    opened = workbench.open(workbench.create("Streets").slug)
    opened.sources.add_snapshots(SOURCES)
    report = audited(workbench, opened, text)
    for row, kind in (
        (opened.audits.findings(report.id)[0], DecisionKind.ACCEPT),
        (_review(opened, report), DecisionKind.REJECT),
    ):
        item = opened.reviews.item(opened.reviews.key_of_finding(row.id), "Ann")
        opened.reviews.decide(item.key, kind, by="Ann", version=item.version, seen=item.seen, note="=looked at it")
    return opened, report


def _review(opened: OpenProject, report: StoredReport) -> Finding:
    return next(row for row in opened.audits.findings(report.id) if row.reasons and row.verdict)


def exported(opened: OpenProject, report: StoredReport, format: ExportFormat, target: Path, *, by: str = "Ann") -> Path:
    """The report written out for somebody, at ``target``."""
    job = opened.exports.start(report.id, format, by=by)
    while run_next(opened.job_context(), "test", kinds=[JobKind.EXPORT]) is not None:
        pass
    ended = opened.jobs.get(job.id)
    assert ended.state is JobState.DONE, ended.error
    shutil.copyfile(opened.exports.path(ended), target)
    return target


def checked(workbench: Workbench, pack: Path, *, judge: bool = True) -> PackCheck:
    """What checking the pack says."""
    found = check_pack(workbench, pack, lambda *_: None, judge=judge)
    assert found is not None
    return found
