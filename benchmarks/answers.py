"""Answers: whether the pipeline finds more than words alone, whether the context can be cut without losing what
answers, whether grounding catches what is not supported, what the prompt cache saves, and how long an answer takes.

``golden`` the 20 golden questions of the demo (``benchmarks.answers_golden``), ``context`` the same questions before
and after refinement (``benchmarks.answers_context``), ``planted`` unsupported sentences put into extractive answers
(``benchmarks.answers_planted``), ``cache`` the loopback server of the tests with a simulated prompt cache
(``benchmarks.answers_cache``), ``crag`` classes on good, bad and mixed retrievals (``benchmarks.crag_bench``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.machine import machine, versions
from benchmarks.report import Row

PARTS = {
    "golden": "answers_golden",
    "context": "answers_context",
    "planted": "answers_planted",
    "cache": "answers_cache",
    "crag": "crag_bench",
}


def run(data: Path, cache: Path, only: Sequence[str] | None = None, *, quick: bool = False) -> list[Row]:
    """Measure the parts asked for, all when none is named."""
    if unknown := set(only or ()) - set(PARTS):
        raise SystemExit(f"There is no part {sorted(unknown)[0]!r}; parts: {', '.join(PARTS)}.")
    load = round(os.getloadavg()[0], 1)
    shared: dict[str, Any] = {"machine": machine(), "fingerprint": {**versions(), "load_at_start": load}}
    rows: list[Row] = []
    for name in only or PARTS:
        print(f"answers: {name} (load {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)
        rows += import_module(f"benchmarks.{PARTS[name]}").run(shared, data, cache, quick=quick)
    return rows
