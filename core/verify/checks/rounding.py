"""The claim with the exact figures of its evidence in place of its rounded ones.

A model of language takes "about 2,300 crowns" beside "2,280 crowns" for a contradiction. Whether the one may stand for
the other is arithmetic (``numbers``); so the model is asked about the claim with the evidence's own figure, and judges
the rest.
"""

from __future__ import annotations

import re

from core.verify.checks.numbers import agrees, numbers_of, units_agree
from core.verify.checks.quantities import Quantity, as_share, quantities

_SHARE = re.compile(r"\b(?:in|out of)\b")
_EXACT = ("", "about")
"""Bounds of a figure that is rounded; "more than 40 %" is no rounding of 43 %."""


def as_the_evidence_writes(claim: str, evidence: str) -> str:
    """``claim`` with each rounded figure, and each that the evidence writes in another way ("half" for "50 per cent"),
    as the evidence has it; the claim itself where there is none."""
    rounded = [number for number in numbers_of(claim) if number.bound in _EXACT]
    if not rounded:
        return claim
    there = [as_share(quantity) for quantity in quantities(evidence)]
    for number in reversed(rounded):
        if (source := _source_of(as_share(number), there)) is not None:
            mine, theirs = claim[number.start : number.end], evidence[source.start : source.end]
            of = " of" if _SHARE.search(mine) and source.unit.kind == "percent" and "%" not in mine else ""
            if mine not in evidence:
                claim = claim[: number.start] + theirs + of + claim[number.end :]
    return claim


def _source_of(number: Quantity, there: list[Quantity]) -> Quantity | None:
    """The nearest figure of the evidence that ``asked`` is or rounds, of equal kind and written without a bound."""
    fitting = [
        candidate
        for candidate in there
        if units_agree(number, candidate)
        and candidate.unit.kind == number.unit.kind
        and candidate.low == candidate.high
        and candidate.bound in _EXACT
        and agrees(number, candidate) in ("", "rounded")
    ]
    return min(fitting, key=lambda candidate: abs(candidate.low - number.low), default=None)
