"""The worth of a cosine in one collection: how near any passage is to the question, and any two to one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.records import Vector

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
