"""What is stored, compared with its own hashes: a changed byte is told by the thing that it changed.

SQLite has no checksums of its content, so a byte that rots inside a text is still a valid database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from core.errors import StorageError
from core.ports.store import Progress, ProjectStore
from core.records.decision_chain import faults_of
from core.text.hashing import digest
from storage.database.codec import ADD_AGAIN, checksum, passage_sum, vector_sum
from storage.database.engine import SqliteError
from storage.tables.base import Part
from storage.tables.passages import terms_of

_ALL = 2**31
SEEN = ""
_MOST = 20
"""Sentences of SQLite about one database; more say nothing new."""


class Integrity(Part):
    """Whether what is stored is whole."""

    def problems(self, progress: Progress | None = None) -> list[str]:
        rows: list[str] = []
        for at, (words, check) in enumerate(_CHECKS.items()):
            try:
                for row in check(self, cast(ProjectStore, self)):
                    if progress is not None:
                        progress(at, len(_CHECKS), words)
                    rows.append(row)
            except StorageError as error:
                rows.append(str(error))
            except SqliteError as error:
                rows.append(f"{self._layout.database} cannot be read: {error}.")
        return list(dict.fromkeys(filter(None, rows)))


def _structure(part: Part, store: ProjectStore) -> Iterator[str]:
    yield SEEN
    with part._db.read() as connection:
        # SQLite compares the index of words with what this connection remembers of it; opening a cursor forgets that.
        connection.execute("SELECT rowid FROM word_index LIMIT 1").fetchall()
        told = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
        broken = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST)
    yield from (f"{part._layout.database}: {line}." for line in told if line != "ok")
    yield from (f"{part._layout.database}: a row of {row[0]} belongs to no row of {row[2]}." for row in broken)
    yield from part._late.faults(_MOST)


def _documents(part: Part, store: ProjectStore) -> Iterator[str]:
    with part._db.read() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM documents ORDER BY row")]
    for document_id in ids:
        yield from _told(partial(store.document, document_id), partial(store.text, document_id))


def _told(*readings: Callable[[], object]) -> Iterator[str]:
    """The sentence of each reading that fails."""
    for reading in readings:
        yield SEEN
        try:
            reading()
        except StorageError as error:
            yield str(error)


def _passages(part: Part, store: ProjectStore) -> Iterator[str]:
    """The words of each passage against its hash, and against the text of its document; and whether all are there."""
    with part._db.read() as connection:
        rows = connection.execute(
            'SELECT d.id, p.ordinal, p."start", p."end", p.text_hash, t.text, t.context, p.page, t.terms, t.sum, '
            "p.current = (d.superseded_by IS NULL) FROM passages p "
            "JOIN documents d ON d.row = p.document LEFT JOIN passage_texts t ON t.id = p.id ORDER BY d.row, p.ordinal"
        ).fetchall()
        short = connection.execute(
            "SELECT id FROM documents d WHERE passage_count <> "
            "(SELECT count(*) FROM passages p WHERE p.document = d.row)"
        ).fetchall()
    known, text = "", ""
    for document_id, ordinal, start, end, text_hash, words, context, page, terms, stored, in_place in rows:
        if document_id != known:
            yield SEEN
            known = document_id
            try:
                text = store.text(document_id)
            except StorageError:
                text = ""  # told by ``_documents``
        whole = words is not None and digest(f"{context}\n{words}" if context else words) == text_hash
        whole = whole and passage_sum(ordinal, start, end, page, words, context) == stored and in_place
        whole = whole and terms == terms_of(f"{context}\n{words}" if context else words)
        if not whole or (text and text[start:end] != words):
            yield f"Passage {ordinal + 1} of document {document_id} {ADD_AGAIN}"
    for (document_id,) in short:
        yield f"Document {document_id} has not all of its passages. Add the source again."


def _word_index(part: Part, store: ProjectStore) -> Iterator[str]:
    """The index of words against the terms of the passages; one that differs is made anew of them."""
    yield SEEN
    with part._db.write(durable=False) as connection:
        try:
            connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
        except SqliteError:
            connection.execute("INSERT INTO word_index(word_index) VALUES('rebuild')")
            yield f"{part._layout.database}: the index of words was not that of the passages. It was made anew."


def _vectors(part: Part, store: ProjectStore) -> Iterator[str]:
    yield SEEN
    with part._db.read() as connection:
        rows = connection.execute("SELECT text_hash, vector, sum FROM vectors")
        changed = sum(vector_sum(text_hash, vector) != stored for text_hash, vector, stored in rows)
    if changed:
        yield f"{part._layout.database}: {changed} vectors are not what was stored. Searching makes them anew."


def _files(part: Part, store: ProjectStore) -> Iterator[str]:
    with part._db.read() as connection:
        hashes = [row[0] for row in connection.execute("SELECT hash FROM blobs ORDER BY hash")]
    yield from _told(*(partial(store.blob, blob_hash) for blob_hash in hashes))


def _reports(part: Part, store: ProjectStore) -> Iterator[str]:
    for report in store.reports(superseded=True):
        yield from _told(partial(store.report_text, report.id), partial(store.findings, report.id))


def _records(part: Part, store: ProjectStore) -> Iterator[str]:
    """Claims, judged pairs, questions, answers, and calls of language models against their checksums."""
    with part._db.read() as connection:
        keys = [row[0] for row in connection.execute("SELECT key FROM verdicts ORDER BY key")]
    yield from _told(store.claims, store.questions, partial(store.answers, limit=_ALL))
    yield from _told(partial(store.calls, limit=_ALL))
    yield from _told(*(partial(store.verdicts, [key]) for key in keys))


def _decisions(part: Part, store: ProjectStore) -> Iterator[str]:
    yield SEEN
    yield from faults_of(store.decision_chain())


def _tags(part: Part, store: ProjectStore) -> Iterator[str]:
    yield SEEN
    with part._db.read() as connection:
        rows = connection.execute(
            "SELECT d.id, t.tag, t.sum FROM document_tags t JOIN documents d ON d.row = t.document ORDER BY d.row"
        ).fetchall()
    for document_id, tag, stored in rows:
        if checksum(tag) != stored:
            yield f"The tag {tag!r} of document {document_id} is not what was stored. Give the document its tags again."


def _people(part: Part, store: ProjectStore) -> Iterator[str]:
    """People; and the policy and the jobs, which have no checksums: of them only what cannot be is told."""
    yield from _told(store.people, store.review_policy, partial(store.jobs, limit=_ALL))
    with part._db.read() as connection:
        rows = connection.execute("SELECT name, role, sum FROM people ORDER BY id").fetchall()
    for name, role, stored in rows:
        if checksum(name, role) != stored:
            yield f"The person {name!r} ({role}) is not as stored. Enter the name and the role again."


_CHECKS: dict[str, Callable[[Part, ProjectStore], Iterator[str]]] = {
    "the structure of the databases": _structure,
    "the texts of the sources": _documents,
    "the passages": _passages,
    "the index of words": _word_index,
    "the vectors": _vectors,
    "the files as received": _files,
    "the reports": _reports,
    "claims, answers and judgements": _records,
    "the log of decisions": _decisions,
    "tags": _tags,
    "people and jobs": _people,
}
"""Parts of what is stored, in words for people, with their checks. Each check yields a sentence for each fault, and
``SEEN`` between two things, so that it can be stopped."""
