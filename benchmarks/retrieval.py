"""Retrieval quality on judged public sets, through the product's own path.

Each abstract is one document with one passage, so that figures compare with the literature; the systems
``…_chunked`` cut it by the product's default instead and give a document the rank of its best passage. Queries
over the product's limit of 2,000 characters (two of CISI) are cut there.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import FOLDERS, RetrievalSet, load_retrieval
from benchmarks.machine import machine, versions
from benchmarks.projects import Chunks, encode, fill, open_store
from benchmarks.rows import Row, mean_row, row
from core.evaluate.measures import per_query, randomization_test
from core.ports.store import JointEncoder, ProjectStore, Reranker
from core.records import Query, SearchRequest, StageSwitches
from core.retrieve import pipeline
from core.retrieve.request import MAX_QUERY_CHARS
from core.settings.values import Settings

METRICS = ("ndcg@10", "recall@5", "recall@100", "map")
_ALONE = StageSwitches(lexical=False, dense=False, late_interaction=False, mmr=False)
SYSTEMS: dict[str, StageSwitches] = {
    "bm25": replace(_ALONE, lexical=True),
    "dense": replace(_ALONE, dense=True),
    "late": StageSwitches(mmr=False),
    "hybrid": replace(_ALONE, lexical=True, dense=True),
    "three_rrf": StageSwitches(mmr=False),
    "fused": StageSwitches(mmr=False),
    "full": StageSwitches(),
    "full_rerank": StageSwitches(rerank=True),
    "bm25_chunked": replace(_ALONE, lexical=True),
    "full_chunked": StageSwitches(),
}
DEFAULT_SYSTEMS = ("bm25", "dense", "late", "hybrid", "three_rrf", "fused", "full", "full_rerank")
PLAIN_RRF: dict[str, object] = {"fusion": "ranks", "weight_lexical": 1.0, "weight_dense": 1.0, "weight_late": 1.0}
KNOBS: dict[str, dict[str, object]] = {
    "late": {"weight_lexical": 0.0, "weight_dense": 0.0},
    "hybrid": PLAIN_RRF,
    "three_rrf": PLAIN_RRF,
}
COMPARED = (("full", "bm25"), ("full", "hybrid"), ("full", "dense"))


@dataclass(frozen=True, slots=True)
class Scores:
    """Per query values of each metric of one system, and how long its queries took."""

    values: Mapping[str, dict[str, float]]
    seconds: float
    fingerprint: object


def run(
    data: Path, cache: Path, only: Sequence[str] | None, *, systems: Sequence[str] | None = None, quick: bool = False,
    split: str = "test",
) -> list[Row]:  # fmt: skip
    """Measure; ``quick`` asks 30 queries of the smallest set."""
    names = list(only or (["medline"] if quick else FOLDERS))
    wanted = list(systems or DEFAULT_SYSTEMS)
    settings = Settings()
    rows: list[Row] = []
    for name in names:
        of_set = load_retrieval(data, name, split)
        if quick:
            of_set = replace(of_set, queries=dict(list(of_set.queries.items())[:30]))
        rows.extend(measure_set(of_set, wanted, settings, cache))
    return rows


def measure_set(of_set: RetrievalSet, systems: Sequence[str], settings: Settings, cache: Path) -> list[Row]:
    """All rows of one set."""
    encoder = _encoder(systems, settings, cache)
    reranker = _reranker(systems, settings)
    scores: dict[str, Scores] = {}
    for chunked in (False, True):
        mine = [name for name in systems if name.endswith("_chunked") == chunked]
        if not mine:
            continue
        chunks = (settings.chunking.size, settings.chunking.overlap) if chunked else None
        with tempfile.TemporaryDirectory(prefix="benchmark-") as root:
            scores |= _measure_project(Path(root), of_set, mine, settings, chunks, encoder, reranker)
    return _rows(of_set, scores, settings, encoder)


def _measure_project(
    root: Path, of_set: RetrievalSet, systems: Sequence[str], settings: Settings, chunks: Chunks | None,
    encoder: JointEncoder | None, reranker: Reranker | None,
) -> dict[str, Scores]:  # fmt: skip
    with open_store(root, of_set.name) as store:
        _say(f"{of_set.name}: storing {len(of_set.texts)} documents")
        keys = fill(store, of_set.texts, chunks)
        if encoder is not None:
            encode(store, encoder)
        scores = {}
        for name in systems:
            scores[name] = _measure_system(store, of_set, keys, name, settings, encoder, reranker)
            mean = scores[name].values["ndcg@10"]
            _say(f"  {name:12} nDCG@10 {sum(mean.values()) / len(mean):.4f}  {scores[name].seconds:.0f} s")
        return scores


def _measure_system(
    store: ProjectStore, of_set: RetrievalSet, keys: Mapping[str, list[str]], name: str, settings: Settings,
    encoder: JointEncoder | None, reranker: Reranker | None,
) -> Scores:  # fmt: skip
    stages = SYSTEMS[name]
    # The candidates kept for reranking are the whole ranking here; excerpts are made for the first ten only.
    k = settings.retrieval.depth * (2 if name.endswith("_chunked") else 1)
    knobs = settings.retrieval.model_copy(update={**KNOBS.get(name, {}), "rerank_depth": k})
    ranked: dict[str, list[str]] = {}
    fingerprint: object = None
    start = time.perf_counter()
    for key, text in of_set.queries.items():
        request = SearchRequest((Query(text[:MAX_QUERY_CHARS]),), stages=stages, k=10, depth=k)
        result = pipeline.search(request, store, None if name.startswith("bm25") else encoder, knobs)
        if stages.rerank and reranker is not None:
            cut = settings.retrieval.rerank_depth
            beyond = result.candidates[cut:]
            result = pipeline.rerank(replace(result, candidates=result.candidates[:cut]), reranker, knobs)
            result = replace(result, candidates=(*result.candidates, *beyond))
        ranking = [key for candidate in result.candidates for key in keys[candidate.document.id]]
        ranked[key] = list(dict.fromkeys(ranking))[: settings.retrieval.depth]
        fingerprint = result.fingerprint
    seconds = time.perf_counter() - start
    judged = {key: of_set.qrels[key] for key in of_set.queries}
    return Scores({metric: per_query(metric, ranked, judged) for metric in METRICS}, seconds, fingerprint)


def _rows(
    of_set: RetrievalSet, scores: Mapping[str, Scores], settings: Settings, encoder: JointEncoder | None
) -> list[Row]:
    where = {"machine": machine()}
    rows: list[Row] = []
    for name, by_query in scores.items():
        fingerprint = {
            "data": of_set.fingerprint,
            "settings": settings.fingerprint(),
            "encoder": encoder.fingerprint if encoder else None,
            "pipeline": by_query.fingerprint,
            "versions": versions(),
        }
        for metric in METRICS:
            values = list(by_query.values[metric].values())
            rows.append(mean_row("retrieval", of_set.name, of_set.split, name, metric, values,
                                 seconds=by_query.seconds, fingerprint=fingerprint, **where))  # fmt: skip
        for system, other in COMPARED:
            if system == name and other in scores:
                pairs = [list(scores[which].values["ndcg@10"].values()) for which in (name, other)]
                chance = randomization_test(*pairs)
                rows.append(row("retrieval", of_set.name, of_set.split, name, f"p(ndcg@10 = {other})", chance,
                                n=len(pairs[0]), fingerprint=fingerprint, **where))  # fmt: skip
    return rows


def _encoder(systems: Sequence[str], settings: Settings, cache: Path) -> CachedEncoder | None:
    if all(name.startswith("bm25") for name in systems):
        return None
    from core.backends.resolve import load_encoder

    return CachedEncoder(load_encoder(settings.models), cache / "vectors")


def _reranker(systems: Sequence[str], settings: Settings) -> Reranker | None:
    if not any(SYSTEMS[name].rerank for name in systems):
        return None
    from core.backends.resolve import load_reranker

    return load_reranker(settings.models)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
