"""Acquisitions: requests for sources, and what became of each."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from core.errors import BlobMissing, StorageError
from core.labels import FetchState, SourceKind
from core.records import Acquisition, Fetched
from core.text.hashing import hex_digest
from storage.database.codec import ACQUISITION_COLUMNS, acquisition_from, clean, clean_or_none, key_or_none, to_stamp
from storage.tables.base import insert
from storage.tables.blobs import Blobs, release_unused
from storage.tables.documents_read import marks


class Acquisitions(Blobs):
    """The list of requested sources."""

    def request(
        self, kind: SourceKind, origins: Sequence[tuple[str, Fetched | None]], batch: str = ""
    ) -> list[Acquisition]:
        bodies = {hex_digest(fetched.body): fetched.body for _, fetched in origins if fetched}
        new = {key: body for key, body in bodies.items() if not self._has_blob(key)}
        if new:
            self._put_blobs(new)
        now = to_stamp(self._clock())
        with self._db.write() as connection:
            numbers = [_insert(connection, kind, origin, fetched, batch, now) for origin, fetched in origins]
            return [read_acquisition(connection, number) for number in numbers]

    def acquisition(self, acquisition_id: int) -> Acquisition:
        """One of them (StorageError when it is not there)."""
        with self._db.read() as connection:
            return read_acquisition(connection, acquisition_id)

    def acquisitions(self, *, states: Sequence[FetchState] = ()) -> list[Acquisition]:
        """Acquisitions in the given states (without states: all), oldest first."""
        condition = f"WHERE state IN ({marks(len(states))})" if states else ""
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {ACQUISITION_COLUMNS} FROM acquisitions {condition} ORDER BY id",
                [state.value for state in states],
            ).fetchall()
        return [acquisition_from(row) for row in rows]

    def finish_acquisition(
        self,
        acquisition_id: int,
        state: FetchState,
        message: str,
        *,
        blob_hash: str | None = None,
        document_id: str | None = None,
    ) -> None:
        """Say what became of a requested source. ``queued`` puts it back to waiting."""
        with self._db.write() as connection:
            finish(
                connection, acquisition_id, state, message, self._clock(), blob_hash=blob_hash, document_id=document_id
            )

    def forget_acquisition(self, acquisition_id: int) -> None:
        """Remove a row from the list, with its bytes where nothing else refers to them."""
        with self._db.write() as connection:
            acquisition = read_acquisition(connection, acquisition_id)
            connection.execute("DELETE FROM acquisitions WHERE id = ?", (acquisition_id,))
            gone = release_unused(connection, [acquisition.blob_hash] if acquisition.blob_hash else [])
        self._drop_blob_files(gone)


def read_acquisition(connection: sqlite3.Connection, number: int) -> Acquisition:
    row = connection.execute(
        f"SELECT {ACQUISITION_COLUMNS} FROM acquisitions WHERE id = ?", (key_or_none(number),)
    ).fetchone()
    if row is None:
        raise StorageError(f"No requested source with number {number} in this project. It may have been removed.")
    return acquisition_from(row)


def finish(
    connection: sqlite3.Connection,
    number: int,
    state: FetchState,
    message: str,
    now: datetime,
    *,
    blob_hash: str | None = None,
    document_id: str | None = None,
    media_type: str | None = None,
) -> None:
    """Set the outcome; what is not given stays as it was."""
    if (
        blob_hash is not None
        and connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (blob_hash,)).fetchone() is None
    ):
        raise BlobMissing(f"The bytes {blob_hash} are not in the project. Keep them with put_blob() first.")
    changed = connection.execute(
        "UPDATE acquisitions SET state = ?, message = ?, finished = ?, blob_hash = coalesce(?, blob_hash), "
        "document_id = coalesce(?, document_id), media_type = coalesce(?, media_type) WHERE id = ?",
        (
            state.value,
            clean(message),
            None if state is FetchState.QUEUED else to_stamp(now),
            blob_hash,
            document_id,
            media_type,
            key_or_none(number),
        ),
    ).rowcount
    if not changed:
        read_acquisition(connection, number)


def _insert(
    connection: sqlite3.Connection, kind: SourceKind, origin: str, fetched: Fetched | None, batch: str, now: str
) -> int:
    return insert(
        connection,
        "acquisitions",
        kind=kind.value,
        origin=clean(origin),
        state=FetchState.QUEUED.value,
        requested=now,
        message="",
        blob_hash=hex_digest(fetched.body) if fetched else None,
        media_type=clean_or_none(fetched.media_type) if fetched else None,
        batch=clean(batch),
    )
