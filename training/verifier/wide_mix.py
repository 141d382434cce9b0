"""The wide mix: ``python -m training.verifier.wide_mix --out FOLDER --old FOLDER --data FOLDER`` writes it.

Its parts stand in fixed proportion, and each is walked through from one end to the other before it begins again.

A pass takes so many pairs from every part (``SHARES``), the next pass goes on where it stopped. So a large old set is
seen once while small new ones come again, and SciFact's few training rows are seen once in a whole run.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import TypeVar

from training.verifier import mix
from training.verifier.data import NEUTRAL, SUPPORTS, Pair
from training.verifier.negatives import best_window, unrelated
from training.verifier.new_sets import new_units
from training.verifier.seeded_twins import seeded_twins
from training.verifier.twin_context import lined
from training.verifier.twin_part import twin_part
from training.verifier.units import Unit, alone

SHARES = {"old_short": 20000, "old_long": 7500, "new": 14000, "seeded": 3500, "twins": 15000}
"""Pairs of a pass by part. The run of 29 November began with 28,000, 8,000, 20,000, 6,000 and no twins."""
LINED = 0.12
"""Share of short pairs that get a line of title, publisher and date before the evidence."""
UNRELATED_SHARE = 0.06
WINDOWS = 2
"""Windows of one SciFact abstract that are kept: more and its claims are learnt by heart."""
Parts = dict[str, list[Unit]]
Member = TypeVar("Member")


def once(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs without repeats of SciFact rows (one of each id and evidence, ``WINDOWS`` windows of an id)."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for pair in pairs:
        if pair.source.startswith("scifact") or pair.id.startswith("scifact"):
            windows = pair.source == "scifact_windows"
            key = (pair.id, "" if windows else pair.evidence)
            seen[key] += 1
            if seen[key] > (WINDOWS if windows else 1):
                continue
        kept.append(pair)
    return kept


def shortened(unit: Unit) -> Unit:
    """The unit with long evidence cut to the run of sentences that says most of the claim."""
    return tuple(
        pair.with_evidence(best_window(pair.claim, pair.evidence, room=mix.LONG_WORDS - len(pair.claim.split())))
        for pair in unit
        if len(pair.claim.split()) <= 2 * mix.CLAIM_WORDS
    )


def build(old: Path, data: Path, seed: int) -> tuple[Parts, list[Pair]]:
    """Parts of the mix, each shuffled, and held-out pairs; ``old`` is the folder of the mix of ``mix.py``."""
    before = mix.load(old, data, seed)
    short, long = once(before["short"]), once(before["long"])
    new, held = new_units(data / "train" / "pairs", seed)
    parts = {
        "old_short": lined(alone([*short, *unrelated(short, UNRELATED_SHARE, seed)]), LINED, seed),
        "old_long": alone([*long, *unrelated(long, UNRELATED_SHARE, seed)]),
        "new": [unit for unit in map(shortened, new) if unit],
        "seeded": seeded_twins(short, seed),
        "twins": [unit for unit in map(shortened, twin_part(data / "train" / "pairs", seed)) if unit],
    }
    for name, units in parts.items():
        random.Random(f"{seed} {name}").shuffle(units)
    return parts, [*before["held"], *(shortened((pair,))[0] for pair in held)]


def write(folder: Path, parts: Parts, held: Sequence[Pair]) -> None:
    """Parts and held-out pairs as JSON lines, one file a part, and the shares of the parts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shares.json").write_text(json.dumps({name: SHARES[name] for name in parts}, indent=1) + "\n")
    for name, units in {**parts, "held": alone(held)}.items():
        staged = folder / f"{name}.part"
        with staged.open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps([astuple(pair) for pair in unit], ensure_ascii=False) + "\n" for unit in units)
        staged.rename(folder / f"{name}.jsonl")


def read(folder: Path, names: Sequence[str]) -> Parts:
    """Parts of a folder by name (``held`` is one)."""
    return {
        name: [
            tuple(Pair(*row) for row in json.loads(line))
            for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        for name in names
    }


def shares_of(folder: Path) -> dict[str, int]:
    """Pairs of a pass by part, as the mix in ``folder`` has them."""
    told: dict[str, int] = json.loads((folder / "shares.json").read_text(encoding="utf-8"))
    return told


def one_pass(parts: Mapping[str, Sequence[Sequence[Member]]], shares: Mapping[str, int], number: int,
             seed: int) -> list[Sequence[Member]]:  # fmt: skip
    """Units of pass ``number`` (from 0), shuffled: from every part about its share of pairs."""
    chosen: list[Sequence[Member]] = []
    for name, pairs in shares.items():
        units = parts[name]
        share = round(pairs * len(units) / max(1, sum(map(len, units))))
        chosen.extend(units[at % len(units)] for at in range(number * share, (number + 1) * share))
    random.Random(f"{seed} pass {number}").shuffle(chosen)
    return chosen


def sample_held(pairs: Sequence[Pair], most: int, seed: int = 7) -> list[Pair]:
    """At most ``most`` held-out pairs of each source, always the same ones."""
    order = random.Random(seed).sample(pairs, len(pairs))
    seen: Counter[str] = Counter()
    kept = []
    for pair in order:
        seen[pair.source] += 1
        if seen[pair.source] <= most:
            kept.append(pair)
    return kept


def labels(parts: Parts) -> dict[str, dict[str, float]]:
    """By part: units, pairs, share of SUPPORTS and of NEUTRAL, mean words of claim and evidence together."""
    return {name: _described([pair for unit in units for pair in unit], len(units)) for name, units in parts.items()}


def _described(pairs: Sequence[Pair], units: int) -> dict[str, float]:
    count = max(1, len(pairs))
    return {
        "units": units, "pairs": len(pairs),
        "supports": round(sum(pair.label == SUPPORTS for pair in pairs) / count, 3),
        "neutral": round(sum(pair.label == NEUTRAL for pair in pairs) / count, 3),
        "words": round(sum(len(pair.claim.split()) + len(pair.evidence.split()) for pair in pairs) / count, 1),
    }  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="a new folder; its name is the name of the mix")
    parser.add_argument("--old", type=Path, required=True, help="folder of the mix of mix.py, made where missing")
    parser.add_argument("--data", type=Path, required=True, help="the shared data folder")
    parser.add_argument("--seed", type=int, default=21)
    args = parser.parse_args()
    parts, held = build(args.old, args.data, args.seed)
    write(args.out, parts, held)
    print(json.dumps(labels(parts), indent=1))


if __name__ == "__main__":
    main()
