"""What must hold of a saved question, an answer, a call of a language model before it is stored or taken in."""

from __future__ import annotations

import math

from core.errors import StorageError
from core.records import Answer, AnswerCitation, AnswerSentence, LlmCall, Question
from storage.tables.checks import MAX_COUNT, inside

MAX_TOKENS = 2**53
"""Counts are exact in every reader of JSON up to here."""
MAX_USD = 1e9
_LEVELS = ("high", "medium", "low")


def check_question(question: Question) -> None:
    """Variants are told apart by their keys.

    Raises:
        StorageError: two have the same.
    """
    keys = [variant.key for variant in question.variants]
    if len(set(keys)) < len(keys):
        raise StorageError(f"Two variants of {question.text[:60]!r} have the same key. Nothing was stored.")


def check_answer(answer: Answer) -> None:
    """Numbers in their ranges, sentences inside the text or bullet they belong to.

    Raises:
        StorageError: as said.
    """
    fits = {
        "confidence": 0 <= answer.confidence <= 100 and answer.confidence_level in _LEVELS,
        "grounding score": answer.grounding_score is None or _share(answer.grounding_score),
        "cost": answer.cost_usd is None or _number(answer.cost_usd, MAX_USD),
        "citations": all(map(_citation, answer.citations)),
        "markers": len({citation.marker for citation in answer.citations}) == len(answer.citations),
        "sentences": all(_sentence(answer, sentence) for sentence in answer.sentences),
    }
    for what, holds in fits.items():
        if not holds:
            raise StorageError(f"The {what} of an answer to {answer.question[:60]!r} cannot be. Nothing was stored.")


def check_call(call: LlmCall) -> None:
    """Counts, money and times are finite and not negative.

    Raises:
        StorageError: as said.
    """
    usage = call.usage
    counts = (usage.input, usage.output, usage.cache_read, usage.cache_write)
    numbers = [(call.cost_usd or 0.0, MAX_USD), (call.first_token_ms or 0.0, math.inf), (call.total_ms, math.inf)]
    fits = all(0 <= count < MAX_TOKENS for count in counts) and all(_number(*number) for number in numbers)
    if not fits:
        raise StorageError(f"A call of {call.model[:60]!r} has an impossible number. Nothing was stored.")


def check_money(value: float) -> None:
    """An amount of US dollars.

    Raises:
        StorageError: it is negative or no finite number.
    """
    if not _number(value, MAX_USD):
        raise StorageError(f"{value} is no amount of money that can be kept. Nothing was stored.")


def _number(value: float, limit: float) -> bool:
    return math.isfinite(value) and 0 <= value <= limit


def _share(value: float) -> bool:
    return 0.0 <= value <= 1.0


def _citation(citation: AnswerCitation) -> bool:
    place = inside((citation.start, citation.end), MAX_COUNT)
    return 0 < citation.marker < MAX_COUNT and place and _share(citation.relevance)


def _sentence(answer: Answer, sentence: AnswerSentence) -> bool:
    if sentence.bullet is None:
        text = answer.text
    elif 0 <= sentence.bullet < len(answer.bullets):
        text = answer.bullets[sentence.bullet]
    else:
        return False
    markers = all(0 < marker < MAX_COUNT for marker in sentence.markers)
    return inside((sentence.start, sentence.end), len(text)) and _share(sentence.support) and markers
