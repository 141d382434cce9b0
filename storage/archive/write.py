"""Writing a project as one zip."""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.errors import ArchiveError
from core.records import Document, Passage, Redacted, StoredReport
from core.records.decision_chain import Entry, to_line
from storage.archive.asked import Asked, asked_lines, asked_of
from storage.archive.format import (
    ACQUISITION,
    ACQUISITIONS,
    ASKED_FROM,
    CLAIMS,
    DECISIONS,
    DOCUMENTS,
    FINDINGS,
    FORMAT,
    GRADE_CHANGE,
    GRADE_CHANGES,
    KEPT,
    MANIFEST,
    MAX_RATIO,
    PASSAGES,
    REDACTED_FROM,
    REPORTS,
    REVIEW,
    Counts,
    DocumentRecord,
    Manifest,
    MemberRecord,
    PassagesRecord,
    ProjectRecord,
    ReviewRecord,
    blob_member,
    text_member,
)
from storage.archive.notes import kept_lines
from storage.database.files import sync_folder, temporary_beside
from storage.store import SqliteProjectStore
from storage.tables.record_codec import CLAIM, FINDING, REPORT

# A zip's own times would make two exports of the same project differ.
_EPOCH = (1980, 1, 1, 0, 0, 0)


class _ArchiveWriter:
    """Members with their hashes, the manifest last."""

    def __init__(self, target: zipfile.ZipFile) -> None:
        self._zip = target
        self.members: dict[str, MemberRecord] = {}

    def add(self, name: str, body: bytes) -> None:
        info = zipfile.ZipInfo(name, _EPOCH)
        info.external_attr = 0o644 << 16
        packed = len(zlib.compress(body, 6)) if body else 1
        useful = packed < 0.95 * len(body) and len(body) < MAX_RATIO / 2 * packed
        info.compress_type = zipfile.ZIP_DEFLATED if useful else zipfile.ZIP_STORED
        self._zip.writestr(info, body, compresslevel=6)
        if name != MANIFEST:
            self.members[name] = MemberRecord(sha256=hashlib.sha256(body).hexdigest(), size=len(body))

    def add_lines(self, name: str, lines: Iterable[bytes]) -> None:
        self.add(name, b"".join(line + b"\n" for line in lines))


def export_project(store: SqliteProjectStore, target: Path) -> Path:
    """Write the zip beside ``target`` and rename it into place; an existing file is replaced.

    Raises:
        ArchiveError: the target cannot be written.
        BlobMissing: bytes of a source are gone; the message names them.
    """
    if target.is_dir():
        target = target / f"{store.project.slug}.zip"
    temporary = temporary_beside(target)
    try:
        with zipfile.ZipFile(temporary, "x") as archive:
            _write(_ArchiveWriter(archive), store, asked_of(store), kept_lines(store))
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        os.replace(temporary, target)
        sync_folder(target.parent)
    except OSError as error:
        raise ArchiveError(f"{target} could not be written ({error}). Choose another place or free space.") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _write(
    archive: _ArchiveWriter, store: SqliteProjectStore, asked: Asked = Asked(), kept: Sequence[bytes] = ()
) -> None:
    """All members, the manifest last. A pack has nothing of what was ``asked`` and ``kept``."""
    documents = store.documents(superseded=True)
    acquisitions = store.acquisitions()
    passages = {document.id: store.passages_of(document.id) for document in documents}
    archive.add_lines(DOCUMENTS, (_document_line(document) for document in documents))
    archive.add_lines(PASSAGES, (_passages_line(document, passages[document.id]) for document in documents))
    archive.add_lines(ACQUISITIONS, (ACQUISITION.dump_json(acquisition) for acquisition in acquisitions))
    archive.add_lines(GRADE_CHANGES, (GRADE_CHANGE.dump_json(change) for change in store.grade_changes()))
    reports = store.reports(superseded=True)
    _write_judged(archive, store, reports)
    log = store.decision_chain()
    archive.add_lines(DECISIONS, (to_line(one).encode() for one in log))
    review = ReviewRecord(people=store.people(), policy=store.review_policy())
    archive.add(REVIEW, review.model_dump_json(indent=1).encode())
    if asked or kept:
        for name, lines in asked_lines(asked):
            archive.add_lines(name, lines)
    if kept:
        archive.add_lines(KEPT, kept)
    texts = {document.content_hash: store.text(document.id) for document in documents}
    texts |= {report.content_hash: store.report_text(report.id) for report in reports}
    for content_hash, text in texts.items():
        archive.add(text_member(content_hash), text.encode())
    hashes = {document.blob_hash for document in documents} | {report.blob_hash for report in reports}
    hashes |= {acquisition.blob_hash for acquisition in acquisitions if acquisition.blob_hash}
    for blob_hash in sorted(hashes):
        archive.add(blob_member(blob_hash), store.blob(blob_hash))
    project = store.project
    manifest = Manifest(
        format=FORMAT,
        version=ASKED_FROM if asked or kept else _version(log),
        exported=datetime.now(UTC),
        project=ProjectRecord(name=project.name, created=project.created, demo=project.demo),
        counts=Counts(documents=len(documents), passages=sum(map(len, passages.values())), blobs=len(hashes)),
        members=archive.members,
    )
    archive.add(MANIFEST, manifest.model_dump_json(indent=1).encode())


def _version(log: Sequence[Entry]) -> int:
    """The earliest that has what there is where nothing was asked."""
    return REDACTED_FROM if any(isinstance(entry, Redacted) for entry in log) else REDACTED_FROM - 1


def _write_judged(archive: _ArchiveWriter, store: SqliteProjectStore, reports: list[StoredReport]) -> None:
    rows = (row for report in reversed(reports) for row in store.findings(report.id))
    known = {None, *(report.id for report in reports)}
    claims = (claim for claim in store.claims() if claim.report_id in known)  # else of a report added meanwhile
    archive.add_lines(REPORTS, (REPORT.dump_json(report) for report in reversed(reports)))
    archive.add_lines(FINDINGS, (FINDING.dump_json(row) for row in rows))
    archive.add_lines(CLAIMS, (CLAIM.dump_json(claim) for claim in sorted(claims, key=lambda claim: claim.id)))


def _document_line(document: Document) -> bytes:
    record = DocumentRecord(document=replace(document, signature=b""), signature=document.signature.hex())
    return record.model_dump_json().encode()


def _passages_line(document: Document, passages: list[Passage]) -> bytes:
    contexts = {
        context: number for number, context in enumerate(dict.fromkeys(passage.context for passage in passages))
    }
    spans = [
        (passage.ordinal, passage.start, passage.end, passage.page, contexts[passage.context]) for passage in passages
    ]
    return PassagesRecord(document=document.id, contexts=list(contexts), spans=spans).model_dump_json().encode()
