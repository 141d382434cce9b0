"""Numbers: each number of the claim must be in the evidence, in the same unit, direction and (rounded) size.

Tolerated and said so: rounding to the last place that the claim writes ("1.3" reported as "1"), conversion of units,
a number inside the bound that the claim states ("more than 500" for 612). Years, dates and spans of time belong
to ``dates``. A small count that the evidence states nowhere ("three films", with the films listed) fails without veto:
it may well be counted right.
"""

from __future__ import annotations

import re

from core.verify.checks.direction import direction
from core.verify.checks.intervals import date_spans
from core.verify.checks.names import is_demonym
from core.verify.checks.numerals import place
from core.verify.checks.outcomes import CheckResult, Outcome, Span, failed, not_applicable, passed
from core.verify.checks.quantities import Quantity, as_share, quantities, shown
from core.verify.checks.text import cut, flat
from core.verify.checks.units import NO_UNIT, TIME

NAME = "numbers"
_NAME_AFTER = re.compile(r"[ -]([A-Z]\w+)")
_NAME_BEFORE = re.compile(
    r"[A-Z]\w+[ ][A-Z]\w+,?[ ]\Z|(?<!^)(?<![.!?] )\b[A-Z]\w+[ ]\Z|^(?!The|In|At|Over|About|Only|Of|With|From|Some|"
    r"Nearly|Almost|Around|By)[A-Z][a-z]+[ ]\Z|\b(?:Apollo|Boeing|Route|Flight|Highway|Area|No\.|Number|Title|"
    r"Chapter|Blink|Maroon)[ -]\Z"
)
_LEAD = re.compile(
    r"\b(?!was\b|were\b|has\b|had\b|have\b|with\b|from\b|over\b|only\b|about\b|and\b|the\b|than\b)(\w{3,})[ -]\Z"
)
_COUNTABLE = 12
"""Up to here a count may be made by the reader of the evidence."""
_HEDGED = 0.1
_PART = 0.03
"""A half, a third, a tenth without "about": 49 per cent and 10.2 per cent, not 45 and 11."""
_ROUND = 0.02
_CONVERTED = 0.03
_OPPOSITE = {"more": ("less", "max"), "min": ("less",), "less": ("more", "min"), "max": ("more",)}


def check(claim: str, evidence: str) -> CheckResult:
    """Compare the numbers of ``claim`` with those of ``evidence``; the first that fails with veto decides."""
    asked = [as_share(quantity) for quantity in numbers_of(claim)]
    if not asked:
        return not_applicable(NAME, "The claim states no number.")
    there = [as_share(quantity) for quantity in quantities(evidence)]
    results = [_one(claim, quantity, evidence, there) for quantity in asked]
    for result in results:
        if result.veto:
            return result
    for result in results:
        if result.outcome is Outcome.FAILED:
            return result
    why = " ".join(dict.fromkeys(result.explanation for result in results))
    return passed(
        NAME, why, tuple(s for r in results for s in r.claim_spans), tuple(s for r in results for s in r.evidence_spans)
    )


def numbers_of(text: str) -> list[Quantity]:
    """The quantities of ``text`` that are no dates and no spans of time."""
    dates = date_spans(text)
    return [
        q
        for q in quantities(text)
        if q.unit.kind not in TIME and not any(q.start < end and start < q.end for start, end in dates)
    ]


