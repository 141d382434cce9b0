"""Sentences of different sources that give different figures for what seems to be the same quantity."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answer.choose import likeness
from core.answer.disagree import ALIKE, same_source, set_apart, times
from core.answer.relevance import content_stems
from core.answer.sentences import Sentence
from core.text.terms import STOP_WORDS

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
_TOWARDS = {"cooler": -1, "colder": -1, "warmer": 1, "hotter": 1}
"""Words behind a figure that say which way it goes, and of what: "0.2 \u00b0C cooler" is no 0.2 \u00b0C warmer."""
_WARMTH = re.compile(
    r"\b(?:cool|cold|chill|warm|hot|heat|temperature|degree)\w*|\b(?:k\u00fchl|kalt|k\u00e4lt|warm|hei\u00df|hitze)\w*",
    re.IGNORECASE,
)
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
Told = tuple[Sentence, Figure]
"""A figure and the sentence that it stands in."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A figure of the best sentence and those of other sources that differ from it."""

    first: Told
    others: tuple[Told, ...]


def asks_for_figure(question: str) -> bool:
    """Whether a question asks how much, how many, which share…"""
    return bool(_HOW_MUCH.search(question))


def differing(question: str, taken: Sequence[Sentence], figures: Figures) -> list[Differing]:
    """Figures of the same unit that sources give for what the question asks, different beyond rounding or in opposite
    directions (:func:`_opposed`); one entry a unit at most.

    Each source speaks with its best sentence, because what else it says in the same unit is about something else. Two
    sentences are about the same quantity when they share words with the question, are not set apart by a name, a
    year or a time from each other and from the question, and what is counted behind the figures is the same or the
    sentences are alike; where no figure is asked for, only when they are alike.
    """
    found = []
    for held in _by_unit(question, taken, figures):
        for at, one in enumerate(held):
            against = [
                other
                for other in held[at + 1 :]
                if not same_source(one[0], other[0])
                and not set_apart(one[0].text, other[0].text)
                and (_opposed(question, one, other) or (at == 0 and _otherwise(question, one, other)))
            ]
            if against:
                found.append(_aimed(one, against[:MOST]))
                break
    return found


def _by_unit(question: str, taken: Sequence[Sentence], figures: Figures) -> list[list[Told]]:
    """What each source says in a unit, the best first."""
    by_unit: dict[str, list[Told]] = {}
    for sentence in sorted(taken, key=lambda sentence: -sentence.merit):
        if set_apart(question, sentence.text):
            continue
        for figure in figures(sentence.text):
            if not figure.unit and not figure.nouns:
                continue
            held = by_unit.setdefault(_measure(figure), [])
            if not any(other.evidence.document_id == sentence.evidence.document_id for other, _ in held):
                held.append((sentence, figure))
    return list(by_unit.values())


def _otherwise(question: str, one: Told, other: Told) -> bool:
    """Whether two figures are of the same quantity and cannot both be right."""
    (a, its), (b, others) = one, other
    asked = content_stems(question)
    return (
        (likeness(a, b) >= ALIKE or (asks_for_figure(question) and _same_counted(its, others)))
        and len(a.stems & b.stems & asked) >= max(1, min(SHARED, len(asked)))
        and not _agree(its, others)
    )


def _opposed(question: str, one: Told, other: Told) -> bool:
    """Whether a question about warmth is answered by "0.2 \u00b0C cooler" and "0.4 \u00b0C warmer", of the same time.

    The direction says what is measured, so the sentences need not be alike. They must share two words with the
    question, or one beside the time that it asks about; and either both name a time or neither does.
    """
    (a, its), (b, others) = one, other
    if _towards(its) * _towards(others) >= 0 or not _WARMTH.search(question):
        return False
    first, second, asked = times(a.text), times(b.text), times(question)
    if bool(first) != bool(second) or (asked and not first):
        return False
    words = content_stems(question)
    matter = (a.stems & b.stems & words) - content_stems(" ".join(asked))
    same_time = bool(asked & first & second)
    return bool(matter) and len(matter) + same_time >= min(SHARED, len(words))


def _towards(figure: Figure) -> int:
    return _TOWARDS.get(figure.nouns[0], 0) if figure.nouns else 0


def _aimed(one: Told, others: Sequence[Told]) -> Differing:
    """The figures as they are shown: with their directions where these differ."""
    if len({_towards(figure) for _, figure in (one, *others)} - {0}) > 1:
        one, *others = [
            (sentence, replace(figure, shown=f"{figure.shown} {figure.nouns[0]}" if _towards(figure) else figure.shown))
            for sentence, figure in (one, *others)
        ]
    return Differing(one, tuple(others))


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
