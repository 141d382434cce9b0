"""Reading documents out of an open connection."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from core.errors import DocumentNotFound
from core.records import Document
from storage.database.codec import DOCUMENT_COLUMNS, clean, document_from

_COLUMNS = ", ".join(f"d.{name}" for name in DOCUMENT_COLUMNS)


def read_documents(connection: sqlite3.Connection, condition: str, values: Sequence[object]) -> list[Document]:
    """Documents ``d`` under an SQL condition, in the order in which they were stored."""
    chosen = f"SELECT d.row FROM documents d WHERE {condition}"
    urls: dict[int, list[str]] = defaultdict(list)
    tags: dict[int, list[str]] = defaultdict(list)
    rows = connection.execute(
        f"SELECT d.row, {_COLUMNS} FROM documents d WHERE {condition} ORDER BY d.row", values
    ).fetchall()
    for row, url in connection.execute(
        f"SELECT document, url FROM document_urls WHERE document IN ({chosen}) ORDER BY document, position", values
    ):
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