def _one(claim: str, asked: Quantity, evidence: str, there: list[Quantity]) -> CheckResult:
    span: tuple[Span, ...] = ((asked.start, asked.end),)
    name = shown(claim, asked)
    close = [q for q in there if units_agree(asked, q)]
    same_noun = [q for q in close if set(asked.nouns[:1]) & set(q.nouns)]
    reasons = [(q, how) for q in close if (how := agrees(asked, q)) is not None]
    if asked.bound not in ("", "about") and same_noun:
        reasons = [(q, how) for q, how in reasons if q in same_noun or how == ""]
    against = [q for q in close if q.bound in _OPPOSITE.get(asked.bound, ()) and _same(q.low, asked.low)]
    if against and not any(how == "" for _, how in reasons):
        why = f"“{name}” in the claim, “{shown(evidence, against[0])}” in the evidence."
        return failed(NAME, why, span, ((against[0].start, against[0].end),))
    if reasons:
        return _direction(claim, asked, evidence, reasons)
    other_unit = [q for q in there if (q.low == asked.low and q.high == asked.high) or _plain(q) == _plain(asked)]
    if other_unit and not close:
        return failed(
            NAME, f"“{name}” in the claim, “{shown(evidence, other_unit[0])}” in the evidence: another unit.", span,
            ((other_unit[0].start, other_unit[0].end),),
        )  # fmt: skip
    alike = same_noun or [q for q in close if _same_lead(claim, asked, evidence, q)]
    if alike:
        listed = ", ".join(dict.fromkeys(f"“{shown(evidence, q)}”" for q in alike[:3]))
        why = f"“{name}” is not in the evidence, which has {listed}."
        return failed(NAME, why, span, tuple((q.start, q.end) for q in alike[:3]))
    countable = asked.unit is NO_UNIT and asked.low == asked.high and 0 <= asked.low <= _COUNTABLE
    countable = countable and not any(_count(q) for q in close)
    in_name = _in_name(claim, asked)
    tail = " It may be a count of things that are listed there." if countable else ""
    tail = " It may be part of a name." if in_name else tail
    rivals = [q for q in close if q.unit.kind == asked.unit.kind and q.step and not q.year]
    if rivals and not tail:
        listed = ", ".join(dict.fromkeys(f"“{shown(evidence, q)}”" for q in rivals[:3]))
        why = f"“{name}” is not in the evidence, which has {listed}."
        return failed(NAME, why, span, tuple((q.start, q.end) for q in rivals[:3]))
    return failed(NAME, f"“{name}” is not in the evidence.{tail}", span, veto=not (evidence.strip() or tail))


def _count(found: Quantity) -> bool:
    """A small bare number, as counts are: where the evidence counts, a count that it lacks is not read off a list."""
    return (
        found.unit is NO_UNIT
        and bool(found.step)
        and found.low == found.high
        and found.low <= 10 * _COUNTABLE
        and not found.year
    )


def _same_lead(claim: str, asked: Quantity, evidence: str, found: Quantity) -> bool:
    """ "Chapter 4" and "Chapter 3": the word before both is the same."""
    one, other = (
        _LEAD.search(claim[max(0, asked.start - 40) : asked.start]),
        _LEAD.search(evidence[max(0, found.start - 40) : found.start]),
    )
    return one is not None and other is not None and one[1].lower() == other[1].lower() and found.unit is NO_UNIT


def _in_name(claim: str, asked: Quantity) -> bool:
    """ "21 Jump Street", "Beverly Hills, 90210": a bare number beside words in capitals."""
    if asked.unit is not NO_UNIT or asked.low != asked.high:
        return False
    after = _NAME_AFTER.match(claim, asked.end)
    return (after is not None and not is_demonym(after[1])) or _NAME_BEFORE.search(claim, 0, asked.start) is not None


def units_agree(asked: Quantity, found: Quantity) -> bool:
    """Whether two quantities measure the same kind of thing; a bare number may leave its unit out."""
    one, other = asked.unit.kind, found.unit.kind
    if one == other:
        return True
    if {one, other} in ({"degree", "degree Celsius"}, {"degree", "degree Fahrenheit"}):
        return True
    return one == ""


def _plain(quantity: Quantity) -> float:
    return quantity.low / quantity.unit.factor


