"""Passages a second: the shipped int8 ONNX encoder beside the same weights in float32 in torch, in one process."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engines_data import Sample
from benchmarks.engines_measure import say
from benchmarks.report import Row
from benchmarks.rows import mean_row, row
from core.backends.resolve import load_encoder
from core.records import Vector
from core.settings.values import Models

ROUNDS = 3
BATCH = 32
ONNX = "ours, int8 ONNX, dense"
JOINT = "ours, int8 ONNX, dense and token vectors"
TORCH = f"sentence-transformers, float32 torch, dense, batches of {BATCH}"


def run(sample: Sample, cache: Path, about: Mapping[str, Any], *, texts: int) -> list[Row]:
    """Throughput in turn, ``ROUNDS`` times, and how far the vectors agree."""
    passages = list(sample.passages[:texts])
    ours = load_encoder(Models())
    model = _torch_model(cache)

    def torch(wanted: list[str]) -> Vector:
        return np.asarray(model.encode(wanted, batch_size=BATCH, show_progress_bar=False), dtype=np.float32)

    actions: dict[str, Callable[[list[str]], Any]] = {
        ONNX: ours.encode_passages,
        TORCH: torch,
        JOINT: ours.encode_passages_jointly,
    }
    for action in actions.values():
        action(passages[:BATCH])
    spent: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(ROUNDS):
        for name, action in actions.items():
            start = time.perf_counter()
            action(passages)
            spent[name].append(time.perf_counter() - start)
    rows = []
    for name, seconds in spent.items():
        rate = len(passages) / statistics.median(seconds)
        say(f"  {name:70} {rate:8.1f} passages a second")
        rows.append(row("engines", "scifact", "encoder", name, "passages_per_second", rate, n=len(passages),
                        seconds=statistics.median(seconds), **about))  # fmt: skip
    left, right = ours.encode_passages(passages), torch(passages)
    cosines = np.einsum("ij,ij->i", left, right / np.linalg.norm(right, axis=1, keepdims=True))
    rows.append(mean_row("engines", "scifact", "encoder", ONNX, "cosine_with_float", cosines.tolist(), **about))
    lowest = float(cosines.min())
    rows.append(
        row("engines", "scifact", "encoder", ONNX, "lowest_cosine_with_float", lowest, n=len(passages), **about)
    )
    return rows


def _torch_model(cache: Path) -> Any:
    """The weights of the int8 graph as float32: what differs is that torch does not round what goes through them."""
    from tools.ragatouille_checkpoint import recipe, write_float_encoder

    folder = cache / "checkpoints" / recipe() / "bge-small-float"
    if not (folder / "tokenizer_config.json").is_file():
        write_float_encoder(folder)
    library = importlib.import_module("sentence_transformers")
    models = importlib.import_module("sentence_transformers.models")
    transformer = models.Transformer(str(folder), max_seq_length=512)
    size = transformer.get_embedding_dimension()
    parts = [transformer, models.Pooling(size, pooling_mode="cls"), models.Normalize()]
    return library.SentenceTransformer(modules=parts, device="cpu")
