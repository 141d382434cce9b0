"""Sentences of different sources that give different figures for what seems to be the same quantity."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answer.choose import likeness
from core.answer.disagree import ALIKE, same_source, set_apart, times
from core.answer.relevance import content_stems
from core.answer.sentences import Sentence
from core.text.terms import STOP_WORDS

SHARED = 2
"""Content words of the question that both sentences must have (all words of a question with fewer)."""
MOST = 3
"""Most other figures that are named beside the first one of a unit."""
_ABOUT = 0.1
"""Share by which a figure with "about" may differ."""
_BOUND = 2.0
"""Factor within which a figure fits a bound: "up to 5" fits 3, and differs from 1.3."""
_SAME_UNIT = {"degree": "degree Celsius"}
"""Units with one meaning here: "1.3 degrees" of the air are Celsius; angles share no words with them."""
_TOWARDS = {"cooler": -1, "colder": -1, "warmer": 1, "hotter": 1}
"""Words of direction behind a figure: "0.2 \u00b0C cooler" is no 0.2 \u00b0C warmer."""
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
    """A number of a sentence in the base of its unit; ``low`` = ``high`` for a single number. ``unit`` is "" for a bare
    number; ``step`` is one unit of its last written place; ``bound`` is "", about, min, more, max, up to or less;
    ``nouns`` are the stems of the words behind it; ``shown`` is its form for the user."""

    unit: str
    low: float
    high: float
    step: float
    bound: str
    nouns: tuple[str, ...]
    shown: str


Figures = Callable[[str], Sequence[Figure]]
"""A sentence → its figures, without dates and spans of time."""
CitedFigure = tuple[Sentence, Figure]
"""A figure and its sentence."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A figure of the best sentence, and the figures of other sources that differ from it."""

    first: CitedFigure
    others: tuple[CitedFigure, ...]


def asks_for_figure(question: str) -> bool:
    """True when a question asks how much, how many, which share and the like."""
    return bool(_HOW_MUCH.search(question))


def differing(question: str, taken: Sequence[Sentence], figures: Figures) -> list[Differing]:
    """The figures of sources that differ beyond rounding, or in direction (:func:`_opposed`), for the quantity that the
    question asks for; at most one entry a unit. Each source counts with its best sentence, because its other sentences
    with the unit are about something else. Two sentences are about the same quantity when they share words with the
    question; do not differ in a name, a year or a time from each other and from the question; and are alike. Where the
    question asks for a figure, the same noun behind both figures is enough in place of likeness."""
    entries = []
    for figures_of_unit in _by_unit(question, taken, figures):
        for at, first in enumerate(figures_of_unit):
            against = [
                other
                for other in figures_of_unit[at + 1 :]
                if not same_source(first[0], other[0])
                and not set_apart(first[0].text, other[0].text)
                and (_opposed(question, first, other) or (at == 0 and _otherwise(question, first, other)))
            ]
            if against:
                entries.append(_aimed(first, against[:MOST]))
                break
    return entries


def _by_unit(question: str, taken: Sequence[Sentence], figures: Figures) -> list[list[CitedFigure]]:
    """The figures by unit, one of each source, the best first."""
    by_unit: dict[str, list[CitedFigure]] = {}
    for sentence in sorted(taken, key=lambda sentence: -sentence.merit):
        if set_apart(question, sentence.text):
            continue
        for figure in figures(sentence.text):
            if not figure.unit and not figure.nouns:
                continue
            figures_of_unit = by_unit.setdefault(_measure(figure), [])
            if not any(other.evidence.document_id == sentence.evidence.document_id for other, _ in figures_of_unit):
                figures_of_unit.append((sentence, figure))
    return list(by_unit.values())


def _otherwise(question: str, first: CitedFigure, second: CitedFigure) -> bool:
    """True when two figures are of the same quantity and cannot both be right."""
    (a, its), (b, others) = first, second
    words = content_stems(question)
    return (
        (likeness(a, b) >= ALIKE or (asks_for_figure(question) and _same_counted(its, others)))
        and len(a.stems & b.stems & words) >= max(1, min(SHARED, len(words)))
        and not _agree(its, others)
    )


def _opposed(question: str, first: CitedFigure, second: CitedFigure) -> bool:
    """True when two figures answer a question about warmth in opposite directions ("0.2 °C cooler", "0.4 °C warmer").
    The direction tells what is measured, so the sentences need not be alike. They must share two words with the
    question, or one word and the time that it asks about. Either both name a time or neither does."""
    (a, its), (b, others) = first, second
    if _towards(its) * _towards(others) >= 0 or not _WARMTH.search(question):
        return False
    mine, theirs, wanted = times(a.text), times(b.text), times(question)
    if bool(mine) != bool(theirs) or (wanted and not mine):
        return False
    words = content_stems(question)
    matter = (a.stems & b.stems & words) - content_stems(" ".join(wanted))
    same_time = bool(wanted & mine & theirs)
    return bool(matter) and len(matter) + same_time >= min(SHARED, len(words))


def _towards(figure: Figure) -> int:
    return _TOWARDS.get(figure.nouns[0], 0) if figure.nouns else 0


def _aimed(first: CitedFigure, others: Sequence[CitedFigure]) -> Differing:
    """The figures as they are shown, with their directions where these differ."""
    if len({_towards(figure) for _, figure in (first, *others)} - {0}) > 1:
        first, *others = [
            (sentence, replace(figure, shown=f"{figure.shown} {figure.nouns[0]}" if _towards(figure) else figure.shown))
            for sentence, figure in (first, *others)
        ]
    return Differing(first, tuple(others))


def _measure(figure: Figure) -> str:
    """The measure of a figure: its unit, or the word behind a bare number ("four summers")."""
    return _SAME_UNIT.get(figure.unit, figure.unit) or f"# {figure.nouns[0]}"


def _same_counted(first: Figure, second: Figure) -> bool:
    counted = {noun for noun in set(first.nouns) & set(second.nouns) if noun not in STOP_WORDS}
    return bool(counted) or not first.unit  # bare numbers were put together by what they count


def _agree(first: Figure, second: Figure) -> bool:
    """True when both can be the same number, as each is rounded and bounded."""
    (a, b), (c, d) = _range(first), _range(second)
    return a <= d and c <= b


def _range(figure: Figure) -> tuple[float, float]:
    half = figure.step / 2
    low, high = figure.low - half, figure.high + half
    if figure.bound == "about":
        rough = _ABOUT * max(abs(figure.low), abs(figure.high))
        return low - rough, high + rough
    if figure.bound in ("max", "less", "up to"):
        return min(low, figure.low / _BOUND), high
    if figure.bound in ("min", "more"):
        return low, max(high, figure.high * _BOUND)
    return low, high
