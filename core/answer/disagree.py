"""Sentences of different sources that cannot both be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.choose import likeness
from core.answer.draft import Contradicts
from core.answer.sentences import Sentence

LOOKED_AT = 14
"""Most relevant sentences that are compared with one another."""
PAIRS = 16
"""Pairs that the judge is asked about, those with most words in common first."""
ALIKE = 0.25
"""Sentences less alike than this speak of different things; what a judge says of them means little."""


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
        if not _same_source(one, other) and likeness(one, other) >= ALIKE
    ]
    pairs = sorted(pairs, key=lambda pair: -likeness(*pair))[:PAIRS]
    if not pairs:
        return []
    there = contradicts([(one.text, other.text) for one, other in pairs])
    back = contradicts([(other.text, one.text) for one, other in pairs])
    found = [
        Dispute(one, other, min(float(a), float(b)))
        for (one, other), a, b in zip(pairs, there, back, strict=True)
        if min(float(a), float(b)) >= threshold
    ]
    return sorted(found, key=lambda dispute: -dispute.sure)


def _same_source(one: Sentence, other: Sentence) -> bool:
    a, b = one.evidence, other.evidence
    return (
        a.document_id == b.document_id or a.near_duplicate_of == b.document_id or b.near_duplicate_of == a.document_id
    )
