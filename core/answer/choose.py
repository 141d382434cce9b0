"""The choice of sentences for an extractive answer: the most relevant ones that do not repeat one another."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.answer.sentences import Sentence
from core.labels import Grade

LAMBDA = 0.75
"""Weight of relevance beside novelty."""
REPEATS = 0.7
"""Least likeness of sentences that repeat one another."""
STRONG = 0.75
"""Relevance of sentences that are taken while there is room; less relevant ones only fill a short answer."""
FLOOR = 0.45
"""Least relevance of a sentence that answers."""
OF_BEST = 0.6
"""Least relevance of a sentence that answers, as a share of the best."""
ENOUGH_WORDS, MOST_WORDS = 200, 400
"""Words to which an answer is filled, and words that it never exceeds."""
MOST_SENTENCES = 16
GRADE_STEP = 0.03
"""Share of its relevance that a sentence loses for each grade of its source below A. The share is small, so that grades
decide between sentences of like relevance only: grade E weighs 12 % less than grade A."""
NO_AMOUNT = 0.9
"""Weight of a sentence without the amount that the question asks for."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def likeness(first: Sentence, second: Sentence) -> float:
    """The likeness of two sentences by their words: the mean of the shared words' share of the shorter sentence and of
    both together. It is 1 for equal words, and near 1 for a sentence that only adds some."""
    shared = len(first.stems & second.stems)
    if not shared:
        return 0.0
    return (shared / min(len(first.stems), len(second.stems)) + shared / len(first.stems | second.stems)) / 2


def repeats(first: Sentence, second: Sentence) -> bool:
    """True when one sentence repeats the other. Other figures make another statement, however alike the words."""
    if likeness(first, second) < REPEATS:
        return False
    a, b = set(_FIGURE.findall(first.text)), set(_FIGURE.findall(second.text))
    return a <= b or b <= a


def weighted(ranked: Sequence[Sentence], has_amount: Callable[[str], bool] = lambda _: True) -> list[Sentence]:
    """The sentences in the same order, each with its weight: ``1 - 0.03 · steps below grade A`` (1 for a source without
    a grade), times 0.9 for one that lacks the amount that the question asks for."""
    return [
        replace(sentence, weight=_grade_weight(sentence) * (1.0 if has_amount(sentence.text) else NO_AMOUNT))
        for sentence in ranked
    ]


def _grade_weight(sentence: Sentence) -> float:
    grade = sentence.evidence.grade
    return 1.0 if grade is None else 1 - GRADE_STEP * (Grade.A.value_rank - grade.value_rank)


def chosen(ranked: Sequence[Sentence], *, words: int = MOST_WORDS, enough: int = ENOUGH_WORDS) -> list[Sentence]:
    """The sentences for the text, in the order in which they were taken. Maximal marginal relevance (Carbonell &
    Goldstein 1998) over the likeness of words. A sentence that repeats a taken one is left out. A sentence that leans
    on the one before it is taken with it where that one is known; else it is taken only when there is no other
    sentence."""
    floor = max(FLOOR, OF_BEST * ranked[0].relevance) if ranked else FLOOR
    answering = [sentence for sentence in ranked if sentence.relevance >= floor]
    pool = [sentence for sentence in answering if not sentence.leans or sentence.before is not None] or answering
    taken: list[Sentence] = []
    spent = 0
    while pool and len(taken) < MOST_SENTENCES:
        best = max(pool, key=lambda sentence: _marginal(sentence, taken))
        pool.remove(best)
        full = spent + best.words > words or (best.relevance < STRONG and spent >= enough)
        if not full and not any(repeats(best, other) for other in taken):
            taken.append(best)
            spent += best.words + (_BEFORE if best.before else 0)
    return taken


_BEFORE = 20
"""Words reserved for the sentence that a chosen sentence leans on."""


def _marginal(sentence: Sentence, taken: Sequence[Sentence]) -> float:
    nearest = max((likeness(sentence, other) for other in taken), default=0.0)
    return LAMBDA * sentence.merit - (1 - LAMBDA) * nearest


def points(taken: Sequence[Sentence], most: int = 5) -> list[Sentence]:
    """The three to five most relevant sentences (fewer when there are fewer), from different sources where possible."""
    left = sorted((sentence for sentence in taken if not sentence.leans), key=lambda sentence: -sentence.merit) or list(
        taken
    )
    picked: list[Sentence] = []
    counts: dict[str, int] = {}
    while left and len(picked) < most:
        best = max(left, key=lambda sentence: sentence.merit * 0.8 ** counts.get(sentence.evidence.document_id, 0))
        left.remove(best)
        if len(picked) >= 3 and best.relevance < STRONG:
            break
        picked.append(best)
        counts[best.evidence.document_id] = counts.get(best.evidence.document_id, 0) + 1
    return picked
