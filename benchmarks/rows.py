"""One measured value, in the form that BENCH fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report import Row
from core.evaluate.measures import ci95


def row(
    bench: str,
    data: str,
    split: str,
    system: str,
    metric: str,
    value: float,
    *,
    n: int,
    machine: str,
    fingerprint: Mapping[str, object],
    seconds: float | None = None,
    interval: Sequence[float] | None = None,
) -> Row:
    """One result; ``n`` is how many queries, passages or runs it stands on."""
    return {
        "bench": bench,
        "data": data,
        "split": split,
        "system": system,
        "metric": metric,
        "value": round(float(value), 6),
        "n": n,
        "ci95": None if interval is None else [round(float(bound), 6) for bound in interval],
        "seconds": None if seconds is None else round(seconds, 3),
        "machine": machine,
        "fingerprint": dict(fingerprint),
    }


def mean_row(bench: str, data: str, split: str, system: str, metric: str, values: Sequence[float], **rest: Any) -> Row:
    """The mean over queries with its 95 % interval."""
    mean = sum(values) / len(values)
    return row(bench, data, split, system, metric, mean, n=len(values), interval=ci95(values), **rest)
