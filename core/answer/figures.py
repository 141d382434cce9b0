"""Sentences of different sources that give different figures for what seems to be the same quantity."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answer.choose import likeness
from core.answer.disagree import ALIKE, same_source, set_apart
from core.answer.relevance import content_stems
from core.answer.sentences import Sentence
from core.terms import STOP_WORDS

SHARED = 2
"""Content words of the question that both sentences must have (all of them where it has fewer)."""
MOST = 3
"""Other figures that are named beside the first one of a unit."""
_ABOUT = 0.1
"""Share by which a figure that calls itself rough may differ."""
_BOUND = 2.0
"""Up to this many times off, a figure still fits another one's bound: "up to 5" fits 3 and says otherwise than 1.3."""
_SAME_UNIT = {"degree": "degree Celsius"}
"""Sources that write "1.3 degrees" of the air mean these; angles share no words with them."""
_HOW_MUCH = re.compile(
    r"\bhow (?:much|many|far|long|high|low|large|big|great|small|often|old|fast|slow|deep|wide|heavy|hot|warm|cold|"
    r"cool|strong(?:ly)?|likely|expensive)\b"
    r"|\b(?:what|which) (?:share|percentage|proportion|fraction|number|amount|rate|size|price|cost|level|temperature)\b"
    r"|\b(?:wie ?viele?|wie (?:hoch|lange?|gro\u00df|oft)|combien|cu\u00e1nt[oa]s?|quant[oaie])\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a sentence in its unit's base: ``low`` = ``high`` for one number. ``unit`` "" for a bare number;
    ``step``: one of its last written place; ``bound``: "", about, min, more, max or less; ``nouns``: stems of the words
    behind it; ``shown``: as people read it."""

    unit: str
    low: float
    high: float
    step: float
    bound: str
    nouns: tuple[str, ...]
    shown: str


Figures = Callable[[str], Sequence[Figure]]
"""A sentence → its figures, without dates and spans of time."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A figure of the best sentence and those of other sources that differ from it."""

    first: tuple[Sentence, Figure]
    others: tuple[tuple[Sentence, Figure], ...]


def asks_for_figure(question: str) -> bool:
    """Whether a question asks how much, how many, which share…"""
    return bool(_HOW_MUCH.search(question))


def differing(question: str, taken: Sequence[Sentence], figures: Figures) -> list[Differing]:
    """Figures of the same unit that sources give for what the question asks, different beyond rounding; one entry a
    unit at most.

    Each source speaks with its best sentence, because what else it says in the same unit is about something else. Two
    sentences are about the same quantity when they share words with the question, are not set apart by a name, a
    year or a time from each other and from the question, and what is counted behind the figures is the same or the
    sentences are alike; where no figure is asked for, only when they are alike.
    """
    asked, wanted = content_stems(question), asks_for_figure(question)
    by_unit: dict[str, list[tuple[Sentence, Figure]]] = {}
    for sentence in sorted(taken, key=lambda one: -one.merit):
        if set_apart(question, sentence.text):
            continue
        for figure in figures(sentence.text):
            if not figure.unit and not figure.nouns:
                continue
            held = by_unit.setdefault(_measure(figure), [])
            if not any(other.evidence.document_id == sentence.evidence.document_id for other, _ in held):
                held.append((sentence, figure))
    found = []
    for (sentence, figure), *rest in by_unit.values():
        against = [
            (other, its)
            for other, its in rest
            if not same_source(sentence, other)
            and (likeness(sentence, other) >= ALIKE or (wanted and _same_counted(figure, its)))
            and len(sentence.stems & other.stems & asked) >= max(1, min(SHARED, len(asked)))
            and not set_apart(sentence.text, other.text)
            and not _agree(figure, its)
        ]
        if against:
            found.append(Differing((sentence, figure), tuple(against[:MOST])))
    return found


def _measure(figure: Figure) -> str:
    """What a figure counts: its unit; the word behind it where it has none ("four summers")."""
    return _SAME_UNIT.get(figure.unit, figure.unit) or f"# {figure.nouns[0]}"


def _same_counted(one: Figure, other: Figure) -> bool:
    counted = {noun for noun in set(one.nouns) & set(other.nouns) if noun not in STOP_WORDS}
    return bool(counted) or not one.unit  # bare numbers were put together by what they count


def _agree(one: Figure, other: Figure) -> bool:
    """Whether both can be the same number, as each is rounded and bounded."""
    (a, b), (c, d) = _range(one), _range(other)
    return a <= d and c <= b


def _range(one: Figure) -> tuple[float, float]:
    half = one.step / 2
    low, high = one.low - half, one.high + half
    if one.bound == "about":
        rough = _ABOUT * max(abs(one.low), abs(one.high))
        return low - rough, high + rough
    if one.bound in ("max", "less"):
        return min(low, one.low / _BOUND), high
    if one.bound in ("min", "more"):
        return low, max(high, one.high * _BOUND)
    return low, high
