"""The part of the mix that is made of twins: one difference, one false fact among several, sources named and not."""

from __future__ import annotations

import random
from pathlib import Path

from training.verifier.data import SUPPORTS, Pair, held_out, read
from training.verifier.twin_context import lined, said, titled
from training.verifier.twin_facts import changed, several
from training.verifier.twins import CAP, twin_units
from training.verifier.units import Unit

SAID, TITLED, SEVERAL, CHANGED = 3000, 1500, 3500, 2500
"""Most units of each kind."""
LINED = 0.25
"""Share of the other twins that get a line before their evidence."""
PAGED = ("sufficient_facts", "fm2", "feverous_s_dev")
STATED = ("fever_train", "fever_dev", "scifact_train_rationale", "evidence_inference_tpl", "begin", "scitail_dev")


def twin_part(folder: Path, seed: int, cap: int = CAP) -> list[Unit]:
    """Units of two to four pairs; ``folder`` holds the training pairs."""
    stated = _rows(folder, STATED)
    short = [pair for pair in stated if pair.label == SUPPORTS and len(pair.evidence.split()) < 70]
    made = twin_units(folder, seed, cap)
    return [
        *lined([*made, *changed(made, CHANGED, seed), *several(stated, SEVERAL, seed)], LINED, seed),
        *said(random.Random(seed).sample(short, len(short)), SAID, seed),
        *titled(_rows(folder, PAGED), TITLED, seed),
    ]


def _rows(folder: Path, names: tuple[str, ...]) -> list[Pair]:
    """Rows that are not held out."""
    return [pair for name in names for pair in read(folder, name) if not held_out(pair)]
