"""What must be true of the keyed citations: their form, their twins, the balance of the halves, and their passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.keyed_set import ATTRIBUTED, FAULTS, KINDS, NEEDS, Keyed, counts
from benchmarks.keyed_sources import holds_passage, plain, text_of

LEAST = 120
"""Citations a half must have at least."""
SPARE = 2
"""By how many of one fault the halves may differ."""
SPARE_SHARE = 0.25
"""By what share of the larger count the halves may differ in other respects, if by more than ``SPARE``."""


def problems(halves: Mapping[str, Sequence[Keyed]], data: Path, *, with_texts: bool) -> list[str]:
    """What is wrong with the halves, a sentence each; empty when nothing is.

    With ``with_texts`` every passage is looked for in the text that the folder of data holds.
    """
    faults = [problem for items in halves.values() for item in items for problem in _form(item)]
    faults += _identities(halves)
    for half, items in halves.items():
        if len(items) < LEAST:
            faults.append(f"{half} has {len(items)} citations, fewer than {LEAST}.")
        faults += _twins(half, items)
    faults += _balance(*halves.values())
    if with_texts:
        faults += [problem for items in halves.values() for item in items for problem in _passages(item, data)]
    return faults


def _form(item: Keyed) -> Iterator[str]:
    """What is wrong with one item by itself."""
    if item.holds != (item.fault is None):
        yield f"{item.id}: a fault is named exactly where the claim does not hold."
    if item.fault is not None and item.fault not in FAULTS:
        yield f"{item.id}: {item.fault!r} is no known fault."
    if item.kind not in KINDS or item.needs not in NEEDS or item.attributed not in ATTRIBUTED:
        yield f"{item.id}: unknown kind, needs or attributed."
    if not item.units or not item.note or not item.claim:
        yield f"{item.id}: claim, units and note may not be empty."
    if item.claim != plain(item.claim):
        yield f"{item.id}: the claim has stray blanks."
    if any(plain(item.claim).rstrip(".") in plain(unit) for unit in item.units):
        yield f"{item.id}: the claim is copied from the text."


def _identities(halves: Mapping[str, Sequence[Keyed]]) -> Iterator[str]:
    """Identifiers and claims that occur twice, and texts that stand in more than one half."""
    everything = [item for items in halves.values() for item in items]
    for name, values in (("id", [i.id for i in everything]), ("claim", [i.claim.casefold() for i in everything])):
        yield from (f"{name} {value!r} occurs {n} times." for value, n in Counter(values).items() if n > 1)
    homes: dict[str, set[str]] = {}
    for half, items in halves.items():
        for item in items:
            homes.setdefault(item.source.key, set()).add(half)
    yield from (f"{key} is cited in both halves." for key, where in homes.items() if len(where) > 1)


def _twins(half: str, items: Sequence[Keyed]) -> Iterator[str]:
    """Twins that are not in the same half, or do not hold."""
    by_id = {item.id: item for item in items}
    for item in items:
        if item.twin is None:
            if item.fault == "wrong_source":
                yield f"{item.id}: a wrong source needs the twin that cites the right one."
            continue
        twin = by_id.get(item.twin)
        if item.holds or twin is None or not twin.holds:
            yield f"{item.id}: its twin {item.twin} must be a true claim of {half}, and it a wrong one."
        elif (twin.source.key == item.source.key) == (item.fault == "wrong_source"):
            yield f"{item.id}: only a wrong source has its twin in another text."


def _balance(item_set: Sequence[Keyed], other: Sequence[Keyed]) -> Iterator[str]:
    """Counts in which the two halves differ by too much."""
    first, second = counts(item_set), counts(other)
    for name in first:
        for value in first[name].keys() | second[name].keys():
            a, b = first[name][value], second[name][value]
            spare = SPARE if name == "fault" and value in FAULTS else max(SPARE, SPARE_SHARE * max(a, b))
            if name != "attributed" and abs(a - b) > spare:
                yield f"The halves differ in {name} {value}: {a} and {b}."


def _passages(item: Keyed, data: Path) -> Iterator[str]:
    """Passages that the text does not hold word for word."""
    try:
        text = text_of(data, item.source)
    except KeyError:
        yield f"{item.id}: {item.source.key} is not in the folder of data."
        return
    for unit in item.units:
        if not holds_passage(text, unit) and not holds_passage(item.source.title, unit):
            yield f"{item.id}: the text does not say {unit[:80]!r}."
