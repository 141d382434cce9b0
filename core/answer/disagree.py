"""Sentences of different sources that seem to disagree. The judge is unreliable on two sentences about different
things. So only sentences are compared that share most of their words and do not differ in a name, a year, or a time of
the day or the year. On the demo, where no two sources contradict each other in nearly the same words, the rules keep
every pair apart that the judge alone would have taken for a contradiction (docs/decisions/0013-answers.md)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.choose import likeness
from core.answer.draft import Contradicts
from core.answer.sentences import Sentence

LOOKED_AT = 14
"""Number of most relevant sentences that are compared with one another."""
PAIRS = 16
"""Most pairs that are judged, those with most words in common first."""
ALIKE = 0.45
"""Least likeness of sentences about the same thing."""
SURE = 0.8
"""Least probability of a contradiction, in both directions."""
_TIMES = frozenset(
    """morning noon afternoon evening night midnight day daytime nighttime spring summer autumn fall winter january
    february march april june july august september october november december""".split()  # noqa: SIM905
)
_PART_OF = {"midnight": "night", "nighttime": "night", "daytime": "day"}
"""Times that lie within another time."""
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!\A)\b[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences, the more relevant one first, and how surely they contradict each other (0 to 1)."""

    first: Sentence
    second: Sentence
    sure: float


def disputes(ranked: Sequence[Sentence], contradicts: Contradicts, threshold: float) -> list[Dispute]:
    """Pairs of sentences of different sources that contradict each other in both directions, surest first. A
    near-duplicate of a source is the same source here."""
    head = ranked[:LOOKED_AT]
    pairs = [
        (first, second)
        for place, first in enumerate(head)
        for second in head[place + 1 :]
        if not same_source(first, second)
        and likeness(first, second) >= ALIKE
        and not set_apart(first.text, second.text)
    ]
    pairs = sorted(pairs, key=lambda pair: -likeness(*pair))[:PAIRS]
    if not pairs:
        return []
    there = contradicts([(first.text, second.text) for first, second in pairs])
    back = contradicts([(second.text, first.text) for first, second in pairs])
    confirmed = [
        Dispute(first, second, min(float(a), float(b)))
        for (first, second), a, b in zip(pairs, there, back, strict=True)
        if min(float(a), float(b)) >= max(threshold, SURE)
    ]
    return sorted(confirmed, key=lambda dispute: -dispute.sure)


def set_apart(first: str, second: str) -> bool:
    """True when two texts have different times or different names."""
    for marks in (times, _years, _names):
        a, b = marks(first), marks(second)
        if a and b and not (a <= b or b <= a):
            return True
    return False


def times(text: str) -> set[str]:
    """The times of the day and the year in a text; midnight is also night."""
    words = {word.casefold() for word in _WORD.findall(text)}
    named = (words | {word.removesuffix("s") for word in words}) & _TIMES
    return named | {_PART_OF[word] for word in named if word in _PART_OF}


def _years(text: str) -> set[str]:
    return set(_YEAR.findall(text))


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def same_source(first: Sentence, second: Sentence) -> bool:
    """True for sentences of one document, or of a document and its near-duplicate."""
    a, b = first.evidence, second.evidence
    return (
        a.document_id == b.document_id or a.near_duplicate_of == b.document_id or b.near_duplicate_of == a.document_id
    )
