"""The claim with the figures of its evidence in place of its own, where both are equal.

A model of language takes "about 2,300 crowns" beside "2,280 crowns", and "two hours" beside "120 minutes", for a
contradiction. Whether the one may stand for the other is arithmetic; so the model is asked about the claim with the
evidence's own figure, and judges the rest: neither doubt nor accusation then rests on how a figure is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from core.records import Span
from core.verify.checks.bounds import HEDGES
from core.verify.checks.clock import times
from core.verify.checks.dates import follows, in_seconds, spans_of_time
from core.verify.checks.intervals import Dated, dates
from core.verify.checks.measures import FOLD, Quantity
from core.verify.checks.numbers import agrees, numbers_of, units_agree
from core.verify.checks.quantities import as_share, quantities
from core.verify.checks.temperatures import DEGREES, in_unit_of
from core.verify.checks.units import NO_UNIT, TIME

_SHARE = re.compile(r"\b(?:in|out of)\b")
_IN_BRACKETS = re.compile(r"(?<=[^\W\d_])\[([^\W\d_]+)\]|\[([^\W\d_]+)\](?=[^\W\d_])")
"""Letters that whoever quotes has changed: "[W]e", "tree[s]". ``quotes`` compares them."""
_EXACT = HEDGES | {""}
"""Bounds of a figure that is rounded; "more than 40 %" is no rounding of 43 %."""


def as_the_evidence_writes(claim: str, evidence: str, defined: Mapping[str, str] = MappingProxyType({})) -> str:
    """``claim`` with each figure, date and time of day that the evidence has in another form ("half" for "50 per
    cent"), or that rounds one of the evidence, as the evidence has it; the claim itself where there is none.

    Args:
        defined: the abbreviations of the source with their long forms. Either form is written as in the evidence.
    """
    claim = _with_forms_of(_IN_BRACKETS.sub(r"\1\2", claim), evidence, defined)
    written = [*_figures(claim, evidence), *_dates(claim, evidence), *_hours(claim, evidence)]
    end = len(claim) + 1
    for (start, stop), other in sorted(written, reverse=True):
        if stop <= end and claim[start:stop] not in evidence:
            claim = claim[:start] + other + claim[stop:]
            end = start
    return claim


def _with_forms_of(claim: str, evidence: str, defined: Mapping[str, str]) -> str:
    for short, long in defined.items():
        for mine, theirs in ((short, long), (long, short)):
            form = re.compile(rf"(?<![\w-]){re.escape(mine)}(?![\w-])", 0 if mine == short else re.IGNORECASE)
            if form.search(evidence) is None and theirs.casefold() in evidence.casefold():
                opens = theirs if theirs == short else theirs.lower()
                opening = form.match(claim) is not None
                claim = form.sub(opens, claim)  # words and blanks only: nothing to escape
                claim = claim[:1].upper() + claim[1:] if opening else claim
    return claim


def _figures(claim: str, evidence: str) -> Iterator[tuple[Span, str]]:
    mine = [number for number in [*numbers_of(claim), *spans_of_time(claim)] if number.unit is not FOLD]
    if not mine:
        return
    there = [as_share(quantity) for quantity in quantities(evidence)]
    for number in mine:
        if (source := _source_of(as_share(number), there, evidence)) is not None:
            words, theirs = claim[number.start : number.end], evidence[source.start : source.end]
            of = " of" if _SHARE.search(words) and source.unit.kind == "percent" and "%" not in words else ""
            yield (number.start, number.end), theirs + of


def _source_of(number: Quantity, there: Sequence[Quantity], evidence: str) -> Quantity | None:
    """The nearest figure of the evidence that ``number`` is or rounds, of equal kind and with no bound or the same."""
    fitting = []
    for candidate in there:
        mine, theirs = number, in_unit_of(number, candidate, evidence)
        if {number.unit.kind, candidate.unit.kind} <= TIME:
            mine, theirs = in_seconds(number), in_seconds(candidate)
        alike = mine.unit.kind == theirs.unit.kind and units_agree(mine, theirs) and candidate.low == candidate.high
        exact = {number.bound, candidate.bound} <= _EXACT
        how = agrees(mine, theirs) if alike and (exact or number.bound == candidate.bound) else None
        if (how == "" or (how == "rounded" and exact)) and _alone(candidate, evidence):
            fitting.append((abs(theirs.low - mine.low), candidate.start, candidate))
    return min(fitting)[2] if fitting else None


def _alone(quantity: Quantity, text: str) -> bool:
    """True for a quantity whose words have its unit: not for 4.6 in "4.6 vs 8.1 min"."""
    if quantity.unit is NO_UNIT or quantity.unit.kind in DEGREES | {"percent"}:
        return True
    return any(other.unit.kind == quantity.unit.kind for other in quantities(text[quantity.start : quantity.end]))


def _dates(claim: str, evidence: str) -> Iterator[tuple[Span, str]]:
    there = [date for date in dates(evidence) if not date.joined]
    for mine in dates(claim):
        equal = next((date for date in there if _equal(mine, date)), None)
        if equal is not None and not mine.joined:
            yield (mine.start, mine.end), evidence[equal.start : equal.end]


def _equal(mine: Dated, date: Dated) -> bool:
    same = bool(date.either) or (date.first, date.last) == (mine.first, mine.last)
    return same and follows(mine, date) is not None


def _hours(claim: str, evidence: str) -> Iterator[tuple[Span, str]]:
    there = times(evidence)
    for mine in times(claim):
        equal = next((time for time in there if time.minutes & mine.minutes), None)
        if equal is not None:
            yield (mine.start, mine.end), evidence[equal.start : equal.end]
