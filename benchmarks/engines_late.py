"""Engines of late interaction on the same passages with the same checkpoint, at one size."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.engines_data import Sample, data_name, keep_exact
from benchmarks.engines_measure import Spent, System, ask, change, rows_of, say, spending
from benchmarks.engines_ours import Kept, LateOnly, Ours, exact, fill
from benchmarks.projects import folder_bytes, open_store
from benchmarks.report import Row
from core.backends.ragatouille.checkpoint import find_checkpoint
from core.backends.resolve import load_encoder
from core.backends.sentence_transformers.encoders import load_late_encoder
from core.ports.store import JointEncoder, ProjectStore
from core.records import StageSwitches
from core.settings.values import Models

SAME = "same checkpoint"
OURS = f"ours, exact over all passages, {SAME}"
DEFAULT = "ours, exact over all passages, default encoder (int8 ONNX)"
FULL = "ours, as the default install searches"
PLAID = f"RAGatouille alone, {SAME}"
PRODUCT = f"RAGatouille in the product, {SAME}"
MULTI = f"MultiVectorEncoder, exact in memory, {SAME}"


class AtSize:
    """One size: the systems and what they share. A system that fails says so in its rows; the others go on."""

    def __init__(self, sample: Sample, cache: Path, checkpoint: Path, about: Mapping[str, Any]) -> None:
        self._sample, self._cache, self._checkpoint, self._about = sample, cache, checkpoint, about
        names = (OURS, DEFAULT, FULL, PLAID, PRODUCT, MULTI)
        self.systems = {name: System(name) for name in names}

    def run(self) -> list[Row]:
        """Build each, ask all in turn, change each."""
        with tempfile.TemporaryDirectory(prefix="benchmark-") as root, ExitStack() as stack:
            self._measure(Path(root), stack)
        data = data_name(self._sample)
        return [row for system in self.systems.values() for row in rows_of(system, self._sample, data, self._about)]

    def _measure(self, root: Path, stack: ExitStack) -> None:
        sample, of = self._sample, self.systems
        checkpoint = find_checkpoint(str(self._checkpoint), allow_downloads=False)
        encoder = Kept(LateOnly(load_late_encoder(checkpoint.files, checkpoint.name)))
        store = self._ours(OURS, root / "same", stack, encoder)
        with of[DEFAULT].trying("build"):
            self._default(root / "default", stack)
        with of[PLAID].trying("build"):
            self._plaid(root / "same", stack, store, encoder.encoder)
        with of[MULTI].trying("build"):
            self._multi(root, encoder)
        for engine in (OURS, PLAID, PRODUCT, MULTI):
            of[engine].exact = of[OURS].exact
        say("  queries")
        ask([system for system in of.values() if system.engine is not None], sample.queries)
        for at, name in enumerate((OURS, PRODUCT, DEFAULT, MULTI)):
            change(of[name], sample, sample.later[at % len(sample.later)])
        keep_exact(self._cache, sample, of[OURS].exact)

    def _ours(self, name: str, root: Path, stack: ExitStack, encoder: Kept) -> ProjectStore:
        """A project of this encoder, filled, and the system that searches all of it."""
        say(f"  {name}")
        system = self.systems[name]
        warm(encoder)
        with open_store(root, "Engines") as store, spending() as spent:
            fill(store, self._sample, encoder)  # type: ignore[arg-type]
        system.built(spent, folder_bytes(root))  # closed: nothing waits in a journal
        store = stack.enter_context(open_store(root, "Engines"))
        system.exact = exact(encoder, self._sample)
        system.engine = Ours(store, self._sample, encoder.encoder)
        return store

    def _default(self, root: Path, stack: ExitStack) -> None:
        encoder = Kept(load_encoder(Models()))
        store = self._ours(DEFAULT, root, stack, encoder)
        whole = self.systems[FULL]
        whole.values |= {name: self.systems[DEFAULT].values[name] for name in ("build_s", "build_cpu_s", "disk_bytes")}
        whole.engine = Ours(store, self._sample, encoder.encoder, stages=StageSwitches())

    def _plaid(self, root: Path, stack: ExitStack, store: ProjectStore, encoder: JointEncoder) -> None:
        from benchmarks import engines_plaid

        alone, product, ours = self.systems[PLAID], self.systems[PRODUCT], self.systems[OURS]
        say(f"  {PLAID}")
        engines_plaid.compile_first(self._checkpoint, root / "compile")
        index, spent, size = engines_plaid.build(store, root, self._checkpoint)
        stack.callback(index.close)
        alone.built(spent, size)
        plaid_alone = engines_plaid.Alone(root, self._checkpoint, self._sample, store)
        stack.callback(plaid_alone.searcher.close)
        alone.engine = plaid_alone
        alone.values["start_s"] = plaid_alone.start_s
        for what in ("add_one_s", "delete_one_s"):
            alone.values[what] = spent.wall + plaid_alone.start_s
            alone.said[what] = "built anew and started: its own adding and deleting give wrong results"
        product.values = {
            name: ours.values[name] + alone.values[name] for name in ("build_s", "build_cpu_s", "disk_bytes")
        }
        product.said["build_s"] = "its index and our matrices of the same checkpoint, which order what it finds"
        product.engine = Ours(store, self._sample, encoder, late=index)

    def _multi(self, root: Path, encoder: Kept) -> None:
        from benchmarks.engines_st import MultiVector

        system = self.systems[MULTI]
        say(f"  {MULTI}")
        with spending() as spent:
            index = MultiVector(self._checkpoint, [encoder.passages[text] for text in self._sample.passages])
            saved = index.save(root)
        system.engine = index
        system.built(Spent(spent.wall + encoder.spent.wall, spent.cpu + encoder.spent.cpu), saved.stat().st_size)
        system.said["build_s"] = "its encoding is the call that our engine makes too, and was timed there"


def warm(encoder: Kept) -> None:
    """The model is read before any time is taken."""
    encoder.encoder.encode_passages_jointly(["The model is read before any time is taken."] * 8)
