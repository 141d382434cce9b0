"""Numbers: each number of the claim must be in the evidence, in the same unit, direction and (rounded) size.

Tolerated and said so: rounding to the last place that the claim writes ("1.3" reported as "1"), conversion of units,
a number inside the bound that the claim states ("more than 500" for 612). Years, dates and spans of time belong
to ``dates``. A small count that the evidence states nowhere ("three films", with the films listed) fails without veto:
it may well be counted right.
"""

from __future__ import annotations

import re

from core.verify.checks.bounds import HEDGES, opposite
from core.verify.checks.clock import times
from core.verify.checks.currencies import same_money
from core.verify.checks.derived import as_multiple, derived_from, of_ratios
from core.verify.checks.directions import direction
from core.verify.checks.intervals import date_spans
from core.verify.checks.measures import FOLD, Quantity
from core.verify.checks.names import is_demonym
from core.verify.checks.numerals import place
from core.verify.checks.ordinals import other_ordinals
from core.verify.checks.outcomes import CheckResult, Span, decisive, failed, not_applicable, passed
from core.verify.checks.pairs import turned_pairs
from core.verify.checks.quantities import as_share, quantities, shown
from core.verify.checks.temperatures import DEGREES, in_unit_of
from core.verify.checks.text import cut, flat
from core.verify.checks.units import NO_UNIT, TIME

