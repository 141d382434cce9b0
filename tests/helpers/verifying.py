"""A judge of evidence made of word overlap, for tests of what stands around the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.text.sentences import sentence_spans
from core.text.terms import index_terms


class WordJudge:
    """Supports = share of the claim's words that the evidence has; it contradicts so where the claim or the
    sentence nearest to it says "not" and the other does not."""

    fingerprint = "word-judge-1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As ``ports.Entailer``."""
        self.asked += pairs
        return np.array([_one(*pair) for pair in pairs], dtype=np.float32).reshape(-1, 3)


def _one(claim: str, evidence: str) -> tuple[float, float, float]:
    wanted, held = set(index_terms(claim)), set(index_terms(evidence))
    share = len(wanted & held) / len(wanted) if wanted else 0.0
    sentences = [evidence[start:end] for start, end in sentence_spans(evidence)]
    nearest = max(sentences, key=lambda one: len(wanted & set(index_terms(one))), default="")
    denied = ("not" in claim.lower().split()) != ("not" in nearest.lower().split())
    return (0.0, share, 1 - share) if denied else (share, 0.0, 1 - share)
