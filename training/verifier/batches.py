"""Pairs as token ids, and batches of about equal numbers of tokens with little padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import torch

from training.verifier.data import Pair

CLS, SEP, PAD = 101, 102, 0


class Sized(Protocol):
    """What batches are made of."""

    def size(self, limit: int) -> int:
        """Number of ids at ``limit``."""
        ...


Row = TypeVar("Row", bound=Sized)


@dataclass(frozen=True, slots=True)
class Encoded:
    """Ids of the claim and of the evidence, without special tokens."""

    claim: list[int]
    evidence: list[int]
    label: int
    source: str

    def ids(self, limit: int) -> tuple[list[int], int]:
        """``[CLS] claim [SEP] evidence [SEP]`` of at most ``limit`` ids, and the length of the first segment.

        The evidence is cut, never the claim (a claim that fills the limit alone is left out of training).
        """
        head = [CLS, *self.claim, SEP]
        return [*head, *self.evidence[: max(0, limit - len(head) - 1)], SEP], len(head)

    def size(self, limit: int) -> int:
        """Number of ids at ``limit``."""
        return min(limit, len(self.claim) + len(self.evidence) + 3)


def encode(pairs: Sequence[Pair], tokenizer: Path) -> list[Encoded]:
    """Token ids of every pair, in order."""
    from tokenizers import Tokenizer

    bert = Tokenizer.from_file(str(tokenizer))
    bert.no_truncation()
    bert.no_padding()
    claims = bert.encode_batch_fast([pair.claim for pair in pairs], add_special_tokens=False)
    texts = bert.encode_batch_fast([pair.evidence for pair in pairs], add_special_tokens=False)
    return [
        Encoded(claim.ids, text.ids, pair.label, pair.source)
        for claim, text, pair in zip(claims, texts, pairs, strict=True)
    ]


def batches(pairs: Sequence[Row], *, tokens: int, limit: int, seed: int, pool: int = 64) -> Iterator[list[Row]]:
    """One pass over the pairs: shuffled, cut into pools of about ``pool`` batches, sorted by length inside a pool."""
    rng = random.Random(seed)
    order = list(pairs)
    rng.shuffle(order)
    start = 0
    while start < len(order):
        held: list[Row] = []
        total = 0
        while start < len(order) and total < pool * tokens:
            held.append(order[start])
            total += order[start].size(limit)
            start += 1
        held.sort(key=lambda pair: pair.size(limit))
        ready: list[list[Row]] = []
        batch: list[Row] = []
        for pair in held:
            if batch and (len(batch) + 1) * pair.size(limit) > tokens:
                ready.append(batch)
                batch = []
            batch.append(pair)
        ready.append(batch)
        rng.shuffle(ready)
        yield from ready


def tensors(batch: Sequence[Encoded], limit: int) -> dict[str, torch.Tensor]:
    """Inputs of the model (n, longest) and ``labels`` (n,)."""
    rows = [pair.ids(limit) for pair in batch]
    width = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    mask = torch.zeros_like(ids)
    types = torch.zeros_like(ids)
    for at, (row, head) in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row)
        mask[at, : len(row)] = 1
        types[at, head : len(row)] = 1
    labels = torch.tensor([pair.label for pair in batch])
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types, "labels": labels}
