"""Sentences of different sources that seem to disagree.

What a judge says of two sentences means little when they speak of different things, so only sentences are compared that
share most of their words and are not set apart by a name, a year, or a time of the day or the year. On the demo, where
no two sources contradict each other in nearly the same words, the rules keep every pair apart that the judge alone
would have taken for a contradiction (docs/decisions/0013-answers.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.choose import likeness
from core.answer.draft import Contradicts
from core.answer.sentences import Sentence

LOOKED_AT = 14
"""Most relevant sentences that are compared with one another."""
PAIRS = 16
"""Pairs that the judge is asked about, those with most words in common first."""
ALIKE = 0.45
"""Sentences less alike than this speak of different things; what a judge says of them means little."""


SURE = 0.8
"""The judge must be at least this sure, in both directions."""
_TIMES = frozenset(
    """morning noon afternoon evening night midnight day daytime nighttime spring summer autumn fall winter january
    february march april june july august september october november december""".split()  # noqa: SIM905
)
_PART_OF = {"midnight": "night", "nighttime": "night", "daytime": "day"}
"""What happens at the one happens at the other too."""
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!\A)\b[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences, the more relevant one first, and how surely they contradict each other (0 to 1)."""

    one: Sentence
    other: Sentence
    sure: float


def disputes(ranked: Sequence[Sentence], contradicts: Contradicts, threshold: float) -> list[Dispute]:
    """Pairs of sentences of different sources that contradict each other in both directions, surest first.

    A near-duplicate of a source is the same source here.
    """
    head = ranked[:LOOKED_AT]
    pairs = [
        (one, other)
        for place, one in enumerate(head)
        for other in head[place + 1 :]
        if not same_source(one, other) and likeness(one, other) >= ALIKE and not set_apart(one.text, other.text)
    ]
    pairs = sorted(pairs, key=lambda pair: -likeness(*pair))[:PAIRS]
    if not pairs:
        return []
    there = contradicts([(one.text, other.text) for one, other in pairs])
    back = contradicts([(other.text, one.text) for one, other in pairs])
    found = [
        Dispute(one, other, min(float(a), float(b)))
        for (one, other), a, b in zip(pairs, there, back, strict=True)
        if min(float(a), float(b)) >= max(threshold, SURE)
    ]
    return sorted(found, key=lambda dispute: -dispute.sure)


def set_apart(one: str, other: str) -> bool:
    """Whether the two speak of different times or of different names."""
    for marks in (times, _years, _names):
        a, b = marks(one), marks(other)
        if a and b and not (a <= b or b <= a):
            return True
    return False


def times(text: str) -> set[str]:
    """Times of the day and the year that a text names; midnight is of the night too."""
    words = {word.casefold() for word in _WORD.findall(text)}
    named = (words | {word.removesuffix("s") for word in words}) & _TIMES
    return named | {_PART_OF[one] for one in named if one in _PART_OF}


def _years(text: str) -> set[str]:
    return set(_YEAR.findall(text))


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def same_source(one: Sentence, other: Sentence) -> bool:
    """Whether two sentences are of one document, or of one and its near-duplicate."""
    a, b = one.evidence, other.evidence
    return (
        a.document_id == b.document_id or a.near_duplicate_of == b.document_id or b.near_duplicate_of == a.document_id
    )
