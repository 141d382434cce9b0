"""Pairs as ids of MPNet: ``<s> claim </s></s> evidence </s>``.

The evidence is cut where the pair is too long, the claim only where it fills the limit alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import torch

from training.verifier.data import Pair
from training.verifier.units import Encoded

START, PAD, END = 0, 1, 2
LIMIT = 320
"""Ids of the longest pair."""


class Tokenizer(Protocol):
    """What is used of ``tokenizers.Tokenizer``."""

    def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[object]:
        """One encoding for each text."""
        ...


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of the start, without cutting and padding."""
    from tokenizers import Tokenizer as Fast

    held = Fast.from_file(str(folder / "tokenizer.json"))
    held.no_truncation()
    held.no_padding()
    given: Tokenizer = held
    return given


def encode(pairs: Sequence[Pair], words: Tokenizer, limit: int = LIMIT) -> list[Encoded]:
    """Ids of every pair, in order."""
    claims = words.encode_batch_fast([pair.claim for pair in pairs], add_special_tokens=False)
    texts = words.encode_batch_fast([pair.evidence for pair in pairs], add_special_tokens=False)
    return [
        Encoded(_joined(_ids(claim), _ids(text), limit), pair.label, pair.source)
        for claim, text, pair in zip(claims, texts, pairs, strict=True)
    ]


def _ids(encoding: object) -> list[int]:
    found: list[int] = encoding.ids  # type: ignore[attr-defined]
    return found


def _joined(claim: list[int], evidence: list[int], limit: int) -> tuple[int, ...]:
    head = [START, *claim[: limit - 5], END, END]
    return (*head, *evidence[: limit - len(head) - 1], END)


def encode_units(units: Sequence[Sequence[Pair]], words: Tokenizer, limit: int = LIMIT) -> list[tuple[Encoded, ...]]:
    """Ids of all pairs, unit by unit."""
    flat = iter(encode([pair for unit in units for pair in unit], words, limit))
    return [tuple(next(flat) for _ in unit) for unit in units]


def tensors(batch: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids (n, longest), mask of the same shape, class numbers (n,)."""
    width = max(len(pair.ids) for pair in batch)
    ids = torch.full((len(batch), width), PAD, dtype=torch.long)
    for at, pair in enumerate(batch):
        ids[at, : len(pair.ids)] = torch.tensor(pair.ids)
    return ids, (ids != PAD).long(), torch.tensor([pair.label for pair in batch])
