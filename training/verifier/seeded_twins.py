"""Seeded twins: a supported claim beside itself with one error of ``augment``, or with two names exchanged."""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.verifier.augment import seeded_error
from training.verifier.composed import exchanged
from training.verifier.data import CONTRADICTS, NOT_SUPPORTED, SUPPORTS, Pair
from training.verifier.mix import CHANGED
from training.verifier.negatives import names
from training.verifier.units import Unit

KINDS = ("number", "date", "entity", "quantifier", "negation", "exchanged")
MOST = 2500
"""Units of one kind."""


def seeded_twins(pairs: Sequence[Pair], seed: int) -> list[Unit]:
    """Units of a true and a false claim about the same evidence, at most ``MOST`` of each kind."""
    rng = random.Random(seed)
    order = [pair for pair in dict.fromkeys(pairs) if pair.label == SUPPORTS and pair.source in CHANGED]
    rng.shuffle(order)
    pool = names(order[:2500])
    left = dict.fromkeys(KINDS, MOST)
    units: list[Unit] = []
    for pair in order:
        kinds = [kind for kind in KINDS if left[kind]]
        if not kinds:
            break
        for kind in rng.sample(kinds, min(3, len(kinds))):
            false = _false(pair, kind, pool, seed)
            if false is not None:
                left[kind] -= 1
                units.append((pair, false))
                break
    return units


def _false(pair: Pair, kind: str, pool: Sequence[str], seed: int) -> Pair | None:
    if kind == "exchanged":
        claim = exchanged(pair.claim, pair.evidence)
    else:
        error = seeded_error(pair.claim, pair.evidence, kind, seed=seed, pool=pool)
        claim = None if error is None else error.claim
    if claim is None:
        return None
    return pair.with_claim(claim, CONTRADICTS if kind == "negation" else NOT_SUPPORTED, f"twin_{kind}")
