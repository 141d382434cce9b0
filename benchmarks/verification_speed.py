"""How fast pairs are judged, beside the bare session on the same token ids."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.report import Row
from benchmarks.rows import row
from core.backends.files import ModelFiles
from core.backends.onnx.entailer import SHIPPED, OnnxEntailer
from core.backends.onnx.session import OnnxTransformer
from core.ports.store import Entailer

ROUNDS = 5


def speed(pairs: Sequence[tuple[str, str]], entailer: Entailer, **rest: Any) -> list[Row]:
    """``pairs_per_second`` (median of five rounds over short pairs) and ``ratio_to_bare_session``: the same ids through
    the graph by the same workers, without tokenising, windows and calibration, in alternating rounds."""
    if not isinstance(entailer, OnnxEntailer):
        return []
    model = OnnxTransformer(ModelFiles(SHIPPED, SHIPPED / "verifier.onnx", SHIPPED / "verifier_tokenizer.json"))
    start, end = model.special_ids()
    prepared = []
    for claim, evidence in pairs:
        head, tail = [start, *model.tokenize(claim).ids, end], [*model.tokenize(evidence).ids, end]
        prepared.append((head + tail, [0] * len(head) + [1] * len(tail)))
    own: list[float] = []
    bare: list[float] = []
    entailer.judge(pairs[:4])
    for _ in range(ROUNDS):
        own.append(_seconds(lambda: entailer.judge(pairs)))
        bare.append(_seconds(lambda: model.map(lambda given: model.run(*given), prepared)))
    ratio = statistics.median(there / here for there, here in zip(bare, own, strict=True))
    rate = len(pairs) / statistics.median(own)
    measures: list[tuple[str, float]] = [("pairs_per_second", rate), ("ratio_to_bare_session", ratio)]
    return [
        row("verification", "speed", "dev", "verifier", name, value, n=len(pairs), **rest) for name, value in measures
    ]


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
