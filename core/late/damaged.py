"""A checkpoint of late interaction that was found not to be readable, noted in the project for all processes.

A model is read at its first text, in one process; without the note every other process would wait for vectors that
never come. The note holds for the content of the checkpoint: another one, or a repaired one, is tried.
"""

from __future__ import annotations

import json
from typing import Protocol

from core.errors import ModelDamaged
from core.ports.engines import Engines

MEMO = "late-damaged"


class Notes(Protocol):
    """What is needed of a project's store here."""

    def memo(self, key: str) -> str | None: ...
    def set_memo(self, key: str, value: str) -> None: ...


def note(store: Notes, engines: Engines) -> None:
    """Keep why the encoder was given up in this process."""
    if error := engines.given_up():
        store.set_memo(MEMO, json.dumps({"encoder": engines.own_fingerprint(), "error": error}))


def noted(store: Notes, engines: Engines) -> str:
    """Why the encoder that is set cannot be read, a sentence; "" when nothing says so."""
    raw = store.memo(MEMO)
    try:
        held = json.loads(raw) if raw else {}
        fits = bool(held) and held["encoder"] == engines.own_fingerprint()
        return str(held["error"]) if fits else ""
    except (ValueError, TypeError, KeyError):  # written by another version: as if there were none
        return ""


def heed(store: Notes, engines: Engines) -> None:
    """Give the encoder up in this process too, when another one noted that it cannot be read."""
    if not engines.given_up() and (error := noted(store, engines)):
        engines.give_up_encoder(ModelDamaged(error))


def forget(store: Notes, engines: Engines) -> None:
    """Somebody says that it may work now: the encoder is tried again, in every process."""
    engines.try_encoder_again()
    if store.memo(MEMO):
        store.set_memo(MEMO, "")
