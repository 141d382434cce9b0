"""The worth of a cosine in one collection: how near any passage is to the question, and any two to one another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.records import Vector
from core.text.terms import STOP_WORDS, index_terms, telling_stems

SAMPLE = 64
"""Passages that stand for all."""
_PRIOR = 16
"""Of a small project the sample is the passages found: the usual values count as so many passages beside it."""
_QUESTION, _PAIRS = 0.50, 0.57
"""Means over SciFact, Cranfield and TREC-QA with bge-small-en-v1.5."""


@dataclass(frozen=True, slots=True)
class Background:
    """Mean cosine of the question and any passage, and of any two passages."""

    question: float = _QUESTION
    pairs: float = _PAIRS


NO_BACKGROUND = Background()


def sampled(passage_ids: Sequence[int]) -> list[int]:
    """At most 64 of them, evenly spread: the same for the same project."""
    step = max(1, len(passage_ids) // SAMPLE)
    return list(passage_ids[::step][:SAMPLE])


def background(question: Vector | None, vectors: Mapping[int, Vector]) -> Background:
    """From the unit vectors of a sample of passages; the usual values where there are none."""
    if question is None or not vectors:
        return NO_BACKGROUND
    stacked = np.stack(list(vectors.values())).astype(np.float64)
    count = len(stacked)
    near = float((stacked @ np.asarray(question, np.float64)).mean())
    pairs = count * (count - 1)
    between = ((stacked @ stacked.T).sum() - count) / pairs if pairs else _PAIRS
    return Background(
        (near * count + _QUESTION * _PRIOR) / (count + _PRIOR),
        (float(between) * count + _PAIRS * _PRIOR) / (count + _PRIOR),
    )


def relative(cosine: float, usual: float) -> float:
    """1 for equal vectors, 0 for a cosine as any other has here, below 0 for a smaller one."""
    return (cosine - usual) / max(1e-6, 1 - usual)


MIN_WORDS = 20
"""Fewer words than this say nothing on their own: score 0.0."""

_WORD = re.compile(r"[^\W_]+")


def content_words(text: str) -> set[str]:
    """Distinct lower-case words of ``text`` without stop words."""
    return {word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS}


def content_quality(text: str, question: str | None) -> float:
    """Content quality of a passage for a question, in [0, 1]. Under 20 words (runs between white space): 0.0. Otherwise
    ``min(1, min(0.8, 0.2 + words/200 * 0.6) + min(0.2, 0.2 * overlap))``, where ``overlap`` is the share of the
    question's content words that are words of the passage; 0 without a question."""
    words = len(text.split())
    if words < MIN_WORDS:
        return 0.0
    wanted = content_words(question or "")
    overlap = len(wanted & set(_WORD.findall(text.lower()))) / len(wanted) if wanted else 0.0
    return min(1.0, min(0.8, 0.2 + words / 200 * 0.6) + min(0.2, 0.2 * overlap))


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that say something; of all its words where none does."""
    return telling_stems(text) or frozenset(index_terms(text))


def covered(wanted: frozenset[str], texts: Sequence[str]) -> float:
    """Share of the ``wanted`` stems that the ``texts`` have together, in [0, 1]; 0 when nothing is wanted."""
    if not wanted:
        return 0.0
    stems = {stem for text in texts for stem in index_terms(text)}
    return len(wanted & stems) / len(wanted)
