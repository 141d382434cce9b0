"""Words of a question in passages: how many of them a passage has, and how much it has to say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.terms import STOP_WORDS, index_terms, telling_stems

MIN_WORDS = 20
"""Fewer words than this say nothing on their own: score 0.0."""

_WORD = re.compile(r"[^\W_]+")


def content_words(text: str) -> set[str]:
    """Distinct lower-case words of ``text`` without stop words."""
    return {word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS}


def content_quality(text: str, question: str | None) -> float:
    """Content quality of a passage for a question, in [0, 1].

    Under 20 words (runs between white space): 0.0. Otherwise
    ``min(1, min(0.8, 0.2 + words/200 * 0.6) + min(0.2, 0.2 * overlap))``, where ``overlap`` is the share
    of the question's content words that are words of the passage; 0 without a question.
    """
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
