"""``10_graph/index_metadata.json``: what the index holds, for people and for other programs.

The database is the truth; the file is written after each commit that changes it, under a lock between
processes, from the state read inside that lock: so an older state never replaces a newer one. A crash between
commit and write is mended when the project is opened, by comparing ``revision``.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from core.errors import StorageError
from storage.database import Database
from storage.files import locked, write_atomically
from storage.layout import Layout

_SOURCES = """SELECT d.content_hash, coalesce(d.canonical_url, (SELECT url FROM document_urls u WHERE u.document = d.row
    ORDER BY u.position LIMIT 1)), d.title, coalesce(d.grade_override, d.grade), d.fetched, d.passage_count
    FROM documents d WHERE d.superseded_by IS NULL ORDER BY d.row"""


class IndexMetadata:
    """Writer of the file of one project."""

    def __init__(self, layout: Layout, database: Database) -> None:
        self._path = layout.index_metadata
        self._lock_path = layout.lock
        self._db = database
        self._fragments: dict[str, tuple[tuple[object, ...], str]] = {}

    def publish(self, *, only_if_stale: bool = False, durable: bool = True) -> None:
        """Write the file from the newest committed state. Not ``durable``: without waiting for the disk; after a
        power cut the next opening mends the file.

        Raises:
            StorageError: the file cannot be written. The change itself is committed; the file is mended when
                the project is opened next.
        """
        try:
            with locked(self._lock_path):
                with self._db.read() as connection:
                    revision = _revision(connection)
                    if only_if_stale and revision == self._written():
                        return
                    body = self._render(connection, revision)
                write_atomically(self._path, body, durable=durable)
        except OSError as error:
            raise StorageError(
                f"{self._path} could not be written ({error}). The change is stored in the database. Check that the "
                "project was not deleted or moved and that there is space, then open it again."
            ) from error

    def _written(self) -> object:
        try:
            found = json.loads(self._path.read_bytes())
        except (FileNotFoundError, ValueError):  # never written, or cut off by a power cut
            return None
        return found.get("revision") if isinstance(found, dict) else None

    def _render(self, connection: sqlite3.Connection, revision: list[int]) -> bytes:
        """The file's bytes. ``index_built``: there is a document, and every passage of a document that is not
        superseded is in the word index. Superseded documents are not in the index, so they are not listed."""
        rows = connection.execute(_SOURCES).fetchall()
        fragments = {row[0]: self._fragment(row) for row in rows}
        self._fragments = fragments
        passages = sum(row[5] for row in rows)
        (indexed,) = connection.execute("SELECT count(*) FROM word_index_docsize").fetchone()
        queries, results, hits = connection.execute(
            "SELECT queries, results, cache_hits FROM query_totals").fetchone()
        statistics = {
            "total_queries": queries,
            "avg_results_per_query": round(results / queries, 4) if queries else 0.0,
            "cache_hit_rate": round(hits / queries, 4) if queries else 0.0,
        }
        head = {
            "index_built": bool(rows) and indexed == passages,
            "document_count": len(rows),
            "passage_count": passages,
            "revision": revision,
            "retrieval_stats": statistics,
            "indexed_hashes": [row[0] for row in rows],
        }
        sources = ",\n  ".join(text for _, text in fragments.values())
        return (json.dumps(head, indent=1)[:-2] + ',\n "sources": {\n  ' + sources + "\n }\n}\n").encode()

    def _fragment(self, row: tuple[object, ...]) -> tuple[tuple[object, ...], str]:
        kept = self._fragments.get(str(row[0]))
        if kept is not None and kept[0] == row:
            return kept
        content_hash, url, title, grade, fetched, passages = row
        fetched_text = datetime.fromisoformat(str(fetched)).strftime("%Y-%m-%dT%H:%M:%SZ")
        source = {"url": url, "title": title, "quality": grade, "fetch_date": fetched_text, "passage_count": passages}
        return row, f"{json.dumps(content_hash)}: {json.dumps(source)}"


def _revision(connection: sqlite3.Connection) -> list[int]:
    """Changes whenever the file's content can change: [version of the documents, queries answered]."""
    row = connection.execute(
        "SELECT (SELECT value FROM meta WHERE key = 'documents_version'), (SELECT queries FROM query_totals)"
    ).fetchone()
    return [int(row[0]), int(row[1])]
