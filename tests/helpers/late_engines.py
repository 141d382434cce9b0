"""An engine of late interaction for tests: a snapshot of texts in a JSON file, searched by exact MaxSim."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.errors import LateEngineError
from core.ports.store import LateEncoder, Progress
from core.records import Hit
from core.text.maxsim import maxsim, quantize


class TextsSearcher:
    """Over one file of texts."""

    def __init__(self, folder: Path, engine: TextsEngine) -> None:
        self._texts = {int(key): text for key, text in json.loads((folder / "texts.json").read_text("utf-8"))}
        self._engine = engine
        self.pid = None
        self.closed = False

    def search(self, query: str, k: int) -> list[Hit]:
        return self.score(query, list(self._texts))[:k]

    def score(self, query: str, passage_ids: Sequence[int]) -> list[Hit]:
        self._engine.asked += 1
        if self._engine.broken:
            raise LateEngineError("its process ended (signal 9).")
        encoder = self._engine.encoder
        vectors = np.asarray(encoder.encode_query_tokens([query])[0].vectors)
        matrices = [quantize(one) for one in encoder.encode_passage_tokens([self._texts[key] for key in passage_ids])]
        row = [
            score + self._engine.noise(key)
            for key, score in zip(passage_ids, maxsim([vectors], matrices)[0].tolist(), strict=True)
        ]
        hits = [Hit(key, score) for key, score in zip(passage_ids, row, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))

    def close(self) -> None:
        self.closed = True
        self._engine.closed += 1


class TextsEngine:
    """``core.ports.engines.SnapshotEngine`` that can be told to fail."""

    name = "Texts"

    def __init__(self, encoder: LateEncoder, checkpoint: str = "") -> None:
        self.encoder = encoder
        self.made_with = checkpoint or encoder.fingerprint
        self.builds = self.asked = self.opened = self.closed = 0
        self.broken = False
        self.noise: Callable[[int], float] = lambda key: 0.0
        self.build_error: Exception | None = None
        self.versions = "texts 1"

    def checkpoint(self) -> str:
        return self.made_with

    def environment(self) -> str:
        return self.versions

    def build(self, passages: Sequence[tuple[int, str]], folder: Path, progress: Progress) -> None:
        self.builds += 1
        (folder / "texts.json").write_text(json.dumps(list(passages)), "utf-8")
        progress(1, 2, "half way")
        if self.build_error is not None:
            raise self.build_error

    def open(self, folder: Path) -> TextsSearcher:
        self.opened += 1
        return TextsSearcher(folder, self)
