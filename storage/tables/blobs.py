"""Bytes as received, one compressed file a SHA-256. A file is on disk before the row that names it commits, and is
unlinked after the row is gone. Both steps look at the row under the database's write lock, so two processes cannot undo
one another's step."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import zstandard

from core.errors import BlobMissing, DatabaseDamaged, StorageError
from core.text.files import move_into_place, sync_folder, write_beside
from core.text.hashing import hex_digest
from storage.database.layout import Layout
from storage.tables.base import Part

_IS_USED = """SELECT EXISTS (SELECT 1 FROM documents WHERE blob_hash = ?1)
    OR EXISTS (SELECT 1 FROM acquisitions WHERE blob_hash = ?1)
    OR EXISTS (SELECT 1 FROM reports WHERE blob_hash = ?1)"""


class Blobs(Part):
    """The bytes of one project."""

    def put_blob(self, body: bytes) -> str:
        blob_hash = hex_digest(body)
        if not self._has_blob(blob_hash):
            self._put_blobs({blob_hash: body})
        return blob_hash

    def _has_blob(self, blob_hash: str) -> bool:
        with self._db.read() as connection:
            row = connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (blob_hash,)).fetchone()
        return row is not None and blob_path(self._layout, blob_hash).exists()

    def _put_blobs(self, bodies: dict[str, bytes]) -> None:
        temporaries: dict[str, Path] = {}
        try:
            for blob_hash, body in bodies.items():
                temporaries[blob_hash] = _write_beside(blob_path(self._layout, blob_hash), body)
            with self._db.write(durable=False) as connection:  # the document's own commit makes it durable
                for blob_hash, temporary in temporaries.items():
                    move_into_place(temporary, blob_path(self._layout, blob_hash), durable=True)
                    connection.execute(
                        "INSERT INTO blobs VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET created = excluded.created",
                        (blob_hash, len(bodies[blob_hash]), self._clock().timestamp()),
                    )
        except OSError as error:
            raise StorageError(
                f"{self._layout.blobs} could not be written ({error}). Nothing was stored; check space "
                "and permissions and try again."
            ) from error
        finally:
            for temporary in temporaries.values():
                temporary.unlink(missing_ok=True)

    def blob(self, blob_hash: str) -> bytes:
        with self._db.read() as connection:
            row = connection.execute("SELECT size FROM blobs WHERE hash = ?", (blob_hash,)).fetchone()
        if row is None:
            raise BlobMissing(f"No bytes with SHA-256 {blob_hash} in this project. Fetch or add the source again.")
        return read_blob(self._layout, blob_hash, row[0])

    def _drop_blob_files(self, hashes: Iterable[str]) -> None:
        """Unlink files whose rows are gone."""
        with self._db.write(durable=False) as connection:
            for blob_hash in hashes:
                if connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (blob_hash,)).fetchone() is None:
                    blob_path(self._layout, blob_hash).unlink(missing_ok=True)


def release_unused(connection: sqlite3.Connection, hashes: Sequence[str]) -> list[str]:
    """Delete the rows of those ``hashes`` that nothing refers to; returns them."""
    gone = [
        blob_hash for blob_hash in dict.fromkeys(hashes) if not connection.execute(_IS_USED, (blob_hash,)).fetchone()[0]
    ]
    connection.executemany("DELETE FROM blobs WHERE hash = ?", [(blob_hash,) for blob_hash in gone])
    return gone


def blob_path(layout: Layout, blob_hash: str) -> Path:
    return layout.blobs / blob_hash[:2] / f"{blob_hash}.zst"


def read_blob(layout: Layout, blob_hash: str, size: int) -> bytes:
    """Unpack and check; ``size`` is the recorded length, more is never unpacked."""
    path = blob_path(layout, blob_hash)
    again = "Fetch or add the source again, or restore the project from a backup."
    try:
        packed = path.read_bytes()
    except FileNotFoundError:
        raise BlobMissing(f"{path} is missing. {again}") from None
    try:
        body = unpack(packed, size)
    except (zstandard.ZstdError, ValueError) as error:
        raise BlobMissing(f"{path} is damaged ({error}). {again}") from error
    if hex_digest(body) != blob_hash:
        raise BlobMissing(f"{path} does not match its SHA-256. {again}")
    return body


def pack(body: bytes) -> bytes:
    """Compress; the frame records the length."""
    return zstandard.ZstdCompressor(level=3).compress(body)


def unpack(packed: bytes, size: int) -> bytes:
    """Decompress exactly ``size`` bytes.

    Raises:
        ValueError: the frame does not say ``size``; nothing was unpacked.
        zstandard.ZstdError: the frame is damaged.
    """
    recorded = zstandard.frame_content_size(packed)
    if recorded != size:
        raise ValueError(f"it unpacks to {recorded} bytes instead of {size}")
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max(1, size))


def unpacked_text(packed: bytes, size: int, what: str, text_hash: str) -> str:
    """The text of ``what``, compared with its SHA-256. Raises DatabaseDamaged: it cannot be unpacked, or differs."""
    try:
        body = unpack(packed, size)
        if hex_digest(body) != text_hash:
            raise ValueError("it does not match its SHA-256")
        return body.decode()
    except (zstandard.ZstdError, ValueError) as error:
        raise DatabaseDamaged(
            f"The text of {what} is damaged ({error}). Restore the project from an exported zip or a backup."
        ) from error


def _write_beside(path: Path, body: bytes) -> Path:
    if not path.parent.is_dir():
        path.parent.mkdir(exist_ok=True)
        sync_folder(path.parent.parent)
    return write_beside(path, pack(body), durable=True)
