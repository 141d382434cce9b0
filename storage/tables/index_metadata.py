"""``10_graph/index_metadata.json``: what the index holds, for people and for other programs. The database is the truth;
the file is written after each commit that changes it, under a lock between processes, from the state read inside that
lock: so an older state never replaces a newer one. A crash between commit and write, or a damaged file, is mended when
the project is opened: its every byte is compared."""

import contextlib
import json
import sqlite3
import threading
import time

from core.errors import StorageError
from core.text.files import locked, write_whole
from storage.database.codec import moment
from storage.database.database import Database
from storage.database.layout import Layout

_SOURCES = """SELECT d.row, d.content_hash, coalesce(d.canonical_url, (SELECT url FROM document_urls u
    WHERE u.document = d.row ORDER BY u.position LIMIT 1)), d.title, coalesce(d.grade_override, d.grade), d.fetched,
    d.passage_count FROM documents d WHERE d.version > ? AND d.superseded_by IS NULL ORDER BY d.row"""
AT_ONCE_UPTO = 2000
LATER_S = 1.0


class IndexMetadata:
    """Writer of the file of one project. Keeps the rendered lines and asks only for documents that changed. In a
    project of more than 2,000 documents the file is megabytes long: there it is written at most once a second, the last
    change within a second, so that adding and searching do not slow down with its length."""

    def __init__(self, layout: Layout, database: Database) -> None:
        self._path = layout.index_metadata
        self._lock_path = layout.lock
        self._db = database
        self._lock = threading.Lock()
        self._removed = self._version = -1
        self._sources: dict[int, tuple[str, str, int]] = {}
        self._documents = 0
        self._published = float("-inf")
        self._timer: threading.Timer | None = None

    def publish(self) -> None:
        """Bring the file up to the newest committed state, now or (large projects) within a second.

        Raises:
            StorageError: the file cannot be written. The change itself is committed; the file is mended when
                the project is opened next.
        """
        with self._lock:
            if self._documents > AT_ONCE_UPTO and time.monotonic() - self._published < LATER_S:
                if self._timer is None:
                    self._timer = threading.Timer(LATER_S, self._publish_late)
                    self._timer.daemon = True
                    self._timer.start()
                return
        self.publish_now()

    def publish_now(self, *, mend: bool = False) -> None:
        """Bring the file up to date before returning; nothing is written if it is (StorageError). ``mend`` compares
        every byte, where otherwise the first line and the end count."""
        try:
            with self._lock, locked(self._lock_path):
                with self._db.read() as connection:
                    revision = _revision(connection)
                    (self._documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
                    body = self._render(connection, revision) if mend or revision != self._written() else None
                if body is not None and not (mend and body == self._bytes()):
                    write_whole(self._path, body)
                self._published = time.monotonic()
        except OSError as error:
            raise StorageError(
                f"{self._path} could not be written ({error}). The change is stored in the database. Check that the "
                "project was not deleted or moved and that there is space, then open it again."
            ) from error

    def _publish_late(self) -> None:
        with self._lock:
            self._timer = None
        # Nobody waits for this thread: closed meanwhile is fine, any other fault is met again by the next change.
        with contextlib.suppress(StorageError):
            self.publish_now()

    def close(self) -> None:
        """Write what is still to be written (StorageError)."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
        self.publish_now()

    def _bytes(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def _written(self) -> list[int] | None:
        """The revision in the file, without parsing megabytes: it stands in the first line."""
        try:
            with self._path.open("rb") as file:
                first = file.readline(200).decode()
                complete = file.seek(-4, 2) >= 0 and file.read() == b"\n}}\n"
            revision = json.loads(first.removeprefix('{"revision":').rstrip(",\n"))
        except (OSError, ValueError):  # never written, or cut off by a power cut
            return None
        return revision if complete and isinstance(revision, list) else None

    def _render(self, connection: sqlite3.Connection, revision: list[int]) -> bytes:
        """The file's bytes. ``index_built``: there is a document, and every passage of a document that is not
        superseded is in the word index. Superseded documents are not in the index, so they are not listed."""
        self._refresh(connection, revision)
        passages = sum(count for _, _, count in self._sources.values())
        (indexed,) = connection.execute("SELECT count(*) FROM word_index_docsize").fetchone()
        queries, results, hits = connection.execute("SELECT queries, results, cache_hits FROM query_totals").fetchone()
        statistics = {
            "total_queries": queries,
            "avg_results_per_query": round(results / queries, 4) if queries else 0.0,
            "cache_hit_rate": round(hits / queries, 4) if queries else 0.0,
        }
        hashes = ",\n".join(content_hash for content_hash, _, _ in self._sources.values())
        sources = ",\n".join(f"{content_hash}: {source}" for content_hash, source, _ in self._sources.values())
        built = bool(self._sources) and indexed == passages
        return (
            f'{{"revision": {json.dumps(revision)},\n"index_built": {json.dumps(built)},\n'
            f'"document_count": {len(self._sources)},\n"passage_count": {passages},\n'
            f'"retrieval_stats": {json.dumps(statistics)},\n'
            f'"indexed_hashes": [\n{hashes}],\n"sources": {{\n{sources}\n}}}}\n'
        ).encode()

    def _refresh(self, connection: sqlite3.Connection, revision: list[int]) -> None:
        (removed,) = connection.execute("SELECT value FROM meta WHERE key = 'documents_removed'").fetchone()
        if removed != self._removed:
            self._sources, self._version, self._removed = {}, -1, removed
        for row, content_hash, url, title, grade, fetched, count in connection.execute(_SOURCES, (self._version,)):
            when = moment(fetched).strftime("%Y-%m-%dT%H:%M:%SZ")
            source = {"url": url, "title": title, "quality": grade, "fetch_date": when, "passage_count": count}
            self._sources[row] = (json.dumps(content_hash), json.dumps(source), count)
        self._version = revision[0]


def _revision(connection: sqlite3.Connection) -> list[int]:
    """Changes whenever the file's content can change: [version of the documents, queries answered]."""
    row = connection.execute(
        "SELECT (SELECT value FROM meta WHERE key = 'documents_version'), (SELECT queries FROM query_totals)"
    ).fetchone()
    return [int(row[0]), int(row[1])]
