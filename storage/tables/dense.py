"""Exact dense search: the vectors of all current passages as one float32 matrix in memory. Stored as float16, searched
as float32 (77 MB for 50,000 passages of 384 dimensions; half that as float16 would cost a conversion at every query).
Rows are distinct texts, so equal passages have bitwise equal scores. The matrix is loaded at the first search; later
searches append what came, also from other processes. After a removal only the list of passages is read again, the
vectors only after ``compact``."""

import sqlite3
import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.records import Hit, Vector
from storage.database.codec import vector_sum
from storage.tables.base import counter

_GROWTH = 1.25


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state. ``matrix`` (texts, dim); ``ids`` (passages,) ascending; ``rows`` (passages,) into ``matrix``."""

    matrix: Vector
    ids: NDArray[np.int64]
    rows: NDArray[np.int32]
    searchable: int


class DenseIndex:
    """The matrix of one encoder."""

    def __init__(self, encoder: str) -> None:
        self._encoder = encoder
        self._lock = threading.Lock()
        self._generation = -1
        self._last_vector = 0
        self._buffer: Vector = np.zeros((0, 0), np.float32)
        self._row_of: dict[bytes, int] = {}
        self.damaged: list[int] = []
        """Numbers (``seq``) of vectors that are not as they were stored; they are left out."""
        self._forget_passages(-1)
        self._snapshot = Snapshot(self._buffer, np.zeros(0, np.int64), self._rows, 0)

    def _forget_passages(self, removals: int) -> None:
        self._removals = removals
        self._last_passage = 0
        self._ids: list[NDArray[np.int64]] = []
        self._passage_hashes: list[bytes] = []
        self._rows: NDArray[np.int32] = np.zeros(0, np.int32)

    def snapshot(self, connection: sqlite3.Connection) -> Snapshot:
        """The state that ``connection``'s transaction sees (or a newer one)."""
        with self._lock:
            self._update(connection)
            return self._snapshot

    def encoded(self, connection: sqlite3.Connection) -> tuple[list[bytes], int]:
        """Text hash of each current passage that has a vector, and the number of all current passages."""
        with self._lock:
            self._update(connection)
            hashes = self._passage_hashes
            return [hashes[at] for at in np.flatnonzero(self._rows >= 0).tolist()], len(hashes)

    def _update(self, connection: sqlite3.Connection) -> None:
        generation = counter(connection, "generation")
        if generation > self._generation:
            self._refresh(connection)
            self._generation = generation

    def _refresh(self, connection: sqlite3.Connection) -> None:
        removals = counter(connection, "removals")
        if removals != self._removals:
            self._forget_passages(removals)
        self._append_vectors(connection)
        self._append_passages(connection)
        ids = np.concatenate(self._ids) if self._ids else np.zeros(0, np.int64)
        self._ids = [ids]
        encoded = self._rows >= 0
        self._snapshot = Snapshot(self._buffer[: len(self._row_of)], ids[encoded], self._rows[encoded], len(ids))

    def _append_vectors(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT seq, text_hash, vector, sum FROM vectors WHERE encoder = ? AND seq > ? AND length(vector) > 0 "
            "ORDER BY seq",
            (self._encoder, self._last_vector),
        ).fetchall()
        if not rows:
            return
        self._last_vector = rows[-1][0]
        self.damaged.extend(row[0] for row in rows if vector_sum(row[1], row[2]) != row[3])
        rows = [row for row in rows if vector_sum(row[1], row[2]) == row[3]] if self.damaged else rows
        if not rows:
            return
        new = np.frombuffer(b"".join(row[2] for row in rows), np.float16).reshape(len(rows), -1)
        at, needed = len(self._row_of), len(self._row_of) + len(rows)
        if needed > len(self._buffer):
            room = needed if at == 0 else int(needed * _GROWTH) + 64
            grown = np.empty((room, new.shape[1]), np.float32)
            if at:
                grown[:at] = self._buffer[:at]
            self._buffer = grown
        self._buffer[at:needed] = new
        for offset, row in enumerate(rows):
            self._row_of[row[1]] = at + offset

    def _append_passages(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT id, text_hash FROM passages WHERE current = 1 AND id > ? ORDER BY id", (self._last_passage,)
        ).fetchall()
        if rows:
            self._ids.append(np.fromiter((row[0] for row in rows), np.int64, len(rows)))
            self._passage_hashes.extend(row[1] for row in rows)
            self._last_passage = rows[-1][0]
        mapped = np.full(len(self._passage_hashes), -1, np.int32)
        mapped[: len(self._rows)] = self._rows
        for position in np.flatnonzero(mapped < 0).tolist():
            mapped[position] = self._row_of.get(self._passage_hashes[position], -1)
        self._rows = mapped


def best(snapshot: Snapshot, vector: Vector, allowed: NDArray[np.int64] | None, depth: int) -> list[Hit]:
    """The ``depth`` passages with the largest inner product, ties by passage id. ``vector``: (dim,) query. ``allowed``:
    ascending ids to choose from; None for all. Raises ValueError: the query has another dimension than the stored
    vectors."""
    ids, rows = snapshot.ids, snapshot.rows
    if allowed is not None and len(ids):
        at = np.minimum(np.searchsorted(allowed, ids), max(0, len(allowed) - 1))
        keep = allowed[at] == ids if len(allowed) else np.zeros(len(ids), bool)
        ids, rows = ids[keep], rows[keep]
    if not len(ids) or depth < 1:
        return []
    if vector.shape != (snapshot.matrix.shape[1],):
        raise ValueError(
            f"query vector has shape {vector.shape}; stored vectors have {snapshot.matrix.shape[1]} dimensions"
        )
    scores = (snapshot.matrix @ np.asarray(vector, np.float32))[rows]
    if len(scores) > depth:
        threshold = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        chosen = np.flatnonzero(scores >= threshold)
        ids, scores = ids[chosen], scores[chosen]
    order = np.lexsort((ids, -scores))[:depth]
    return [Hit(int(ids[at]), float(scores[at])) for at in order]
