"""The worth of a look at a row: closeness to the threshold × type of the claim × sentences that depend on it.

Each factor lies in (0, 1], so their product does. Rows that the machine passed are looked at by lot.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

from core.labels import ClaimType
from core.text.hashing import digest

FLOOR = 0.05
"""Least closeness: also what the machine is sure of is worth something."""
UNDECIDED = 0.5
"""Closeness of what the machine cannot measure: no source to compare with, no single reference."""
OVERRULED = 0.9
"""Closeness where a check overruled the model: two parts of the machine disagree."""
SPOT_CHECK = 0.01
"""Worth of a passed row that was drawn: below everything that needs a person (the least of which is worth 0.05 × 0.6 ×
1/2), equal for all of them, so that those decided first are a fair draw."""
SPOT_SHARE, SPOT_LEAST = 0.1, 5
_TYPES = {ClaimType.C1: 1.0, ClaimType.C2: 0.6, None: 0.6}
_TYPE_WORDS = {ClaimType.C1: "a central claim (C1)", ClaimType.C2: "a supporting claim (C2)", None: "of no set type"}


@dataclass(frozen=True, slots=True)
class Measured:
    """The parts of a row's worth. ``value`` is what was compared (0 to 1), ``border`` the threshold; ``value`` None:
    nothing was compared, and ``undecided`` says why. ``overruled``: a check spoke against the model."""

    value: float | None
    border: float
    what: str = "support"
    overruled: bool = False
    undecided: str = ""
    disputed: str = ""


def closeness(measured: Measured) -> tuple[float, str]:
    """1 at the threshold, falling in a straight line to ``FLOOR`` at the far end of the longer side; and why."""
    if measured.disputed:
        return 1.0, measured.disputed
    if measured.value is None:
        return UNDECIDED, measured.undecided or "the machine had nothing to compare"
    value, border = measured.value, measured.border
    if measured.overruled:
        return OVERRULED, f"a check overruled the model ({measured.what} {value:.2f})"
    near = max(FLOOR, 1.0 - abs(value - border) / max(border, 1.0 - border))
    where = "just " if abs(value - border) < 0.1 else "far " if near < 0.5 else ""
    side = "above" if value > border else "below"
    return near, f"{measured.what} {value:.2f}, {where}{side} the {border:.2f} needed"


def worth(measured: Measured, type: ClaimType | None, dependents: int, *, on: str = "this source") -> tuple[float, str]:
    """Worth of a look, 0 to 1, and one line that names each factor. ``dependents`` sentences (at least 1) rest on it: n
    of them count n / (n + 1)."""
    near, why = closeness(measured)
    count = max(1, dependents)
    value = near * _TYPES[type] * count / (count + 1)
    sentences = f"{count} sentence rests" if count == 1 else f"{count} sentences rest"
    return value, f"{why[0].upper()}{why[1:]}; {_TYPE_WORDS[type]}; {sentences} on {on}."


def spot_checks(keys: Collection[str]) -> list[str]:
    """The passed rows that are drawn for a look: a tenth, at least five, in the order in which they were drawn. The lot
    is the hash of the key, so the draw is the same in every process and hardly moves when rows are added."""
    drawn = max(SPOT_LEAST, math.ceil(SPOT_SHARE * len(keys)))
    return sorted(keys, key=lambda key: digest(key))[:drawn]


def spot_worth(drawn: int, passed: int) -> tuple[float, str]:
    """Worth of a row that was drawn, and why it is in the queue."""
    return (
        SPOT_CHECK,
        f"Spot check: {drawn} of {passed} passed citations are drawn, to measure how often PASS is right.",
    )