def agrees(asked: Quantity, found: Quantity) -> str | None:
    """How ``asked`` follows from ``found``: "" if equal, words if rounded or bounded; None if it does not."""
    factor = found.unit.factor if asked.unit is NO_UNIT and found.unit is not NO_UNIT else 1.0
    low, high = found.low / factor, found.high / factor
    if asked.low != asked.high:
        return _range_agrees(asked, low, high)
    value = asked.low
    if asked.bound in ("more", "min", "less", "max"):
        return _bound_agrees(asked, found, low, high)
    for other in {low, high}:
        how = _rounded(asked, value, other)
        if how is not None:
            return how
    if asked.bound == "about" and low <= value <= high:
        return "inside the range of the evidence"
    return None


def _range_agrees(asked: Quantity, low: float, high: float) -> str | None:
    if low != high:
        if _same(asked.low, low) and _same(asked.high, high):
            return ""
        one, other = _rounded(asked, asked.low, low), _rounded(asked, asked.high, high)
        return None if one is None or other is None else one or other
    return "inside the range of the claim" if asked.low <= low <= asked.high else None


def _bound_agrees(asked: Quantity, found: Quantity, low: float, high: float) -> str | None:
    value = asked.low
    if found.bound in _OPPOSITE[asked.bound]:
        return None
    if _same(low, value) and low == high and asked.bound == "less" and not found.bound:
        return None
    if asked.bound in ("more", "min"):
        if _same(low, value):
            return ""
        return "above the bound of the claim" if low > value else None
    if _same(high, value):
        return ""
    return "below the bound of the claim" if high < value else None


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))


def _rounded(asked: Quantity, value: float, other: float) -> str | None:
    if _same(value, other):
        return ""
    if asked.step == 0.0:  # a half, two thirds
        return "rounded" if abs(value - other) <= (_HEDGED if asked.bound == "about" else _PART) * abs(other) else None
    if abs(value - other) <= asked.step / 2 * (1 + 1e-9):
        return "rounded"
    relative = abs(value - other) / max(abs(other), 1e-12)
    coarse = place(value / asked.unit.factor) * asked.unit.factor
    fits = abs(value - other) <= coarse / 2
    if asked.bound == "about" and ((relative <= _HEDGED and fits) or relative <= _ROUND):
        return "rounded"
    if coarse >= 100 * asked.step and relative <= _ROUND and fits:
        return "rounded"
    if asked.unit.factor != 1.0 and relative <= _CONVERTED and abs(value - other) <= coarse / 2 + asked.step:
        return "rounded"
    return None


def _direction(claim: str, asked: Quantity, evidence: str, reasons: list[tuple[Quantity, str]]) -> CheckResult:
    """Among the numbers that agree, one must not be said to go the other way."""
    reasons.sort(key=lambda pair: pair[1] != "")
    even, other = flat(claim), flat(evidence)
    mine = direction(even, asked.start, asked.end)
    wrong: tuple[Quantity, Span] | None = None
    for quantity, how in reasons:
        theirs = direction(other, quantity.start, quantity.end)
        if mine is None or theirs is None or mine[0] == theirs[0]:
            return _fits(claim, asked, evidence, quantity, how)
        wrong = wrong or (quantity, theirs[1])
    assert mine is not None  # else the loop has returned
    assert wrong is not None
    quantity, span = wrong
    why = f"“{shown(claim, asked)}”: “{cut(claim, *mine[1])}” in the claim, “{cut(evidence, *span)}” in the evidence."
    return failed(NAME, why, (mine[1], (asked.start, asked.end)), (span, (quantity.start, quantity.end)))


def _fits(claim: str, asked: Quantity, evidence: str, found: Quantity, how: str) -> CheckResult:
    mine, theirs = shown(claim, asked), shown(evidence, found)
    why = f"“{mine}” is in the evidence."
    if how == "rounded":
        why = f"“{theirs}” is reported as “{mine}”: rounded."
    elif how:
        why = f"“{mine}” holds for “{theirs}”: {how}."
    return passed(NAME, why, ((asked.start, asked.end),), ((found.start, found.end),))
