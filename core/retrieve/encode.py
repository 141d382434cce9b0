"""Encoding what is not encoded yet with the encoder of a project, or with what stands in for it."""

from __future__ import annotations

from core.errors import ModelError
from core.late import damaged as late_damaged
from core.ports.engines import Engines
from core.ports.store import Progress, ProjectStore
from core.retrieve.indexing import encode_missing


def encode_left(store: ProjectStore, engines: Engines, progress: Progress) -> int:
    """Encode every passage that has no vectors; how many texts were encoded.

    A model is read at its first text. Where the checkpoint of an engine of late interaction turns out then not to be
    usable, the encoder that stands in for it encodes, so that search by meaning goes on.

    Raises:
        ModelError: there is no encoder, or it failed.
    """
    if engines.given_up() and not late_damaged.noted(store, engines):  # for another project, or before it was mended
        engines.try_encoder_again()
    encoder = engines.encoder()
    encoded, searchable = store.coverage(encoder.fingerprint)
    try:
        return encode_missing(store, encoder, searchable - encoded, progress)
    except ModelError as error:
        if engines.give_up_encoder(error):
            late_damaged.note(store, engines)
            return encode_left(store, engines, progress)
        engines.try_encoder_again()
        raise
