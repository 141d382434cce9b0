"""The claim with the figures that its evidence has in their place: what rounding may change is settled by rule.

A model of language takes "about 2,300 crowns" beside "2,280 crowns" for a contradiction. Whether the one may stand for
the other is arithmetic (``numbers``); so the model is asked about the claim with the evidence's own figure, and judges
the rest.
"""

from __future__ import annotations

import re

from core.verify.checks.numbers import agrees, numbers_of, units_agree
from core.verify.checks.quantities import Quantity, as_share, quantities

_ONE_IN = re.compile(r"\b(?:in|out of)\b")
_EXACT = ("", "about")
"""Bounds of a figure that is rounded; "more than 40 %" is no rounding of 43 %."""


def as_the_evidence_writes(claim: str, evidence: str) -> str:
    """``claim`` with each rounded figure, and each that the evidence writes in another way ("half" for "50 per cent"),
    as the evidence has it; the claim itself where there is none."""
    asked = [one for one in numbers_of(claim) if one.bound in _EXACT]
    if not asked:
        return claim
    there = [as_share(quantity) for quantity in quantities(evidence)]
    for one in reversed(asked):
        if (found := _source_of(as_share(one), there)) is not None:
            mine, theirs = claim[one.start : one.end], evidence[found.start : found.end]
            of = " of" if _ONE_IN.search(mine) and found.unit.kind == "percent" and "%" not in mine else ""
            if mine not in evidence:
                claim = claim[: one.start] + theirs + of + claim[one.end :]
    return claim


def _source_of(asked: Quantity, there: list[Quantity]) -> Quantity | None:
    """The nearest figure of the evidence that ``asked`` is or rounds, of equal kind and written without a bound."""
    fitting = [
        found
        for found in there
        if units_agree(asked, found)
        and found.unit.kind == asked.unit.kind
        and found.low == found.high
        and found.bound in _EXACT
        and agrees(asked, found) in ("", "rounded")
    ]
    return min(fitting, key=lambda found: abs(found.low - asked.low), default=None)
