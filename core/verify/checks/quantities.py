"""The quantities of a text: numbers with their units, ranges and measures of two units joined, multiples."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from core.verify.checks.bounds import bound_of, in_words
from core.verify.checks.measures import FOLD, Quantity, measure, nouns_behind
from core.verify.checks.multiples import multiples
from core.verify.checks.numerals import Numeral, numerals
from core.verify.checks.text import flat
from core.verify.checks.units import NO_UNIT, UNITS

_RANGE_TAIL = re.compile(r"[ ]?(?:-|to|and)[ ]?\Z")
_SINGLE = re.compile(
    r"(?<!\bper cent )(?<!\bpercent )(?<!% )(?<!\btimes )(?<!\bonce )(?<!\btwice )\b(?:(?P<far>an?|one)(?= "
    r"(?:fortnight|decade|century|millennium)\b)|(?:(?:for|after|within|lasts?|lasted|lasting|takes?|took|taking|spent|"
    r"than|least|most|about|nearly|almost|over|under|exactly|only|just) )(?P<near>an?|one)(?= (?:second|minute|hour|"
    r"day|week|month|year)\b)|(?P<more>an?|one)(?= (?:minute|hour|day|week|month|year) and (?:a|one|three) "
    r"(?:half|quarter|third)))",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?:[ ](?:vs\.?|versus|and|or|to|against|(?:as )?compared (?:with|to)|in contrast to|rather than)|"
    r"[ ]?(?:-|\u00b1|\+/-|/))[ ]",
    re.IGNORECASE,
)
"""What stands between two numbers whose unit is written once: "4.6 vs 8.1 min"."""


def quantities(text: str) -> list[Quantity]:
    """The quantities of ``text`` in order; ranges are joined."""
    return list(_read(text))


@lru_cache(2000)  # each sentence of a claim meets dozens of stretches of its source, and each stretch many sentences
def _read(text: str) -> tuple[Quantity, ...]:
    even = flat(text)
    singles = [measure(even, number) for number in _with_single(even, numerals(even))]
    return tuple(_multiples(even, _compounds(even, _shared_units(even, _ranges(even, singles)))))


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
            bound_of(text, number.start, number.end), nouns_behind(text, number.end), number.start, number.end, True,
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


def as_share(quantity: Quantity) -> Quantity:
    """A fraction ("half", "two thirds", "one in five") as a percentage; other quantities unchanged."""
    if quantity.unit is not NO_UNIT or quantity.step or not 0 < quantity.low <= quantity.high < 1:
        return quantity
    return replace(quantity, low=quantity.low * 100, high=quantity.high * 100, unit=UNITS["percent"])


def shown(text: str, quantity: Quantity) -> str:
    """The quantity as written, with its bound in words before it, for explanations."""
    return in_words(quantity.bound) + " ".join(text[quantity.start : quantity.end].split())
