"""The mix: every source capped, negatives added, evidence placed among distractors, short and long pairs apart.

Everything follows from the seed and the data; the result is kept in a folder so that a resumed run reads the same mix.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from training.verifier import claim_only
from training.verifier.composed import joined, swapped
from training.verifier.data import SOURCES, Pair, Source, held_out, read
from training.verifier.negatives import (
    LookAlikes,
    among_distractors,
    best_window,
    look_alike,
    rule_made,
    scifact_windows,
)
from training.verifier.partial import supported_parts
from training.verifier.wording import worded

SHORT_WORDS = 76
LONG_WORDS = 210
CLAIM_WORDS = 60
JOINED, SWAPPED = 12000, 4500
WORDED = 0.22
"""Claims made of two, claims with two names exchanged, and the share of all pairs that get words around the claim."""
FEVER = ("fever_train", "fever_train_nei_bm25")
CHANGED = {
    "fever_train", "fever_dev", "fm2", "feverous_s_dev", "sufficient_facts", "scifact_train_rationale",
    "entailment_bank", "semi_auto_wiki", "evidence_inference_tpl", "pubmedqa_conclusion", "begin", "snli_dev",
}  # fmt: skip
SPREAD = {
    "fever_train", "fever_dev", "fever_train_nei_bm25", "fm2", "sufficient_facts", "feverous_s_dev",
    "evidence_inference_tpl", "begin", "entailment_bank_partial", "wice_partial_train", "rule_number", "rule_date",
    "rule_entity", "rule_negation", "look_alike", "words_around", "joined", "swapped",
}  # fmt: skip


def _chosen(source: Source, pairs: Sequence[Pair], weight: claim_only.Weights, seed: int) -> list[Pair]:
    kept: list[Pair] = []
    for label in range(4):
        rows = np.array([at for at, pair in enumerate(pairs) if pair.label == label], dtype=int)
        if len(rows):
            kept.extend(pairs[rows[at]] for at in claim_only.draw(weight[rows], source.caps[label], seed))
    return kept


def build(data: Path, seed: int, without: Collection[str] = ()) -> tuple[list[Pair], list[Pair]]:
    """Training pairs (not shuffled, not yet cut to length) and held-out pairs (at most 300 a source).

    Sets ``without`` are held out only: a run that goes on from a model that knows a small set by heart does it harm.

    Raises:
        ValueError: a name among ``without`` is no set of the mix.
    """
    if unknown := set(without) - {source.name for source in SOURCES}:
        raise ValueError(
            f"no sets of the mix: {', '.join(sorted(unknown))} (the names are in training/verifier/data.py)"
        )
    everything = {source.name: read(data / "train" / "pairs", source.name) for source in SOURCES}
    fever = [pair for name in FEVER for pair in everything[name]]
    weight = dict(zip(map(id, fever), claim_only.weights(fever, seed), strict=True))
    train: list[Pair] = []
    held: list[Pair] = []
    for source in SOURCES:
        pairs = everything[source.name]
        held.extend([pair for pair in pairs if held_out(pair)][:300])
        if source.name in without:
            continue
        rest = [pair for pair in pairs if not held_out(pair)]
        drawn = _chosen(source, rest, np.array([weight.get(id(pair), 1.0) for pair in rest]), seed)
        train.extend(drawn * source.repeat)
        if source.name == "scifact_train_abstract":
            windows = list(scifact_windows(data / "scifact", pairs, seed))
            train.extend(pair for pair in windows if not held_out(pair))
    train += [pair for pair in supported_parts(data) for _ in range(3)]
    return list(worded(train + _made(train, seed), WORDED, seed)), held + _held(held, seed)


def _held(held: Sequence[Pair], seed: int) -> list[Pair]:
    """The same changes to held-out pairs: as sources of their own."""
    before = set(held)
    around = [pair for pair in worded(held, 0.1, seed) if pair not in before]
    return [*joined(held, 300, seed), *swapped(held, 300, seed), *around[:300]]


def _made(train: Sequence[Pair], seed: int) -> list[Pair]:
    base = [pair for pair in dict.fromkeys(train) if pair.source in CHANGED]
    alike = LookAlikes(sorted({pair.evidence for pair in base if len(pair.evidence.split()) < 120}))
    once = list(dict.fromkeys(train))
    return [
        *rule_made(base, 17000, alike, seed), *look_alike(base, 5000, alike, seed),
        *joined(once, JOINED, seed), *swapped(once, SWAPPED, seed),
    ]  # fmt: skip


def lengths(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    """Short pairs (about 128 tokens at most) and long ones (about 320), windows and distractors applied."""
    rng = random.Random(seed)
    alike = LookAlikes(sorted({p.evidence for p in pairs if p.source in SPREAD and len(p.evidence.split()) < 80}))
    short, long = [], []
    for pair in pairs:
        size, claim = len(pair.evidence.split()), len(pair.claim.split())
        if claim > CLAIM_WORDS * 2:
            continue
        if size + claim > SHORT_WORDS or claim > CLAIM_WORDS:
            long.append(pair.with_evidence(best_window(pair.claim, pair.evidence, room=LONG_WORDS - claim)))
        elif pair.source in SPREAD and rng.random() < 0.25 and size < 45:
            short.append(among_distractors(pair, alike, rng, room=SHORT_WORDS - claim))
        else:
            short.append(pair)
    return short, long


def load(folder: Path, data: Path, seed: int, without: Collection[str] = ()) -> dict[str, list[Pair]]:
    """``short``, ``long`` and ``held`` pairs; built once, then read from ``folder`` whatever else is asked."""
    path = folder / "mix.json"
    if not path.exists():
        train, held = build(data, seed, without)
        short, long = lengths(train, seed)
        held_short, held_long = lengths(held, seed)
        parts = {"short": short, "long": long, "held": held_short + held_long}
        folder.mkdir(parents=True, exist_ok=True)
        staged = path.with_suffix(".part")
        staged.write_text(json.dumps({name: [asdict(p) for p in pairs] for name, pairs in parts.items()}))
        staged.rename(path)
    rows = json.loads(path.read_text())
    return {name: [Pair(**row) for row in pairs] for name, pairs in rows.items()}


def counts(pairs: Sequence[Pair]) -> dict[str, dict[int, int]]:
    """Rows by source and class number."""
    table: dict[str, Counter[int]] = {}
    for pair in pairs:
        table.setdefault(pair.source, Counter())[pair.label] += 1
    return {name: dict(sorted(found.items())) for name, found in sorted(table.items())}
