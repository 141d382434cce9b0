"""``python -m benchmarks engines``: our late interaction beside RAGatouille, MultiVectorEncoder and PyLate, our words
beside rank-bm25 and bm25s, our encoder beside torch. Run on a quiet machine, with the extra ``ragatouille``.

Parts, in the order in which they run: ``late1k``, ``words``, ``encoder``, ``crash``, ``late5k``, ``pylate1k``,
``pylate5k``. What each does is in ``engines_<part>.py``; what came out is in docs/decisions/0015-ragatouille.md. Each
part's results are written when it ends, so a run that is stopped keeps what it has.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import RetrievalSet, load_retrieval
from benchmarks.engines_data import choose
from benchmarks.engines_measure import say
from benchmarks.machine import machine, versions
from benchmarks.report import Row
from core.errors import ExtraMissing
from core.settings.values import Settings

PARTS = ("late1k", "words", "encoder", "crash", "late5k", "pylate1k", "pylate5k")
SIZES = {"late1k": 1_000, "late5k": 5_000, "pylate1k": 1_000, "pylate5k": 5_000}
QUERIES = 100
QUICK = (100, 10)
CHECKPOINT = "bge-small-colbert-160"
_NEEDED = ("ragatouille", "colbert", "sentence_transformers", "torch", "onnx")
Write = Callable[[Sequence[Row]], None]


class PartsFailed(Exception):
    """Some parts did not end; the results of the others are written."""


def run(data: Path, cache: Path, only: Sequence[str] | None, write: Write, *, quick: bool = False) -> list[Row]:
    """Measure ``only`` these parts (default all), handing each part's rows to ``write`` when it ends; ``quick`` takes
    100 passages and 10 queries.

    Raises:
        ExtraMissing: a package that is compared is not installed; the message says how to install it.
        ValueError: an unknown part.
        PartsFailed: after all parts, when one failed.
    """
    parts = list(only or PARTS)
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise ValueError(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    check_packages()
    bench = Bench(load_retrieval(data, "scifact"), cache, quick=quick)
    rows: list[Row] = []
    failed = {}
    for part in parts:
        say(part)
        try:
            measured = bench.part(part)
        except Exception as error:
            say(f"{part} failed: {type(error).__name__}: {error}")
            failed[part] = error
            continue
        write(measured)
        rows += measured
    if failed:
        failures = "; ".join(f"{part}: {type(error).__name__}: {error}" for part, error in failed.items())
        raise PartsFailed(f"{failures}. The other parts are written.") from next(iter(failed.values()))
    return rows


def check_packages() -> None:
    """Whether everything that is compared in this environment is installed (ExtraMissing)."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ExtraMissing(
            f"The comparison of engines needs packages that are not installed here (missing: {', '.join(missing)}): "
            "pip install '.[ragatouille]' onnx"
        )


class Bench:
    """One run: what is measured with."""

    def __init__(self, of_set: RetrievalSet, cache: Path, *, quick: bool) -> None:
        self._set, self._cache, self._quick = of_set, cache, quick
        settings = Settings()
        self._chunks = settings.chunking.size, settings.chunking.overlap
        fingerprint = {"data": of_set.fingerprint, "chunking": list(self._chunks), "versions": _versions()}
        self._about: dict[str, Any] = {"machine": machine(), "fingerprint": fingerprint}

    def part(self, name: str) -> list[Row]:
        """The rows of one part."""
        size, queries = QUICK if self._quick else (SIZES.get(name, 5_000), QUERIES)
        if name in SIZES:
            from benchmarks import engines_pylate
            from benchmarks.engines_late import AtSize

            sample = choose(self._set, size, queries, self._chunks)
            say(f"  {sample.size:,} passages of {len(sample.documents):,} abstracts, {len(sample.queries)} queries")
            if name.startswith("pylate"):
                return engines_pylate.measure(sample, self._cache, self._checkpoint(), self._about)
            return AtSize(sample, self._cache, self._checkpoint(), self._about).run()
        if name == "words":
            from benchmarks import engines_words

            sizes = [size] if self._quick else sorted(set(SIZES.values()))
            samples = [choose(self._set, size, queries, self._chunks) for size in sizes]
            return [row for sample in samples for row in engines_words.run(sample, self._cache, self._about)]
        if name == "encoder":
            from benchmarks import engines_encoder

            sample = choose(self._set, 100 if self._quick else 500, 5, self._chunks)
            return engines_encoder.run(sample, self._cache, self._about, texts=16 if self._quick else 300)
        from benchmarks import engines_crash

        return engines_crash.run(choose(self._set, 200, 10, self._chunks), self._cache, self._checkpoint(), self._about)

    def _checkpoint(self) -> Path:
        """The shipped encoder as a ColBERT checkpoint, written once into the cache."""
        from tools.ragatouille_checkpoint import BGE, recipe, write_checkpoint

        folder = self._cache / "checkpoints" / recipe() / CHECKPOINT
        if not (folder / "artifact.metadata").is_file():  # written last
            write_checkpoint(folder, start=BGE, dim=160)
        self._about["fingerprint"]["checkpoint"] = f"{CHECKPOINT}@{recipe()}"
        return folder


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    names = ("torch", "sentence-transformers", "transformers", "ragatouille", "colbert-ai", "faiss-cpu", "rank-bm25")
    return {**versions(), **{name: version(name) for name in names}}
