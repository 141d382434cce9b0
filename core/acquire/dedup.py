"""Near-duplicates by MinHash over word shingles (Broder 1997).

A signature is 128 unsigned 32-bit minima, little endian: 512 bytes. The share of equal minima estimates
the Jaccard similarity of the two sets of 5-word shingles, with a standard error of at most 0.044.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 128
SHINGLE = 5
_SEED = 20_240_601
_BATCH = 4096  # rows of 128 products that stay in the processor's cache
_SLICE = 1_000_000  # characters tokenised at a time: bounds the memory of huge texts
_WORD = re.compile(r"[^\W_]+")
_rng = np.random.Generator(np.random.PCG64(_SEED))
_FACTORS = _rng.integers(0, 2**63, PERMUTATIONS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_SUMMANDS = _rng.integers(0, 2**63, PERMUTATIONS, dtype=np.uint64)
_POSITIONS = _rng.integers(0, 2**63, SHINGLE, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def signature(text: str) -> bytes:
    """MinHash of the 5-word shingles of ``text`` (lower case, letters and digits only).

    A text of fewer than five words counts as one shingle. Empty for a text without words.
    """
    smallest = np.full(PERMUTATIONS, np.iinfo(np.uint64).max, dtype=np.uint64)
    seen = False
    for hashes in _shingle_hashes(text):
        for at in range(0, len(hashes), _BATCH):
            rows = hashes[at : at + _BATCH, None] * _FACTORS + _SUMMANDS
            np.minimum(smallest, rows.min(axis=0), out=smallest)
            seen = True
    return (smallest >> np.uint64(32)).astype("<u4").tobytes() if seen else b""


def similarity(a: bytes, b: bytes) -> float:
    """Estimated Jaccard similarity in [0, 1] of the texts behind two signatures; 0 where one has no words."""
    if not a or len(a) != len(b):
        return 0.0
    return float(np.mean(np.frombuffer(a, "<u4") == np.frombuffer(b, "<u4")))


def find_near_duplicate(sig: bytes, signatures: Mapping[str, bytes], threshold: float = 0.8) -> str | None:
    """First key of ``signatures``, in their order, whose text is at least ``threshold`` similar; None if none."""
    keys = [key for key, other in signatures.items() if sig and len(other) == len(sig)]
    if not keys:
        return None
    table = np.frombuffer(b"".join(signatures[key] for key in keys), "<u4").reshape(len(keys), -1)
    alike = np.flatnonzero((table == np.frombuffer(sig, "<u4")).mean(axis=1) >= threshold)
    return keys[int(alike[0])] if len(alike) else None


def _shingle_hashes(text: str) -> Iterator[NDArray[np.uint64]]:
    """Hashes of all shingles, a slice of the text at a time; the last four words are carried over."""
    carried = np.empty(0, dtype=np.uint64)
    any_shingle = False
    for words in _word_hashes(text):
        words = np.concatenate([carried, words])
        if len(words) >= SHINGLE:
            yield _combine(words)
            any_shingle = True
            words = words[-(SHINGLE - 1) :]
        carried = words
    if not any_shingle and len(carried):
        padded = np.zeros(SHINGLE, dtype=np.uint64)
        padded[: len(carried)] = carried
        yield _combine(padded)


def _combine(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    count = len(words) - SHINGLE + 1
    mixed = np.zeros(count, dtype=np.uint64)
    for position, factor in enumerate(_POSITIONS):
        mixed += words[position : position + count] * factor
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)  # finaliser of splitmix64
    return mixed ^ (mixed >> np.uint64(32))


def _word_hashes(text: str) -> Iterator[NDArray[np.uint64]]:
    hashes: dict[str, int] = {}
    start = 0
    while start < len(text):
        end = min(len(text), start + _SLICE)
        if end < len(text):
            space = text.rfind(" ", start, end)
            end = space if space > start else end
        words = _WORD.findall(text[start:end].lower())
        for word in words:
            if word not in hashes:
                digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
                hashes[word] = int.from_bytes(digest, "little")
        yield np.fromiter((hashes[word] for word in words), dtype=np.uint64, count=len(words))
        if len(hashes) > 2_000_000:
            hashes.clear()
        start = end
