"""Writing a report out as a job: the file is kept in the project's folder, so that it outlives a reload. First it
gathers everything that the exports of a report need, and the members of an audit pack beside the records: ``pack.json``
and the report for people."""

import json
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from textwrap import shorten

from core import __version__
from core.audit.reports import Audits
from core.audit.status import passing
from core.errors import ExportError, ModelError
from core.export.as_html import as_html
from core.export.content import PRODUCT, Content, gone_words, rows_without_source, withheld_words
from core.export.formats import FOLDER, ExportFormat, info_of, writer_of
from core.labels import JobState
from core.ports.context import JobContext, ProjectContext
from core.ports.engines import Engines
from core.ports.store import Progress, ProjectStore
from core.records import Decision, Job, ReportStanding, Standing, StoredReport
from core.review.review import Reviews
from core.settings.values import Settings
from core.text.files import write_whole
from core.text.hashing import file_digest
from core.verify.judge import Judge


def gather(
    store: ProjectStore, engines: Engines, settings: Settings, now: datetime, report_id: int, *,
    sources: bool = True, models: Mapping[str, str] | None = None, by: str | None = None,
) -> Content:  # fmt: skip
    """The content of one report as it stands now. ``models`` stand as those that judged, in place of those here.
    ``by``: who asked; in blind review what they may not see yet is left out ("": nobody is named), None: nothing is.
    Raises ReportNotFound (no such report) or ReportError (this version of the reader finds another text in it)."""
    context = ProjectContext(store, engines, settings, lambda: now)
    audits, reviews = Audits(context), Reviews(context)
    report, findings = store.report(report_id), store.findings(report_id)
    hidden = frozenset() if by is None else reviews.log.withheld(by)
    standing = _seen(reviews.standing(report_id), hidden)
    return Content(
        project=store.project.name, report=report, read=audits.read(report_id), findings=findings,
        summary=audits.summary(report_id), heat=audits.heat(report_id), made=now, sources=sources,
        documents={document.id: document for document in store.documents(superseded=True)}, text_of=store.text,
        claims=store.claims(report_id=report_id), standing=standing.findings, claim_standing=standing.claims,
        decisions=_counting([*standing.findings.values(), *standing.claims.values()]),
        settings=settings.model_dump(mode="json", include=JUDGED_BY),
        threshold=passing(settings.verification, store.review_policy()).pass_support,
        models=models_of(store, engines, settings) if models is None else models,
        hidden=hidden, withheld=0 if by is None else reviews.log.withheld_of(report_id, by),
    )  # fmt: skip


JUDGED_BY = {"chunking", "parsing", "retrieval", "models", "verification", "claims"}
"""Sections of the settings on which outcomes rest; the others (addresses of hosts, language models, money) are nobody
else's business."""


def models_of(store: ProjectStore, engines: Engines, settings: Settings) -> dict[str, str]:
    """Fingerprints of what judges here; a model that cannot be had is left out."""
    fingerprints: dict[str, str] = {}
    try:
        fingerprints["entailer"] = engines.entailer().fingerprint
        fingerprints["judge"] = Judge(store, engines, settings).fingerprint
    except ModelError:
        pass
    if encoder := engines.encoder_fingerprint():
        fingerprints["encoder"] = encoder
    return fingerprints


def _seen(standing: ReportStanding, hidden: AbstractSet[int]) -> ReportStanding:
    """The standing without the items on which something is hidden."""

    def seen(of: Mapping[int, Standing]) -> dict[int, Standing]:
        return {
            number: standing for number, standing in of.items()
            if hidden.isdisjoint(entry.id for entry in (standing.decision, *standing.conflict) if entry is not None)
        }  # fmt: skip

    return replace(standing, findings=seen(standing.findings), claims=seen(standing.claims))


def _counting(standings: Iterable[Standing]) -> list[Decision]:
    """The decisions that standings rest on, in the order of the log."""
    entries = {
        entry.id: entry for stand in standings for entry in (stand.decision, *stand.conflict) if entry is not None
    }
    return [entries[number] for number in sorted(entries)]


PACK = "pack.json"
READABLE = "report.html"
FORMAT = "evidence-workbench pack"
VERSION = 1


def pack_members(content: Content) -> dict[str, bytes]:
    """Members by name."""
    return {PACK: pack_json(content), READABLE: as_html(content)}


def pack_json(content: Content) -> bytes:
    """Under what the report was judged: settings in effect, fingerprints of the models, version of the product."""
    value = {
        "format": FORMAT, "version": VERSION, "made": content.made.isoformat(),
        "by": {"name": PRODUCT, "version": __version__},
        "report": {
            "id": content.report.id, "name": content.report.name, "text_sha256": content.report.content_hash,
            "bytes_sha256": content.report.blob_hash,
        },
        "rows": len(content.findings), "threshold": content.threshold,
        "settings": content.settings, "models": dict(content.models),
        **({"withheld": content.withheld} if content.withheld else {}),
    }  # fmt: skip
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


_STEPS = 3
_TRIES = 3
_LONGEST_STEM = 150
"""Bytes of a file's name made of a report's; file systems take 255."""
_SHARED_STEM = 60
"""Characters of a title in the name of a shared page; a character may take four bytes."""


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


def shared_name(report: StoredReport, day: date) -> str:
    """The name of a shared page: the report's title and the day, safe on every system."""
    words = " ".join(re.sub(r"[^\w ,.()'&+-]+|_", " ", report.title or Path(report.name).stem or report.name).split())
    words = words.strip(" .-")
    stem = shorten(words, _SHARED_STEM, placeholder="") or words[:_SHARED_STEM] or "report"
    return f"{stem} {day:%Y-%m-%d}{info_of(ExportFormat.HTML).ending}"


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
