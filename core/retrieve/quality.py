"""How much a passage has to say for a question, and which passages enter an answer (SPEC 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from core.records import Passage, ScoredPassage
from core.text.terms import STOP_WORDS

MIN_WORDS = 20
"""Fewer words than this say nothing on their own: score 0.0."""

_WORD = re.compile(r"[^\W_]+")
_P = TypeVar("_P", Passage, ScoredPassage)


def content_words(text: str) -> set[str]:
    """Distinct lower-case words of ``text`` without stop words."""
    return {word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS}


def content_quality(text: str, question: str | None) -> float:
    """Content quality of a passage for a question, in [0, 1] (SPEC 2).

    Under 20 words (runs between white space): 0.0. Otherwise
    ``min(1, min(0.8, 0.2 + words/200 * 0.6) + min(0.2, 0.2 * overlap))``, where ``overlap`` is the share
    of the question's content words that are words of the passage; 0 without a question.
    """
    words = len(text.split())
    if words < MIN_WORDS:
        return 0.0
    asked = content_words(question or "")
    overlap = len(asked & set(_WORD.findall(text.lower()))) / len(asked) if asked else 0.0
    return min(1.0, min(0.8, 0.2 + words / 200 * 0.6) + min(0.2, 0.2 * overlap))


def keep_for_answer(
    passages: Sequence[_P], question: str | None, threshold: float, *, fall_back_to: int = 3
) -> tuple[list[_P], bool]:
    """Passages good enough for the context of an answer, in their order, and whether none was.

    ``threshold`` in [0, 1]. When every passage is under it, the first ``fall_back_to`` (the best ranked)
    are returned with True. Without a question nothing is filtered. The input is not changed.
    """
    if question is None:
        return list(passages), False
    kept = [passage for passage in passages if content_quality(_text(passage), question) >= threshold]
    if kept or not passages:
        return kept, False
    return list(passages[:fall_back_to]), True


def _text(passage: Passage | ScoredPassage) -> str:
    return passage.passage.text if isinstance(passage, ScoredPassage) else passage.text
