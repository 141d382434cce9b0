"""Pairs of figures whose order tells: "by 7 to 2", "3-1", "from 40 to 30 euros". The same pair the other way round is
another statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from core.text.sentences import sentence_spans
from core.verify.checks.numerals import Numeral, numerals
from core.verify.checks.outcomes import CheckResult, failed
from core.verify.checks.text import cut, flat, words

_HEDGE = r"(?:(?:about|around|almost|nearly|just|over|under|only|a) ){0,2}[$\u00a3\u20ac]?"
_UNIT = r"(?:[ ]?[%\u20ac\u00b0]\w?|[ ][a-z]+){0,2}"
_SCORE = re.compile(r"(?:[ ][a-z]+)?[ ]to[ ]|[ ]?-[ ]?")
_TO = re.compile(rf"{_UNIT}[ ]to[ ]{_HEDGE}")
_FROM = re.compile(rf"{_UNIT},?[ ]from[ ]{_HEDGE}")
_AFTER_FROM = re.compile(rf"\bfrom[ ]{_HEDGE}\Z", re.IGNORECASE)
_AFTER_TO = re.compile(rf"\bto[ ]{_HEDGE}\Z", re.IGNORECASE)
_ONE = re.compile(r"(?<= to )one\b(?! of)|\bone(?= to )", re.IGNORECASE)
_RATIO = re.compile(r"(?<![\w:.,])(\d{1,3}):(\d)(?![\w:]|[.,]\d)")
_LOST = re.compile(
    r"\b(?:los(?:e|es|t|ing)|(?:was|were|been|being|is|are) (?:beaten|defeated)|defeat(?! (?:of|over|the)\b| [A-Z])|"
    r"conced\w+|trail\w*)\b"
)
_LOOK = 24
_NAME = "numbers"


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two figures in the order in which they count; ``change`` is True for "from A to B"."""

    first: float
    second: float
    change: bool
    start: int
    end: int


def turned_pairs(claim: str, evidence: str) -> list[CheckResult]:
    """A failure for each pair of figures of the claim that the evidence has the other way round, and not also as the
    claim has it."""
    there = _pairs(evidence)
    return [
        failed(
            _NAME,
            f"“{cut(claim, pair.start, pair.end)}” in the claim, “{cut(evidence, other.start, other.end)}” in the "
            "evidence: the other way round.",
            ((pair.start, pair.end),),
            ((other.start, other.end),),
        )
        for pair in _pairs(claim)
        if (other := _turned(pair, there)) is not None and not _from_the_other_side(claim, pair, evidence, other)
    ]


def _turned(pair: _Pair, there: list[_Pair]) -> _Pair | None:
    alike = [other for other in there if other.change == pair.change]
    if any((other.first, other.second) == (pair.first, pair.second) for other in alike):
        return None
    return next((other for other in alike if (other.second, other.first) == (pair.first, pair.second)), None)


def _pairs(text: str) -> list[_Pair]:
    even = flat(text)
    pairs = [_Pair(float(m[1]), float(m[2]), False, *m.span()) for m in _RATIO.finditer(even)]
    ones = [Numeral(1.0, 1.0, *m.span()) for m in _ONE.finditer(even)]
    numbers = sorted([*numerals(even), *ones], key=lambda number: number.start)
    for first, second in pairwise(numbers):
        between = even[first.end : second.start]
        before = even[max(0, first.start - _LOOK) : first.start]
        if _TO.fullmatch(between) and _AFTER_FROM.search(before):
            pairs.append(_Pair(first.value, second.value, True, first.start, second.end))
        elif _FROM.fullmatch(between) and _AFTER_TO.search(before):
            pairs.append(_Pair(second.value, first.value, True, first.start, second.end))
        elif _SCORE.fullmatch(between):
            pairs.append(_Pair(first.value, second.value, False, first.start, second.end))
    return [pair for pair in pairs if pair.first != pair.second]


def _from_the_other_side(claim: str, pair: _Pair, evidence: str, other: _Pair) -> bool:
    """True when one text tells the pair from the side of the loser, or names the sides in another order."""
    mine, theirs = _sentence(claim, pair), _sentence(evidence, other)
    if (_LOST.search(mine) is None) != (_LOST.search(theirs) is None):
        return True
    names, others = ([word.key for word in words(text) if word.text[0].isupper()] for text in (mine, theirs))
    shared = [name for name in dict.fromkeys(names) if name in others]
    return shared != sorted(shared, key=others.index)


def _sentence(text: str, pair: _Pair) -> str:
    return next((text[a:b] for a, b in sentence_spans(text) if a <= pair.start < b), text)
