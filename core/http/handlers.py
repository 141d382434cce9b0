"""The work behind each request: values in, values out. Nothing here knows HTTP."""

from dataclasses import replace

from core.acquire.sources import changed
from core.errors import ClaimNotFound, ProjectNotFound, ReportNotFound
from core.http import requests
from core.http.answers import JobAnswer, SearchAnswer, SourceAnswer, StatsAnswer, VerdictAnswer
from core.http.problems import without_paths
from core.labels import JobKind
from core.ports.context import acquisitions_of, ids_of
from core.records import Claim, Job, SearchRequest, SearchResult
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench


class Handlers:
    """The endpoints over one workbench. Thread-safe, as the workbench is."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    def open(self, slug: str) -> OpenProject:
        """The project (ProjectNotFound, StorageError). One whose folder is a link that leads out of the root is not
        there for the service."""
        self._workbench.refresh()
        root = self._workbench.root
        try:
            if (root / slug).resolve() != root.resolve() / slug:
                raise ProjectNotFound(slug)
            return self._workbench.open(slug)
        except ProjectNotFound:  # the engine's words name the folder, which is nobody's business here
            raise ProjectNotFound(
                f"No project {slug!r} here. Its slug is what `workbench project list` shows."
            ) from None

    def search(self, body: requests.SearchBody) -> SearchAnswer:
        """``POST /search``."""
        opened = self.open(body.project)
        settings = opened.settings.retrieval
        request = body.record(settings.k, settings.depth)
        before = opened.generation()
        result = _searched(opened, request)
        # Not searched again where it differs: each search is counted, and sources may come in for hours.
        return SearchAnswer.of(body.project, before if opened.generation() == before else None, result)

    def stats(self, parameters: requests.ProjectParameters) -> StatsAnswer:
        """``GET /stats``."""
        opened = self.open(parameters.project)
        return StatsAnswer(
            project=parameters.project,
            name=opened.project.name,
            generation=opened.generation(),
            statistics=opened.statistics(),
        )

    def index(self, body: requests.IndexBody) -> JobAnswer:
        """``POST /index``."""
        opened = self.open(body.project)
        if body.texts:
            job = opened.sources.add_texts([(text.title, text.text) for text in body.texts])
        elif body.urls:
            job = opened.sources.add_urls(body.urls)
        elif body.snapshots:
            job = opened.sources.add_snapshots(
                [(snapshot.url, snapshot.body(), snapshot.media_type) for snapshot in body.snapshots]
            )
        else:
            job = opened.sources.add_files([(file.name, file.body(), file.media_type) for file in body.files])
        return _answer(opened, body.project, job)

    def source(self, body: requests.SourceBody) -> SourceAnswer:
        """``POST /source``."""
        sources = self.open(body.project).sources
        document = changed(
            sources, body.document, body.corrections(), grade=body.grade, reason=body.reason, accept=body.accept
        )
        return SourceAnswer(project=body.project, document=replace(document, signature=b""))

    def verify(self, body: requests.VerifyBody) -> VerdictAnswer | JobAnswer:
        """``POST /verify``."""
        opened = self.open(body.project)
        if body.document is not None:
            verdict = opened.claims.in_document(body.claim, body.document, context=body.context)
            return VerdictAnswer(project=body.project, claim=body.claim, verdict=verdict)
        claim = opened.claims.add(body.claim, body.type)
        return _answer(opened, body.project, opened.claims.verify([claim.id]))

    def audit(self, body: requests.AuditBody) -> JobAnswer:
        """``POST /audit``."""
        opened = self.open(body.project)
        _, job = opened.audits.add_again(body.name, body.body(), body.media_type)
        return _answer(opened, body.project, job)

    def job(self, parameters: requests.JobParameters) -> JobAnswer:
        """``GET /jobs/{id}``."""
        opened = self.open(parameters.project)
        return _answer(opened, parameters.project, opened.jobs.get(parameters.id))

    def cancel(self, parameters: requests.JobParameters) -> JobAnswer:
        """``POST /jobs/{id}/cancel``."""
        opened = self.open(parameters.project)
        opened.jobs.get(parameters.id)
        opened.jobs.cancel(parameters.id)
        return _answer(opened, parameters.project, opened.jobs.get(parameters.id))


def _searched(opened: OpenProject, request: SearchRequest) -> SearchResult:
    result = opened.search(request)
    if request.stages.rerank:
        result = opened.rerank(result)
    return replace(result, notes=tuple(map(without_paths, result.notes)))


def _answer(opened: OpenProject, project: str, job: Job) -> JobAnswer:
    """The job, with what came of it once it has ended; what was deleted since is left out."""
    if job.error:
        job = replace(job, error=without_paths(job.error))
    answer = JobAnswer(project=project, job=job)
    if job.state.active:
        return answer
    wanted = set(acquisitions_of(job))
    if wanted:
        answer.sources = tuple(row for row in reversed(opened.sources.acquisitions()) if row.id in wanted)
    if job.kind is JobKind.VERIFY:
        answer.claims = tuple(_claims(opened, job))
    if job.kind in (JobKind.AUDIT, JobKind.CITED_SOURCES):
        _add_report(opened, int(str(job.payload["report"])), answer)
    return answer


def _claims(opened: OpenProject, job: Job) -> list[Claim]:
    claims: list[Claim] = []
    for key in ids_of(job, "claims"):
        try:
            claims.append(opened.claims.get(int(str(key))))
        except ClaimNotFound:
            continue
    return claims


def _add_report(opened: OpenProject, report_id: int, answer: JobAnswer) -> None:
    try:
        answer.report = opened.audits.report(report_id)
        answer.summary = opened.audits.summary(report_id)
        answer.findings = tuple(opened.audits.findings(report_id))
    except ReportNotFound:
        return
