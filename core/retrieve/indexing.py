"""Encoding of what is not encoded yet: dense vectors and token matrices out of one forward pass."""

from __future__ import annotations

from core.ports.store import JointEncoder, Progress, VectorStore
from core.retrieve.late_interaction import quantize

BATCH = 64
"""Passages between two commits: about two seconds of work, so a cancelled or killed job loses no more."""


def encode_missing(store: VectorStore, encoder: JointEncoder, total: int, progress: Progress) -> int:
    """Encode every passage without vectors; returns how many texts were encoded.

    ``total`` is the number of passages to do as known at the start, for the progress only. Each batch is
    committed before the next begins; a text that occurs in several passages is encoded once.
    """
    done = 0
    while todo := store.missing(encoder.fingerprint, BATCH):
        progress(done, max(total, done + len(todo)), f"Encoding passage {done + 1} of {max(total, done + len(todo))}")
        vectors, matrices = encoder.encode_passages_jointly([text for _, text in todo])
        hashes = [text_hash for text_hash, _ in todo]
        store.put_vectors(encoder.fingerprint, hashes, vectors, [quantize(matrix) for matrix in matrices])
        done += len(todo)
    progress(done, max(total, done), "Encoded")
    return done
