"""A project's zip read whole: to fill a new project, or to tell what is wrong with it without taking anything in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.errors import HostileArchive
from core.labels import FetchState
from core.records import Acquisition, Document
from core.text.hashing import hex_digest
from storage.archive.asked import read_asked, restore_asked
from storage.archive.format import aware, blob_member
from storage.archive.judged import read_judged, restore_judged
from storage.archive.notes import read_kept, restore_kept
from storage.archive.read import ArchiveReader
from storage.archive.review import read_review, restore_review
from storage.database.codec import clean, clean_or_none, to_stamp
from storage.database.engine import IntegrityError
from storage.store import SqliteProjectStore
from storage.tables.base import insert
from storage.tables.documents import log_grade_change
from storage.tables.documents_write import insert_document, prepare

_NOT_THERE = "The project was exported before this source was there."


def restore(reader: ArchiveReader, store: SqliteProjectStore) -> None:
    """Take documents, texts, bytes, acquisitions, the log of grades, reports, claims, review, questions, answers,
    calls, notes into the empty ``store``. Raises HostileArchive: something in the zip is wrong; the caller throws the
    project away."""
    try:
        _restore(reader, store)
    except (ValueError, OverflowError, IntegrityError) as error:  # numbers no database takes, impossible times …
        raise HostileArchive(f"The zip holds a value that cannot be stored ({error}); nothing was taken in.") from error


def _restore(reader: ArchiveReader, store: SqliteProjectStore) -> None:
    documents = reader.documents()
    passages = reader.passages()
    acquisitions = reader.acquisitions()
    for blob_hash in sorted(reader.check_references(documents, acquisitions, reader.reports())):
        if store.put_blob(reader.read(blob_member(blob_hash))) != blob_hash:
            raise HostileArchive(f"The bytes named {blob_hash} differ from that SHA-256; nothing was taken in.")
    for document in documents:
        text = reader.text(document)
        prepared = prepare(document, text, reader.cut(document, text, passages.get(document.id)))
        document_kept = replace(prepared[0], created=aware(document.created) or store._clock())
        with store._db.write(durable=False) as connection:
            insert_document(connection, document_kept, prepared)
    judged, reviewed, asked = read_judged(reader, documents), read_review(reader), read_asked(reader, documents)
    notes = read_kept(reader, documents, judged)
    _restore_lists(reader, store, acquisitions, documents)
    with store._db.write() as connection:
        restore_judged(reader, connection, judged)
        restore_review(connection, reviewed)
        restore_asked(connection, asked)
    restore_kept(store, notes)


def _restore_lists(
    reader: ArchiveReader, store: SqliteProjectStore, acquisitions: list[Acquisition], documents: list[Document]
) -> None:
    document_ids = {document.id for document in documents}
    with store._change() as connection:
        for acquisition in acquisitions:
            cancelled = acquisition.state is FetchState.QUEUED  # its job is not in the zip
            requested, finished = aware(acquisition.requested), aware(acquisition.finished) or store._clock()
            assert requested is not None
            insert(
                connection,
                "acquisitions",
                kind=acquisition.kind.value,
                origin=clean(acquisition.origin),
                state=(FetchState.CANCELLED if cancelled else acquisition.state).value,
                requested=to_stamp(requested),
                message=_NOT_THERE if cancelled else clean(acquisition.message),
                blob_hash=acquisition.blob_hash,
                media_type=clean_or_none(acquisition.media_type),
                document_id=acquisition.document_id if acquisition.document_id in document_ids else None,
                finished=to_stamp(finished),
                batch=clean(acquisition.batch),
            )
        for change in reader.grade_changes():
            log_grade_change(connection, replace(change, at=aware(change.at) or change.at))


def verify(path: Path) -> list[str]:
    """Faults of a zip, one sentence each; empty when it is sound. Every member is unpacked and checked
    against the manifest, every text and blob against the hash it is named by, every passage against its text, the
    log of decisions against its hashes."""
    problems: list[str] = []

    def attempt(check: Callable[[], object]) -> None:
        try:
            check()
        except HostileArchive as error:
            problems.append(str(error))

    try:
        with ArchiveReader(path) as reader:
            reader.check()
            for name in reader.names():
                attempt(lambda name=name: _check_bytes(reader, name))  # type: ignore[misc]
            if not problems:
                attempt(lambda: _check_records(reader))
    except HostileArchive as error:
        problems.append(str(error))
    return problems


def _check_bytes(reader: ArchiveReader, name: str) -> None:
    body = reader.read(name)
    folder, _, rest = name.partition("/")
    if folder in ("texts", "blobs") and hex_digest(body) != rest.removesuffix(".txt"):
        raise HostileArchive(f"{name}: its bytes differ from the SHA-256 in its name.")


def _check_records(reader: ArchiveReader) -> None:
    passages = reader.passages()
    documents = reader.documents()
    reader.check_references(documents, reader.acquisitions(), reader.reports())
    reader.grade_changes()
    for document in documents:
        reader.cut(document, reader.text(document), passages.get(document.id))
    judged = read_judged(reader, documents)
    read_review(reader)
    read_asked(reader, documents)
    read_kept(reader, documents, judged)
