"""Large projects without hours of encoding: real texts, real vectors repeated with noise."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.data import Text
from core.ports.store import JointEncoder
from core.records import TokenMatrix, Vector

NOISE = 0.02
"""Standard deviation added to each component of a repeated vector before it is brought to unit length again."""


class StandIn:
    """An encoder of passages that knows ``texts`` truly and gives any other the noisy vectors of one of them."""

    def __init__(self, encoder: JointEncoder, texts: Sequence[str]) -> None:
        self.fingerprint, self.dim, self.late_dim = encoder.fingerprint, encoder.dim, encoder.late_dim
        self._vectors, self._tokens = encoder.encode_passages_jointly(texts)

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Vectors that depend on the text alone."""
        pairs = [self._one(text) for text in texts]
        return np.stack([vector for vector, _ in pairs]), [tokens for _, tokens in pairs]

    def _one(self, text: str) -> tuple[Vector, TokenMatrix]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        random = np.random.default_rng(seed)
        row = seed % len(self._tokens)
        tokens = self._tokens[row]
        return _noisy(self._vectors[row], random), TokenMatrix(_noisy(tokens.vectors, random), tokens.spans)


def _noisy(vectors: Vector, random: np.random.Generator) -> Vector:
    moved = vectors + NOISE * random.standard_normal(vectors.shape, dtype=np.float32)
    unit: Vector = moved / np.linalg.norm(moved, axis=-1, keepdims=True)
    return unit


def pages(texts: Sequence[Text], per_page: int = 15) -> Iterator[Text]:
    """Endless pages of ``per_page`` abstracts each; from the second round on every sentence carries a mark,
    so that no passage equals an earlier one."""
    turn = 0
    while True:
        mark = f" (copy {turn})." if turn else "."
        for start in range(0, len(texts), per_page):
            part = texts[start : start + per_page]
            body = "\n\n".join(f"{text.title}\n\n{text.body}" for text in part)
            yield Text(f"{turn}-{start}", f"Page {turn}-{start}: {part[0].title}", body.replace(". ", f"{mark} "))
        turn += 1
