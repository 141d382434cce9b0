"""Dates, intervals and spans of time: what the claim states must lie where the evidence has it.

Tolerated: a coarser date than the evidence gives ("June 2021" for 12 June 2021, "the 1990s" for 1994), a date
inside an interval of the evidence, a bound that holds ("before 2000" for 1995), a span that follows from two dates.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.verify.checks.intervals import Dated, dates
from core.verify.checks.numbers import agrees
from core.verify.checks.outcomes import CheckResult, Outcome, Span, failed, not_applicable, passed
from core.verify.checks.quantities import Quantity, quantities, shown
from core.verify.checks.text import cut
from core.verify.checks.units import NO_UNIT, TIME, UNITS

NAME = "dates"
_MONTH_SECONDS = 30.44 * 86400.0
_SHORT_SPAN = 12
_YEAR = 10000
_MONTH_LONG = 99
_WORK = re.compile(
    r"\((?=[^)]*\d{4})[^)]*\b(?:film|song|album|series|novel|book|game|show|band|play|musical|season|episode|single)\)"
)


def check(claim: str, evidence: str) -> CheckResult:
    """Compare the dates and spans of time of ``claim`` with those of ``evidence``; a failure with veto decides."""
    asked, there = dates(claim), dates(evidence)
    spans = spans_of_time(claim)
    if not asked and not spans:
        return not_applicable(NAME, "The claim states no date and no span of time.")
    results = [_date(claim, end, evidence, there) for one in asked for end in _parts(one)]
    results += [_span(claim, span, evidence, there) for span in spans]
    for veto in (True, False):
        for result in results:
            if result.outcome is Outcome.FAILED and result.veto is veto:
                return result
    why = " ".join(dict.fromkeys(result.explanation for result in results))
    return passed(
        NAME, why, tuple(s for r in results for s in r.claim_spans), tuple(s for r in results for s in r.evidence_spans)
    )


def spans_of_time(text: str) -> list[Quantity]:
    """ "three years", "18 months", "20-year-old": quantities of time that are no date."""
    taken = dates(text)
    return [
        q
        for q in quantities(text)
        if q.unit.kind in TIME and not any(q.start < d.end and d.start < q.end for d in taken)
    ]


def _parts(asked: Dated) -> tuple[Dated, ...]:
    """ "From 2015 to 2019" states both ends; "between 2015 and 2019" only that it lies inside."""
    return asked.ends if asked.joined == "from" else (asked,)


def _date(claim: str, asked: Dated, evidence: str, there: list[Dated]) -> CheckResult:
    span: tuple[Span, ...] = ((asked.start, asked.end),)
    name = cut(claim, asked.start, asked.end)
    for found in there:
        how = follows(asked, found)
        if how is not None:
            theirs = cut(evidence, found.start, found.end)
            why = f"“{name}” is in the evidence." if not how else f"“{name}” holds for “{theirs}”: {how}."
            return passed(NAME, why, span, ((found.start, found.end),))
    apart = _apart(claim, asked, evidence, there)
    if apart is not None:
        return apart
    coarse = [d for d in there if d.first <= asked.first and asked.last <= d.last]
    if coarse:
        theirs = cut(evidence, coarse[0].start, coarse[0].end)
        why = f"“{name}” is finer than the evidence, which says only “{theirs}”."
        return failed(NAME, why, span, ((coarse[0].start, coarse[0].end),), veto=not asked.yearless)
    if any(m.start() < asked.start < m.end() for m in _WORK.finditer(claim)) and not _WORK.search(evidence):
        return failed(NAME, f"“{name}” names a work that the evidence does not date.", span, veto=False)
    alike = [d for d in there if d.yearless == asked.yearless]
    shown_dates = ", ".join(dict.fromkeys(f"“{cut(evidence, d.start, d.end)}”" for d in (alike or there)[:3]))
    has = f", which has {shown_dates}" if shown_dates else ", which has no date"
    bound = f"{asked.bound} " if asked.bound else ""
    why = f"“{bound}{name}” does not follow from the evidence{has}."
    return failed(NAME, why, span, tuple((d.start, d.end) for d in alike[:3]), veto=bool(there) or not evidence.strip())


def _apart(claim: str, asked: Dated, evidence: str, there: list[Dated]) -> CheckResult | None:
    """ "May 7, 2018" where the evidence has "May 7" without a year, as news do: the year may stand elsewhere."""
    if asked.yearless:
        return None
    bare = replace(asked, first=asked.first % 10000, last=asked.last % 10000)
    day = next((d for d in there if d.yearless and bare.yearless and _without_year(bare, d) is not None), None)
    if day is None or asked.last - asked.first > _MONTH_LONG:
        return None
    span: tuple[Span, ...] = ((asked.start, asked.end),)
    name, theirs = cut(claim, asked.start, asked.end), cut(evidence, day.start, day.end)
    year = next((d for d in there if d.first // 10000 == d.last // 10000 == asked.first // 10000), None)
    if year is None:
        why = f"The evidence has “{theirs}” but not the year of “{name}”."
        return failed(NAME, why, span, ((day.start, day.end),), veto=False)
    why = f"“{name}” follows from “{theirs}” and “{cut(evidence, year.start, year.end)}”."
    return passed(NAME, why, span, ((day.start, day.end), (year.start, year.end)))


def follows(asked: Dated, found: Dated) -> str | None:
    """How the date ``asked`` follows from ``found``: "" if equal, words if it lies inside, None if it does not."""
    if asked.yearless or found.yearless:
        return _without_year(asked, found)
    if asked.first == found.first and asked.last == found.last:
        return None if {asked.bound, found.bound} == {"before", "after"} else ""
    if asked.bound == "before":
        return "it lies before" if found.last < asked.first and found.bound not in ("since", "after") else None
    if asked.bound == "after":
        return "it lies after" if found.first > asked.last and found.bound not in ("before", "until") else None
    if asked.bound == "by":
        return "it lies before" if found.last <= asked.last else None
    if asked.first <= found.first and found.last <= asked.last:
        return "the evidence is more exact"
    if asked.bound == "since" and asked.first <= found.first <= asked.last:
        return "it begins then"
    if asked.bound == "until" and asked.first <= found.last <= asked.last:
        return "it ends then"
    return _inside(asked, found)


def _inside(asked: Dated, found: Dated) -> str | None:
    """A year inside an interval of the evidence, or one of its ends; a lifespan in brackets has ends only."""
    if found.joined:
        if found.first <= asked.first and asked.last <= found.last and not found.bracketed:
            return "inside the interval of the evidence"
        if asked.first <= found.first <= asked.last or asked.first <= found.last <= asked.last:
            return "an end of the interval of the evidence"
    if found.bound == "since" and asked.first >= found.first and not asked.bound:
        return "inside the interval of the evidence"
    wide = asked.joined or asked.last - asked.first > _YEAR
    if wide and (asked.first <= found.first <= asked.last or asked.first <= found.last <= asked.last):
        return "the interval of the evidence meets it"
    return None


def _without_year(asked: Dated, found: Dated) -> str | None:
    first, last = found.first % 10000, found.last % 10000
    if asked.yearless and not found.yearless and found.first // 10000 == found.last // 10000 and last != 9999:
        return "the evidence is more exact" if asked.first <= first and last <= asked.last else None
    if asked.yearless and found.yearless:
        return "" if asked.first <= found.first and found.last <= asked.last else None
    return None


def _span(claim: str, asked: Quantity, evidence: str, there: list[Dated]) -> CheckResult:
    span: tuple[Span, ...] = ((asked.start, asked.end),)
    name = shown(claim, asked)
    given = spans_of_time(evidence)
    for found in given:
        how = agrees(_in_seconds(asked), _in_seconds(found))
        if how is not None:
            why = (
                f"“{name}” is in the evidence." if not how else f"“{name}” holds for “{shown(evidence, found)}”: {how}."
            )
            return passed(NAME, why, span, ((found.start, found.end),))
    pair = _difference(asked, there)
    if pair is not None:
        a, b = (cut(evidence, d.start, d.end) for d in pair)
        return passed(NAME, f"“{name}” follows from “{a}” and “{b}”.", span, tuple((d.start, d.end) for d in pair))
    bare = next((q for q in quantities(evidence) if q.unit is NO_UNIT and _aged(asked, q)), None)
    if bare is not None:
        return passed(NAME, f"“{name}” is in the evidence.", span, ((bare.start, bare.end),))
    if given:
        listed = ", ".join(dict.fromkeys(f"“{shown(evidence, q)}”" for q in given[:3]))
        why = f"“{name}” is not in the evidence, which has {listed}."
        return failed(NAME, why, span, tuple((q.start, q.end) for q in given[:3]))
    return failed(NAME, f"“{name}” is not in the evidence, which has no span of time.", span, veto=not evidence.strip())


def _aged(asked: Quantity, bare: Quantity) -> bool:
    """ "Dies at 78": an age may be written without its unit."""
    return asked.unit.factor == UNITS["years"].factor and bare.low == bare.high == asked.low / asked.unit.factor


def _in_seconds(quantity: Quantity) -> Quantity:
    """Months and years in seconds, so that "two weeks" and "14 days", "18 months" and "1.5 years" compare."""
    if quantity.unit.kind == "second":
        return quantity
    factor = _MONTH_SECONDS
    unit = quantity.unit._replace(kind="second", factor=quantity.unit.factor * factor)
    return replace(
        quantity, low=quantity.low * factor, high=quantity.high * factor, step=quantity.step * factor, unit=unit
    )


def _difference(asked: Quantity, there: list[Dated]) -> tuple[Dated, Dated] | None:
    """Two dates of the evidence that lie as many years apart as ``asked`` says, one year more or less for borders."""
    if asked.unit.kind != "month" or asked.unit.factor < _SHORT_SPAN:
        return None
    years = asked.low / 12
    slack = max(1.0, asked.step / 24)
    dated = [d for d in there if not d.yearless]
    for place, one in enumerate(dated):
        for other in (one, *dated[place + 1 :]):
            apart = abs(other.last // 10000 - one.first // 10000)
            if apart and _reaches(apart, years, slack, asked.bound):
                return one, other
    return None


def _reaches(apart: int, years: float, slack: float, bound: str) -> bool:
    if bound in ("more", "min"):
        return apart + 1 >= years
    if bound in ("less", "max"):
        return apart - 1 <= years
    return abs(apart - years) <= slack
