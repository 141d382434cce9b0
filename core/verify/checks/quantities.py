"""Numbers with what they count or measure: unit, bounds, hedges, direction, the noun behind."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.text.terms import terms
from core.verify.checks.numerals import Numeral, numerals
from core.verify.checks.text import flat
from core.verify.checks.units import CURRENCIES, NO_UNIT, UNITS, Unit, currency_before, unit_after

_CALENDAR_YEAR = re.compile(r"(?:1\d|20)\d\d\Z")
_RANGE_TAIL = re.compile(r"[ ]?(?:-|to|and)[ ]?\Z")
_AT_LEAST = r"at least|no (?:less|fewer) than|a minimum of|minimum|not less than|\u2265|>="
_MORE = (
    r"(?:more|greater|higher|larger|longer|older|further|better) than|over|above|exceed(?:s|ed|ing)?|"
    r"upwards? of|in excess of|>|surpass(?:es|ed|ing)?|past|beyond"
)
_AT_MOST = (
    r"at most|no (?:more|greater|higher|longer) than|not more than|a maximum of|maximum|up to|as many as|\u2264|<="
)
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger) than|under|below|<"
_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|circa|ca?\.|~|\u2248|"
    r"an estimated|estimated(?: at)?|more or less|just (?:over|under|above|below)"
)
_LEAD = r"(?:[ ](?:a|an|the|its|age|ages|of|to|the age of|total|average|by))*[ ]?\Z"
_BOUNDS = [
    ("about", re.compile(rf"(?:^|(?<=[\W_]))(?:{_ABOUT}){_LEAD}", re.IGNORECASE)),
    ("max", re.compile(rf"(?:^|(?<=[\W_]))(?:{_AT_MOST}){_LEAD}", re.IGNORECASE)),
    ("min", re.compile(rf"(?:^|(?<=[\W_]))(?:{_AT_LEAST}){_LEAD}", re.IGNORECASE)),
    ("more", re.compile(rf"(?:^|(?<=[\W_]))(?:{_MORE}){_LEAD}", re.IGNORECASE)),
    ("less", re.compile(rf"(?:^|(?<=[\W_]))(?:{_LESS}){_LEAD}", re.IGNORECASE)),
]
_MIN_AFTER = re.compile(r"[ ]?(?:\+|(?:or|and) (?:more|above|over|older|higher|greater)\b)", re.IGNORECASE)
_MAX_AFTER = re.compile(r"[ ](?:or|and) (?:less|fewer|below|under|younger|lower)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|age of|ages?)[ ]\Z", re.IGNORECASE)
_LOOK = 40
_NOUN_LOOK = 48
_UP = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|increas\w*|grew|grow(?:s|n|ing|th)?|gain(?:s|ed|ing)?|climb\w*|jump\w*|surg\w+|"
    r"soar\w*|"
    r"up(?= (?:by |from |about |around |nearly |almost |over )?[\d$£€¥])|went up|higher|expand\w*|doubl\w+|tripl\w+)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:fall(?:s|en|ing)?|fell|decreas\w*|declin\w*|drop(?:s|ped|ping)?|reduc\w+|shr[aiu]nk\w*|lost|"
    r"down(?= (?:by |from |about |around |nearly |almost |over )?[\d$£€¥])|went down|lower(?:ed|ing|s)?|plung\w*|"
    r"plummet\w*|cut(?:s|ting)?|halv(?:ed|es|ing))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[.;:!?](?:\s|\Z)|,\s(?!(?:an?\s)?(?:increas|decreas|rise\b|fall\b|drop\b|decline|gain\b|up\b|down\b|growth|"
    r"reduction))|\s(?:and|but|while|whereas|although|though|which|who)\s"
)
_DIRECTION_REACH = 60
_NOUN_END = re.compile(r"[.;:!?()\[\]]|,\s")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in its unit's base: ``low`` = ``high`` for one number, else a range.

    ``step`` as in ``Numeral``, in the base unit; ``bound`` is "", "about", "min", "more", "max" or "less";
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


def quantities(text: str) -> list[Quantity]:
    """The quantities of ``text`` in order; ranges are joined."""
    even = flat(text)
    singles = [_with_unit(even, number) for number in numerals(even)]
    return _ranges(even, singles)


def _with_unit(text: str, number: Numeral) -> Quantity:
    unit, end = unit_after(text, number.end)
    start = number.start
    money, money_start = currency_before(text, start)
    if money is not NO_UNIT:
        unit, start = money, money_start
        word, word_end = unit_after(text, number.end)
        end = word_end if word.kind in CURRENCIES else number.end
    if unit is NO_UNIT and _AGED.search(text, max(0, start - 16), start):
        unit = UNITS["years"]
    bare = unit is NO_UNIT and number.step == 1.0 and not number.worded
    year = bare and _CALENDAR_YEAR.match(text[number.start : number.end]) is not None
    value = number.value * unit.factor
    return Quantity(
        value, value, number.step * unit.factor, unit, _bound(text, start, end), _nouns(text, end), start, end,
        number.worded, year,
    )  # fmt: skip


def _bound(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _LOOK) : start]
    for name, pattern in _BOUNDS:
        if pattern.search(before):
            return name
    if _MIN_AFTER.match(text, end):
        return "min"
    return "max" if _MAX_AFTER.match(text, end) else ""


def _nouns(text: str, at: int) -> tuple[str, ...]:
    tail = text[at : at + _NOUN_LOOK]
    stop = _NOUN_END.search(tail)
    if stop:
        tail = tail[: stop.start()]
    elif len(tail) == _NOUN_LOOK:
        tail = tail.rpartition(" ")[0]
    return tuple(term.stem for term in terms(tail) if not tail[term.start : term.end].isdigit())[:3]


def _ranges(text: str, singles: list[Quantity]) -> list[Quantity]:
    """The quantities with ranges joined ("0.9-1.7", "10 to 20 kg", "between 5 and 7"); the unit of the end holds for
    both."""
    joined: list[Quantity] = []
    for this in singles:
        last = joined[-1] if joined else None
        if last is not None and _is_range(text, last, this):
            scale = _shared_scale(last, this)
            unit = last.unit if last.unit is not NO_UNIT else this.unit
            factor = unit.factor if last.unit is NO_UNIT else 1.0
            low = last.low * factor * scale
            high = this.high * (unit.factor if this.unit is NO_UNIT else 1.0)
            if low < high:
                joined[-1] = replace(
                    this, low=low, high=high, step=min(last.step * factor * scale, this.step), unit=unit,
                    bound=last.bound, start=last.start, year=last.year and this.year,
                )  # fmt: skip
                continue
        joined.append(this)
    return joined


def _is_range(text: str, last: Quantity, this: Quantity) -> bool:
    between = text[last.end : this.start]
    if last.low != last.high or not _RANGE_TAIL.fullmatch(between):
        return False
    if last.unit is not NO_UNIT and this.unit is not NO_UNIT and last.unit.kind != this.unit.kind:
        return False
    before = text[max(0, last.start - 12) : last.start].lower()
    word = between.strip()
    if word == "to":  # "from 5 to 7" tells a change: two numbers
        return "from" not in before and (this.unit is not NO_UNIT or "age" in before)
    return word == "-" or (word == "and" and "between" in before)


def _shared_scale(last: Quantity, this: Quantity) -> float:
    """The scale of the end of a range that its start is written without: "2-3 million"."""
    scale = this.step / this.unit.factor
    while scale % 10 == 0 and scale % 1e3:  # 2.5 million has a step of 100,000
        scale *= 10
    written = last.step / last.unit.factor
    return scale if scale >= 1e3 and written <= 1 and last.high / last.unit.factor < 1e3 else 1.0


def as_share(quantity: Quantity) -> Quantity:
    """A fraction ("half", "two thirds", "one in five") as a percentage; other quantities unchanged."""
    if quantity.unit is not NO_UNIT or quantity.step or not 0 < quantity.low <= quantity.high < 1:
        return quantity
    return replace(quantity, low=quantity.low * 100, high=quantity.high * 100, unit=UNITS["percent"])


_BOUND_WORDS = {"min": "at least ", "more": "more than ", "max": "at most ", "less": "less than "}


def shown(text: str, quantity: Quantity) -> str:
    """The quantity as written, with its bound in words before it, for explanations."""
    return _BOUND_WORDS.get(quantity.bound, "") + " ".join(text[quantity.start : quantity.end].split())


def direction(text: str, start: int, end: int) -> tuple[int, tuple[int, int]] | None:
    """The direction of the number in ``start``..``end``: (+1 or -1, span of its word); None if unsaid or unclear.

    Only the clause of the number counts, and at most 60 characters to each side.
    """
    left, right = max(0, start - _DIRECTION_REACH), min(len(text), end + _DIRECTION_REACH)
    for border in _CLAUSE_END.finditer(text, left, start):
        left = border.end()
    after = _CLAUSE_END.search(text, end, right)
    right = after.start() + 1 if after else right
    ups = [m.span() for m in _UP.finditer(text, left, right)]
    downs = [m.span() for m in _DOWN.finditer(text, left, right)]
    if bool(ups) == bool(downs):
        return None
    return (1, ups[0]) if ups else (-1, downs[0])
