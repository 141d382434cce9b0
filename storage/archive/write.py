"""Writing a project as one zip."""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.errors import ArchiveError
from core.records import Acquisition, Document, Passage, StoredReport
from core.records.decision_chain import to_line
from core.text.files import write_whole
from core.text.hashing import hex_digest
from storage.archive import format as form
from storage.archive.asked import Asked, asked_lines, asked_of
from storage.archive.notes import kept_lines
from storage.store import SqliteProjectStore
from storage.tables.record_codec import CLAIM, FINDING, REPORT

# A zip's own times would make two exports of the same project differ.
_EPOCH = (1980, 1, 1, 0, 0, 0)


class ArchiveWriter:
    """Members with their hashes, the manifest last."""

    def __init__(self, target: zipfile.ZipFile) -> None:
        self._zip = target
        self.members: dict[str, form.MemberRecord] = {}

    def add(self, name: str, body: bytes) -> None:
        info = zipfile.ZipInfo(name, _EPOCH)
        info.external_attr = 0o644 << 16
        packed = len(zlib.compress(body, 6)) if body else 1
        useful = packed < 0.95 * len(body) and len(body) < form.MAX_RATIO / 2 * packed
        info.compress_type = zipfile.ZIP_DEFLATED if useful else zipfile.ZIP_STORED
        self._zip.writestr(info, body, compresslevel=6)
        if name != form.MANIFEST:
            self.members[name] = form.MemberRecord(sha256=hex_digest(body), size=len(body))

    def add_lines(self, name: str, lines: Iterable[bytes]) -> None:
        self.add(name, b"".join(line + b"\n" for line in lines))


def write_zip(target: Path, fill: Callable[[ArchiveWriter], None]) -> None:
    """Write the zip that ``fill`` fills, whole or not at all; an existing file is replaced. Raises ArchiveError: the
    target cannot be written."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "x") as archive:
            fill(ArchiveWriter(archive))

    try:
        write_whole(target, write, durable=True)
    except OSError as error:
        raise ArchiveError(f"{target} could not be written ({error}). Choose another place or free space.") from error


def export_project(store: SqliteProjectStore, target: Path) -> Path:
    """Write the zip of a project to ``target``, or into it where it is a folder; returns the path of the zip. Raises
    ArchiveError (the target cannot be written) or BlobMissing (bytes of a source are gone; the message names them)."""
    if target.is_dir():
        target = target / f"{store.project.slug}.zip"
    asked, notes = asked_of(store), kept_lines(store)
    write_zip(target, lambda archive: write_members(archive, store, asked, notes))
    return target


def write_members(
    archive: ArchiveWriter, store: SqliteProjectStore, asked: Asked = Asked(), kept: Sequence[bytes] = ()
) -> None:
    """All members, the manifest last. A pack has nothing of what was ``asked`` and ``kept``."""
    documents, acquisitions = store.documents(superseded=True), store.acquisitions()
    reports = store.reports(superseded=True)
    passages = {document.id: store.passages_of(document.id) for document in documents}
    archive.add_lines(form.DOCUMENTS, (_document_line(document) for document in documents))
    archive.add_lines(form.PASSAGES, (_passages_line(document, passages[document.id]) for document in documents))
    archive.add_lines(form.ACQUISITIONS, (form.ACQUISITION.dump_json(acquisition) for acquisition in acquisitions))
    archive.add_lines(form.GRADE_CHANGES, (form.GRADE_CHANGE.dump_json(change) for change in store.grade_changes()))
    _write_judged(archive, store, reports)
    archive.add_lines(form.DECISIONS, (to_line(entry).encode() for entry in store.decision_chain()))
    review = form.ReviewRecord(people=store.people(), policy=store.review_policy())
    archive.add(form.REVIEW, review.model_dump_json(indent=1).encode())
    for name, lines in asked_lines(asked):
        archive.add_lines(name, lines)
    if kept:
        archive.add_lines(form.KEPT, kept)
    _write_texts(archive, store, documents, reports)
    blobs = _write_blobs(archive, store, [*documents, *acquisitions, *reports])
    project = store.project
    manifest = form.Manifest(
        format=form.FORMAT,
        version=form.VERSION,
        exported=datetime.now(UTC),
        project=form.ProjectRecord(name=project.name, created=project.created, demo=project.demo),
        counts=form.Counts(documents=len(documents), passages=sum(map(len, passages.values())), blobs=blobs),
        members=archive.members,
    )
    archive.add(form.MANIFEST, manifest.model_dump_json(indent=1).encode())


def _write_texts(
    archive: ArchiveWriter, store: SqliteProjectStore, documents: list[Document], reports: list[StoredReport]
) -> None:
    texts = {document.content_hash: store.text(document.id) for document in documents}
    texts |= {report.content_hash: store.report_text(report.id) for report in reports}
    for content_hash, text in texts.items():
        archive.add(form.text_member(content_hash), text.encode())


def _write_blobs(
    archive: ArchiveWriter, store: SqliteProjectStore, records: Sequence[Document | Acquisition | StoredReport]
) -> int:
    hashes = {record.blob_hash for record in records if record.blob_hash}
    for blob_hash in sorted(hashes):
        archive.add(form.blob_member(blob_hash), store.blob(blob_hash))
    return len(hashes)


def _write_judged(archive: ArchiveWriter, store: SqliteProjectStore, reports: list[StoredReport]) -> None:
    rows = (row for report in reversed(reports) for row in store.findings(report.id))
    report_ids = {None, *(report.id for report in reports)}
    claims = (claim for claim in store.claims() if claim.report_id in report_ids)  # else of a report added meanwhile
    archive.add_lines(form.REPORTS, (REPORT.dump_json(report) for report in reversed(reports)))
    archive.add_lines(form.FINDINGS, (FINDING.dump_json(row) for row in rows))
    archive.add_lines(form.CLAIMS, (CLAIM.dump_json(claim) for claim in sorted(claims, key=lambda claim: claim.id)))


def _document_line(document: Document) -> bytes:
    record = form.DocumentRecord(document=replace(document, signature=b""), signature=document.signature.hex())
    return record.model_dump_json().encode()


def _passages_line(document: Document, passages: list[Passage]) -> bytes:
    contexts = {
        context: number for number, context in enumerate(dict.fromkeys(passage.context for passage in passages))
    }
    spans = [
        (passage.ordinal, passage.start, passage.end, passage.page, contexts[passage.context]) for passage in passages
    ]
    return form.PassagesRecord(document=document.id, contexts=list(contexts), spans=spans).model_dump_json().encode()
