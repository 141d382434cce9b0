"""Vectors by content: dense ones in the project's database, token matrices in ``late.db``."""

import sqlite3
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import DatabaseDamaged, StorageError
from core.ports.store import Clock
from core.records import Filters, Hit, QuantizedTokens, Vector
from storage.database.codec import vector_sum
from storage.database.database import Database
from storage.database.layout import Layout
from storage.tables.base import Part, advance, counter
from storage.tables.dense import DenseIndex, best
from storage.tables.documents_read import batches, marks, unfiltered
from storage.tables.late import LateStore
from storage.tables.passages import allowed_ids

_SCAN = 2000
_KEPT_INDEXES = 2


class Vectors(Part):
    """Vectors and token matrices of passages, the passages still to encode, and search by meaning."""

    def __init__(self, layout: Layout, database: Database, late: LateStore, clock: Clock) -> None:
        super().__init__(layout, database, late, clock)
        self._dense_lock = threading.Lock()
        self._dense: dict[str, DenseIndex] = {}
        self._encoded_upto: dict[tuple[str, bool], tuple[tuple[int, int], int]] = {}
        self._last_allowed: tuple[int, Filters, NDArray[np.int64]] | None = None
        self._coverage: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {}
        self._with_matrix: dict[str, tuple[int, set[bytes]]] = {}

    def dense(self, vector: Vector, encoder: str, filters: Filters, depth: int) -> list[Hit]:
        index = self._dense_index(encoder)
        with self._db.read() as connection:
            snapshot = index.snapshot(connection)
            allowed = None if unfiltered(connection, filters) else self._allowed(connection, filters)
        self._drop(index.damaged)
        return best(snapshot, vector, allowed, depth)

    def _allowed(self, connection: sqlite3.Connection, filters: Filters) -> NDArray[np.int64]:
        """The ids under the filters of the last search, read again when something changed."""
        generation = counter(connection, "generation")
        allowed = self._last_allowed
        if allowed is None or allowed[:2] != (generation, filters):
            allowed = self._last_allowed = (generation, filters, allowed_ids(connection, filters))
        return allowed[2]

    def _dense_index(self, encoder: str) -> DenseIndex:
        with self._dense_lock:
            index = self._dense.pop(encoder, None) or DenseIndex(encoder)
            self._dense[encoder] = index  # most recent last
            while len(self._dense) > _KEPT_INDEXES:
                del self._dense[next(iter(self._dense))]
            return index

    def _drop(self, damaged: list[int]) -> None:
        """Remove vectors that are not as they were stored: ``missing`` reports them, and they are made anew. Where
        nothing can be written now, they stay left out, and the next reading tries again."""
        if not damaged:
            return
        try:
            with self._db.write(durable=False) as connection:
                advance(connection, "generation", "removals")
                connection.executemany("DELETE FROM vectors WHERE seq = ?", [(seq,) for seq in damaged])
            damaged.clear()
        except DatabaseDamaged:
            raise
        except StorageError:
            return

    def vectors(self, passage_ids: Sequence[int], encoder: str) -> dict[int, Vector]:
        found: dict[int, Vector] = {}
        damaged: list[int] = []
        with self._db.read() as connection:
            for ids in batches(passage_ids):
                rows = connection.execute(
                    "SELECT p.id, v.seq, p.text_hash, v.vector, v.sum FROM passages p JOIN vectors v ON v.encoder = ? "
                    "AND v.text_hash = p.text_hash AND length(v.vector) > 0 "
                    f"WHERE p.id IN ({marks(len(ids))})",
                    (encoder, *ids),
                )
                for number, seq, text_hash, blob, stored in rows:
                    if vector_sum(text_hash, blob) == stored:
                        found[number] = np.frombuffer(blob, np.float16).astype(np.float32)
                    else:
                        damaged.append(seq)
        self._drop(damaged)
        return {number: found[number] for number in passage_ids if number in found}

    def tokens(self, passage_ids: Sequence[int], encoder: str) -> dict[int, QuantizedTokens]:
        hashes: dict[int, bytes] = {}
        with self._db.read() as connection:
            for ids in batches(passage_ids):
                hashes.update(
                    connection.execute(
                        f"SELECT id, text_hash FROM passages WHERE id IN ({marks(len(ids))})", ids
                    ).fetchall()
                )
        matrices = self._late.get(encoder, list(dict.fromkeys(hashes.values())))
        return {number: matrices[hashes[number]] for number in passage_ids if hashes.get(number) in matrices}

    def coverage(self, encoder: str) -> tuple[int, int]:
        """(encoded, searchable) passages; encoded means: has a dense vector of ``encoder`` and, if this encoder
        ever gave token matrices, its matrix too, so that lost matrices count as work to do."""
        self._late.follow()
        with self._db.read() as connection:
            state = (counter(connection, "generation"), self._late.replaced)
            coverage = self._coverage.get(encoder)
            if coverage is None or coverage[0] != state:
                if encoder in self._dense:
                    hashes, searchable = self._dense_index(encoder).encoded(connection)
                else:
                    rows = connection.execute(
                        "SELECT iif(v.seq IS NULL, NULL, p.text_hash) FROM passages p LEFT JOIN vectors v "
                        "ON v.encoder = ? AND v.text_hash = p.text_hash AND length(v.vector) > 0 WHERE p.current = 1",
                        (encoder,),
                    ).fetchall()
                    hashes, searchable = [row[0] for row in rows if row[0] is not None], len(rows)
                encoded = self._count_with_matrix(connection, encoder, hashes)
                coverage = self._coverage[encoder] = (state, (encoded, searchable))
        return coverage[1]

    def _count_with_matrix(self, connection: sqlite3.Connection, encoder: str, hashes: Sequence[bytes]) -> int:
        """The number of ``hashes`` that have a matrix; all, where this encoder never gave any. Matrices leave only by
        damage, so those once seen are not looked up again."""
        marked = connection.execute("SELECT 1 FROM meta WHERE key = ?", (_gives_tokens(encoder),)).fetchone()
        if not marked and not self._late.any(encoder):
            return len(hashes)
        state = self._late.replaced
        state_then, with_matrix = self._with_matrix.get(encoder, (state, set()))
        with_matrix = with_matrix if state_then == state else set()
        with_matrix = with_matrix | self._late.have(encoder, sorted(set(hashes) - with_matrix))
        self._with_matrix[encoder] = (state, with_matrix)
        return sum(text_hash in with_matrix for text_hash in hashes)

    def missing(self, encoder: str, limit: int, *, tokens: bool = True) -> list[tuple[str, str]]:
        """Up to ``limit`` (text hash, index text) of current passages without a vector, or, with ``tokens``, without a
        token matrix; each text once, oldest passage first. Remembers up to which passage everything is encoded, so that
        a caller that works the list off does not walk over the finished part again."""
        texts: dict[bytes, str] = {}
        key = (encoder, tokens)
        self._late.follow()
        with self._db.read() as connection:
            state = (counter(connection, "removals"), self._late.replaced)
            remembered, upto = self._encoded_upto.get(key, (state, 0))
            upto = upto if remembered == state else 0  # a document came back into the search, or matrices were lost
            first_missing: int | None = None
            while len(texts) < limit:
                rows = connection.execute(
                    """SELECT p.id, p.text_hash, EXISTS (SELECT 1 FROM vectors v WHERE v.encoder = ?1
                    AND v.text_hash = p.text_hash) FROM passages p WHERE p.id > ?2 AND p.current = 1
                    ORDER BY p.id LIMIT ?3""",
                    (encoder, upto, _SCAN),
                ).fetchall()
                if not rows:
                    break
                open_rows = self._without_vectors(encoder, rows, tokens=tokens)
                if open_rows and first_missing is None:
                    first_missing = open_rows[0][0]
                for number, text_hash in open_rows:
                    if len(texts) < limit and text_hash not in texts:
                        texts[text_hash] = _index_text(connection, number)
                upto = rows[-1][0]
            self._encoded_upto[key] = (state, upto if first_missing is None else first_missing - 1)
        return [(text_hash.hex(), text) for text_hash, text in texts.items()]

    def _without_vectors(
        self, encoder: str, rows: Sequence[tuple[int, bytes, int]], *, tokens: bool
    ) -> list[tuple[int, bytes]]:
        """The id and text hash of those (id, text hash, has a vector) that lack the vector or, with ``tokens``, the
        token matrix."""
        with_matrix = self._late.have(encoder, [row[1] for row in rows if row[2]]) if tokens else set()
        return [(row[0], row[1]) for row in rows if not row[2] or (tokens and row[1] not in with_matrix)]

    def put_vectors(
        self, encoder: str, hashes: Sequence[str], vectors: Vector, tokens: Sequence[QuantizedTokens] | None
    ) -> None:
        """Keep what was encoded; a text that has its vector keeps the first one. ``vectors`` is (n, dim); dim 0 says
        that this encoder gives token matrices only. Token matrices are written first, so that a passage with a vector
        has its matrix too. Raises ValueError: lengths differ, or a value is not finite."""
        if len(vectors) != len(hashes) or (tokens is not None and len(tokens) != len(hashes)):
            raise ValueError(
                f"{len(hashes)} hashes, {len(vectors)} vectors, "
                f"{'no' if tokens is None else len(tokens)} token matrices: the lengths must be equal"
            )
        if not np.isfinite(vectors).all():
            raise ValueError(f"encoder {encoder!r} gave a vector that is not finite; nothing of this batch was stored")
        if not hashes:
            return
        keys = [bytes.fromhex(text_hash) for text_hash in hashes]
        if tokens is not None:
            self._late.follow()
            self._late.put(encoder, list(zip(keys, tokens, strict=True)))
        packed = [row.tobytes() for row in np.asarray(vectors, np.float16)]
        rows = [(encoder, key, blob, vector_sum(key, blob)) for key, blob in zip(keys, packed, strict=True)]
        with self._db.write(durable=False) as connection:
            advance(connection, "generation")
            connection.executemany(
                "INSERT INTO vectors(encoder, text_hash, vector, sum) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )
            if tokens is not None:  # kept outside late.db, which may be lost
                connection.execute("INSERT INTO meta VALUES(?, 1) ON CONFLICT DO NOTHING", (_gives_tokens(encoder),))


def _gives_tokens(encoder: str) -> str:
    return f"tokens:{encoder}"


def _index_text(connection: sqlite3.Connection, number: int) -> str:
    text, context = connection.execute("SELECT text, context FROM passage_texts WHERE id = ?", (number,)).fetchone()
    return f"{context}\n{text}" if context else str(text)
