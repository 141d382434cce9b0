"""The way in: a report becomes a project, and what to do next with it, until a person has decided on what needs one.
For people who know nothing but "check this report"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from core.audit.summary import is_citation
from core.audit.wording import source_key
from core.errors import InvalidName
from core.labels import JobKind, Status
from core.records import Fetched, Finding, Job, Project, Standing, StoredReport
from core.text.words import short

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

NAME_CHARS = 120
UNNAMED = "A report"


class Step(StrEnum):
    """The next thing to do with a report."""

    NOTHING = "nothing"
    WAIT = "wait"
    SOURCES = "sources"
    REVIEW = "review"
    OVERVIEW = "overview"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step, and what it is about. ``lacking`` are ids of the rows whose source is not here and has not been
    tried; ``fetchable`` those of them that give an address; ``sources`` counts the different sources that they cite,
    ``reachable`` those with an address. ``missing`` counts the rows whose source is not here, tried or not.
    ``undecided`` counts the citations that did not pass and that no person has
    decided on; while work goes on, only those that were compared with their source."""

    step: Step
    lacking: tuple[int, ...] = ()
    fetchable: tuple[int, ...] = ()
    sources: int = 0
    reachable: int = 0
    missing: int = 0
    undecided: int = 0


def check_report(
    workbench: Workbench, name: str, body: bytes, media_type: str = "", *, url: str | None = None
) -> tuple[Project, StoredReport]:
    """Make a project of a report, named as the report is, and ask for its audit. The report is read first: nothing is
    made when it cannot be. Raises ReportError: the bytes cannot be read as a report."""
    from core.audit.report_reader import read_bytes  # the first page needs the rest of this module only

    report = read_bytes(Fetched(body, media_type, filename=name, url=url), workbench.engines.extractor())
    project = _create(workbench, report.title or "", PurePosixPath(name.replace("\\", "/")).stem)
    stored, _ = workbench.open(project.slug).audits.add(name, body, media_type, url=url, read=report)
    return project, stored


def _create(workbench: Workbench, *names: str) -> Project:
    for name in names:
        try:
            return workbench.create(short(name, NAME_CHARS))
        except InvalidName:  # nothing in it that can be seen: the next best will do
            continue
    return workbench.create(UNNAMED)


def audit_with_new_sources(project: OpenProject, report_id: int) -> Job:
    """Ask for an audit after the sources that were asked for just now. Never the same as one that already waits: that
    one may begin before they are read. Only rows whose basis has changed are judged anew."""
    project.audits.report(report_id)
    return project.jobs.schedule(JobKind.AUDIT, {"report": report_id, "findings": []}, unique=False)


def next_step(
    findings: Sequence[Finding], standings: Mapping[int, Standing], jobs: Sequence[Job], *, documents: bool
) -> NextStep:
    """The next thing to do with a report. ``findings`` are its rows, ``standings`` the decisions of people on them,
    ``jobs`` the project's jobs that wait or run. ``documents`` says whether the project has any source: without one, no
    cited source can be here."""
    cited = [finding for finding in findings if is_citation(finding)]
    untried = [row for row in cited if not row.reasons and _lacks_source(row, documents)]
    fetchable = [row for row in untried if row.url or row.doi]
    judged = [row for row in cited if row.status not in (Status.PASS, None)]
    undecided = [row for row in judged if not _decided(standings.get(row.id))]
    step = _step(cited, jobs, documents, bool(untried), bool(undecided))
    if step is Step.WAIT:  # its source may be among those that are being read: nothing to decide on before
        undecided = [row for row in undecided if row.verdict is not None]
    return NextStep(
        step=step,
        lacking=tuple(row.id for row in untried),
        fetchable=tuple(row.id for row in fetchable),
        sources=len({source_key(row) for row in untried}),
        reachable=len({source_key(row) for row in fetchable}),
        missing=_missing(cited, documents),
        undecided=len(undecided),
    )


def _missing(cited: Sequence[Finding], documents: bool) -> int:
    return sum(_lacks_source(row, documents) for row in cited)


def _lacks_source(finding: Finding, documents: bool) -> bool:
    return finding.status is Status.SOURCE_NOT_INDEXED or (finding.status is None and not documents)


def _step(cited: Sequence[Finding], jobs: Sequence[Job], documents: bool, lacking: bool, undecided: bool) -> Step:
    if not cited:
        return Step.NOTHING
    if any(job.kind in _BRINGING for job in jobs):
        return Step.WAIT
    checking = any(job.kind is JobKind.AUDIT for job in jobs) or any(finding.status is None for finding in cited)
    if checking and (documents or not lacking):
        return Step.WAIT
    if lacking and not any(finding.verdict for finding in cited):  # with nothing read yet there is nothing to decide on
        return Step.SOURCES
    return Step.REVIEW if undecided else Step.OVERVIEW


_BRINGING = (JobKind.ADD, JobKind.REFETCH, JobKind.CITED_SOURCES)


def _decided(standing: Standing | None) -> bool:
    return standing is not None and standing.decision is not None and not standing.conflict and not standing.stale


def report_to_open(project: OpenProject) -> int | None:
    """The report that someone who opens this project most likely wants: the only one there is. None without a report
    or with several."""
    reports = project.audits.reports()
    return reports[0].id if len(reports) == 1 else None
