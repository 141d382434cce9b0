"""Reading documents out of an open connection. ``Filters`` are SQL conditions, so that they hold before anything is
ranked."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.errors import DocumentNotFound
from core.records import Document, Filters
from storage.database.codec import DOCUMENT_COLUMNS, checksum, clean, damaged, document_from, key_or_none

NO_FILTERS = Filters()


def conditions(filters: Filters, *, superseded: bool = False) -> tuple[str, list[object]]:
    """A condition on ``documents d`` and its parameters. Fields combine by *and*; the values inside one field by *or*
    (any of these documents, languages, tags). The grade is the override where there is one. A date filter leaves out
    documents without a publication date. The language ``en`` also takes ``en-GB``. Values are cleaned as stored texts
    are, so that none is refused. Pages that wait to be accepted are found only where they are named, or with
    ``superseded``."""
    parts: list[str] = [] if superseded else ["d.superseded_by IS NULL"]
    if not superseded and not filters.documents:
        parts.append("d.accepted = 1")
    values: list[object] = []
    if filters.min_grade is not None:
        parts.append("coalesce(d.grade_override, d.grade) <= ?")  # "A" sorts before "E"
        values.append(filters.min_grade.value)
    if filters.documents:
        parts.append(f"d.id IN ({marks(len(filters.documents))})")
        values.extend(map(clean, filters.documents))
    if filters.published_from is not None:
        parts.append("d.published >= ?")
        values.append(filters.published_from.isoformat())
    if filters.published_to is not None:
        parts.append("d.published <= ?")
        values.append(filters.published_to.isoformat())
    if filters.languages:
        language_condition = "(lower(d.language) = ? OR substr(lower(d.language), 1, ?) = ?)"
        parts.append("(" + " OR ".join([language_condition] * len(filters.languages)) + ")")
        for language in (clean(language).lower() for language in filters.languages):
            values.extend((language, len(language) + 1, f"{language}-"))
    if filters.tags:
        parts.append(
            f"EXISTS (SELECT 1 FROM document_tags g WHERE g.document = d.row AND g.tag IN ({marks(len(filters.tags))}))"
        )
        values.extend(map(clean, filters.tags))
    return " AND ".join(parts) or "1", values


def unfiltered(connection: sqlite3.Connection, filters: Filters) -> bool:
    """The test for a search over everything: there is no filter, and no page waits to be accepted."""
    waiting = connection.execute("SELECT 1 FROM documents WHERE accepted = 0 LIMIT 1").fetchone()
    return filters == NO_FILTERS and waiting is None


def batches(numbers: Sequence[int], size: int = 5000) -> Iterator[list[int]]:
    """``numbers`` in pieces that one statement can take; what no row can have as its number is left out."""
    for at in range(0, len(numbers), size):
        yield [int(number) for number in numbers[at : at + size] if key_or_none(int(number)) is not None]


def marks(count: int) -> str:
    return ",".join("?" * count)


_COLUMNS = ", ".join(f"d.{name}" for name in (*DOCUMENT_COLUMNS, "sum"))


def read_documents(connection: sqlite3.Connection, condition: str, values: Sequence[object]) -> list[Document]:
    """Documents ``d`` under an SQL condition, in the order in which they were stored."""
    chosen = f"SELECT d.row FROM documents d WHERE {condition}"
    urls: dict[int, list[str]] = defaultdict(list)
    tags: dict[int, list[str]] = defaultdict(list)
    rows = connection.execute(
        f"SELECT d.row, {_COLUMNS} FROM documents d WHERE {condition} ORDER BY d.row", values
    ).fetchall()
    for row, url, stored in connection.execute(
        f"SELECT document, url, sum FROM document_urls WHERE document IN ({chosen}) ORDER BY document, position", values
    ):
        if checksum(url) != stored:
            raise damaged(f"The address {url!r} of a source", "its checksum differs")
        urls[row].append(url)
    for row, tag in connection.execute(
        f"SELECT document, tag FROM document_tags WHERE document IN ({chosen}) ORDER BY document, tag", values
    ):
        tags[row].append(tag)
    return [document_from(row[1:], urls[row[0]], tags[row[0]]) for row in rows]


def read_document(connection: sqlite3.Connection, document_id: str) -> Document:
    """One document. Raises DocumentNotFound: no document has this id."""
    documents = read_documents(connection, "d.id = ?", (clean(document_id),))
    if not documents:
        raise not_found(document_id)
    return documents[0]


def row_of(connection: sqlite3.Connection, document_id: str) -> int:
    row = connection.execute("SELECT row FROM documents WHERE id = ?", (clean(document_id),)).fetchone()
    if row is None:
        raise not_found(document_id)
    return int(row[0])


def not_found(document_id: str) -> DocumentNotFound:
    return DocumentNotFound(f"No document {document_id!r} in this project. It may have been deleted; reload the list.")
