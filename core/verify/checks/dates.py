"""Dates, times of day and spans of time: those of the claim must follow from those of the evidence.

Tolerated: a coarser date than the evidence gives ("June 2021" for 12 June 2021, "the 1990s" for 1994), a date
inside an interval of the evidence, a bound that holds ("before 2000" for 1995), a span that follows from two dates.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.verify.checks.clock import Time, times
from core.verify.checks.intervals import Dated, dates
from core.verify.checks.measures import Quantity
from core.verify.checks.numbers import agrees, bounded_otherwise
from core.verify.checks.outcomes import CheckResult, Span, decisive, failed, not_applicable, passed
from core.verify.checks.quantities import quantities, shown
from core.verify.checks.text import cut
from core.verify.checks.units import NO_UNIT, TIME, UNITS

NAME = "dates"
_MONTH_SECONDS = 30.44 * 86400.0
_SHORT_SPAN = 12
_YEAR = 10000
_SIDES = {"before": -1, "by": -1, "until": -1, "after": 1, "since": 1}
_MONTH_LONG = 99
_WORK = re.compile(
    r"\((?=[^)]*\d{4})[^)]*\b(?:film|song|album|series|novel|book|game|show|band|play|musical|season|episode|single)\)"
)


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the dates and spans of time of ``claim``: the first failure with veto, else the first failure,
    else passed."""
    claimed, there = dates(claim), dates(evidence)
    spans, hours = spans_of_time(claim), times(claim)
    if not claimed and not spans and not hours:
        return not_applicable(NAME, "The claim states no date, no time of day and no span of time.")
    results = [_date(claim, end, evidence, there) for date in claimed for end in _parts(date)]
    results += [_span(claim, span, evidence, there) for span in spans]
    results += [_hour(claim, hour, evidence) for hour in hours]
    return decisive(NAME, results)


def spans_of_time(text: str) -> list[Quantity]:
    """The quantities of time that are no date: "three years", "18 months", "20-year-old"."""
    taken = dates(text)
    return [
        q
        for q in quantities(text)
        if q.unit.kind in TIME and not any(q.start < d.end and d.start < q.end for d in taken)
    ]


def _parts(claimed: Dated) -> tuple[Dated, ...]:
    """The dates that a claim states: both ends of "from 2015 to 2019", one interval for "between 2015 and 2019"."""
    return claimed.ends if claimed.joined == "from" else (claimed,)


def _date(claim: str, claimed: Dated, evidence: str, there: list[Dated]) -> CheckResult:
    """The result for one date of the claim."""
    for candidate in there:
        how = follows(claimed, candidate)
        if how is not None:
            name, theirs = cut(claim, claimed.start, claimed.end), cut(evidence, candidate.start, candidate.end)
            why = f"“{name}” is in the evidence." if not how else f"“{name}” holds for “{theirs}”: {how}."
            return passed(NAME, why, ((claimed.start, claimed.end),), ((candidate.start, candidate.end),))
    return _apart(claim, claimed, evidence, there) or _missing(claim, claimed, evidence, there)


def _missing(claim: str, claimed: Dated, evidence: str, there: list[Dated]) -> CheckResult:
    """The failure for a date that follows from no date of the evidence, with the dates that stand in its place."""
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    name = cut(claim, claimed.start, claimed.end)
    coarse = next((d for d in there if d.first <= claimed.first and claimed.last <= d.last), None)
    if coarse is not None:
        why = f"“{name}” is finer than the evidence, which says only “{cut(evidence, coarse.start, coarse.end)}”."
        return failed(NAME, why, span, ((coarse.start, coarse.end),), veto=not claimed.yearless)
    if any(m.start() < claimed.start < m.end() for m in _WORK.finditer(claim)) and not _WORK.search(evidence):
        return failed(NAME, f"“{name}” names a work that the evidence does not date.", span, veto=False)
    alike = [d for d in there if d.yearless == claimed.yearless]
    shown_dates = ", ".join(dict.fromkeys(f"“{cut(evidence, d.start, d.end)}”" for d in (alike or there)[:3]))
    has = f"which has {shown_dates}" if shown_dates else "which has no date"
    bound = f"{claimed.bound} " if claimed.bound else ""
    why = f"“{bound}{name}” does not follow from the evidence, {has}."
    return failed(NAME, why, span, tuple((d.start, d.end) for d in alike[:3]), veto=bool(there) or not evidence.strip())


