"""Units: pairs that must be learnt in one step, and batches made of whole units.

A false twin beside its true one tells the model which single difference matters; in different batches the two only say
that such sentences are sometimes true. A unit holds one to four pairs.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from training.verifier.data import Pair

Unit = tuple[Pair, ...]
Sizes = Callable[[int], int]


def alone(pairs: Sequence[Pair]) -> list[Unit]:
    """Every pair as a unit of its own."""
    return [(pair,) for pair in pairs]


def together(pairs: Sequence[Pair], key: Callable[[Pair], str]) -> list[Unit]:
    """Units of two pairs with the same ``key`` and different labels as long as there are such; the rest alone."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[key(pair)].append(pair)
    units: list[Unit] = []
    for group in groups.values():
        units.extend(_matched(group))
    return units


def _matched(group: Sequence[Pair]) -> Iterator[Unit]:
    by_label: dict[int, list[Pair]] = defaultdict(list)
    for pair in group:
        by_label[pair.label].append(pair)
    while len(by_label) > 1:
        one, other = sorted(by_label, key=lambda label: (-len(by_label[label]), label))[:2]
        yield by_label[one].pop(), by_label[other].pop()
        by_label = defaultdict(list, {label: rows for label, rows in by_label.items() if rows})
    yield from ((pair,) for rows in by_label.values() for pair in rows)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A pair as the model reads it: ``ids`` with special tokens (at most ``LIMIT``), class number, name of its set."""

    ids: tuple[int, ...]
    label: int
    source: str


def batches(units: Sequence[Sequence[Encoded]], *, tokens: int, seed: int, pool: int = 64) -> Iterator[list[Encoded]]:
    """Batches of at most ``tokens`` ids with padding, every unit whole in one; the order follows from the list.

    Units are cut into pools of about ``pool`` batches, sorted by their longest pair inside a pool; the batches of a
    pool come in an order drawn with ``seed``.
    """
    rng = random.Random(seed)
    start = 0
    while start < len(units):
        held: list[Sequence[Encoded]] = []
        total = 0
        while start < len(units) and total < pool * tokens:
            held.append(units[start])
            total += longest(units[start]) * len(units[start])
            start += 1
        ready = list(_filled(sorted(held, key=longest), tokens))
        rng.shuffle(ready)
        yield from ready


def _filled(units: Sequence[Sequence[Encoded]], tokens: int) -> Iterator[list[Encoded]]:
    batch: list[Encoded] = []
    for unit in units:
        if batch and (len(batch) + len(unit)) * longest(unit) > tokens:
            yield batch
            batch = []
        batch.extend(unit)
    if batch:
        yield batch


def longest(unit: Sequence[Encoded]) -> int:
    """Ids of the longest pair of a unit."""
    return max(len(pair.ids) for pair in unit)
