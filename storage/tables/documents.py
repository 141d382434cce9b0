"""Documents: storing, reading, tags, grades."""

import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core.errors import StorageError
from core.labels import Grade
from core.ports.store import Clock
from core.records import MENDABLE, Document, Filters, GradeChange, Passage
from storage.database.codec import checksum, clean, clean_or_none, document_values, grade_change_from, to_stamp
from storage.database.database import Database
from storage.database.layout import Layout
from storage.tables.base import Part, advance, counter, insert
from storage.tables.blobs import unpacked_text
from storage.tables.checks import check_passages
from storage.tables.documents_read import NO_FILTERS, conditions, read_document, read_documents, row_of
from storage.tables.late import LateStore
from storage.tables.passages import indexed_terms, insert_passages, remove_passages


class Documents(Part):
    """Reading documents and changing their metadata."""

    def __init__(self, layout: Layout, database: Database, late: LateStore, clock: Clock) -> None:
        super().__init__(layout, database, late, clock)
        self._signatures_lock = threading.Lock()
        self._signatures: dict[str, bytes] = {}
        self._signatures_state = (-1, 0)

    def document(self, document_id: str) -> Document:
        """One document (DocumentNotFound)."""
        with self._db.read() as connection:
            return read_document(connection, document_id)

    def documents(self, filters: Filters = NO_FILTERS, *, superseded: bool = False) -> list[Document]:
        condition, values = conditions(filters, superseded=superseded)
        with self._db.read() as connection:
            return read_documents(connection, condition, values)

    def by_url(self, url: str) -> Document | None:
        with self._db.read() as connection:
            documents = read_documents(
                connection,
                "d.superseded_by IS NULL AND (d.row IN (SELECT document FROM document_urls WHERE url = ?1) "
                "OR d.canonical_url = ?1)",
                (clean(url),),
            )
        return documents[-1] if documents else None

    def text(self, document_id: str) -> str:
        with self._db.read() as connection:
            row = connection.execute(
                "SELECT t.body, t.size, d.content_hash FROM document_texts t JOIN documents d ON d.row = t.document "
                "WHERE t.document = ?",
                (row_of(connection, document_id),),
            ).fetchone()
        if row is None:
            raise StorageError(f"The text of document {document_id} is not in {self._db.path}. Add the source again.")
        return unpacked_text(row[0], row[1], f"document {document_id} in {self._db.path}", row[2])

    def signatures(self) -> dict[str, bytes]:
        with self._signatures_lock, self._db.read() as connection:
            removed = counter(connection, "documents_removed")
            if removed != self._signatures_state[0]:
                self._signatures, self._signatures_state = {}, (removed, 0)
            rows = connection.execute(
                "SELECT row, id, signature FROM documents WHERE row > ? ORDER BY row", (self._signatures_state[1],)
            ).fetchall()
            if rows:
                self._signatures.update((row[1], row[2]) for row in rows)
                self._signatures_state = (removed, rows[-1][0])
            return dict(self._signatures)

    def touch(self, document_id: str, *, urls: Sequence[str], fetched: datetime) -> Document:
        with self._change() as connection:
            row = row_of(connection, document_id)
            add_urls(connection, row, urls)
            (known,) = connection.execute("SELECT fetched FROM documents WHERE row = ?", (row,)).fetchone()
            connection.execute("UPDATE documents SET fetched = ? WHERE row = ?", (max(known, to_stamp(fetched)), row))
            return read_document(connection, document_id)

    def replace_passages(self, document_id: str, passages: Sequence[Passage]) -> None:
        """Cut the document anew; the passages get new ids, texts that stay the same keep their vectors."""
        text = self.text(document_id)
        check_passages(document_id, text, passages)
        prepared = [(passage, indexed_terms(passage)) for passage in passages]
        with self._change() as connection:
            row = row_of(connection, document_id)
            (superseded,) = connection.execute("SELECT superseded_by FROM documents WHERE row = ?", (row,)).fetchone()
            remove_passages(connection, row)
            insert_passages(connection, row, superseded is None, prepared)
            connection.execute("UPDATE documents SET passage_count = ? WHERE row = ?", (len(passages), row))
            advance(connection, "removals")

    def override_grade(self, document_id: str, grade: Grade | None, reason: str, by: str) -> Document:
        """A person's grade in place of the computed one, or None to take it back; logged."""
        with self._change() as connection:
            document = read_document(connection, document_id)
            connection.execute(
                "UPDATE documents SET grade_override = ? WHERE id = ?", (grade.value if grade else None, document_id)
            )
            change = GradeChange(document_id, grade, document.grade_in_force, reason, by, self._clock())
            log_grade_change(connection, change)
            return replace(document, grade_override=grade)

    def grade_changes(self, document_id: str | None = None) -> list[GradeChange]:
        """Logged overrides, oldest first; those of deleted documents stay in the log."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT document_id, grade, previous, reason, by, at FROM grade_changes "
                "WHERE ?1 IS NULL OR document_id = ?1 ORDER BY id",
                (clean_or_none(document_id),),
            ).fetchall()
        return [grade_change_from(row) for row in rows]

    def set_tags(self, document_id: str, tags: Sequence[str]) -> Document:
        """Replace the tags; they are trimmed, empty ones dropped, kept sorted."""
        with self._change() as connection:
            write_tags(connection, row_of(connection, document_id), tags)
            return read_document(connection, document_id)

    def mend(self, document: Document, fields: Sequence[str]) -> Document:
        with self._change() as connection:
            stored = read_document(connection, document.id)
            mended = tuple(name for name in MENDABLE if name in (*stored.mended, *fields))
            given = {name: getattr(document, name) for name in MENDABLE if name in fields}
            values = document_values(replace(stored, **given, mended=mended))
            names = [*given, "mended", "sum"]
            connection.execute(
                f"UPDATE documents SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?",
                (*(values[name] for name in names), document.id),
            )
            return read_document(connection, document.id)

    def accept(self, document_id: str) -> Document:
        with self._change() as connection:
            accept(connection, row_of(connection, document_id))
            return read_document(connection, document_id)


def accept(connection: sqlite3.Connection, document_row: int) -> None:
    """Take a page in that waited to be accepted."""
    connection.execute("UPDATE documents SET accepted = 1 WHERE row = ? AND accepted = 0", (document_row,))


def add_urls(connection: sqlite3.Connection, document_row: int, urls: Sequence[str]) -> None:
    """Add URLs that the document was not seen at before, after those it has."""
    urls_stored = [
        row[0]
        for row in connection.execute(
            "SELECT url FROM document_urls WHERE document = ? ORDER BY position", (document_row,)
        )
    ]
    new = [url for url in dict.fromkeys(map(clean, urls)) if url not in set(urls_stored)]
    connection.executemany(
        "INSERT INTO document_urls(document, position, url, sum) VALUES(?, ?, ?, ?)",
        [(document_row, len(urls_stored) + at, url, checksum(url)) for at, url in enumerate(new)],
    )


def write_tags(connection: sqlite3.Connection, document_row: int, tags: Sequence[str]) -> None:
    connection.execute("DELETE FROM document_tags WHERE document = ?", (document_row,))
    tags_kept = sorted({clean(tag).strip() for tag in tags} - {""})
    connection.executemany(
        "INSERT INTO document_tags(document, tag, sum) VALUES(?, ?, ?)",
        [(document_row, tag, checksum(tag)) for tag in tags_kept],
    )


def log_grade_change(connection: sqlite3.Connection, change: GradeChange) -> None:
    insert(
        connection,
        "grade_changes",
        document_id=change.document_id,
        grade=change.grade.value if change.grade else None,
        previous=change.previous.value,
        reason=clean(change.reason),
        by=clean(change.by),
        at=to_stamp(change.at),
    )
