"""The seam for engines of late interaction that keep an index of their own beside the project's database. Such an index
is a snapshot: built whole from our ids and texts, searched, thrown away. What changed since is taken care of above this
seam (``core.late.index``), so that an engine need not add or delete."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.ports.store import JointEncoder, Progress
from core.records import Hit


class SnapshotSearcher(Protocol):
    """An opened snapshot. Safe to call from any thread. Scores are about MaxSim of the engine's checkpoint."""

    def search(self, query: str, k: int) -> list[Hit]:
        """Up to ``k`` passages of the whole snapshot, best first (LateEngineError)."""

    def score(self, query: str, passage_ids: Sequence[int]) -> list[Hit]:
        """Scores of these passages of the snapshot, best first (LateEngineError)."""

    def close(self) -> None:
        """Stop what serves it."""


class SnapshotEngine(Protocol):
    """Builds and opens snapshots."""

    @property
    def name(self) -> str:
        """The name that people know it by."""

    def checkpoint(self) -> str:
        """Fingerprint of the model that an index is made with (ModelError when it cannot be had)."""

    def environment(self) -> str:
        """Names what besides the checkpoint decides how a build ends: versions, tools. Cheap, and never fails."""

    def build(self, passages: Sequence[tuple[int, str]], folder: Path, progress: Progress) -> None:
        """Write an index of (id, text) into the empty ``folder``, in a process of its own.

        Raises:
            ModelError: the engine or its checkpoint cannot be had (ExtraMissing, ModelNotFound), it failed
                (LateEngineError), or it was killed (LateEngineStopped).
            JobCancelled: by ``progress``; nothing goes on working then.
        """

    def open(self, folder: Path) -> SnapshotSearcher:
        """Start what searches the index in ``folder``, in a process of its own, without waiting for it."""


class LateEngine(Protocol):
    """The late engine of a process (``core.late.engine``): an index for each project, and an encoder of its own."""

    def encoder(self) -> JointEncoder:
        """The encoder of its checkpoint, or the one that stands in for it (ModelError: neither can be had)."""

    def close(self) -> None:
        """Stop every process that searches an index."""


@dataclass(frozen=True, slots=True)
class LateCheck:
    """Whether RAGatouille can be used on this machine: the ``checkpoint``'s name, and a sentence on what is missing
    (``problem``; "" when nothing is)."""

    checkpoint: str = ""
    problem: str = "RAGatouille is not set up here."
