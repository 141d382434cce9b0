"""Connections to one SQLite file: one writer behind a lock, readers from a pool."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StorageError
from storage.database.engine import BUSY_TIMEOUT_S, JOURNAL_MODE, USES_WAL, SqliteError, connect, translated

_CACHE_KIB = 16_000


class Database:
    """One SQLite file. Safe to share between threads; other processes may use the file as well. Readers come from a
    pool instead of one a thread, because a web server makes a thread for every click."""

    def __init__(self, path: Path, *, create: bool = False, page_size: int = 4096) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._pool_lock = threading.Lock()
        self._pool: list[sqlite3.Connection] = []
        self._closed = False
        self._only_reads = False
        with translated(path):
            self._writer = self._connect("rwc" if create else "rw")
            try:
                if create:
                    self._writer.execute(f"PRAGMA page_size={page_size}")
                if not self._only_reads:
                    self._set_journal()
            except BaseException:
                self._writer.close()
                raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        """A connection; where nothing can be written (a full disk has no room for the -shm of a write-ahead log), one
        that only reads, if nobody else has the file open."""
        try:
            return self._prepared(connect(self.path, mode=mode))
        except SqliteError:
            beside = (self.path.with_name(self.path.name + suffix) for suffix in ("-wal", "-shm", "-journal"))
            if mode == "rwc" or not self.path.exists() or any(path.exists() and path.stat().st_size for path in beside):
                raise
            self._only_reads = True
            return self._prepared(connect(self.path, mode="ro&immutable=1"))

    def _prepared(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        for pragma in (
            "foreign_keys=ON",
            f"cache_size=-{_CACHE_KIB}",
            "cell_size_check=ON",
            f"busy_timeout={int(BUSY_TIMEOUT_S * 1000)}",
            "journal_size_limit=67108864",
        ):
            connection.execute(f"PRAGMA {pragma}")
        if USES_WAL:  # older libraries refuse FTS5 in triggers of an untrusted schema
            connection.execute("PRAGMA trusted_schema=OFF")

    def _set_journal(self) -> None:
        (current,) = self._writer.execute("PRAGMA journal_mode").fetchone()
        if current != JOURNAL_MODE:
            self._writer.execute(f"PRAGMA journal_mode={JOURNAL_MODE}")

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """A write transaction: all of it or nothing. ``durable``: the commit has reached the disk when the block ends
        (``synchronous=FULL``); otherwise it may be lost by a power cut, never by a killed process. Raises DatabaseBusy:
        another process held the write lock for 30 s."""
        with self._lock, translated(self.path):
            self._require_open()
            if self._only_reads:
                self._try_writing()
            writer = self._writer
            writer.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            writer.execute("BEGIN IMMEDIATE")
            try:
                yield writer
                writer.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A read transaction: everything read inside is one state of the file."""
        with translated(self.path):
            reader = self._take()
            try:
                reader.execute("BEGIN")
                yield reader
            finally:
                if reader.in_transaction:
                    reader.execute("ROLLBACK")
                self._give_back(reader)

    @contextmanager
    def exclusive(self) -> Iterator[sqlite3.Connection]:
        """The writer outside a transaction, for VACUUM and the like."""
        with self._lock, translated(self.path):
            self._require_open()
            yield self._writer

    def _try_writing(self) -> None:
        """Go over to a connection that writes, where that has become possible."""
        self._only_reads = False
        writer, self._writer = self._writer, self._connect("rw")
        writer.close()
        if not self._only_reads:
            self._set_journal()

    def _require_open(self) -> None:
        if self._closed:
            raise StorageError(f"{self.path} has been closed. Open the project again.")

    def _take(self) -> sqlite3.Connection:
        with self._pool_lock:
            self._require_open()
            if self._pool:
                return self._pool.pop()
        reader = self._connect("rw")  # "ro" cannot open a WAL file whose -shm is not there yet
        reader.execute("PRAGMA query_only=ON")
        return reader

    def _give_back(self, reader: sqlite3.Connection) -> None:
        with self._pool_lock:
            if not self._closed and not self._only_reads:  # one that only reads sees no change of others
                self._pool.append(reader)
                return
        reader.close()

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Close all connections; a running read ends first, later calls raise StorageError."""
        with self._lock, self._pool_lock:
            if self._closed:
                return
            self._closed = True
            for reader in self._pool:
                reader.close()
            self._pool.clear()
            self._writer.close()
