"""The product's encoder with its passages kept on disk and its queries in memory, so that reruns take minutes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.ports.store import JointEncoder
from core.records import QuantizedTokens, TokenMatrix, Vector
from core.retrieve.late_interaction import dequantize, quantize


class CachedEncoder:
    """A JointEncoder. Kept values are float16 and int8, the forms in which the store keeps them: both round
    trips are exact, so a cached run stores what a fresh one stores. ``encoded`` counts real forward passes."""

    def __init__(self, encoder: JointEncoder, folder: Path) -> None:
        self._encoder = encoder
        self.encoded = 0
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(encoder.fingerprint.encode()).hexdigest()[:16]
        self._db = sqlite3.connect(folder / f"{name}.sqlite")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS kept(hash BLOB PRIMARY KEY, vector BLOB, codes BLOB, scale REAL) WITHOUT ROWID"
        )
        self._queries: dict[str, tuple[Vector, TokenMatrix]] = {}

    @property
    def fingerprint(self) -> str:
        """That of the encoder."""
        return self._encoder.fingerprint

    @property
    def dim(self) -> int:
        """Dense dimension."""
        return self._encoder.dim

    @property
    def late_dim(self) -> int:
        """Token dimension."""
        return self._encoder.late_dim

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """As the encoder's; each query once a process."""
        new = [text for text in dict.fromkeys(texts) if text not in self._queries]
        if new:
            vectors, matrices = self._encoder.encode_queries_jointly(new)
            self._queries.update(zip(new, zip(vectors, matrices, strict=True), strict=True))
        cached = [self._queries[text] for text in texts]
        return np.stack([vector for vector, _ in cached]), [matrix for _, matrix in cached]

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """Dense vectors of queries."""
        return self.encode_queries_jointly(texts)[0]

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of queries."""
        return self.encode_queries_jointly(texts)[1]

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both for passages, from disk where they are there."""
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        cached = {key: self._read(key) for key in keys}
        todo = [row for row, key in enumerate(keys) if cached[key] is None]
        if todo:
            vectors, matrices = self._encoder.encode_passages_jointly([texts[row] for row in todo])
            self.encoded += len(todo)
            for row, vector, matrix in zip(todo, vectors, matrices, strict=True):
                self._write(keys[row], vector, quantize(matrix))
                cached[keys[row]] = self._read(keys[row])
            self._db.commit()
        pairs = [pair for key in keys if (pair := cached[key]) is not None]
        return np.stack([vector for vector, _ in pairs]), [matrix for _, matrix in pairs]

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        """Dense vectors of passages."""
        return self.encode_passages_jointly(texts)[0]

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of passages; spans are not kept and are zero."""
        return self.encode_passages_jointly(texts)[1]

    def _write(self, key: bytes, vector: Vector, tokens: QuantizedTokens) -> None:
        row = (key, vector.astype(np.float16).tobytes(), tokens.codes.tobytes(), tokens.scale)
        self._db.execute("INSERT OR REPLACE INTO kept VALUES(?, ?, ?, ?)", row)

    def _read(self, key: bytes) -> tuple[Vector, TokenMatrix] | None:
        row = self._db.execute("SELECT vector, codes, scale FROM kept WHERE hash = ?", (key,)).fetchone()
        if row is None:
            return None
        vector = np.frombuffer(row[0], np.float16).astype(np.float32)
        codes = np.frombuffer(row[1], np.int8).reshape(-1, self.late_dim)
        vectors = dequantize(QuantizedTokens(codes, row[2]))
        return vector, TokenMatrix(vectors, np.zeros((len(codes), 2), dtype=np.int32))
