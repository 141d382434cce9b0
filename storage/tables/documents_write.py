"""Storing and deleting a document: evidence and index in one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BlobMissing
from core.labels import FetchState
from core.records import Document, Passage
from storage.database.codec import PASSAGE_COLUMNS, clean_or_none, document_values, passage_from
from storage.tables.acquisitions import finish
from storage.tables.base import advance, insert
from storage.tables.blobs import Blobs, pack, release_unused
from storage.tables.checks import check_document
from storage.tables.documents import Documents, accept, add_urls, write_tags
from storage.tables.documents_read import read_document, read_documents, row_of
from storage.tables.passages import indexed_terms, insert_passages, remove_passages

Prepared = tuple[Document, bytes, int, list[tuple[Passage, str]]]


class Writing(Documents, Blobs):
    """The writing half of the document store."""

    def put(
        self,
        document: Document,
        text: str,
        passages: Sequence[Passage],
        *,
        acquisition: int | None = None,
        supersedes: str | None = None,
    ) -> Document:
        check_document(document, text, passages)
        prepared = prepare(document, text, passages)  # tokenizing needs no lock
        with self._change() as connection:
            same_text = read_documents(connection, "d.content_hash = ?", (document.content_hash,))
            if same_text:
                _merge(connection, same_text[0], document)
            else:
                original = _known_or_none(connection, document.near_duplicate_of)
                insert_document(
                    connection,
                    replace(prepared[0], created=self._clock(), near_duplicate_of=original, superseded_by=None),
                    prepared,
                )
            if supersedes is not None and supersedes != document.id:
                row_of(connection, supersedes)
                set_successor(connection, supersedes, document.id)
            if acquisition is not None:
                state = FetchState.DUPLICATE if same_text else FetchState.STORED
                finish(
                    connection,
                    acquisition,
                    state,
                    "",
                    self._clock(),
                    blob_hash=document.blob_hash,
                    document_id=document.id,
                    media_type=document.media_type,
                )
            return read_document(connection, document.id)

    def delete(self, document_id: str) -> None:
        """Remove a document with its passages, index entries and the acquisitions that led to it; its bytes too, unless
        something else refers to them. Vectors stay, so that adding the same text again encodes nothing. Near-duplicates
        of it point to the next earliest one. What it superseded points to its successor, or becomes current again where
        there is none."""
        with self._change() as connection:
            row = row_of(connection, document_id)
            hashes = [
                blob_row[0]
                for blob_row in connection.execute(
                    "SELECT blob_hash FROM documents WHERE row = ?1 UNION SELECT blob_hash FROM acquisitions "
                    "WHERE document_id = ?2 AND blob_hash IS NOT NULL",
                    (row, document_id),
                )
            ]
            _mend_pointers(connection, row, document_id)
            connection.execute("DELETE FROM acquisitions WHERE document_id = ?", (document_id,))
            remove_passages(connection, row)
            connection.execute("DELETE FROM documents WHERE row = ?", (row,))
            gone = release_unused(connection, hashes)
            advance(connection, "removals")
        self._drop_blob_files(gone)

    def passages_of(self, document_id: str) -> list[Passage]:
        """All passages of a document in their order, also of a superseded one."""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {PASSAGE_COLUMNS} FROM passages p JOIN passage_texts t ON t.id = p.id "
                "JOIN documents d ON d.row = p.document WHERE p.document = ? ORDER BY p.ordinal",
                (row_of(connection, document_id),),
            ).fetchall()
        return [passage_from(row) for row in rows]


def prepare(document: Document, text: str, passages: Sequence[Passage]) -> Prepared:
    """Everything that can be computed before the transaction: packed text, its size, index terms."""
    raw = text.encode()
    document = replace(document, length=len(text), passage_count=len(passages))
    return document, pack(raw), len(raw), [(passage, indexed_terms(passage)) for passage in passages]


def insert_document(connection: sqlite3.Connection, document: Document, prepared: Prepared) -> int:
    """Store a new document with text, URLs, tags and passages; returns its row."""
    if connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (document.blob_hash,)).fetchone() is None:
        raise BlobMissing(
            f"The bytes {document.blob_hash} of {document.title!r} are not in the project. "
            "Keep them with put_blob() before the document."
        )
    row = insert(connection, "documents", **document_values(document))
    connection.execute("INSERT INTO document_texts VALUES(?, ?, ?)", (row, prepared[2], prepared[1]))
    add_urls(connection, row, document.urls)
    write_tags(connection, row, document.tags)
    insert_passages(connection, row, document.superseded_by is None, prepared[3])
    return row


def set_successor(connection: sqlite3.Connection, document_id: str, successor: str | None) -> None:
    """Take a document out of the search (``successor``) or back into it (None)."""
    connection.execute("UPDATE documents SET superseded_by = ? WHERE id = ?", (successor, document_id))
    connection.execute(
        "UPDATE passages SET current = ? WHERE document = (SELECT row FROM documents WHERE id = ?)",
        (int(successor is None), document_id),
    )
    advance(connection, "removals")


def _merge(connection: sqlite3.Connection, stored: Document, again: Document) -> None:
    row = row_of(connection, stored.id)
    add_urls(connection, row, again.urls)
    connection.execute(
        "UPDATE documents SET filename = coalesce(filename, ?), canonical_url = coalesce(canonical_url, ?) "
        "WHERE row = ?",
        (clean_or_none(again.filename), clean_or_none(again.canonical_url), row),
    )
    if not again.accepted:  # a page that nobody chose brings no old version back
        return
    accept(connection, row)
    if stored.superseded_by is not None:
        set_successor(connection, stored.id, None)


def _known_or_none(connection: sqlite3.Connection, document_id: str | None) -> str | None:
    """``document_id``, unless it was deleted since the caller looked."""
    row = connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)).fetchone()
    return document_id if row else None


def _mend_pointers(connection: sqlite3.Connection, row: int, document_id: str) -> None:
    original, successor = connection.execute(
        "SELECT near_duplicate_of, superseded_by FROM documents WHERE row = ?", (row,)
    ).fetchone()
    copies = [
        copy_row[0]
        for copy_row in connection.execute(
            "SELECT id FROM documents WHERE near_duplicate_of = ? ORDER BY row", (document_id,)
        )
    ]
    if copies and original is None:
        original, copies = copies[0], copies[1:]
        connection.execute("UPDATE documents SET near_duplicate_of = NULL WHERE id = ?", (original,))
    connection.executemany(
        "UPDATE documents SET near_duplicate_of = ? WHERE id = ?", [(original, copied) for copied in copies]
    )
    for (older,) in connection.execute("SELECT id FROM documents WHERE superseded_by = ?", (document_id,)).fetchall():
        set_successor(connection, older, successor)
