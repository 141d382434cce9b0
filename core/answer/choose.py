"""Which sentences enter an extractive answer: the most relevant ones that do not repeat one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.answer.sentences import Sentence
from core.labels import Grade

LAMBDA = 0.75
"""Weight of relevance beside novelty."""
REPEATS = 0.7
"""Likeness from which on a sentence repeats another and is left out."""
STRONG = 0.75
"""Relevance from which on a sentence is taken while there is room; less relevant ones only fill a short answer."""
FLOOR = 0.45
"""A sentence less relevant than this does not answer."""
OF_BEST = 0.6
"""Nor does one that is less relevant than this share of the best."""
ENOUGH_WORDS, MOST_WORDS = 200, 400
"""An answer is filled to the first and never exceeds the second (SPEC 5)."""
MOST_SENTENCES = 16
GRADE_STEP = 0.03
"""Share of its relevance that a sentence loses for each step that its source is graded below A. Small, so that it
decides between sentences of like relevance only: one of a source graded E comes behind one of a source graded A that is
up to 12 % less relevant."""
NO_FIGURE = 0.9
"""Weight of a sentence without a figure where the question asks for one."""
NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|"
    r"half|halved|third|quarter|twice|doubled?|tripled?|no difference)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def likeness(one: Sentence, other: Sentence) -> float:
    """Share of the shorter sentence's words that stand in the longer one, and of both together, halfway: 1 for equal
    words, near 1 for a sentence that only adds some."""
    shared = len(one.stems & other.stems)
    if not shared:
        return 0.0
    return (shared / min(len(one.stems), len(other.stems)) + shared / len(one.stems | other.stems)) / 2


def repeats(one: Sentence, other: Sentence) -> bool:
    """Whether one says again what the other says. Other figures are another statement, however alike the words."""
    if likeness(one, other) < REPEATS:
        return False
    a, b = set(_FIGURE.findall(one.text)), set(_FIGURE.findall(other.text))
    return a <= b or b <= a


def weighted(ranked: Sequence[Sentence], asks_for_figure: bool = False) -> list[Sentence]:
    """The sentences in the same order, each with its weight: ``1 - 0.03 · steps below grade A`` (a source without a
    grade loses nothing), times 0.9 where a figure is asked for and it has none."""
    return [
        replace(sentence, weight=_grade_weight(sentence) * _figure_weight(sentence, asks_for_figure))
        for sentence in ranked
    ]


def _grade_weight(one: Sentence) -> float:
    grade = one.evidence.grade
    return 1.0 if grade is None else 1 - GRADE_STEP * (Grade.A.value_rank - grade.value_rank)


def _figure_weight(one: Sentence, asked: bool) -> float:
    return NO_FIGURE if asked and not any(map(str.isdigit, one.text)) and not NUMBER_WORD.search(one.text) else 1.0


def chosen(ranked: Sequence[Sentence], *, words: int = MOST_WORDS, enough: int = ENOUGH_WORDS) -> list[Sentence]:
    """Sentences for the text, in the order in which they were taken.

    Maximal marginal relevance (Carbonell & Goldstein 1998) over the likeness of words; what nearly repeats a sentence
    already taken is left out altogether. Sentences that lean on one before them are taken with it where it is known;
    where it is not they come in only when there is nothing else.
    """
    if not ranked:
        return []
    floor = max(FLOOR, OF_BEST * ranked[0].relevance)
    pool = [
        sentence
        for sentence in ranked
        if sentence.relevance >= floor and (not sentence.leans or sentence.before is not None)
    ]
    pool = pool or [sentence for sentence in ranked if sentence.relevance >= floor]
    taken: list[Sentence] = []
    spent = 0
    while pool and len(taken) < MOST_SENTENCES:
        best = max(pool, key=lambda one: _marginal(one, taken))
        pool.remove(best)
        if any(repeats(best, other) for other in taken):
            continue
        if spent + best.words > words or (best.relevance < STRONG and spent >= enough):
            continue
        taken.append(best)
        spent += best.words + (_BEFORE if best.before else 0)
    return taken


_BEFORE = 20
"""Words set aside for the sentence that one leans on."""


def _marginal(one: Sentence, taken: Sequence[Sentence]) -> float:
    nearest = max((likeness(one, other) for other in taken), default=0.0)
    return LAMBDA * one.merit - (1 - LAMBDA) * nearest


def points(taken: Sequence[Sentence], most: int = 5) -> list[Sentence]:
    """The three to five sentences that say most (fewer when there are fewer): the most relevant, sources taken in turn
    so that one does not fill the list."""
    left = sorted((sentence for sentence in taken if not sentence.leans), key=lambda sentence: -sentence.merit) or list(
        taken
    )
    picked: list[Sentence] = []
    counts: dict[str, int] = {}
    while left and len(picked) < most:
        best = max(left, key=lambda one: one.merit * 0.8 ** counts.get(one.evidence.document_id, 0))
        left.remove(best)
        if len(picked) >= 3 and best.relevance < STRONG:
            break
        picked.append(best)
        counts[best.evidence.document_id] = counts.get(best.evidence.document_id, 0) + 1
    return picked
