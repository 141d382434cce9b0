"""Figures and what they belong to: "relative risk of 2.35 for A and 1.45 for B" beside the same figures exchanged."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, difference
from core.verify.aligned.words import has_content, is_verb
from core.verify.checks.numerals import SMALL

_NEAR = 4
"""Steps in the tree within which a word belongs to a figure."""
_MARGIN = 0.35
"""How much better another figure's words must fit, so that an exchange is sure."""


@dataclass(frozen=True, slots=True)
class _Figure:
    at: int
    value: float
    words: dict[int, float]


def check(pair: Alignment) -> Difference | None:
    """The first figure that the sentence gives for something else, or None."""
    mine, theirs = _figures(pair.claim), _figures(pair.sentence)
    if not mine or len({figure.value for figure in theirs}) < 2:
        return None
    for figure in mine:
        equal = [other for other in theirs if other.value == figure.value]
        others = [other for other in theirs if other.value != figure.value and _comparable(pair, figure, other)]
        if not equal or not others:
            continue
        best = max(_fit(pair, figure, other) for other in equal)
        rival = max(others, key=lambda other: _fit(pair, figure, other))
        stated_too = any(other.value == rival.value for other in mine)
        if _fit(pair, figure, rival) > best + _MARGIN and stated_too:
            claim, sentence = pair.claim, pair.sentence
            return difference(
                _worded(claim, figure), _worded(sentence, rival),
                [(claim[figure.at].start, claim[figure.at].end)], [(sentence[rival.at].start, sentence[rival.at].end)],
            )  # fmt: skip
    return None


def value_of(text: str) -> float | None:
    """The value of a figure or a small number word; None for other words."""
    plain = text.replace(",", "").rstrip("%").lower()
    if plain in SMALL:
        return float(SMALL[plain])
    try:
        return float(plain) if plain.isascii() and len(plain) < 16 else None
    except ValueError:
        return None


def _figures(parse: Parse) -> list[_Figure]:
    return [
        _Figure(at, value, _belonging(parse, at))
        for at, word in enumerate(parse)
        if (word.pos == "NUM" or word.tag == "CD")
        and word.entity != "DATE"
        and (value := value_of(word.text)) is not None
    ]


def _belonging(parse: Parse, at: int) -> dict[int, float]:
    """The content words around a figure in the tree, by weight: nearer ones weigh more."""
    weights: dict[int, float] = {}
    level, seen = {at}, {at}
    for step in range(1, _NEAR + 1):
        level = {
            other
            for other, word in enumerate(parse)
            if other not in seen and (word.head in level or any(parse[place].head == other for place in level))
        }
        level = {other for other in level if parse[other].dep != "conj" or parse[other].pos != "NUM"}
        seen |= level
        weights |= {other: 1.0 / step for other in level if has_content(parse[other]) and parse[other].pos != "NUM"}
        level = {other for other in level if not is_verb(parse[other])}
    return weights


def _fit(pair: Alignment, figure: _Figure, other: _Figure) -> float:
    """Share of what belongs to a figure of the claim that belongs to one of the sentence as well, by weight. A word
    that the sentence has several times counts by the nearest."""
    nearest: dict[str, float] = {}
    for at, weight in other.words.items():
        lemma = pair.sentence[at].lemma
        nearest[lemma] = max(nearest.get(lemma, 0.0), weight)
    total = sum(figure.words.values())
    shared = sum(min(weight, nearest.get(pair.claim[at].lemma, 0.0)) for at, weight in figure.words.items())
    return shared / total if total else 0.0


def _comparable(pair: Alignment, figure: _Figure, other: _Figure) -> bool:
    """Whether both are percentages or both are none."""
    signs = {"%", "percent"}

    def of(parse: Parse, at: int) -> bool:
        return any(word.text.lower() in signs for word in parse[at + 1 : at + 3])

    return of(pair.claim, figure.at) == of(pair.sentence, other.at)


def _worded(parse: Parse, figure: _Figure) -> str:
    near = sorted([figure.at, *sorted(figure.words, key=lambda at: -figure.words[at])[:3]])
    return " ".join(parse[at].text for at in near)
