"""Degrees of one scale in the other: a temperature (20 °C is 68 °F) or a difference (2 °C are 3.6 °F)."""

from __future__ import annotations

import re
from dataclasses import replace

from core.verify.checks.measures import Quantity

DEGREES = frozenset({"degree", "degree Celsius", "degree Fahrenheit"})
_RATIO = {"degree Celsius": 5 / 9, "degree Fahrenheit": 9 / 5}
_FREEZING = 32.0
_CHANGE_BEFORE = re.compile(
    r"\b(?:by|(?:rise|increase|drop|fall|difference|change|warming|cooling|gain) of)(?: [a-z]+){0,2} \Z", re.IGNORECASE
)
_CHANGE_AFTER = re.compile(r" (?:warmer|cooler|hotter|colder|higher|lower|above|below|more|less)\b", re.IGNORECASE)


def in_unit_of(claimed: Quantity, candidate: Quantity, text: str) -> Quantity:
    """``candidate``, a quantity of ``text``, in the scale of ``claimed`` where both are degrees of different scales."""
    kind = claimed.unit.kind
    if kind == candidate.unit.kind or kind not in _RATIO or candidate.unit.kind not in _RATIO:
        return candidate
    ratio = _RATIO[kind]
    before, after = 0.0, 0.0
    if not _is_change(text, candidate):
        before, after = (-_FREEZING, 0.0) if kind == "degree Celsius" else (0.0, _FREEZING)
    low, high = ((value + before) * ratio + after for value in (candidate.low, candidate.high))
    return replace(candidate, low=low, high=high, step=candidate.step * ratio, unit=claimed.unit)


def _is_change(text: str, quantity: Quantity) -> bool:
    before = text[max(0, quantity.start - 40) : quantity.start]
    return _CHANGE_BEFORE.search(before) is not None or _CHANGE_AFTER.match(text, quantity.end) is not None
