"""The late engine of one process: its indexes, the encoder of its checkpoint, and the encoder that stands in for it. A
model is read at its first text, in one process. A checkpoint that turns out not to be readable is noted in the project:
without the note every other process would wait for vectors that never come. The note holds for the content of the
checkpoint, so another one, or a repaired one, is tried."""

import json
from collections.abc import Callable
from typing import cast

from core.errors import ModelDamaged, ModelError
from core.late.index import LateIndex, LateIndexes
from core.ports.engines import Engines, LateCheck
from core.ports.store import JointEncoder, ProjectStore

DAMAGED_MEMO = "late-damaged"


class LateEngine:
    """The late engine that is set in this installation. Safe to share between threads.

    Args:
        indexes: the snapshots of all projects of this process.
        make_encoder: the encoder of the engine's checkpoint (ModelError when it cannot be had).
        make_stand_in: the encoder that is used in its place then, so that search by meaning goes on.
        check: whether the engine can be used on this machine.
    """

    def __init__(
        self,
        indexes: LateIndexes,
        *,
        make_encoder: Callable[[], JointEncoder],
        make_stand_in: Callable[[], JointEncoder],
        check: Callable[[], LateCheck] = LateCheck,
    ) -> None:
        self.indexes = indexes
        self.check = check
        self.make_encoder, self.make_stand_in = make_encoder, make_stand_in
        self.requested_encodings: set[tuple[str, str]] = set()
        self._given_up: ModelError | None = None

    def index_of(self, store: ProjectStore) -> LateIndex:
        return self.indexes.of(store.project.path, store.project.id)

    def close(self) -> None:
        self.indexes.close()

    def encoder(self) -> JointEncoder:
        """The encoder of the checkpoint, or the one that stands in for it (ModelError: neither can be had)."""
        try:
            return self._own_encoder()
        except ModelError:
            return self.make_stand_in()

    def stand_in(self) -> JointEncoder | None:
        """The encoder that stands in where the checkpoint cannot be used; None where that cannot be had either."""
        try:
            return self.make_stand_in()
        except ModelError:
            return None

    def encoder_problem(self) -> str:
        """Reason why another encoder stands in for that of the checkpoint, a sentence; "" when none does."""
        try:
            self._own_encoder()
        except ModelError as error:
            return str(error)
        return ""

    @property
    def gave_up(self) -> bool:
        """Whether the encoder of the checkpoint is not tried any more in this process."""
        return self._given_up is not None

    def give_up(self, store: ProjectStore, error: ModelError) -> bool:
        """Use the stand-in from now on, because the encoder failed at its first text, and note that in the project.
        False when the stand-in is what failed: then the encoder is tried again next time."""
        if self._given_up is not None:
            self._given_up = None
            return False
        self._given_up = error
        store.set_memo(DAMAGED_MEMO, json.dumps({"encoder": self._fingerprint(), "error": str(error)}))
        return True

    def heed_note(self, store: ProjectStore) -> None:
        """Give the encoder up in this process too, when another one noted that it cannot be read."""
        if self._given_up is None and (error := self._noted(store)):
            self._given_up = ModelDamaged(error)

    def reconsider(self, store: ProjectStore) -> None:
        """Try the encoder again where no note of this project holds: it was given up for another project, or before
        the checkpoint was mended."""
        if self._given_up is not None and not self._noted(store):
            self._given_up = None

    def forget_note(self, store: ProjectStore) -> None:
        """Try the encoder again in every process, because somebody says that it may work now."""
        self._given_up = None
        if store.memo(DAMAGED_MEMO):
            store.set_memo(DAMAGED_MEMO, "")

    def _own_encoder(self) -> JointEncoder:
        if self._given_up is not None:
            raise type(self._given_up)(str(self._given_up))
        return self.make_encoder()

    def _fingerprint(self) -> str:
        try:
            return self.make_encoder().fingerprint
        except ModelError:
            return ""

    def _noted(self, store: ProjectStore) -> str:
        """The error that the project's note gives for this very checkpoint; "" without such a note."""
        raw = store.memo(DAMAGED_MEMO)
        try:
            note = json.loads(raw) if raw else {}
            fits = bool(note) and note["encoder"] == self._fingerprint()
            return str(note["error"]) if fits else ""
        except (ValueError, TypeError, KeyError):  # written by another version: as if there were none
            return ""


def late_engine(engines: Engines) -> LateEngine | None:
    """The late engine of this process; None where the exact engine is set."""
    return cast("LateEngine | None", engines.late_engine())


def late_index(engines: Engines, store: ProjectStore) -> LateIndex | None:
    """The index of one project; None where the exact engine is set."""
    late = late_engine(engines)
    return late.index_of(store) if late is not None else None


def use_stand_in(engines: Engines, store: ProjectStore, error: ModelError) -> bool:
    """Whether another encoder takes over from the one that failed with ``error``, so that trying again makes sense."""
    late = late_engine(engines)
    return late is not None and late.give_up(store, error)
