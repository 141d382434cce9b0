"""``late.db``: int8 token matrices by content. Derived data: a lost or damaged file is made again, empty, and
``missing()`` then reports the work."""

import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import zstandard

from core.errors import DatabaseDamaged, StorageError
from core.records import QuantizedTokens
from core.text.files import locked
from storage.database.codec import checksum
from storage.database.database import Database
from storage.tables.documents_read import marks

_SCHEMA = 3
_WITHOUT_SUMS = 2
_PAGE_SIZE = 4096  # a matrix is about 9 kB: larger pages would be filled badly
_LEVEL = 1  # int8 codes of unit vectors use few of their 256 values: a quarter less, and quick to read
_BATCH = 500
_COLUMNS = "text_hash, n, dim, scale, codes, sum"


class LateStore:
    """The token matrices of one project."""

    def __init__(self, path: Path, lock: Path) -> None:
        self.path = path
        self.replaced = 0
        """The number of times that the file was found damaged or replaced since it was opened."""
        self._lock = lock
        with locked(lock):
            self._db = self._open()
            self._inode = path.stat().st_ino

    def _open(self) -> Database:
        if self.path.exists():
            try:
                return self._checked(Database(self.path))
            except DatabaseDamaged:
                self._set_aside()
        database = Database(self.path, create=True, page_size=_PAGE_SIZE)
        with database.write() as connection:
            connection.execute(
                """CREATE TABLE IF NOT EXISTS tokens(encoder TEXT NOT NULL, text_hash BLOB NOT NULL,
                n INTEGER NOT NULL, dim INTEGER NOT NULL, scale REAL NOT NULL, codes BLOB NOT NULL,
                sum INTEGER NOT NULL, PRIMARY KEY(encoder, text_hash)) STRICT"""
            )
            connection.execute(f"PRAGMA user_version={_SCHEMA}")
        return database

    def faults(self, most: int) -> list[str]:
        """What SQLite finds wrong with the structure of the file, one sentence each, ``most`` at most."""
        with self._db.read() as connection:
            told = [row[0] for row in connection.execute(f"PRAGMA integrity_check({most})")]
            changed = sum(_sum(*row[:5]) != row[5] for row in connection.execute(f"SELECT {_COLUMNS} FROM tokens"))
        rows = [f"{self.path}: {line}." for line in told if line != "ok"]
        if changed:
            rows.append(
                f"{self.path}: {changed} token matrices are not as they were stored. They are made anew when read."
            )
        return rows

    def _checked(self, database: Database) -> Database:
        try:
            with database.read() as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == _WITHOUT_SUMS:
                version = _add_sums(database)
            with database.read() as connection:
                (check,) = connection.execute("PRAGMA quick_check(1)").fetchone() if _small(self.path) else ("ok",)
            if version != _SCHEMA or check != "ok":
                raise DatabaseDamaged(f"{self.path}: schema {version}, check: {check}")
        except BaseException:
            database.close()
            raise
        return database

    def _replace(self, damaged: Database) -> None:
        """A page read later was damaged: start an empty file, unless another thread or process has done so."""
        with locked(self._lock):
            if self._db is not damaged:
                return
            if self.path.exists() and self.path.stat().st_ino == self._inode:
                self._set_aside()
            self._db = self._open()
            self._inode = self.path.stat().st_ino
            self.replaced += 1
        damaged.close()

    def follow(self) -> None:
        """Go over to the file that is there now, where another process replaced it or it was removed."""
        try:
            moved = self.path.stat().st_ino != self._inode
        except FileNotFoundError:
            moved = self._lock.exists()  # else the whole project is gone
        if moved and not self._db.closed:
            self._replace(self._db)

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """A read transaction; where it meets damage, what was read until then counts, the file is made again,
        and ``missing()`` reports the work."""
        database = self._db
        try:
            with database.read() as connection:
                yield connection
        except DatabaseDamaged:
            self._replace(database)

    def _set_aside(self) -> None:
        os.replace(self.path, self.path.with_name("late.db.set-aside"))
        for suffix in ("-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def any(self, encoder: str) -> bool:
        row = None
        with self._read() as connection:
            row = connection.execute("SELECT 1 FROM tokens WHERE encoder = ? LIMIT 1", (encoder,)).fetchone()
        return row is not None

    def have(self, encoder: str, hashes: Sequence[bytes]) -> set[bytes]:
        found: set[bytes] = set()
        with self._read() as connection:
            for batch in _batches(hashes):
                found.update(
                    row[0]
                    for row in connection.execute(
                        f"SELECT text_hash FROM tokens WHERE encoder = ? AND text_hash IN ({marks(len(batch))})",
                        (encoder, *batch),
                    )
                )
        return found

    def get(self, encoder: str, hashes: Sequence[bytes]) -> dict[bytes, QuantizedTokens]:
        """Matrices by text hash; those that are not there are left out."""
        found: dict[bytes, QuantizedTokens] = {}
        damaged: list[bytes] = []
        unpack = zstandard.ZstdDecompressor().decompress
        with self._read() as connection:
            for batch in _batches(hashes):
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM tokens WHERE encoder = ? AND text_hash IN ({marks(len(batch))})",
                    (encoder, *batch),
                )
                for text_hash, n, dim, scale, packed, stored in rows:
                    if _sum(text_hash, n, dim, scale, packed) != stored:
                        damaged.append(text_hash)
                        continue
                    codes = np.frombuffer(unpack(packed, max_output_size=n * dim), np.int8).reshape(n, dim)
                    found[text_hash] = QuantizedTokens(codes, scale)
        if damaged:
            self._drop(encoder, damaged)
        return found

    def _drop(self, encoder: str, damaged: Sequence[bytes]) -> None:
        """Remove matrices that are not as they were stored: ``missing()`` reports them, and they are made anew."""
        database = self._db
        try:
            with database.write(durable=False) as connection:
                values = [(encoder, text_hash) for text_hash in damaged]
                connection.executemany("DELETE FROM tokens WHERE encoder = ? AND text_hash = ?", values)
            self.replaced += 1
        except DatabaseDamaged:
            self._replace(database)
        except StorageError:  # nothing can be written now: they are left out all the same
            return

    def put(self, encoder: str, rows: Sequence[tuple[bytes, QuantizedTokens]]) -> None:
        """Keep matrices; one that is there already stays."""
        pack = zstandard.ZstdCompressor(level=_LEVEL).compress
        values = []
        for text_hash, matrix in rows:
            packed = pack(np.ascontiguousarray(matrix.codes, np.int8).tobytes())
            n, dim = matrix.codes.shape
            kept = (n, dim, float(matrix.scale), packed)
            values.append((encoder, text_hash, *kept, _sum(text_hash, *kept)))
        database = self._db
        try:
            _insert(database, values)
        except DatabaseDamaged:
            self._replace(database)
            _insert(self._db, values)

    def copy_to(self, target: Path) -> None:
        """A consistent copy, also while others write."""
        with self._db.exclusive() as connection:
            copy(connection, target)

    def close(self) -> None:
        self._db.close()


