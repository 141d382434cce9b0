"""A BERT cross-encoder as ONNX: one relevance for a query and a text read together (Nogueira & Cho 2019)."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles
from core.backends.onnx.session import OnnxTransformer
from core.backends.windows import windows
from core.text.hashing import hex_digest

RECIPE = 1
POSITIONS = 512
QUERY_LIMIT = 256


class OnnxReranker:
    """Scores are the model's raw logits (about -11 to 11 for ms-marco MiniLM). A text that does not fit beside the
    query is read in windows and scored by its best one. A query is read up to 256 tokens. A pair's score does not
    depend on the other pairs."""

    def __init__(self, files: ModelFiles, name: str, *, threads: int = 0) -> None:
        self._model = OnnxTransformer(files, threads)
        recipe = {"model": files.content_hash(), "recipe": RECIPE}
        digest = hex_digest(json.dumps(recipe, sort_keys=True))
        self._fingerprint = f"{name}@{digest[:16]}"

    @property
    def fingerprint(self) -> str:
        """Name and a hash over weights, tokenizer and recipe."""
        return self._fingerprint

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) raw logits, larger is better."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        query_ids = self._model.tokenize(query).ids[:QUERY_LIMIT]
        scores = self._model.map(lambda text: self._score(query_ids, text), texts)
        return np.asarray(scores, dtype=np.float32)

    def _score(self, query_ids: Sequence[int], text: str) -> float:
        start, end = self._model.special_ids()
        head = [start, *query_ids, end]
        ids = self._model.tokenize(text).ids
        logits = []
        for a, b in windows(len(ids), POSITIONS - len(head) - 1):
            tail = [*ids[a:b], end]
            logits.append(self._model.run(head + tail, [0] * len(head) + [1] * len(tail)).item())
        return max(logits)