NAME = "numbers"
_NAME_AFTER = re.compile(r"[ -]([A-Z]\w+)")
_NAME_BEFORE = re.compile(
    r"[A-Z]\w+[ ][A-Z]\w+,?[ ]\Z|(?<!^)(?<![.!?] )\b[A-Z]\w+[ ]\Z|^(?!The|In|At|Over|About|Only|Of|With|From|Some|"
    r"Nearly|Almost|Around|By|Altogether|All|Another|Approximately|Roughly|Up|Just|Under|After|Within|Between|These|"
    r"Those)[A-Z][a-z]+[ ]\Z|\b(?:Apollo|Boeing|Route|Flight|Highway|Area|No\.|Number|Title|"
    r"Chapter|Blink|Maroon)[ -]\Z"
)
_LEAD = re.compile(
    r"\b(?!was\b|were\b|has\b|had\b|have\b|with\b|from\b|over\b|only\b|about\b|and\b|the\b|than\b)(\w{3,})[ -]\Z"
)
_COUNTABLE = 12
"""Largest count that a reader may make from a list in the evidence."""
_HEDGED = 0.1
_PART = 0.03
"""A half, a third, a tenth without "about": 49 per cent and 10.2 per cent, not 45 and 11."""
_ROUND = 0.02
_BESIDE = 0.01
"""Share by which "nearly 500" may be passed all the same."""
_CONVERTED = 0.03
_CONVERTED_SPAN = (0.12, 0.25)
"""Share by which a figure may be rounded on its way into a larger unit, without and with "about": 110 minutes are two
hours, 150 are not."""
_FULL = ("less", "up to")
"""Bounds of the evidence that a claim may not leave out: "up to 30 per cent" is not 30 per cent."""
_FREE = frozenset({"times", "fold"})
"""Kinds whose number is told in many ways: "won twice", "two titles"."""
_BEYOND = re.compile(r"(?<![\d,])\d(?:,?\d){299,}")
"""A number near or above the largest that a computer reckons with (309 digits)."""


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the numbers of ``claim``: the first failure with veto, else the first failure, else passed."""
    claimed = [as_share(quantity) for quantity in [*numbers_of(claim), *of_ratios(claim)]]
    results = [_compare_digits(match, evidence) for match in _BEYOND.finditer(claim)]
    results += [*turned_pairs(claim, evidence), *other_ordinals(claim, evidence)]
    if not claimed and not results:
        return not_applicable(NAME, "The claim states no number.")
    there = [as_share(quantity) for quantity in quantities(evidence)]
    derived = [*of_ratios(evidence), *derived_from(evidence, there, claim, claimed)]
    compared = [_compare(claim, quantity, evidence, there, derived) for quantity in claimed]
    return decisive(NAME, [*compared, *results])


def _compare_digits(match: re.Match[str], evidence: str) -> CheckResult:
    """The result for a number too large to reckon with: its digits stand in the evidence, or they do not."""
    shape = re.sub(r"\D", "", match[0])
    same = next((other for other in _BEYOND.finditer(evidence) if re.sub(r"\D", "", other[0]) == shape), None)
    if same is not None:
        return passed(NAME, f"The number of {len(shape)} digits is in the evidence.", (match.span(),), (same.span(),))
    return failed(NAME, f"The number of {len(shape)} digits is not in the evidence.", (match.span(),))


def numbers_of(text: str) -> list[Quantity]:
    """The quantities of ``text`` that are no dates, no times of day and no spans of time."""
    dates = [*date_spans(text), *((time.start, time.end) for time in times(text))]
    return [
        q
        for q in quantities(text)
        if q.unit.kind not in TIME and not any(q.start < end and start < q.end for start, end in dates)
    ]


def _compare(
    claim: str, claimed: Quantity, evidence: str, there: list[Quantity], derived: list[Quantity]
) -> CheckResult:
    """The result for one number of the claim."""
    close = [q for q in there if units_agree(claimed, q)]
    close = [in_unit_of(claimed, q, evidence) for q in close]
    against = [q for q in close if bounded_otherwise(claimed, q)]
    fitting = [q for q in close if q not in against]
    same_noun = [q for q in close if set(claimed.nouns[:1]) & set(q.nouns)]
    reasons = _reasons(claimed, fitting, same_noun)
    if against and not any(how == "" for _, how in reasons):
        why = f"“{shown(claim, claimed)}” in the claim, “{shown(evidence, against[0])}” in the evidence."
        return failed(NAME, why, ((claimed.start, claimed.end),), ((against[0].start, against[0].end),))
    if reasons:
        return _direction(claim, claimed, evidence, reasons)
    return _derived(claim, claimed, evidence, there, derived) or _missing(
        claim, claimed, evidence, there, *_instead(claim, claimed, there, derived, close, same_noun)
    )


def _derived(
    claim: str, claimed: Quantity, evidence: str, there: list[Quantity], derived: list[Quantity]
) -> CheckResult | None:
    """The result for a number that follows from others of the evidence, or tells a multiple of it; else None."""
    follows = [q for q in derived if units_agree(claimed, q) and agrees(claimed, q) is not None]
    multiple = as_multiple(claim, claimed)
    if multiple is not None:
        follows += [q for q in there if q.unit is FOLD and agrees(multiple, q) is not None]
    return _fits(claim, claimed, evidence, follows[0], "it follows from these figures") if follows else None


def _instead(
    claim: str,
    claimed: Quantity,
    there: list[Quantity],
    derived: list[Quantity],
    close: list[Quantity],
    same_noun: list[Quantity],
) -> tuple[list[Quantity], list[Quantity]]:
    """The numbers of one kind with a missing one, and those among them that stand in its place."""
    follows = [q for q in derived if units_agree(claimed, q) and q.step]
    folds = [q for q in there if q.unit is FOLD] if not close and as_multiple(claim, claimed) is not None else []
    nouns = set(claimed.nouns[:1])
    instead = same_noun or folds or [q for q in follows if nouns & set(q.nouns)]
    return [*close, *(q for q in follows if q.unit is FOLD)], instead


def bounded_otherwise(claimed: Quantity, candidate: Quantity) -> bool:
    """True for the same number with a bound on its other side ("at least", "up to"), or with one that the claim leaves
    out."""
    otherwise = opposite(claimed.bound, candidate.bound) or (claimed.bound == "" and candidate.bound in _FULL)
    return otherwise and claimed.low == claimed.high and _same(candidate.low, claimed.low)


def _reasons(claimed: Quantity, close: list[Quantity], same_noun: list[Quantity]) -> list[tuple[Quantity, str]]:
    """The numbers of the evidence from which the claimed one follows, each with how. For a bound only numbers of the
    same noun count, where there are any, and equal numbers."""
    reasons = [(q, how) for q in close if (how := agrees(claimed, q)) is not None]
    if claimed.bound and claimed.unit is NO_UNIT:  # 150,000 euros are not "at least three cars"
        reasons = [(q, how) for q, how in reasons if how == "" or q.unit is NO_UNIT]
    if claimed.bound and claimed.bound not in HEDGES and same_noun:
        return [(q, how) for q, how in reasons if q in same_noun or how == ""]
    return reasons


def _missing(
    claim: str,
    claimed: Quantity,
    evidence: str,
    there: list[Quantity],
    close: list[Quantity],
    same_noun: list[Quantity],
) -> CheckResult:
    """The failure for a number that follows from no number of the evidence, with the numbers that stand in its
    place."""
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    name = shown(claim, claimed)
    if not close and claimed.unit.kind not in _FREE:
        other_unit = next((q for q in there if q.unit.kind not in _FREE and _same_digits(claimed, q)), None)
        if other_unit is not None:
            why = f"“{name}” in the claim, “{shown(evidence, other_unit)}” in the evidence: another unit."
            return failed(NAME, why, span, ((other_unit.start, other_unit.end),))
    alike = same_noun or [q for q in close if _same_lead(claim, claimed, evidence, q)]
    excuse = _excuse(claim, claimed, close)
    if not alike and not excuse:
        alike = [q for q in close if same_money(q.unit.kind, claimed.unit.kind) and q.step and not q.year]
    if alike:
        listed = ", ".join(dict.fromkeys(f"“{shown(evidence, q)}”" for q in alike[:3]))
        why = f"“{name}” is not in the evidence, which has {listed}."
        return failed(NAME, why, span, tuple((q.start, q.end) for q in alike[:3]))
    return failed(NAME, f"“{name}” is not in the evidence.{excuse}", span, veto=not (evidence.strip() or excuse))


def _same_digits(claimed: Quantity, candidate: Quantity) -> bool:
    equal = candidate.low == claimed.low and candidate.high == claimed.high
    return equal or _plain(candidate) == _plain(claimed)


def _excuse(claim: str, claimed: Quantity, close: list[Quantity]) -> str:
    """A sentence on why a number may well be missing: it is part of a name, or a small count; "" for other numbers."""
    if _in_name(claim, claimed):
        return " It may be part of a name."
    small = claimed.unit is NO_UNIT and claimed.low == claimed.high and 0 <= claimed.low <= _COUNTABLE
    if small and not any(_count(q) for q in close):
        return " It may be a count of things that are listed there."
    return ""


def _count(quantity: Quantity) -> bool:
    """True for a small bare number, as counts are. Where the evidence counts, a missing count is not read off a
    list."""
    return (
        quantity.unit is NO_UNIT
        and bool(quantity.step)
        and quantity.low == quantity.high
        and quantity.low <= 10 * _COUNTABLE
        and not quantity.year
    )


def _same_lead(claim: str, claimed: Quantity, evidence: str, candidate: Quantity) -> bool:
    """ "Chapter 4" and "Chapter 3": the word before both is the same."""
    mine = _LEAD.search(claim[max(0, claimed.start - 40) : claimed.start])
    theirs = _LEAD.search(evidence[max(0, candidate.start - 40) : candidate.start])
    same = mine is not None and theirs is not None and mine[1].lower() == theirs[1].lower()
    return same and candidate.unit is NO_UNIT


def _in_name(claim: str, claimed: Quantity) -> bool:
    """ "21 Jump Street", "Beverly Hills, 90210": a bare number beside words in capitals."""
    if claimed.unit is not NO_UNIT or claimed.low != claimed.high:
        return False
    after = _NAME_AFTER.match(claim, claimed.end)
    return (after is not None and not is_demonym(after[1])) or _NAME_BEFORE.search(claim, 0, claimed.start) is not None


def units_agree(claimed: Quantity, candidate: Quantity) -> bool:
    """True when two quantities measure the same kind of thing; a bare number may leave its unit out."""
    kind, other_kind = claimed.unit.kind, candidate.unit.kind
    if same_money(kind, other_kind):
        return True
    if {kind, other_kind} <= DEGREES or {kind, other_kind} == _FREE:
        return True
    return (kind == "" and other_kind != "fold") or (kind == "times" and other_kind == "")


def _plain(quantity: Quantity) -> float:
    return quantity.low / quantity.unit.factor


def agrees(claimed: Quantity, candidate: Quantity) -> str | None:
    """The way in which ``claimed`` follows from ``candidate``: "" if equal, words if rounded or bounded, else None."""
    factor = candidate.unit.factor if claimed.unit is NO_UNIT and candidate.unit is not NO_UNIT else 1.0
    low, high = candidate.low / factor, candidate.high / factor
    if claimed.low != claimed.high:
        return _range_agrees(claimed, low, high)
    value = claimed.low
    if claimed.bound and claimed.bound not in HEDGES:
        return _bound_agrees(claimed, candidate, low, high)
    if claimed.low == candidate.low == candidate.high or _told_from_the_other_side(claimed, candidate):
        return ""
    near = _CONVERTED_SPAN[claimed.bound in HEDGES] if claimed.unit.factor != candidate.unit.factor else 1.0
    for end in {low, high}:
        how = _rounded(claimed, value, end)
        if how is not None and abs(value - end) <= near * abs(end):
            return how
    if claimed.bound in HEDGES and low <= value <= high:
        return "inside the range of the evidence"
    return None


def _told_from_the_other_side(claimed: Quantity, candidate: Quantity) -> bool:
    """True for "twice as long as elms" beside "half as long as limes"."""
    if "fold" not in {claimed.unit.kind, candidate.unit.kind} or candidate.low != candidate.high:
        return False
    return abs(claimed.low * candidate.low - 1) <= _CONVERTED and claimed.nouns[:2] != candidate.nouns[:2]


def _range_agrees(claimed: Quantity, low: float, high: float) -> str | None:
    if low != high:
        if _same(claimed.low, low) and _same(claimed.high, high):
            return ""
        at_low, at_high = _rounded(claimed, claimed.low, low), _rounded(claimed, claimed.high, high)
        return None if at_low is None or at_high is None else at_low or at_high
    return "inside the range of the claim" if claimed.low <= low <= claimed.high else None


def _bound_agrees(claimed: Quantity, candidate: Quantity, low: float, high: float) -> str | None:
    value = claimed.low
    if opposite(claimed.bound, candidate.bound) and candidate.bound not in HEDGES:
        return None
    if _same(low, value) and low == high and claimed.bound == "less" and not candidate.bound:
        return None
    if claimed.bound in ("more", "min"):
        if _same(low, value):
            return ""
        return "above the bound of the claim" if low > value else None
    if _same(high, value):
        return ""
    return "below the bound of the claim" if high < value else None


def _same(value: float, other: float) -> bool:
    return abs(value - other) <= 1e-9 * max(1.0, abs(value), abs(other))


def _rounded(claimed: Quantity, value: float, other: float) -> str | None:
    """ "" for equal values, "rounded" where ``value`` is ``other`` rounded, None for different values."""
    if _same(value, other):
        return ""
    away = abs(value - other)
    hedged = claimed.bound in HEDGES
    if hedged and away > _BESIDE * abs(other) and opposite(claimed.bound, "more" if other > value else "less"):
        return None
    if claimed.step == 0.0:  # a half, two thirds
        return "rounded" if away <= (_HEDGED if hedged else _PART) * abs(other) else None
    if away <= claimed.step / 2 * (1 + 1e-9):
        return "rounded"
    relative = away / max(abs(other), 1e-12)
    coarse = place(value / claimed.unit.factor) * claimed.unit.factor
    fits = away <= coarse / 2
    by_hedge = hedged and ((relative <= _HEDGED and fits) or relative <= _ROUND)
    by_place = coarse >= 100 * claimed.step and relative <= _ROUND and fits
    by_unit = claimed.unit.factor != 1.0 and relative <= _CONVERTED and away <= coarse / 2 + claimed.step
    return "rounded" if by_hedge or by_place or by_unit else None


def _direction(claim: str, claimed: Quantity, evidence: str, reasons: list[tuple[Quantity, str]]) -> CheckResult:
    """The result for a number that agrees: it fails where every agreeing number goes the other way (up, not down)."""
    reasons.sort(key=lambda pair: pair[1] != "")
    even, other = flat(claim), flat(evidence)
    mine = direction(even, claimed.start, claimed.end)
    wrong: tuple[Quantity, Span] | None = None
    for quantity, how in reasons:
        theirs = direction(other, quantity.start, quantity.end)
        if mine is None or theirs is None or mine[0] == theirs[0]:
            return _fits(claim, claimed, evidence, quantity, how)
        wrong = wrong or (quantity, theirs[1])
    assert mine is not None  # else the loop has returned
    assert wrong is not None
    quantity, span = wrong
    why = f"“{shown(claim, claimed)}”: “{cut(claim, *mine[1])}” in the claim, “{cut(evidence, *span)}” in the evidence."
    return failed(NAME, why, (mine[1], (claimed.start, claimed.end)), (span, (quantity.start, quantity.end)))


def _fits(claim: str, claimed: Quantity, evidence: str, candidate: Quantity, how: str) -> CheckResult:
    mine, theirs = shown(claim, claimed), shown(evidence, candidate)
    why = f"“{mine}” is in the evidence."
    if how == "rounded":
        why = f"“{theirs}” is reported as “{mine}”: rounded."
    elif how:
        why = f"“{mine}” holds for “{theirs}”: {how}."
    return passed(NAME, why, ((claimed.start, claimed.end),), ((candidate.start, candidate.end),))
