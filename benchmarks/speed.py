"""Speed, memory and size of a project at 1k, 10k and 50k passages (BENCH, "Speed"). Run on a quiet machine."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import RetrievalSet, Text, load_retrieval
from benchmarks.machine import machine, versions
from benchmarks.projects import as_document, encode, fill, folder_bytes, open_store
from benchmarks.rows import Row, row
from benchmarks.stand_in import StandIn, pages
from core.ports.store import JointEncoder, ProjectStore
from core.records import Query, SearchRequest, StageSwitches
from core.retrieve import pipeline
from core.settings.values import Settings

SIZES = (1_000, 10_000, 50_000)
PARTS = ("query", "rerank", "add", "cold", "memory", "disk", "overhead", "long")
REPOSITORY = Path(__file__).resolve().parents[1]
REAL = 500
RUNS = 5
RERANKED = 15


def run(data: Path, cache: Path, only: Sequence[str] | None, *, quick: bool = False) -> list[Row]:
    """Measure ``only`` these parts and sizes (``query,add,10000``; default all of both); ``quick`` builds 300
    passages and asks 10 queries."""
    from core.backends.resolve import load_encoder

    settings = Settings()
    of_set = load_retrieval(data, "scifact")
    encoder = load_encoder(settings.models)
    parts = [name for name in only or () if not name.isdigit()] or list(PARTS)
    sizes = [int(name) for name in only or () if name.isdigit()] or list(SIZES)
    fingerprint = {"settings": settings.fingerprint(), "encoder": encoder.fingerprint, "data": of_set.fingerprint,
            "versions": versions()}  # fmt: skip
    bench = Bench(
        of_set, CachedEncoder(encoder, cache / "vectors"), settings, fingerprint, queries=10 if quick else 100
    )
    rows = bench.overhead(encoder, 40 if quick else 200) if "overhead" in parts else []
    if "long" in parts:
        from benchmarks import long_source

        rows += long_source.run(data, **({"claims": 3, "pages": 12} if quick else {}))
    if set(parts) - {"overhead", "long"}:
        for size in (300,) if quick else sizes:
            with tempfile.TemporaryDirectory(prefix="benchmark-") as root:
                rows.extend(bench.at_size(Path(root), size, parts))
    return rows


class Bench:
    """One run: what is measured with, and the rows so far."""

    def __init__(
        self,
        of_set: RetrievalSet,
        encoder: CachedEncoder,
        settings: Settings,
        fingerprint: dict[str, object],
        queries: int,
    ) -> None:
        self._set, self._encoder, self._settings, self._told = of_set, encoder, settings, fingerprint
        self._queries = list(of_set.queries.values())[:queries]
        self._machine = machine()
        self._chunks = settings.chunking.size, settings.chunking.overlap

    def _row(self, system: str, metric: str, value: float, n: int, seconds: float | None = None) -> Row:
        _say(f"  {system:55} {metric:34} {value:12.3f}")
        return row("speed", "scifact", "", system, metric, value, n=n, seconds=seconds, machine=self._machine,
                   fingerprint=self._told)  # fmt: skip

    # ---------------------------------------------------------------- one size

    def at_size(self, root: Path, size: int, parts: Sequence[str]) -> list[Row]:
        """All parts that need a project of ``size`` passages."""
        with open_store(root, "Speed") as store:
            start = time.perf_counter()
            passages = self._build(store, size)
            _say(f"{passages} passages built in {time.perf_counter() - start:.0f} s")
            system = f"{size:,} passages ({REAL} encoded, the others their vectors with noise)"
            rows: list[Row] = []
            if "query" in parts:
                rows += self._query(store, system, passages)
            if "rerank" in parts:
                rows += self._rerank(store, system)
            if "add" in parts:
                rows += self._add(store, system, passages)
            slug = store.project.slug
        if "disk" in parts:
            rows.append(self._row(system, "bytes_per_passage", folder_bytes(root / slug) / passages, passages))
        if "cold" in parts:
            rows += self._cold(root, slug, system, passages)
        if "memory" in parts:
            rows += self._memory(root, slug, system, passages)
        return rows

    def _build(self, store: ProjectStore, size: int) -> int:
        wanted: list[Text] = []
        count, real = 0, []
        for page in pages(self._set.texts):
            _, _, passages = as_document(page, self._chunks)
            wanted.append(page)
            real.extend(passage.index_text for passage in passages[: max(0, REAL - len(real))])
            count += len(passages)
            if count >= size:
                break
        fill(store, wanted, self._chunks)
        encode(store, StandIn(self._encoder, real))  # type: ignore[arg-type]
        return store.coverage(self._encoder.fingerprint)[1]

    def _search(self, store: ProjectStore, text: str, encoder: JointEncoder | None, **stages: bool) -> Any:
        request = SearchRequest((Query(text),), stages=StageSwitches(**stages))
        return pipeline.search(request, store, encoder, self._settings.retrieval)

    def _query(self, store: ProjectStore, system: str, passages: int) -> list[Row]:
        for text in self._queries[:5]:
            self._search(store, text, self._encoder)
        spent = [dict(self._search(store, text, self._encoder).timings) for text in self._queries]
        beyond = sorted(timings["total"] - timings["encode"] for timings in spent)
        rows = [
            self._row(system, "query_p50_ms", statistics.median(beyond), passages),
            self._row(system, "query_p95_ms", beyond[int(0.95 * (len(beyond) - 1))], passages),
        ]
        for stage in ("lexical", "dense", "late_interaction", "mmr", "load", "excerpts"):
            rows.append(
                self._row(system, f"{stage}_p50_ms", statistics.median(timings[stage] for timings in spent), passages)
            )
        return rows

    def _rerank(self, store: ProjectStore, system: str) -> list[Row]:
        from core.backends.resolve import load_reranker

        reranker, settings = load_reranker(self._settings.models), self._settings.retrieval
        results = [self._search(store, text, self._encoder) for text in self._queries[: RERANKED + 1]]
        spent = [pipeline.rerank(result, reranker, settings).timings["rerank"] for result in results][1:]
        pairs = len(results[0].candidates)
        return [self._row(system, f"rerank_{pairs}_p50_ms", statistics.median(spent), len(spent))]

    def _add(self, store: ProjectStore, system: str, passages: int) -> list[Row]:
        spent = []
        for turn in range(RUNS):
            text = Text(
                f"new-{turn}", f"New page {turn}", f"Quokkaword{turn} begins it. " + self._set.texts[turn].body * 3
            )
            start = time.perf_counter()
            document, body, new = as_document(text, self._chunks)
            store.put_blob(body.encode())
            store.put(document, body, new)
            hits = self._search(store, f"quokkaword{turn}", None, dense=False, late_interaction=False, mmr=False)
            spent.append((time.perf_counter() - start) * 1000)
            assert hits.passages[0].document.id == document.id, "the new page was not found"
        return [self._row(system, "add_one_searchable_ms", statistics.median(spent), passages)]

    # ---------------------------------------------------------------- other processes

    def _cold(self, root: Path, slug: str, system: str, passages: int) -> list[Row]:
        command = [
            sys.executable,
            "-m",
            "core.commands",
            "--root",
            str(root),
            "search",
            "-p",
            slug,
            self._queries[0],
        ]
        by_words = median_of(lambda: _run([*command, "--words-only"]))
        both = median_of(lambda: _run(command))
        return [
            self._row(system, "cold_search_words_s", by_words, passages),
            self._row(system, "cold_search_s", both, passages),
        ]

    def _memory(self, root: Path, slug: str, system: str, passages: int) -> list[Row]:
        done = _run([sys.executable, "-c", _MEMORY, str(root), slug, json.dumps(self._queries[:10])])
        peak, after = json.loads(done)
        return [
            self._row(system, "memory_mb", after, passages),
            self._row(system, "memory_peak_mb", peak, passages),
        ]

    # ---------------------------------------------------------------- indexing

    def overhead(self, encoder: JointEncoder, count: int) -> list[Row]:
        """Indexing (store and encode) against the bare encoder on the same texts, run alternately."""
        page = next(pages(self._set.texts, per_page=count))
        _, _, passages = as_document(page, self._chunks)
        texts = [passage.index_text for passage in passages[:count]]
        end = passages[:count][-1].end
        page = Text(page.key, page.title, page.body[:end])
        encoder.encode_passages_jointly(texts[:8])
        bare, whole, again = [], [], []
        for _ in range(3):
            bare.append(seconds(lambda: encoder.encode_passages_jointly(texts)))
            with tempfile.TemporaryDirectory(prefix="benchmark-") as root, open_store(Path(root), "Overhead") as store:
                whole.append(seconds(lambda: (fill(store, [page], self._chunks), encode(store, encoder))))
                fill(store, [page], self._chunks)
                again.append(encode(store, encoder))
        ratio = statistics.median(bare) / statistics.median(whole)
        return [
            self._row("indexing", "throughput_of_bare_encoder", ratio, len(texts), statistics.median(whole)),
            self._row("bare encoder", "passages_per_second", len(texts) / statistics.median(bare), len(texts)),
            self._row("re-adding", "passages_encoded", max(again), len(texts)),
        ]


_MEMORY = """
import json, sys
from pathlib import Path
import streamlit
from core.records import Query, SearchRequest
from core.workbench.wiring import open_workbench

with_project = open_workbench(Path(sys.argv[1])).open(sys.argv[2])
for text in json.loads(sys.argv[3]):
    result = with_project.search(SearchRequest((Query(text),)))
    assert result.encoded, result.notes  # else the model was not there and its memory not counted
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(json.dumps([int(status[name].split()[0]) / 1024 for name in ("VmHWM", "VmRSS")]))
"""


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:6])} … ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def median_of(action: Callable[[], object]) -> float:
    """Median seconds of five calls."""
    return statistics.median(seconds(action) for _ in range(RUNS))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
