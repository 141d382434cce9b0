"""The RAG triad of an answer: context relevance, groundedness, answer relevance. Each in [0, 1], larger is better.

The three questions are TruLens's "RAG triad" (TruEra 2023). The first two are measured as RAGAS defines them (Es,
James, Espinosa-Anke & Schockaert, EACL 2024): the share of the sentences of the context that bear on the question, and
the share of the answer's claims that the context supports (faithfulness). RAGAS measures answer relevance by questions
that a language model makes from the answer; here it is the share of the answer's sentences that bear on the question,
by the same judge of sentences as the context, so that it needs no model and is comparable with the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RELEVANT = 0.5
"""A sentence whose relevance reaches this bears on the question."""


@dataclass(frozen=True, slots=True)
class Triad:
    """The three measures; None where there was nothing to measure."""

    context_relevance: float | None
    groundedness: float | None
    answer_relevance: float | None


def triad(context: Sequence[float], supported: Sequence[bool], answer: Sequence[float]) -> Triad:
    """The triad of one answer.

    Args:
        context: relevance of each sentence of the passages that the answer was made from.
        supported: whether each claim of the answer is supported by what it cites.
        answer: relevance of each sentence of the answer.
    """
    return Triad(
        _share([relevance >= RELEVANT for relevance in context]),
        _share(supported),
        _share([relevance >= RELEVANT for relevance in answer]),
    )


def mean_triad(triads: Sequence[Triad]) -> Triad:
    """The mean over answers of each measure, over those that have it."""
    return Triad(
        _mean([triad.context_relevance for triad in triads]),
        _mean([triad.groundedness for triad in triads]),
        _mean([triad.answer_relevance for triad in triads]),
    )


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return sum(measured) / len(measured) if measured else None
