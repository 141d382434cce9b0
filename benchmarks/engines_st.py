"""``sentence_transformers.MultiVectorEncoder`` without any index: every vector in memory, exact scores of its own."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import Text
from benchmarks.engines_data import index_text
from benchmarks.engines_measure import DEPTH
from core.records import Vector


class MultiVector:
    """Takes the token vectors of the passages, which it computed before; ``save`` writes what a program would keep."""

    def __init__(self, checkpoint: Path, vectors: Sequence[Vector]) -> None:
        library = importlib.import_module("sentence_transformers")
        self._torch = importlib.import_module("torch")
        self._model: Any = library.MultiVectorEncoder(str(checkpoint), device="cpu", local_files_only=True)
        self._held: list[Any] = [self._torch.from_numpy(matrix) for matrix in vectors]
        self._places = list(range(len(vectors)))
        self._next = len(vectors)
        self.encoding_ms: float | None = None

    def save(self, folder: Path) -> Path:
        """All token vectors in one file."""
        self._torch.save(self._held, folder / "vectors.pt")
        return folder / "vectors.pt"

    def search(self, query: str) -> list[int]:
        """See ``Searching``."""
        start = time.perf_counter()
        encoded = self._model.encode_query([query], **_TENSORS)
        self.encoding_ms = (time.perf_counter() - start) * 1000
        scores = self._model.similarity(encoded, self._held)[0]
        best = self._torch.topk(scores, min(DEPTH, len(self._held))).indices.tolist()
        return [self._places[at] for at in best]

    def add(self, later: Text) -> None:
        """One more matrix."""
        self._held.extend(self._model.encode_document([index_text(later)], **_TENSORS))
        self._places.append(self._next)
        self._next += 1

    def delete(self, place: int) -> None:
        """One matrix less."""
        at = self._places.index(place)
        del self._held[at], self._places[at]


_TENSORS = {"show_progress_bar": False}
