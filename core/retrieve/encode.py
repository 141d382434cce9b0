"""Encoding of passages that have no vectors: dense vectors and token matrices out of one forward pass."""

from collections.abc import Mapping

from core.errors import ModelError
from core.late.engine import late_engine, use_stand_in
from core.late.job import schedule_index
from core.ports.context import JobContext
from core.ports.engines import Engines
from core.ports.store import JointEncoder, Progress, ProjectStore, VectorStore
from core.records import Job
from core.retrieve.late_interaction import quantize

BATCH = 64
"""Passages between two commits: about two seconds of work, so a cancelled or killed job loses no more."""


def run_encode(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """The job: encode every passage that lacks a vector, then have the index of the late engine built where it is
    due."""
    count = encode_left(context.store, context.engines, progress)
    schedule_index(context.store, context.engines)
    return {"encoded": count}


def encode_left(store: ProjectStore, engines: Engines, progress: Progress) -> int:
    """Encode every passage that has no vectors; returns how many texts were encoded. A model is read at its first text.
    Where the checkpoint of the late engine turns out then not to be usable, the encoder that stands in for it encodes,
    so that search by meaning goes on. Raises ModelError: there is no encoder, or it failed."""
    if (late := late_engine(engines)) is not None:
        late.reconsider(store)
    encoder = engines.encoder()
    encoded, searchable = store.coverage(encoder.fingerprint)
    try:
        return encode_missing(store, encoder, searchable - encoded, progress)
    except ModelError as error:
        if use_stand_in(engines, store, error):
            return encode_left(store, engines, progress)
        raise


def encode_missing(store: VectorStore, encoder: JointEncoder, total: int, progress: Progress) -> int:
    """Encode every passage without vectors; returns how many texts were encoded. ``total`` is the number of passages to
    do as known at the start, for the progress only. Each batch is committed before the next begins; a text that occurs
    in several passages is encoded once."""
    done = 0
    while todo := store.missing(encoder.fingerprint, BATCH):
        progress(done, max(total, done + len(todo)), f"Encoding passage {done + 1} of {max(total, done + len(todo))}")
        vectors, matrices = encoder.encode_passages_jointly([text for _, text in todo])
        hashes = [text_hash for text_hash, _ in todo]
        store.put_vectors(encoder.fingerprint, hashes, vectors, [quantize(matrix) for matrix in matrices])
        done += len(todo)
    progress(done, max(total, done), "Encoded")
    return done
