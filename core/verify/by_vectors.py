"""Dense and late interaction scores of a claim against the units and the stored passages of one document."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.ports.store import JointEncoder, PassageIndex
from core.records import Passage, QuantizedTokens, TokenMatrix, Vector
from core.text.maxsim import maxsim, quantize

Scores = NDArray[np.float32]
REMEMBERED = 4096
"""Number of encoded units that are kept, about 20 kB each."""


class UnitVectors:
    """An encoder that keeps its latest vectors of units and claims. Safe to share between threads."""

    def __init__(self, encoder: JointEncoder, *, remember: int = REMEMBERED) -> None:
        self._encoder = encoder
        self._remember = remember
        self._lock = threading.Lock()
        self._units: OrderedDict[bytes, tuple[Vector, QuantizedTokens]] = OrderedDict()
        self._claims: OrderedDict[str, tuple[Vector, TokenMatrix]] = OrderedDict()

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the encoder."""
        return self._encoder.fingerprint

    def of_units(self, claim: str, texts: Sequence[str]) -> tuple[Scores, Scores]:
        """Dense (inner product) and late (MaxSim) scores of ``texts``, each (n,). Each text is encoded once."""
        vector, tokens = self._claim(claim)
        encoded = self._encoded(texts)
        dense = np.stack([unit[0] for unit in encoded]) @ vector if encoded else np.zeros(0, dtype=np.float32)
        return np.asarray(dense, np.float32), maxsim([tokens.vectors], [unit[1] for unit in encoded])[0]

    def of_passages(
        self, claim: str, passages: Sequence[Passage], index: PassageIndex
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Dense and late scores by passage id, of the passages that are encoded; nothing is encoded here but the
        claim."""
        vector, tokens = self._claim(claim)
        ids = [passage.id for passage in passages]
        vectors = index.vectors(ids, self.fingerprint)
        matrices = index.tokens(ids, self.fingerprint)
        encoded = sorted(matrices)
        late = maxsim([tokens.vectors], [matrices[key] for key in encoded])[0]
        dense = {key: float(stored @ vector) for key, stored in vectors.items()}
        return dense, dict(zip(encoded, late.tolist(), strict=True))

    def _claim(self, claim: str) -> tuple[Vector, TokenMatrix]:
        with self._lock:
            encoded = self._claims.get(claim)
        if encoded is None:
            vectors, matrices = self._encoder.encode_queries_jointly([claim])
            encoded = vectors[0], matrices[0]
            with self._lock:
                self._claims[claim] = encoded
                while len(self._claims) > 64:
                    self._claims.popitem(last=False)
        return encoded

    def _encoded(self, texts: Sequence[str]) -> list[tuple[Vector, QuantizedTokens]]:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            encoded = {key: self._units[key] for key in keys if key in self._units}
        todo = list({key: text for key, text in zip(keys, texts, strict=True) if key not in encoded}.items())
        if todo:
            vectors, matrices = self._encoder.encode_passages_jointly([text for _, text in todo])
            for (key, _), vector, matrix in zip(todo, vectors, matrices, strict=True):
                encoded[key] = vector, quantize(matrix)
        with self._lock:
            for key in keys:
                self._units[key] = encoded[key]
                self._units.move_to_end(key)
            while len(self._units) > self._remember:
                self._units.popitem(last=False)
        return [encoded[key] for key in keys]