def _sum(text_hash: bytes, n: int, dim: int, scale: float, packed: bytes) -> int:
    """The checksum of a stored matrix; -1 for values of other types."""
    if not isinstance(packed, bytes):
        return -1
    return zlib.crc32(packed, checksum(text_hash, n, dim, scale))


def _add_sums(database: Database) -> int:
    """Bring a file of the schema before to today's: matrices get their checksums. Returns the schema."""
    with database.write() as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == _WITHOUT_SUMS:  # another process may have been faster
            connection.create_function("matrix_sum", 5, _sum, deterministic=True)
            connection.execute("ALTER TABLE tokens ADD COLUMN sum INTEGER NOT NULL DEFAULT -1")
            connection.execute("UPDATE tokens SET sum = matrix_sum(text_hash, n, dim, scale, codes)")
            connection.execute(f"PRAGMA user_version={_SCHEMA}")
    return _SCHEMA


def _insert(database: Database, values: Sequence[tuple[object, ...]]) -> None:
    with database.write(durable=False) as connection:
        connection.executemany("INSERT INTO tokens VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", values)


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """VACUUM INTO ``target``, which must not exist."""
    connection.execute("VACUUM INTO ?", (str(target),))


def _small(path: Path) -> bool:
    """Checking every page of a large file would delay opening by seconds."""
    return path.stat().st_size < 8_000_000


def _batches(hashes: Sequence[bytes]) -> list[Sequence[bytes]]:
    return [hashes[at : at + _BATCH] for at in range(0, len(hashes), _BATCH)]
