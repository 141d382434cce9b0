"""Exports of one open project: what pages and the command line may do with them."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import ExportError
from core.export.formats import FOLDER, FORMATS, ExportFormat, FormatInfo, info_of
from core.labels import JobKind, JobState
from core.ports.context import ProjectContext
from core.records import Job, StoredReport

_KEPT = 200
"""Exports that are listed."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A written file: its name for people, its kind, its bytes."""

    name: str
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Export:
    """One export of this project. ``size`` in bytes and ``sha256`` once it is done; ``there`` says whether its file
    still is. ``warning``: what its reader must know, as that sources were deleted since; "" where there is nothing."""

    job: Job
    report_id: int
    format: ExportFormat
    name: str
    sources: bool
    size: int = 0
    sha256: str = ""
    there: bool = False
    warning: str = ""
    by: str = ""


class Exports:
    """Reports written out as files."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def formats(self) -> tuple[FormatInfo, ...]:
        """The formats that there are, those for people first."""
        return FORMATS

    def start(self, report_id: int, format: ExportFormat, *, include_sources: bool = True, by: str = "") -> Job:
        """Ask for a report to be written out; returns at once. Without ``include_sources`` the words of the sources are
        left out (their titles and hashes stay). ``by``: who asks; in blind review what they may not see yet stays out,
        and where nobody is named all that is hidden from anybody. Raises ReportNotFound (no such report) or ExportError
        (a pack without sources: nobody could check it)."""
        if format is ExportFormat.PACK and not include_sources:
            raise ExportError("A pack without its sources could not be checked by anybody. Include them.")
        self._store.report(report_id)
        payload = {"report": report_id, "format": format.value, "sources": include_sources, "by": by.strip()}
        return self._context.schedule(JobKind.EXPORT, payload, unique=True)

    def earlier(self, report_id: int | None = None, *, by: str | None = None) -> list[Export]:
        """Exports of this project (or of one report, or that one person asked for), newest first: those to come, those
        that failed, and those whose file is still there."""
        exports = [self._export(job) for job in self._store.jobs(kinds=[JobKind.EXPORT], limit=_KEPT)]
        return [
            export for export in exports
            if export is not None and (export.there or export.job.state is not JobState.DONE)
            and report_id in (None, export.report_id) and by in (None, export.by)
        ]  # fmt: skip

    def path(self, job: Job) -> Path:
        """The path of an export's file. Raises ExportError: the export is not done, or its file is gone or was changed
        since."""
        from core.export.job import written

        return written(self._store.job(job.id), self._store.project.path)

    def result(self, job: Job) -> ExportedFile:
        """The file of an export (ExportError as ``path``)."""
        path = self.path(job)
        export = self._export(self._store.job(job.id))
        if export is None:
            raise ExportError(f"Job {job.id} is no export. Choose one from the list of exports.")
        return ExportedFile(export.name, info_of(export.format).media_type, path.read_bytes())

    def shared(self, report_id: int, *, by: str = "") -> ExportedFile:
        """One page of a report as it stands now, for whoever is to read it: the outcome first, hashes last. Nothing is
        kept here. ``by`` as in ``start``. Raises ReportNotFound (no such report) or ReportError (this version of the
        reader finds another text in it)."""
        from core.export.as_html import as_html
        from core.export.job import gather, shared_name

        context = self._context
        now = context.clock()
        content = gather(context.store, context.engines, context.settings, now, report_id, by=by.strip())
        name = shared_name(content.report, now.date())
        return ExportedFile(name, info_of(ExportFormat.HTML).media_type, as_html(content))

    def name_to_share(self, report: StoredReport) -> str:
        """The name of the file that ``shared`` makes today."""
        from core.export.job import shared_name

        return shared_name(report, self._context.clock().date())

    def forget(self, job: Job) -> None:
        """Delete the file of an export; what was exported stays in the project."""
        export = self._export(self._store.job(job.id))
        if export is not None and export.there:
            (self._store.project.path / FOLDER / str(export.job.result["file"])).unlink(missing_ok=True)

    def _export(self, job: Job) -> Export | None:
        try:
            format, report_id = ExportFormat(str(job.payload.get("format"))), int(str(job.payload.get("report")))
        except ValueError:  # of a newer version
            return None
        file, size = str(job.result.get("file", "")), job.result.get("size")
        there = bool(file) and Path(file).name == file and (self._store.project.path / FOLDER / file).is_file()
        return Export(
            job, report_id, format, str(job.result.get("name", "")), job.payload.get("sources") is not False,
            size if isinstance(size, int) else 0, str(job.result.get("sha256", "")), there,
            str(job.result.get("warning", "")), str(job.payload.get("by", "")),
        )  # fmt: skip
