"""Numbers with what they count or measure: unit, bounds, hedges, direction, the noun behind."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.text.terms import terms
from core.verify.checks.multiples import multiples
from core.verify.checks.numerals import Numeral, numerals, part_of
from core.verify.checks.text import flat
from core.verify.checks.currencies import is_currency
from core.verify.checks.units import NO_UNIT, TIME, UNITS, Unit, money_before, unit_after

_CALENDAR_YEAR = re.compile(r"(?:1\d|20)\d\d\Z")
_RANGE_TAIL = re.compile(r"[ ]?(?:-|to|and)[ ]?\Z")
_AT_LEAST = (
    r"at (?:the )?least|no (?:less|fewer|lower) than|a (?:minimum|floor) of|minimum|not (?:less|fewer|lower) than|"
    r"not (?:under|below)|as (?:few|little|low) as|\u2265|>="
)
_MORE = (
    r"(?:more|greater|higher|larger|longer|older|further|better) than|over|above|exceed(?:s|ed|ing)?|"
    r"upwards? of|in excess of|>|surpass(?:es|ed|ing)?|topp(?:ed|ing)|past|beyond"
)
_UP_TO = r"up to|as (?:many|much|high|long|far|large|late) as"
_AT_MOST = (
    r"at (?:the )?most|no (?:more|greater|higher|longer|larger|older) than|not (?:more|greater|higher|longer) than|"
    r"(?:not|never|cannot|n't)(?: to)? exceed(?:s|ed|ing)?|not (?:over|above)|a (?:maximum|cap|limit|ceiling) of|maximum|"
    r"(?:capped|limited) (?:at|to)|\u2264|<="
)
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger) than|under|below|(?:falls?|fell) short of|<"
_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|close to|some|circa|ca?\.|~|\u2248|"
    r"an estimated|estimated(?: at)?|more or less"
)
_A_LITTLE = r"(?:just|slightly|a (?:little|bit)|marginally|a shade)"
_NEARLY = rf"nearly|almost|not quite|approaching|nearing|{_A_LITTLE} (?:under|below|less than|short of)"
_JUST_OVER = rf"{_A_LITTLE} (?:over|above|more than)"
_LEAD = r"(?:[ ](?:a|an|the|its|age|ages|of|to|the age of|total|average|by))*[ ]?\Z"
_BOUNDS = [
    (name, re.compile(rf"(?:^|(?<=[\W_]))(?:{words}){_LEAD}", re.IGNORECASE))
    for name, words in (
        ("nearly", _NEARLY), ("just over", _JUST_OVER), ("about", _ABOUT), ("up to", _UP_TO), ("max", _AT_MOST),
        ("min", _AT_LEAST), ("more", _MORE), ("less", _LESS),
    )
]  # fmt: skip
"""A bound and what stands in front of a number that has it; the first that fits counts ("no more than", "more than")."""
FOLD = Unit("fold", 1.0)
"""The unit of a multiple that tells a change or compares, not how often."""
_PLUS = re.compile(r"-plus\b|\+")
_MIN_AFTER = re.compile(
    r"(?:-plus\b|[ ]?\+|(?: [a-z]+)? (?:(?:or|and) (?:more|above|over|older|higher|greater|upwards?)\b|"
    r"at (?:the )?least\b(?! \S*\d)))",
    re.IGNORECASE,
)
_MAX_AFTER = re.compile(
    r"(?: [a-z]+)? (?:(?:or|and) (?:less|fewer|below|under|younger|lower)\b|at (?:the )?most\b(?! \S*\d))",
    re.IGNORECASE,
)
HEDGES = frozenset({"about", "nearly", "just over"})
"""Bounds of a number that is near the one that is meant."""
_SIDES = {"up to": -1, "max": -1, "less": -1, "nearly": -1, "min": 1, "more": 1, "just over": 1}
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
_BEHIND = re.compile(r"[ ]?(?:\((?=[^()]*\d)[^()]{1,40}\)|\[(?=[^\[\]]*\d)[^\[\]]{1,40}\])|[)\]]")
"""What may stand between a number and its unit: "32 (7-132) weeks"."""
_SINGLE = re.compile(
    r"(?<!\bper cent )(?<!\bpercent )(?<!% )(?<!\btimes )(?<!\bonce )(?<!\btwice )\b(?:(?P<far>an?|one)(?= "
    r"(?:fortnight|decade|century|millennium)\b)|(?:(?:for|after|within|lasts?|lasted|lasting|takes?|took|taking|spent|than|"
    r"least|most|about|nearly|almost|over|under|exactly|only|just) )(?P<near>an?|one)(?= (?:second|minute|hour|day|week|"
    r"month|year)\b)|(?P<more>an?|one)(?= (?:minute|hour|day|week|month|year) and (?:a|one|three) (?:half|quarter|third)))",
    re.IGNORECASE,
)
_OF_A = re.compile(r"(?: of)? an?(?= )")
_AND_PART = re.compile(r" and (?P<count>an?|one|three)[ -](?P<part>half|quarters?|thirds?)\b")
_JOINT = re.compile(
    r"(?:[ ](?:vs\.?|versus|and|or|to|against|(?:as )?compared (?:with|to)|in contrast to|rather than)|"
    r"[ ]?(?:-|\u00b1|\+/-|/))[ ]",
    re.IGNORECASE,
)
"""What stands between two numbers whose unit is written once: "4.6 vs 8.1 min"."""
_NOUN_END = re.compile(r"[.;:!?()\[\]]|,\s")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in its unit's base: ``low`` = ``high`` for one number, else a range.

    ``step`` as in ``Numeral``, in the base unit; ``bound`` is "" or one of ``_BOUNDS``;
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
    singles = [_with_unit(even, number) for number in _with_single(even, numerals(even))]
    return _multiples(even, _compounds(even, _shared_units(even, _ranges(even, singles))))


def _with_unit(text: str, number: Numeral) -> Quantity:
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
    plus = _PLUS.match(text, number.end) is not None
    bound = _bound(text, start, end) or ("min" if plus else "") or ("about" if text[number.start : number.end] in ("a", "A") else "")
    value *= unit.factor
    return Quantity(
        value, value, step * unit.factor, unit, bound, nouns_behind(text, end), start, end, number.worded, year,
    )  # fmt: skip


def _unit_behind(text: str, number: Numeral) -> tuple[Unit, int]:
    """The unit behind a number and the end of both; a bracket or, behind a part, "of a" may stand between."""
    plus = _PLUS.match(text, number.end)
    unit, end = unit_after(text, plus.end() if plus else number.end)
    if unit is NO_UNIT and number.worded and (of := _OF_A.match(text, number.end)):
        unit, end = unit_after(text, of.end())
    elif unit is NO_UNIT and (between := _BEHIND.match(text, number.end)):
        unit, _ = unit_after(text, between.end())
        end = number.end
        if _CALENDAR_YEAR.match(text[number.start : number.end]):
            unit = NO_UNIT
    return unit, end if unit is not NO_UNIT else number.end


def _bound(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _LOOK) : start]
    for name, pattern in _BOUNDS:
        if pattern.search(before):
            return name
    if _MIN_AFTER.match(text, end):
        return "min"
    return "max" if _MAX_AFTER.match(text, end) else ""


def nouns_behind(text: str, at: int) -> tuple[str, ...]:
    """The stems of up to three content words behind a place, within its clause."""
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


def _shared_units(text: str, given: list[Quantity]) -> list[Quantity]:
    """The quantities with the unit of the next one where both are joined and it is written once ("5, 10 or 20 mg")."""
    shared = list(given)
    chain = False
    for at in range(len(shared) - 2, -1, -1):
        this, after = shared[at], shared[at + 1]
        between = text[this.end : after.start]
        joined = _JOINT.fullmatch(f"{between.rstrip()} ") is not None or (chain and between in (", ", ","))
        chain = joined and this.unit is NO_UNIT and not this.year and after.unit is not NO_UNIT
        if chain and after.unit.kind != "times":
            factor = after.unit.factor
            shared[at] = replace(
                this, low=this.low * factor, high=this.high * factor, step=this.step * factor, unit=after.unit,
                nouns=after.nouns,
            )  # fmt: skip
    return shared


def _compounds(text: str, given: list[Quantity]) -> list[Quantity]:
    """The quantities with those joined that make one measure: "1 hour 30 minutes", "6 feet 2 inches"."""
    joined: list[Quantity] = []
    for this in given:
        last = joined[-1] if joined else None
        if last is not None and _continues(text, last, this):
            joined[-1] = replace(
                last, low=last.low + this.low, high=last.high + this.low, step=this.step, end=this.end,
                nouns=this.nouns,
            )  # fmt: skip
        else:
            joined.append(this)
    return joined


def _multiples(text: str, given: list[Quantity]) -> list[Quantity]:
    """The quantities with the multiples in words, in order."""
    read = [
        Quantity(
            number.value, number.value, number.step, FOLD if changes else UNITS["times"],
            _bound(text, number.start, number.end), nouns_behind(text, number.end), number.start, number.end, True,
        )
        for number, changes in multiples(text)
    ]  # fmt: skip
    others = [q for q in given if not any(q.start < other.end and other.start < q.end for other in read)]
    return sorted([*others, *read], key=lambda quantity: quantity.start)


def _with_single(text: str, numbers: list[Numeral]) -> list[Numeral]:
    """The numbers with the articles that count a span of time: "a decade", "for an hour"."""
    taken = {number.start for number in numbers} | {number.end + 1 for number in numbers}
    read = [
        Numeral(1.0, 1.0, *m.span(m.lastgroup or 0), True)
        for m in _SINGLE.finditer(text)
        if m.start(m.lastgroup or 0) not in taken
    ]
    return sorted([*numbers, *read], key=lambda number: number.start)


def _continues(text: str, last: Quantity, this: Quantity) -> bool:
    larger, smaller = last.unit, this.unit
    return (
        smaller is not NO_UNIT
        and smaller.kind == larger.kind
        and larger.factor > smaller.factor
        and last.low == last.high
        and this.low == this.high < larger.factor
        and text[last.end : this.start] in ("", " ", " and ", ", ")
    )


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


def opposite(first: str, second: str) -> bool:
    """True for bounds of which one lies above the number and the other below: "at least", "up to"."""
    return _SIDES.get(first, 0) * _SIDES.get(second, 0) < 0


def as_share(quantity: Quantity) -> Quantity:
    """A fraction ("half", "two thirds", "one in five") as a percentage; other quantities unchanged."""
    if quantity.unit is not NO_UNIT or quantity.step or not 0 < quantity.low <= quantity.high < 1:
        return quantity
    return replace(quantity, low=quantity.low * 100, high=quantity.high * 100, unit=UNITS["percent"])


_BOUND_WORDS = {
    "min": "at least ", "more": "more than ", "max": "at most ", "less": "less than ", "up to": "up to ",
    "nearly": "nearly ", "just over": "just over ",
}  # fmt: skip


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
