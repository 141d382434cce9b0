"""Writing a report out as a job: the file is kept in the project's folder, so that it outlives a reload."""

import re
from collections.abc import Mapping
from pathlib import Path

from core.errors import ExportError
from core.export.content import Content, gone_words, rows_without_source, withheld_words
from core.export.formats import FOLDER, ExportFormat, info_of, writer_of
from core.export.gather import gather
from core.export.pack import pack_members
from core.labels import JobState
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Job, StoredReport
from core.text.files import write_whole
from core.text.hashing import file_digest

_STEPS = 3
_TRIES = 3
_LONGEST_STEM = 150
"""Bytes of a file's name made of a report's; file systems take 255."""


def run_export(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Write report ``payload["report"]`` as ``payload["format"]``; the result names the file and its SHA-256.
    ``warning`` is in the result where sources that the rows rest on were deleted since, or something is left out.
    Raises ReportNotFound (the report was deleted meanwhile) or ExportError (the file cannot be written, or the format
    is unknown)."""
    format, report_id = _format(job), int(str(job.payload["report"]))
    progress(0, _STEPS, "Gathering")
    content = _gathered(context, job)
    progress(1, _STEPS, f"Writing {info_of(format).name}")
    target = context.store.project.path / FOLDER / file_name(job.id, content.report, format)
    if context.store.detached():
        raise ExportError("The project was deleted meanwhile; nothing was written.")
    if format is ExportFormat.PACK:
        _make_folder(target)
        content = _write_pack(context, job, target)
    else:
        body = writer_of(format)(content)
        progress(2, _STEPS, "Keeping the file")
        _put(target, body)
    progress(_STEPS, _STEPS, "Done")
    gone = rows_without_source(content.findings, content.documents)
    notes = (gone_words(gone, pack=format is ExportFormat.PACK), withheld_words(content.withheld))
    warning = " ".join(filter(None, notes))
    return {
        "report": report_id, "format": format.value, "file": target.name, "name": shown_name(content.report, format),
        "size": target.stat().st_size, "sha256": file_digest(target), "rows": len(content.findings),
        **({"warning": warning} if warning else {}),
    }  # fmt: skip


def _gathered(context: JobContext, job: Job) -> Content:
    return gather(
        context.store, context.engines, context.settings, context.clock(), int(str(job.payload["report"])),
        sources=job.payload.get("sources") is not False, by=str(job.payload.get("by", "")),
    )  # fmt: skip


def _write_pack(context: JobContext, job: Job, target: Path) -> Content:
    """Write the pack of one state of the project: where somebody decided, or a row moved, while it was written, its
    page would not be the one that its records give, so it is gathered and written anew."""
    for _ in range(_TRIES):
        content = _gathered(context, job)
        context.write_pack(context.store, content.report.id, target, pack_members(content), content.hidden)
        if _state(_gathered(context, job)) == _state(content):
            return content
    target.unlink(missing_ok=True)
    raise ExportError("The project kept changing while its pack was written. Export it again when no audit runs.")


def _state(content: Content) -> tuple[object, ...]:
    """The parts of a project that show in a pack and may change meanwhile."""
    rows = [(row.id, row.version) for row in content.findings]
    sources = {(document.id, document.title, document.grade_override) for document in content.documents.values()}
    return (
        rows,
        sources,
        list(content.decisions),
        content.hidden,
        content.threshold,
        [(claim.id, claim.version) for claim in content.claims],
    )


def _put(target: Path, body: bytes) -> None:
    """Write a file whole or not at all. Raises ExportError: it cannot be written."""
    try:
        _make_folder(target)
        write_whole(target, body)
    except OSError as error:
        raise ExportError(
            f"{target} cannot be written ({error.strerror}). Check the disk and the folder's rights."
        ) from error


def shown_name(report: StoredReport, format: ExportFormat) -> str:
    """The name of the file for people: made of the report's name, safe on every system."""
    stem = re.sub(r"[^\w-]+", "-", Path(report.name).stem or report.name).strip("-_")
    stem = stem.encode("utf-8", "ignore")[:_LONGEST_STEM].decode("utf-8", "ignore") or "report"
    return f"{stem}-{'pack' if format is ExportFormat.PACK else 'audit'}{info_of(format).ending}"


def file_name(job_id: int, report: StoredReport, format: ExportFormat) -> str:
    """The name of the file in the folder of exports: no two jobs share one."""
    return f"{job_id}-{shown_name(report, format)}"


def written(job: Job, project: Path) -> Path:
    """The file of an export that is done. Raises ExportError: the job is not done, or its file is gone or was
    changed."""
    if job.state is not JobState.DONE:
        raise ExportError(f"This export is {job.state.value}. {job.error or 'Wait until it is done.'}")
    name = str(job.result.get("file", ""))
    path = project / FOLDER / name
    if not name or Path(name).name != name or not path.is_file():
        raise ExportError("The file of this export is gone. Export the report again.")
    if file_digest(path) != job.result.get("sha256"):
        raise ExportError("The file of this export was changed since it was written. Export the report again.")
    return path


def _make_folder(target: Path) -> None:
    try:
        target.parent.mkdir(exist_ok=True)  # never its parents: a deleted project must not come back
    except OSError as error:
        raise ExportError(f"{target.parent} cannot be made ({error.strerror}). Check the folder's rights.") from error


def _format(job: Job) -> ExportFormat:
    try:
        return ExportFormat(str(job.payload.get("format")))
    except ValueError as error:
        formats = ", ".join(ExportFormat)
        raise ExportError(
            f"There is no format {str(job.payload.get('format'))[:40]!r}. Choose of {formats}."
        ) from error
