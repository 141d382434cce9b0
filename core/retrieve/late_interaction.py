"""Late interaction: every query word looks for its best answer among a passage's words.

Khattab & Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction over
BERT", SIGIR 2020. Score = Σ over query tokens of the largest inner product with a passage token (MaxSim).

The arithmetic is in ``core.text.maxsim``.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.records import Hit
from core.retrieve.matched_words import explain
from core.text.maxsim import dequantize, maxsim, quantize

__all__ = ["dequantize", "explain", "maxsim", "quantize", "rank"]


def rank(scores: Mapping[int, float], depth: int | None = None) -> list[Hit]:
    """Scored passages as hits, best first, ties by passage id."""
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(passage_id, score) for passage_id, score in ordered[:depth]]
