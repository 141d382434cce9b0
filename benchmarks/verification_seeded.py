"""Seeded errors against model and checks together: what passes, per kind.

The pairs and the errors are those of ``benchmarks.seeded`` (held-out premises, the evidence as published), fewer of
each. A row passes when the support for the whole evidence reaches ``pass_support`` and no check vetoes: what the
product does with one window (system ``verifier``: model, words and checks together; ``model``: the entailer alone).
``caught_<kind>``: share of errors that do not pass. ``not_passed_clean``: share of clean
rows that do not pass (they go to a person); ``accused_clean``: share of clean rows that a check vetoes although
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
from core.labels import Label
from core.ports.store import CombiningEntailer, Entailer
from core.records import Judgement
from core.settings.values import Verification
from core.text.sentences import sentence_spans
from core.verify.aggregate import Aggregate, aggregate, judgement
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.screen import Remembering
from core.verify.source import judge_windows
from core.verify.windows import Window
from core.verify.word_for_word import stated_at
from training.verifier.augment import KINDS

CLEAN = 60
SEEDS = 25


def run(data: Path, entailer: Entailer, settings: Verification, **rest: Any) -> list[Row]:
    """Rows of system ``verifier`` (model and checks) and ``model`` (alone)."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    entailer = Remembering(entailer)
    pairs = {source: seeded.held_out_pairs(data, source) for source in seeded.SOURCES}
    names = seeded.names_in(pairs)
    for source in seeded.SOURCES:
        clean = random.Random(seeded.SEED).sample(pairs[source], min(CLEAN, len(pairs[source])))
        _clean([(pair.claim, pair.evidence) for pair in clean], entailer, settings, values)
        for kind in KINDS:
            errors = islice(seeded.errors(pairs[source], kind, names), SEEDS)
            _seeds(kind, [(error.claim, pair.evidence) for pair, error in errors], entailer, settings, values)
    return [
        mean_row("verification", "seeded", "heldout", system, metric, outcomes, **rest)
        for (system, metric), outcomes in values.items()
    ]


def _clean(
    pairs: Sequence[tuple[str, str]],
    entailer: Entailer,
    settings: Verification,
    values: dict[tuple[str, str], list[float]],
) -> None:
    entailer.judge([*pairs, *((as_the_evidence_writes(*pair), pair[1]) for pair in pairs)])  # all at once: remembered
    for claim, evidence in pairs:
        alone, seeded = _judged(claim, evidence, entailer, settings)
        passes = seeded.label is Label.SUPPORTS
        values["model", "not_passed_clean"].append(float(alone.supports < settings.pass_support))
        values["verifier", "not_passed_clean"].append(float(not passes))
        values["verifier", "accused_clean"].append(float(seeded.label is Label.CONTRADICTS or seeded.vetoed))
        values["model", "accused_clean"].append(float(alone.contradicts >= settings.contradiction))


def _judged(claim: str, evidence: str, entailer: Entailer, settings: Verification) -> tuple[Judgement, Aggregate]:
    """What the model says of the whole evidence, and what is made of it as of a source with one window."""
    (judged,) = judge_windows(claim, [Window((0,), evidence, ((0, len(evidence)),), True)], entailer)
    alone = judgement(judged.window, entailer.judge([(claim, evidence)])[0].tolist())
    combination = entailer.combination if isinstance(entailer, CombiningEntailer) else None
    spans = sentence_spans(evidence)
    at = stated_at(claim, [evidence[start:end] for start, end in spans])
    stated = None
    if at is not None:
        stated = judge_windows(claim, [Window((at,), evidence[slice(*spans[at])], (spans[at],))], entailer)[0]
    return alone, aggregate(claim, evidence, "", [judged], settings, combination=combination, stated=stated)


def _seeds(
    kind: str,
    pairs: Sequence[tuple[str, str]],
    entailer: Entailer,
    settings: Verification,
    values: dict[tuple[str, str], list[float]],
) -> None:
    entailer.judge([*pairs, *((as_the_evidence_writes(*pair), pair[1]) for pair in pairs)])  # all at once: remembered
    for claim, evidence in pairs:
        alone, verdicts = _judged(claim, evidence, entailer, settings)
        values["model", f"caught_{kind}"].append(float(alone.supports < settings.pass_support))
        values["verifier", f"caught_{kind}"].append(float(verdicts.label is not Label.SUPPORTS))