def _apart(claim: str, claimed: Dated, evidence: str, there: list[Dated]) -> CheckResult | None:
    """The result for a full date where the evidence has its day without a year, as news do: "May 7, 2018" beside "May
    7". The year may stand elsewhere. None where the evidence has no such day."""
    if claimed.yearless:
        return None
    bare = replace(claimed, first=claimed.first % 10000, last=claimed.last % 10000)
    day = next((d for d in there if d.yearless and bare.yearless and _without_year(bare, d) is not None), None)
    if day is None or claimed.last - claimed.first > _MONTH_LONG:
        return None
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    name, theirs = cut(claim, claimed.start, claimed.end), cut(evidence, day.start, day.end)
    year = next((d for d in there if d.first // 10000 == d.last // 10000 == claimed.first // 10000), None)
    if year is None:
        why = f"The evidence has “{theirs}” but not the year of “{name}”."
        return failed(NAME, why, span, ((day.start, day.end),), veto=False)
    why = f"“{name}” follows from “{theirs}” and “{cut(evidence, year.start, year.end)}”."
    return passed(NAME, why, span, ((day.start, day.end), (year.start, year.end)))


def _hour(claim: str, claimed: Time, evidence: str) -> CheckResult:
    """The result for a time of day. Times of two zones are not compared."""
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    name = cut(claim, claimed.start, claimed.end)
    there = times(evidence)
    for candidate in there:
        if candidate.minutes & claimed.minutes:
            theirs = cut(evidence, candidate.start, candidate.end)
            why = f"“{name}” is in the evidence" + (f" as “{theirs}”." if theirs != name else ".")
            return passed(NAME, why, span, ((candidate.start, candidate.end),))
    comparable = [other for other in there if not (claimed.zone and other.zone and claimed.zone != other.zone)]
    listed = ", ".join(dict.fromkeys(f"“{cut(evidence, other.start, other.end)}”" for other in there[:3]))
    has = f"which has {listed}" if listed else "which has no time of day"
    why = f"“{name}” is not in the evidence, {has}."
    return failed(NAME, why, span, tuple((other.start, other.end) for other in there[:3]), veto=bool(comparable))


def follows(claimed: Dated, candidate: Dated) -> str | None:
    """The way in which the date ``claimed`` follows from ``candidate``: "" if equal, words if it lies inside, else
    None."""
    if claimed.yearless or candidate.yearless:
        return _without_year(claimed, candidate)
    if claimed.first == candidate.first and claimed.last == candidate.last:
        return None if _SIDES.get(claimed.bound, 0) * _SIDES.get(candidate.bound, 0) < 0 else ""
    if _may_be(claimed, candidate):
        return "one of the days that it may be"
    return _bounded(claimed, candidate)


def _may_be(claimed: Dated, candidate: Dated) -> bool:
    """True where one of both is written so that it may be two days (05/03/2021), and the other is one of them."""
    days = {claimed.first, *claimed.either} & {candidate.first, *candidate.either}
    return bool(days) and bool(claimed.either or candidate.either)


def _bounded(claimed: Dated, candidate: Dated) -> str | None:
    """The way in which a date follows from another one by its bound, or lies inside it."""
    if claimed.bound == "before":
        before = candidate.last < claimed.first and candidate.bound not in ("since", "after")
        return "it lies before" if before else None
    if claimed.bound == "after":
        after = candidate.first > claimed.last and candidate.bound not in ("before", "until")
        return "it lies after" if after else None
    if claimed.bound == "by":
        return "it lies before" if candidate.last <= claimed.last else None
    if claimed.first <= candidate.first and candidate.last <= claimed.last:
        return "the evidence is more exact"
    if claimed.bound == "since" and claimed.first <= candidate.first <= claimed.last:
        return "it begins then"
    if claimed.bound == "until" and claimed.first <= candidate.last <= claimed.last:
        return "it ends then"
    return _inside(claimed, candidate)


def _inside(claimed: Dated, candidate: Dated) -> str | None:
    """The way in which a date lies inside an interval of the evidence, else None. A lifespan in brackets has ends
    only."""
    if candidate.joined:
        if candidate.first <= claimed.first and claimed.last <= candidate.last and not candidate.bracketed:
            return "inside the interval of the evidence"
        if claimed.first <= candidate.first <= claimed.last or claimed.first <= candidate.last <= claimed.last:
            return "an end of the interval of the evidence"
    if candidate.bound == "since" and claimed.first >= candidate.first and not claimed.bound:
        return "inside the interval of the evidence"
    wide = claimed.joined or claimed.last - claimed.first > _YEAR
    if wide and (claimed.first <= candidate.first <= claimed.last or claimed.first <= candidate.last <= claimed.last):
        return "the interval of the evidence meets it"
    return None


def _without_year(claimed: Dated, candidate: Dated) -> str | None:
    first, last = candidate.first % 10000, candidate.last % 10000
    if (
        claimed.yearless
        and not candidate.yearless
        and candidate.first // 10000 == candidate.last // 10000
        and last != 9999
    ):
        return "the evidence is more exact" if claimed.first <= first and last <= claimed.last else None
    if claimed.yearless and candidate.yearless:
        return "" if claimed.first <= candidate.first and candidate.last <= claimed.last else None
    return None


def _span(claim: str, claimed: Quantity, evidence: str, there: list[Dated]) -> CheckResult:
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    name = shown(claim, claimed)
    given = spans_of_time(evidence)
    for candidate in given:
        mine, theirs = in_seconds(claimed), in_seconds(candidate)
        how = agrees(mine, theirs)
        if how is not None and not bounded_otherwise(mine, theirs):
            why = (
                f"“{name}” is in the evidence."
                if not how
                else f"“{name}” holds for “{shown(evidence, candidate)}”: {how}."
            )
            return passed(NAME, why, span, ((candidate.start, candidate.end),))
    pair = _difference(claimed, there)
    if pair is not None:
        a, b = (cut(evidence, d.start, d.end) for d in pair)
        return passed(NAME, f"“{name}” follows from “{a}” and “{b}”.", span, tuple((d.start, d.end) for d in pair))
    bare = next((q for q in quantities(evidence) if q.unit is NO_UNIT and _aged(claimed, q)), None)
    if bare is not None:
        return passed(NAME, f"“{name}” is in the evidence.", span, ((bare.start, bare.end),))
    if given:
        listed = ", ".join(dict.fromkeys(f"“{shown(evidence, q)}”" for q in given[:3]))
        why = f"“{name}” is not in the evidence, which has {listed}."
        return failed(NAME, why, span, tuple((q.start, q.end) for q in given[:3]))
    return failed(NAME, f"“{name}” is not in the evidence, which has no span of time.", span, veto=not evidence.strip())


def _aged(claimed: Quantity, bare: Quantity) -> bool:
    """True for an age written without its unit: "dies at 78"."""
    return claimed.unit.factor == UNITS["years"].factor and bare.low == bare.high == claimed.low / claimed.unit.factor


def in_seconds(quantity: Quantity) -> Quantity:
    """The quantity in seconds, so that "two weeks" and "14 days", "18 months" and "1.5 years" compare."""
    if quantity.unit.kind == "second":
        return quantity
    factor = _MONTH_SECONDS
    unit = quantity.unit._replace(kind="second", factor=quantity.unit.factor * factor)
    return replace(
        quantity, low=quantity.low * factor, high=quantity.high * factor, step=quantity.step * factor, unit=unit
    )


def _difference(claimed: Quantity, there: list[Dated]) -> tuple[Dated, Dated] | None:
    """Two dates of the evidence that lie ``claimed`` years apart, one year more or less for borders; None without
    them."""
    if claimed.unit.kind != "month" or claimed.unit.factor < _SHORT_SPAN:
        return None
    years = claimed.low / 12
    slack = max(1.0, claimed.step / 24)
    dated = [d for d in there if not d.yearless]
    for place, first in enumerate(dated):
        for second in (first, *dated[place + 1 :]):
            apart = abs(second.last // 10000 - first.first // 10000)
            if apart and _reaches(apart, years, slack, claimed.bound):
                return first, second
    return None


def _reaches(apart: int, years: float, slack: float, bound: str) -> bool:
    if bound in ("more", "min"):
        return apart + 1 >= years
    if bound in ("less", "max"):
        return apart - 1 <= years
    return abs(apart - years) <= slack
