"""RAGatouille (PLAID) as the engines are compared: alone, and as the product uses it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.engines_data import Sample
from benchmarks.engines_measure import DEPTH, Spent, say, spending
from benchmarks.engines_ours import project_folder
from benchmarks.projects import folder_bytes
from core.backends.ragatouille.engine import RagatouilleEngine, RagatouilleSearcher
from core.backends.ragatouille.needs import EXTENSIONS, extensions_folder
from core.late.index import FOLDER, LateIndex
from core.ports.store import ProjectStore
from core.settings.values import Models

READY_S = 300.0
"""A search waits here for the process that starts; in the product our own engine answers meanwhile."""


def engine(checkpoint: Path) -> RagatouilleEngine:
    """The product's adapter with a checkpoint."""
    return RagatouilleEngine(Models(late=str(checkpoint), late_engine="ragatouille"), ready_s=READY_S)


def compile_first(checkpoint: Path, folder: Path) -> None:
    """Compile what is compiled at first use (minutes), so that no build time holds it."""
    if all((extensions_folder() / name / f"{name}.so").is_file() for name in EXTENSIONS):
        return
    say("  RAGatouille's extensions are compiled first: minutes, once")
    folder.mkdir(parents=True)
    texts = [(at, f"Sentence number {at} of a small text that has a few words.") for at in range(8)]
    engine(checkpoint).build(texts, folder, _quiet)


def build(store: ProjectStore, root: Path, checkpoint: Path) -> tuple[LateIndex, Spent, int]:
    """The product's index of a project; how long it took, and its bytes on disk."""
    place = project_folder(root) / FOLDER
    place.parent.mkdir(parents=True, exist_ok=True)
    index = LateIndex(place, store.project.id, engine(checkpoint))
    with spending() as spent:
        index.build(store, _quiet, lambda: datetime.now(UTC))
    return index, spent, folder_bytes(place)


class Alone:
    """RAGatouille's own search in its own order. It cannot add or delete: its ways of doing so give wrong results
    (docs/decisions/0015-ragatouille.md), so both mean to build anew, and it has neither."""

    def __init__(self, root: Path, checkpoint: Path, sample: Sample, store: ProjectStore) -> None:
        passage_ids = [passage.id for document, _, _ in sample.documents for passage in store.passages_of(document.id)]
        self._places = {key: place for place, key in enumerate(passage_ids)}
        start = time.perf_counter()
        self.searcher: RagatouilleSearcher = engine(checkpoint).open(project_folder(root) / FOLDER)
        self.searcher.search("getting ready", 1)
        self.start_s = time.perf_counter() - start

    def search(self, query: str) -> list[int]:
        """See ``Searching``."""
        return [self._places[hit.passage_id] for hit in self.searcher.search(query, DEPTH)]


def _quiet(done: int, total: int | None, message: str = "") -> None:
    """Progress that nobody reads."""
