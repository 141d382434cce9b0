"""Seeded errors against model and checks together: what passes, per kind.

The pairs and the errors are those of ``benchmarks.seeded`` (held-out premises, the evidence as published), fewer of
each. A row passes when the model's support for the whole evidence reaches ``pass_support`` and no check vetoes: what
the product does with one window. ``caught_<kind>``: share of errors that do not pass. ``not_passed_clean``: share of
clean rows that do not pass (they go to a person); ``accused_clean``: share of clean rows that a check vetoes although
the model supports them, or that are called contradicted: the false alarms of the product.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import seeded
from benchmarks.report import Row
from benchmarks.rows import mean_row
from core.ports import Entailer
from core.settings import Verification
from core.verify.checks import run_checks
from training.verifier.augment import KINDS

CLEAN = 60
SEEDS = 25


def run(data: Path, entailer: Entailer, settings: Verification, **rest: Any) -> list[Row]:
    """Rows of system ``verifier`` (model and checks) and ``model`` (alone)."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    pairs = {source: seeded.held_out_pairs(data, source) for source in seeded.SOURCES}
    names = seeded.names_in(pairs)
    for source in seeded.SOURCES:
        clean = random.Random(seeded.SEED).sample(pairs[source], min(CLEAN, len(pairs[source])))
        _clean([(one.claim, one.evidence) for one in clean], entailer, settings, values)
        for kind in KINDS:
            errors = islice(seeded.errors(pairs[source], kind, names), SEEDS)
            _seeds(kind, [(error.claim, pair.evidence) for pair, error in errors], entailer, settings, values)
    return [
        mean_row("verification", "seeded", "heldout", system, metric, found, **rest)
        for (system, metric), found in values.items()
    ]


def _clean(
    pairs: Sequence[tuple[str, str]],
    entailer: Entailer,
    settings: Verification,
    values: dict[tuple[str, str], list[float]],
) -> None:
    for (claim, evidence), told in zip(pairs, entailer.judge(pairs).tolist(), strict=True):
        supports, against = told[0] >= settings.pass_support, told[1] >= settings.contradiction
        vetoed = any(result.veto for result in run_checks(claim, evidence))
        values["model", "not_passed_clean"].append(float(not supports))
        values["verifier", "not_passed_clean"].append(float(not supports or vetoed))
        values["verifier", "accused_clean"].append(float(against or (supports and vetoed)))
        values["model", "accused_clean"].append(float(against))


def _seeds(
    kind: str,
    pairs: Sequence[tuple[str, str]],
    entailer: Entailer,
    settings: Verification,
    values: dict[tuple[str, str], list[float]],
) -> None:
    for (claim, evidence), told in zip(pairs, entailer.judge(pairs).tolist(), strict=True):
        supports = told[0] >= settings.pass_support
        vetoed = any(result.veto for result in run_checks(claim, evidence))
        values["model", f"caught_{kind}"].append(float(not supports))
        values["verifier", f"caught_{kind}"].append(float(not supports or vetoed))
