"""Figures that follow from those of the evidence: parts of a ratio, shares, totals, multiples, another reading of a
point."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from core.text.sentences import sentence_spans
from core.verify.checks.directions import direction
from core.verify.checks.measures import FOLD, Quantity, nouns_behind
from core.verify.checks.numerals import SMALL
from core.verify.checks.text import flat
from core.verify.checks.units import NO_UNIT, UNITS

_RATIO = re.compile(r"(?<![\w.,/:-])(\d{1,6})/(\d{1,6})(?![\w/]|[.,]\d)")
_NO_RATIO = frozenset({"24/7", "9/11", "50/50", "20/20"})
_OF = re.compile(
    rf"\b(?P<part>\d{{1,6}}|{'|'.join(SMALL)}) (?:[a-z]+ )?(?:out )?of (?:the |its |their |these |all |all the )?"
    rf"(?P<all>\d{{1,6}}|{'|'.join(SMALL)})\b(?![.,]?\d|%| per)",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom [^.;]{1,40}\Z")
_TO = re.compile(r"[^.;\d]{0,30}\bto (?:[a-z]+ ){0,2}[$\u00a3\u20ac]?")
_DOTTED = re.compile(r"\d{1,3}\.\d{3}")
_PARTS = 4
"""Most figures that make a total."""
_LEAST_TOTAL, _NEAR = 50, 30
_RISK = re.compile(
    r"\b(?:a?(?:RR|HR|OR)|IRR|(?:risk|hazard|odds|rate) ratio)\b[^.;\d]{0,25}?(?P<ratio>\d\.\d+)", re.IGNORECASE
)
_ADDS_UP = re.compile(
    r"\b(?:altogether|in (?:total|all)|total(?:s|led|ling)?|combined|together|overall|all told|sum)\b", re.IGNORECASE
)
_STEP = 0.1


def of_ratios(text: str, *, single: bool = False) -> list[Quantity]:
    """Both numbers of each ratio of ``text``: 18 and 19 of "18/19". A date ("12/06") is none; nor, without ``single``,
    a fraction of two digits ("1/2")."""
    even = flat(text)
    numbers = []
    for match in _RATIO.finditer(even):
        part, whole = int(match[1]), int(match[2])
        date = min(part, whole) <= 12 and max(part, whole) <= 31
        if match.group() in _NO_RATIO or (date and not single) or max(part, whole) > 1800:
            continue
        nouns = nouns_behind(even, match.end())
        for group, value in ((1, part), (2, whole)):
            numbers.append(Quantity(value, value, 1.0, NO_UNIT, "", nouns, *match.span(group)))
    return numbers


def derived_from(evidence: str, there: Sequence[Quantity], claim: str, claimed: Sequence[Quantity]) -> list[Quantity]:
    """The figures that follow for a claim from those of the evidence (``there``)."""
    even = flat(evidence)
    return [
        *of_ratios(evidence, single=True), *_shares(even), *_totals(even, there, _adds_up(claim, claimed)),
        *_multiples(even, there), *_other_readings(even, there), *_risks(even),
    ]  # fmt: skip


def as_multiple(text: str, quantity: Quantity) -> Quantity | None:
    """The multiple that a change by a share amounts to ("cut by a third": 0.67); None where nothing changes."""
    way = direction(flat(text), quantity.start, quantity.end) if quantity.unit.kind == "percent" else None
    if way is None or quantity.low != quantity.high:
        return None
    value = 1 + way[0] * quantity.low / 100
    return replace(quantity, low=value, high=value, step=_STEP, unit=FOLD)


def _shares(text: str) -> Iterator[Quantity]:
    """The share in "18 of the 40 plots" and "18/40 plots", as a percentage."""
    for pattern in (_OF, _RATIO):
        for match in pattern.finditer(text):
            part, whole = (SMALL.get(word.lower()) or int(word) for word in match.groups())
            if 0 < part <= whole:
                share = 100 * part / whole
                yield Quantity(
                    share, share, 1.0, UNITS["percent"], "", nouns_behind(text, match.end()), *match.span()
                )  # fmt: skip


def _totals(text: str, there: Sequence[Quantity], adds_up: Callable[[Sequence[Quantity]], bool]) -> Iterator[Quantity]:
    """The sums of neighbouring figures of one unit within one sentence. No failure rests on them."""
    exact = [q for q in there if q.low == q.high and q.step and not q.year and q.low > 0]
    for start, end in sentence_spans(text):
        inside = [q for q in exact if start <= q.start < end]
        for at in range(len(inside)):
            for size in range(2, _PARTS + 1):
                parts = inside[at : at + size]
                if len(parts) == size and len({part.unit for part in parts}) == 1 and adds_up(parts):
                    total = sum(part.low for part in parts)
                    yield replace(parts[0], low=total, high=total, step=0.0, end=parts[-1].end, nouns=())


def _adds_up(claim: str, claimed: Sequence[Quantity]) -> Callable[[Sequence[Quantity]], bool]:
    """A test whether parts of the evidence may be added up for a claim: a large sum of different parts is no accident;
    a small one needs a claim that says so ("in all"), has the parts too, or counts what they are kinds of ("six
    schools" for "two primary and four secondary schools"). Three prizes of one kind and three of another are not six of
    either."""
    says_so = _ADDS_UP.search(claim) is not None
    things = {quantity.nouns[0] for quantity in claimed if quantity.nouns}
    figures = {quantity.low for quantity in claimed}

    def adds_up(parts: Sequence[Quantity]) -> bool:
        values = {part.low for part in parts}
        sure = len(values) == len(parts) and sum(values) >= _LEAST_TOTAL
        near = all(after.start - before.end <= _NEAR for before, after in pairwise(parts))
        return sure or says_so or values <= figures or (near and bool(things & set(parts[-1].nouns[1:2])))

    return adds_up


def _risks(text: str) -> Iterator[Quantity]:
    """The change in per cent that a ratio of risks tells: 14 for "RR = 0.86". No failure rests on it."""
    for match in _RISK.finditer(text):
        change = abs(1 - float(match["ratio"])) * 100
        yield Quantity(change, change, 0.0, UNITS["percent"], "", (), *match.span("ratio"))


def _multiples(text: str, there: Sequence[Quantity]) -> Iterator[Quantity]:
    """The multiples that changes amount to: "rose by 100 per cent", "from 20 to 40"."""
    for quantity in there:
        if (multiple := as_multiple(text, quantity)) is not None:
            yield multiple
    for first, second in pairwise(there):
        changes = _FROM_TO.search(text[max(0, first.start - 6) : first.end])
        if changes and _TO.fullmatch(text, first.end, second.start) and first.low > 0 and first.low == first.high:
            ratio = second.low / first.low
            if second.unit.kind == first.unit.kind:
                yield replace(second, low=ratio, high=ratio, step=_STEP, unit=FOLD, start=first.start)


def _other_readings(text: str, there: Sequence[Quantity]) -> Iterator[Quantity]:
    """1.234 as it is read where the point separates thousands. No failure rests on it."""
    for quantity in there:
        if _DOTTED.fullmatch(text[quantity.start : quantity.end].lstrip("$\u00a3\u20ac")):
            yield replace(quantity, low=quantity.low * 1000, high=quantity.high * 1000, step=0.0)
