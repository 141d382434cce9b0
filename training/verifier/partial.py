"""Claims of WiCE train without the words that their page does not support (Kamoi et al. 2023): the rest is supported.

Annotators marked those words. The first pages in the order of ``SEED`` are for ``combine``, which weighs model and
words on them; the model is trained on the others.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.verify.checks.text import content_stems
from training.verifier.data import SUPPORTS, Pair, read

PAGES = "wice_partial_train"
"""Class of the licence, and name, of the pages of WiCE train (share-alike)."""
SOURCE = "wice_supported_words"
SEED = 7
WEIGHED = 60
"""Pages that ``combine`` reads."""
LEAST_WORDS = 4
"""Content words that a claim without its unsupported words must keep, and half of all it had."""

Row = tuple[dict[str, Any], str]


def rows(data: Path) -> list[Row]:
    """Rows of WiCE train with the claim that is left of each, the pages of ``combine`` first; no text of an evaluation
    set."""
    usable = {row.claim for row in read(data / "train" / "pairs", PAGES)}
    with (data / "wice" / "non_supported_tokens_train.jsonl").open(encoding="utf-8") as lines:
        found = [row for row in map(json.loads, lines) if row["claim"] in usable]
    left = []
    for row in random.Random(SEED).sample(found, len(found)):
        rest = supported_words(row["claim"], row["claim_tokens"], row["non_supported_spans"])
        if rest is not None:
            left.append((row, rest))
    return left


def supported_parts(data: Path) -> list[Pair]:
    """What is left of the claims whose pages ``combine`` does not read, beside their supporting sentences."""
    premises = {pair.claim: pair.evidence for pair in read(data / "train" / "pairs", PAGES)}
    return [
        Pair(rest, premises[row["claim"]], SUPPORTS, SOURCE, str(row["meta"]["id"]))
        for row, rest in rows(data)[WEIGHED:]
    ]


def supported_words(claim: str, tokens: Sequence[str], unsupported: Sequence[bool]) -> str | None:
    """``claim`` without the marked tokens; None where too little of it would be left, or nothing is marked."""
    kept, at = [], 0
    for token, out in zip(tokens, unsupported, strict=True):
        start = claim.find(token, at)
        if start < 0:
            return None
        if not out:
            kept.append(claim[at:start] + token)
        at = start + len(token)
    rest = re.sub(r"\s+([.,;])", r"\1", " ".join("".join(kept).split()))
    left, all_of_it = len(content_stems(rest)), len(content_stems(claim))
    return rest if LEAST_WORDS <= left < all_of_it and 2 * left >= all_of_it else None
