"""The 20 golden questions of the demo: what words alone find and answer, and what the pipeline does.

Judged are the words that answer (2) and that help (1). ``relevant@k``: mean number of judged places among the first k
passages of a search (a passage shows a place when it holds at least half of it); ``precision@k`` the share of the k
passages that show one; ``ndcg@10`` by grades. ``answer_relevant``: mean number of judged places that an extractive
answer cites; ``answer_hit``: share of questions whose answer cites a place that answers; ``no_answer``: share of
questions without an answer. ``words`` is keyword search alone, ``pipeline`` the product's default. ``gain`` of
``pipeline``: its value over that of ``words``, less 1 (asked: 0.5).

``answer_s``: seconds from the start of the job to the stored answer with every sentence checked, models loaded, search
not cached, no language model (so nothing of it is a language model's time): median and 95th percentile. On a busy
machine that is mostly waiting (its load stands in the fingerprint); ``answer_cpu_s`` is the time that the processors
worked for it, of all threads together.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, work
from benchmarks.report import Row
from benchmarks.rows import mean_row, row
from core.errors import ModelError
from core.evaluate.judged import names_of, place_of, ranked
from core.evaluate.measures import per_query
from core.labels import AnswerMode
from core.records import Answer, Query, SearchRequest, StageSwitches
from core.workbench.demo import ensure_demo
from core.workbench.open_project import OpenProject

WAYS = {
    "words": StageSwitches(dense=False, late_interaction=False, mmr=False),
    "pipeline": StageSwitches(),
}
CUTOFFS = (5, 10)
Span = tuple[str, int, int]


def run(shared: dict[str, Any], data: Path, cache: Path, *, quick: bool = False) -> list[Row]:
    """Search, answers, and time."""
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        project, _ = ensure_demo(workbench, audit=False)
        opened = workbench.open(project.slug)
        judged = opened.evaluations.golden()
        assert judged is not None, "the demo has judged questions"
        queries = dict(list(judged.queries.items())[: 4 if quick else None])
        values = {way: _searched(opened, queries, judged.qrels, stages) for way, stages in WAYS.items()}
        values["words"] |= _answered(_words_only(opened), queries, judged.qrels)
        values["pipeline"] |= _answered(opened, queries, judged.qrels)
        rows = [
            mean_row("answers", "demo golden", "", way, metric, each, **shared)
            for way, metrics in values.items()
            for metric, each in metrics.items()
        ]
        rows += _gains(values, shared)
        return rows + _timed(opened, list(queries.values()), shared)


def _gains(values: Mapping[str, Mapping[str, Sequence[float]]], shared: dict[str, Any]) -> list[Row]:
    rows = []
    for metric, each in values["pipeline"].items():
        base = statistics.fmean(values["words"][metric])
        if base > 0 and metric != "no_answer":
            gain = statistics.fmean(each) / base - 1
            rows.append(row("answers", "demo golden", "", "gain", metric, gain, n=len(each), **shared))
    return rows


def _searched(
    opened: OpenProject, queries: Mapping[str, str], qrels: Mapping[str, Mapping[str, int]], stages: StageSwitches
) -> dict[str, list[float]]:
    names = names_of(opened.sources.documents())
    values: dict[str, list[float]] = {}
    rankings = {}
    for key, text in queries.items():
        here = {name: place for name in qrels[key] if (place := place_of(name, names)) is not None}
        result = opened.search(SearchRequest((Query(text),), stages=stages, k=10))
        passages = [(passage.document.id, passage.passage.start, passage.passage.end) for passage in result.passages]
        rankings[key] = ranked(passages, here)
        for k in CUTOFFS:
            shown = [{name for name, place in here.items() if place.shown_by(passage)} for passage in passages[:k]]
            values.setdefault(f"relevant@{k}", []).append(len(set().union(*shown)))
            values.setdefault(f"precision@{k}", []).append(sum(map(bool, shown)) / k)
    values["ndcg@10"] = list(per_query("ndcg@10", rankings, {key: qrels[key] for key in queries}).values())
    return values


def _words_only(opened: OpenProject) -> OpenProject:
    """The same project without encoder and reranker: searched and answered by words alone."""

    def none() -> Any:
        raise ModelError("Left out to see what words alone do.")

    engines = opened.job_context().engines
    bare = replace(engines, make_encoder=none, make_reranker=none, _made={})
    copy = type(opened).__new__(type(opened))
    copy.__dict__.update(opened.__dict__)
    copy.adopt(opened.settings, bare)
    return copy


def _answered(
    opened: OpenProject, queries: Mapping[str, str], qrels: Mapping[str, Mapping[str, int]]
) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {"answer_relevant": [], "answer_hit": [], "no_answer": []}
    for key, text in queries.items():
        answer = _ask(opened, text)
        grades = {name: grade for name, grade in qrels[key].items() if _cited(name, answer)}
        values["answer_relevant"].append(len(grades))
        values["answer_hit"].append(float(2 in grades.values()))
        values["no_answer"].append(float(not answer.text))
    return values


def _ask(opened: OpenProject, text: str) -> Answer:
    begun, _ = opened.answers.ask(text, mode=AnswerMode.EXTRACTIVE)
    work(opened)
    return opened.answers.get(begun.id)


def _cited(name: str, answer: Answer) -> bool:
    """Whether the answer quotes at least half of a judged place."""
    document, _, span = name.rpartition(":")
    start, end = map(int, span.split("-"))
    cited = [citation for citation in answer.citations if citation.document_id == document]
    return 2 * sum(max(0, min(end, citation.end) - max(start, citation.start)) for citation in cited) >= end - start


def _timed(opened: OpenProject, questions: Sequence[str], shared: dict[str, Any]) -> list[Row]:
    _ask(opened, "Are the models read now?")
    spent, worked = [], []
    for question in questions:
        fresh = f"{question.rstrip('?')}, please?"  # another wording, so that nothing comes from the cache of searches
        started, before = time.perf_counter(), time.process_time()
        _ask(opened, fresh)
        spent.append(time.perf_counter() - started)
        worked.append(time.process_time() - before)
    ordered = sorted(spent)
    values = {
        "answer_s_p50": statistics.median(ordered), "answer_s_p95": ordered[int(0.95 * (len(ordered) - 1))],
        "answer_cpu_s_p50": statistics.median(worked),
    }  # fmt: skip
    fields = {"n": len(spent), **shared}
    return [row("answers", "demo golden", "", "pipeline", key, value, **fields) for key, value in values.items()]
