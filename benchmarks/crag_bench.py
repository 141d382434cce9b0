"""Corrective retrieval: classes on good, bad, mixed and answerless retrievals, what the signals are worth, what
refinement keeps, and what it all costs.

``good``: a judged question put to its own collection, with a relevant document in the first ten. ``bad``: a question of
the other collection. ``mixed``: both results shuffled together, the bad one first. ``answerless``: the good one without
its relevant documents (in Cranfield the rest often answers too: its judgements are not complete). Nothing here was
fitted: SciFact's test queries, and those of Cranfield that the calibrations have not seen (every second one).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.answers_projects import demo_project
from benchmarks.audit_bench import bench
from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import RetrievalSet, load_retrieval
from benchmarks.projects import encode, fill, open_store
from benchmarks.report import Row
from benchmarks.rows import row
from core.answer.evidence import gather
from core.labels import CragClass
from core.ports.engines import Engines
from core.ports.store import JointEncoder, ProjectStore, Reranker
from core.records import Filters, Query, ScoredPassage, SearchRequest, SearchResult, Vector
from core.retrieve import crag, pipeline
from core.retrieve.crag import Background, background, gate, sampled
from core.retrieve.refine import nearness, refine
from core.settings.values import Settings
from core.workbench.jobs import silent

KINDS = ("good", "bad", "mixed", "answerless")
QUERIES = 30
SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Case:
    """One retrieval with what was made of it; ``ms`` of judging and refining, ``searched_ms`` of the search."""

    kind: str
    verdict: CragClass
    without_model: CragClass
    values: Mapping[str, float]
    kept: float
    ms: float
    without_ms: float
    searched_ms: float


def run(shared: Mapping[str, Any], data: Path, cache: Path, *, quick: bool = False) -> list[Row]:
    """All rows; ``quick`` asks eight questions of each set."""
    from core.backends.resolve import load_encoder, load_reranker

    encoder = CachedEncoder(load_encoder(SETTINGS.models), cache / "vectors")
    reranker = load_reranker(SETTINGS.models)
    sets = {name: load_retrieval(data, name) for name in ("scifact", "cranfield")}
    unseen = {name: _unseen(retrieval_set, 8 if quick else QUERIES) for name, retrieval_set in sets.items()}
    rows: list[Row] = []
    with _stores(sets, encoder) as stores:
        for name in sets:
            asking = _Asking(name, sets, stores, encoder, reranker)
            cases = [case for key in unseen[name] for case in asking.cases(key, unseen)]
            rows += _rows(name, cases, shared)
    return rows + demo_rows(shared)


def demo_rows(shared: Mapping[str, Any]) -> list[Row]:
    """The golden questions of the demo, cut into passages as the product does it: classes, and what ``gather`` adds to
    a search without the web, over the same search and in the same run."""
    with tempfile.TemporaryDirectory(prefix="crag-") as root, bench(Path(root)) as workbench:
        opened, questions = demo_project(workbench)
        context = opened.job_context()
        added: dict[str, list[float]] = {"crag": [], "crag_no_reranker": []}
        searched: list[float] = []
        verdicts: list[CragClass] = []
        for question in questions:
            request = SearchRequest((Query(question),), k=10)
            for system in added:
                engines = context.engines if system == "crag" else _without_reranker(context.engines)
                for warm in (True, False):
                    search = _Timed(opened.search)
                    start = time.perf_counter()
                    material = gather(question, request, store=context.store, engines=engines, settings=SETTINGS,
                                   search=search, progress=silent)  # fmt: skip
                    total = (time.perf_counter() - start) * 1000
                    if not warm:
                        added[system].append(total - search.ms)
                if system == "crag" and material.final.judgement:
                    verdicts.append(material.final.judgement.verdict)
            encoder = context.engines.encoder()
            start = time.perf_counter()
            pipeline.search(request, context.store, encoder, SETTINGS.retrieval)
            searched.append((time.perf_counter() - start) * 1000)
    n = len(questions)
    rows = []
    for verdict in CragClass:
        share = _share(v is verdict for v in verdicts)
        rows.append(row("answers", "demo golden", "", "crag", f"good_{verdict.value}", share, n=n, **shared))
    for system, values in added.items():
        rows.append(row("answers", "demo golden", "", system, "added_ms", median(values), n=n, **shared))
        ratio = median(value / base for value, base in zip(values, searched, strict=True))
        rows.append(row("answers", "demo golden", "", system, "added_to_search", ratio, n=n, **shared))
    return rows


def _without_reranker(engines: Engines) -> Engines:
    """The same models but for the cross-encoder."""
    from core.backends.heuristic_reranker import HeuristicReranker

    other = copy(engines)
    other._made = {**engines._made, "reranker": HeuristicReranker()}
    return other


class _Timed:
    """A search that counts its own time, so that only what comes on top is measured."""

    def __init__(self, search: Callable[[SearchRequest], SearchResult]) -> None:
        self._search = search
        self.ms = 0.0

    def __call__(self, request: SearchRequest) -> SearchResult:
        start = time.perf_counter()
        result = self._search(request)
        self.ms += (time.perf_counter() - start) * 1000
        return result


def _unseen(retrieval_set: RetrievalSet, count: int) -> list[str]:
    keys = sorted(retrieval_set.queries)
    return (keys[1:80:2] if retrieval_set.name == "cranfield" else keys)[:count]


@contextmanager
def _stores(
    sets: Mapping[str, RetrievalSet], encoder: JointEncoder
) -> Iterator[dict[str, tuple[ProjectStore, dict[str, list[str]]]]]:
    with tempfile.TemporaryDirectory(prefix="crag-") as root:
        sizes = {}
        opened = []
        for name, retrieval_set in sets.items():
            manager = open_store(Path(root) / name, name)
            store = manager.__enter__()
            opened.append(manager)
            keys = fill(store, retrieval_set.texts, None)
            encode(store, encoder)
            sizes[name] = (store, keys)
        try:
            yield sizes
        finally:
            for manager in opened:
                manager.__exit__(None, None, None)


class _Asking:
    def __init__(
        self,
        name: str,
        sets: Mapping[str, RetrievalSet],
        stores: Mapping[str, tuple[ProjectStore, dict[str, list[str]]]],
        encoder: JointEncoder,
        reranker: Reranker,
    ) -> None:
        self._name = name
        self._other = next(other for other in sets if other != name)
        self._sets, self._stores, self._encoder, self._reranker = sets, stores, encoder, reranker
        self._turn = 0

    def cases(self, key: str, unseen: Mapping[str, Sequence[str]]) -> Iterator[Case]:
        """The four retrievals of one question (of the other collection's for ``bad``)."""
        question = self._sets[self._name].queries[key]
        own, ms = self._search(self._name, question)
        relevant = [candidate for candidate in own.candidates if self._is_relevant(key, candidate)]
        best = own.candidates[:10]
        if any(candidate in relevant for candidate in best):
            yield self._case("good", question, own, best, self._name, ms)
            other, _ = self._search(self._other, question)
            both = [candidate for pair in zip(other.candidates, best, strict=False) for candidate in pair][:10]
            yield self._case("mixed", question, own, both, self._name, ms)
            others = [candidate for candidate in own.candidates if candidate not in relevant][:10]
            yield self._case("answerless", question, own, others, self._name, ms)
        foreign = unseen[self._other]
        strange = self._sets[self._other].queries[foreign[self._turn % len(foreign)]]
        self._turn += 1
        result, ms = self._search(self._name, strange)
        yield self._case("bad", strange, result, result.candidates[:10], self._name, ms)

    def _is_relevant(self, key: str, candidate: ScoredPassage) -> bool:
        judged = self._sets[self._name].qrels[key]
        return any(judged.get(other, 0) > 0 for other in self._stores[self._name][1][candidate.document.id])

    def _search(self, where: str, question: str) -> tuple[SearchResult, float]:
        request = SearchRequest((Query(question[:2000]),), k=10)
        start = time.perf_counter()
        result = pipeline.search(request, self._stores[where][0], self._encoder, SETTINGS.retrieval)
        return result, (time.perf_counter() - start) * 1000

    def _case(
        self, kind: str, question: str, result: SearchResult, passages: Sequence[ScoredPassage], where: str, ms: float
    ) -> Case:
        store = self._stores[where][0]
        passages = [
            replace(scored, passage=replace(scored.passage, id=at)) for at, scored in enumerate(passages, start=1)
        ]
        vectors = self._vectors(passages)
        start = time.perf_counter()
        query_vector = self._encoder.encode_queries([question])[0]
        usual = self._background(store, query_vector)
        passed = gate(replace(result, passages=tuple(passages)), question, SETTINGS.crag.gate, usual)
        near = nearness(query_vector, vectors, usual)
        refined = refine(question, [scored.passage for scored in passages], near, SETTINGS.crag)
        plain = crag.judge(crag.signals(question, passages, vectors, None, usual), SETTINGS.crag)
        without = time.perf_counter()
        logits = [float(score) for score in self._reranker.score(question, crag.texts_to_rerank(passages))]
        judged = crag.judge(crag.signals(question, passages, vectors, logits, usual), SETTINGS.crag)
        end = time.perf_counter()
        signals = judged.signals
        values = {
            "confidence": judged.confidence,
            "rerank": signals.rerank or 0.0,
            "coverage": signals.coverage or 0.0,
            "agreement": signals.agreement or 0.0,
            "gate": passed.confidence,
            "fused_score": max((scored.score for scored in passages), default=0.0),
        }
        whole = sum(-(-len(scored.passage.text) // 4) for scored in passages)
        return Case(
            kind, judged.verdict, plain.verdict, values, refined.tokens / max(1, whole),
            (end - start) * 1000, (without - start) * 1000, ms,
        )  # fmt: skip

    def _vectors(self, passages: Sequence[ScoredPassage]) -> dict[int, Vector]:
        """From the cache, for passages of both projects; their ids are the places in ``found`` here, as those of two
        projects are alike."""
        texts = [scored.passage.index_text for scored in passages]
        encoded = self._encoder.encode_passages(texts) if texts else []
        return {scored.passage.id: vector for scored, vector in zip(passages, encoded, strict=True)}

    def _background(self, store: ProjectStore, query_vector: Vector) -> Background:
        return background(query_vector, store.vectors(sampled(store.passage_ids(Filters())), self._encoder.fingerprint))


# ---------------------------------------------------------------- rows


def _rows(name: str, cases: Sequence[Case], shared: Mapping[str, Any]) -> list[Row]:
    by_kind = {kind: [case for case in cases if case.kind == kind] for kind in KINDS}
    rows: list[Row] = []

    def add(system: str, metric: str, value: float, n: int) -> None:
        rows.append(row("answers", name, "test", system, metric, value, n=n, **shared))

    for kind, of_kind in by_kind.items():
        if of_kind:
            _add_kind(add, kind, of_kind)
    good, bad, none = (by_kind[kind] for kind in ("good", "bad", "answerless"))
    for signal in ("confidence", "rerank", "coverage", "agreement", "gate", "fused_score"):
        for against, others in (("bad", bad), ("answerless", none)):
            scaled_by_what_was_taken = signal == "fused_score" and against == "answerless"
            if good and others and not scaled_by_what_was_taken:
                add(signal, f"auc_good_{against}", _auc(signal, good, others), len(good) + len(others))
    add("crag", "added_ms", median(case.ms for case in cases), len(cases))
    add("crag_no_reranker", "added_ms", median(case.without_ms for case in cases), len(cases))
    add("crag", "added_to_search", median(case.ms / case.searched_ms for case in cases), len(cases))
    return rows


def _add_kind(add: Callable[[str, str, float, int], None], kind: str, cases: Sequence[Case]) -> None:
    n = len(cases)
    for verdict in CragClass:
        name = f"{kind}_{verdict.value}"
        add("crag", name, _share(case.verdict is verdict for case in cases), n)
        add("crag_no_reranker", name, _share(case.without_model is verdict for case in cases), n)
    add("gate", f"{kind}_passed", _share(case.values["gate"] >= SETTINGS.crag.gate for case in cases), n)
    add("crag", f"{kind}_tokens_kept", float(np.mean([case.kept for case in cases])), n)


def _share(values: Iterator[bool] | Any) -> float:
    return float(np.mean(list(values)))


def _auc(signal: str, good: Sequence[Case], bad: Sequence[Case]) -> float:
    """Probability that a good retrieval has the larger value (ties half)."""
    upper = np.array([case.values[signal] for case in good])[:, None]
    lower = np.array([case.values[signal] for case in bad])[None, :]
    return float(np.mean((upper > lower) + 0.5 * (upper == lower)))
