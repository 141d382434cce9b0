"""What is stored, compared with its own hashes: a changed byte is told by the thing that it changed.

SQLite has no checksums of its content, so a byte that rots inside a text is still a valid database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from core.errors import StorageError
from core.ports.store import ProjectStore
from core.records.decision_chain import faults_of
from core.text.hashing import digest
from storage.database.engine import SqliteError
from storage.tables.base import Part

_MOST = 20
"""Sentences of SQLite about one database; more say nothing new."""


class Integrity(Part):
    """Whether what is stored is whole."""

    def problems(self) -> list[str]:
        rows: list[str] = []
        for check in _CHECKS:
            try:
                rows.extend(check(self, cast(ProjectStore, self)))
            except StorageError as error:
                rows.append(str(error))
            except SqliteError as error:
                rows.append(f"{self._layout.database} cannot be read: {error}.")
        return list(dict.fromkeys(rows))


def _structure(part: Part, store: ProjectStore) -> Iterator[str]:
    with part._db.read() as connection:
        told = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
        broken = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST)
    yield from (f"{part._layout.database}: {line}." for line in told if line != "ok")
    yield from (f"{part._layout.database}: a row of {row[0]} belongs to no row of {row[2]}." for row in broken)
    yield from part._late.faults(_MOST)


def _documents(part: Part, store: ProjectStore) -> Iterator[str]:
    with part._db.read() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM documents ORDER BY row")]
    for document_id in ids:
        try:
            store.text(document_id)
        except StorageError as error:
            yield str(error)


def _passages(part: Part, store: ProjectStore) -> Iterator[str]:
    """The words of each passage against its hash, and against the text of its document."""
    with part._db.read() as connection:
        rows = connection.execute(
            'SELECT d.id, p.ordinal, p."start", p."end", p.text_hash, t.text, t.context FROM passages p '
            "JOIN documents d ON d.row = p.document LEFT JOIN passage_texts t ON t.id = p.id ORDER BY d.row, p.ordinal"
        ).fetchall()
    known, text = "", ""
    for document_id, ordinal, start, end, text_hash, words, context in rows:
        if document_id != known:
            known = document_id
            try:
                text = store.text(document_id)
            except StorageError:
                text = ""  # told by ``_documents``
        whole = words is not None and digest(f"{context}\n{words}" if context else words) == text_hash
        if not whole or (text and text[start:end] != words):
            yield f"Passage {ordinal + 1} of document {document_id} is not what was stored. Add the source again."


def _files(part: Part, store: ProjectStore) -> Iterator[str]:
    with part._db.read() as connection:
        hashes = [row[0] for row in connection.execute("SELECT hash FROM blobs ORDER BY hash")]
    for blob_hash in hashes:
        try:
            store.blob(blob_hash)
        except StorageError as error:
            yield str(error)


def _reports(part: Part, store: ProjectStore) -> Iterator[str]:
    for report in store.reports(superseded=True):
        try:
            store.report_text(report.id)
        except StorageError as error:
            yield str(error)


def _decisions(part: Part, store: ProjectStore) -> Iterator[str]:
    yield from faults_of(store.decision_chain())


_CHECKS: tuple[Callable[[Part, ProjectStore], Iterator[str]], ...] = (
    _structure, _documents, _passages, _files, _reports, _decisions,
)  # fmt: skip
