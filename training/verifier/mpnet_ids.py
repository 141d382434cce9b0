"""Pairs as ids: ``<s> claim </s></s> evidence </s>`` for MPNet, ``[CLS] claim [SEP] evidence [SEP]`` for BERT.

The evidence is cut where the pair is too long, the claim only where it fills the limit alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch

from training.verifier.data import Pair
from training.verifier.units import Encoded

LIMIT = 320
"""Ids of the longest pair."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The ids of a vocabulary that are no words; ``middle`` parts claim and evidence."""

    start: int
    middle: tuple[int, ...]
    end: int
    pad: int


MPNET, BERT = Marks(0, (2, 2), 2, 1), Marks(101, (102,), 102, 0)


class Tokenizer(Protocol):
    """What is used of ``tokenizers.Tokenizer``."""

    def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[object]:
        """One encoding for each text."""
        ...


def tokenizer(file: Path) -> Tokenizer:
    """The tokenizer of a start (``tokenizer.json``), without cutting and padding."""
    from tokenizers import Tokenizer as Fast

    held = Fast.from_file(str(file))
    held.no_truncation()
    held.no_padding()
    given: Tokenizer = held
    return given


def encode(pairs: Sequence[Pair], words: Tokenizer, limit: int = LIMIT, marks: Marks = MPNET) -> list[Encoded]:
    """Ids of every pair, in order."""
    claims = words.encode_batch_fast([pair.claim for pair in pairs], add_special_tokens=False)
    texts = words.encode_batch_fast([pair.evidence for pair in pairs], add_special_tokens=False)
    return [
        Encoded(_joined(_ids(claim), _ids(text), limit, marks), pair.label, pair.source)
        for claim, text, pair in zip(claims, texts, pairs, strict=True)
    ]


def _ids(encoding: object) -> list[int]:
    found: list[int] = encoding.ids  # type: ignore[attr-defined]
    return found


def _joined(claim: list[int], evidence: list[int], limit: int, marks: Marks) -> tuple[int, ...]:
    head = [marks.start, *claim[: limit - 5], *marks.middle]
    return (*head, *evidence[: limit - len(head) - 1], marks.end)


def encode_units(
    units: Sequence[Sequence[Pair]], words: Tokenizer, limit: int = LIMIT, marks: Marks = MPNET
) -> list[tuple[Encoded, ...]]:
    """Ids of all pairs, unit by unit."""
    flat = iter(encode([pair for unit in units for pair in unit], words, limit, marks))
    return [tuple(next(flat) for _ in unit) for unit in units]


def tensors(batch: Sequence[Encoded], pad: int = MPNET.pad) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids (n, longest), mask of the same shape, class numbers (n,)."""
    width = max(len(pair.ids) for pair in batch)
    ids = torch.full((len(batch), width), pad, dtype=torch.long)
    for at, pair in enumerate(batch):
        ids[at, : len(pair.ids)] = torch.tensor(pair.ids)
    return ids, (ids != pad).long(), torch.tensor([pair.label for pair in batch])
