"""A number with what it counts or measures: unit, bound, the nouns behind."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text.terms import terms
from core.verify.checks.bounds import bound_of
from core.verify.checks.currencies import is_currency
from core.verify.checks.numerals import Numeral, part_of
from core.verify.checks.units import NO_UNIT, TIME, UNITS, Unit, money_before, unit_after

FOLD = Unit("fold", 1.0)
"""The unit of a multiple that tells a change or compares, not how often."""
_CALENDAR_YEAR = re.compile(r"(?:1\d|20)\d\d\Z")
_PLUS = re.compile(r"-plus\b|\+")
_AGED = re.compile(r"\b(?:aged?|age of|ages?)[ ]\Z", re.IGNORECASE)
_BEHIND = re.compile(r"[ ]?(?:\((?=[^()]*\d)[^()]{1,40}\)|\[(?=[^\[\]]*\d)[^\[\]]{1,40}\])|[)\]]")
"""What may stand between a number and its unit: "32 (7-132) weeks"."""
_OF_A = re.compile(r"(?: of)? an?(?= )")
_AND_PART = re.compile(r" and (?P<count>an?|one|three)[ -](?P<part>half|quarters?|thirds?)\b")
_NOUN_LOOK = 48
_NOUN_END = re.compile(r"[.;:!?()\[\]]|,\s")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in its unit's base: ``low`` = ``high`` for one number, else a range.

    ``step`` as in ``Numeral``, in the base unit; ``bound`` as in ``bounds.bound_of``;
    ``nouns`` are the stems of up to three content words behind the number; ``year`` marks four digits that may be a
    calendar year.
    """

    low: float
    high: float
    step: float
    unit: Unit
    bound: str
    nouns: tuple[str, ...]
    start: int
    end: int
    worded: bool = False
    year: bool = False


def measure(text: str, number: Numeral) -> Quantity:
    """The quantity of one number of ``text``."""
    start, value, step = number.start, number.value, number.step
    unit, end = _unit_behind(text, number)
    money, money_start = money_before(text, start)
    if money is not NO_UNIT:
        unit, start = money, money_start
        word, word_end = unit_after(text, number.end)
        unit = word if word.kind.endswith(f" {money.kind}") else unit
        end = word_end if is_currency(word.kind) else number.end
    if unit is NO_UNIT and _AGED.search(text, max(0, start - 16), start):
        unit = UNITS["years"]
    if unit.kind in TIME and (more := _AND_PART.match(text, end)):  # "an hour and a half"
        value, step, end = value + part_of(more["count"], more["part"]), 0.05, more.end()
    bare = unit is NO_UNIT and number.step == 1.0 and not number.worded
    year = bare and _CALENDAR_YEAR.match(text[number.start : number.end]) is not None
    hedge = "about" if text[number.start : number.end] in ("a", "A") else ""  # "a decade"
    bound = bound_of(text, start, end) or ("min" if _PLUS.match(text, number.end) else hedge)
    value *= unit.factor
    return Quantity(
        value, value, step * unit.factor, unit, bound, nouns_behind(text, end), start, end, number.worded, year,
    )  # fmt: skip


def _unit_behind(text: str, number: Numeral) -> tuple[Unit, int]:
    """The unit behind a number and the end of both; a bracket or, behind a part, "of a" may stand between."""
    plus = _PLUS.match(text, number.end)
    unit, end = unit_after(text, plus.end() if plus else number.end)
    if unit is NO_UNIT and number.step < 1 and (of := _OF_A.match(text, number.end)):
        unit, end = unit_after(text, of.end())
    elif unit is NO_UNIT and (between := _BEHIND.match(text, number.end)):
        unit, _ = unit_after(text, between.end())
        end = number.end
        if _CALENDAR_YEAR.match(text[number.start : number.end]):
            unit = NO_UNIT
    return unit, end if unit is not NO_UNIT else number.end


def nouns_behind(text: str, at: int) -> tuple[str, ...]:
    """The stems of up to three content words behind a place, within its clause."""
    tail = text[at : at + _NOUN_LOOK]
    stop = _NOUN_END.search(tail)
    if stop:
        tail = tail[: stop.start()]
    elif len(tail) == _NOUN_LOOK:
        tail = tail.rpartition(" ")[0]
    return tuple(term.stem for term in terms(tail) if not tail[term.start : term.end].isdigit())[:3]
