"""The job that measures ways to search against judgements."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import JobError, ModelError, QueryError
from core.evaluate.judged import DETAIL_MEMO, JUDGED_MEMO, Place, names_of, place_of, ranked, unpack
from core.evaluate.measures import ci95, holm, per_query, randomization_test
from core.ports.context import JobContext
from core.ports.store import JointEncoder, Progress, Reranker
from core.records import Job, JudgedQueries, Query, SearchRequest, SearchResult, StageSwitches
from core.retrieve import pipeline
from core.text.jsonable import squeeze

FOUND = 200
"""Passages looked at for one query."""

Values = dict[str, dict[str, float]]
"""Measure → query → value."""


def run_evaluate(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Ask every judged query in every wanted way, measure, and compare with the baseline; nothing is kept of a
    measuring that was stopped. Raises JobCancelled (the user asked to stop), JobError (the judgements are gone, or no
    query can be asked or searched) or ModelError (a wanted way needs a model that cannot be had)."""
    packed = context.store.memo(JUDGED_MEMO.format(job.payload.get("judged")))
    if packed is None:
        raise JobError("The judgements of this measuring are gone. Give the file again.")
    judged = unpack(packed)
    measures = _words(job, "measures")
    wanted = [COMBINATIONS[key] for key in _words(job, "combinations")]
    queries = list(judged.askable if wanted else judged.scored)
    if not queries:
        raise JobError("No judged query has a text and something relevant. Give the texts of the queries too.")
    places = _places(context, judged)
    outcome, refused = _ask(context, judged, queries, wanted, places, progress)
    queries = [query for query in queries if query not in refused]
    if not queries:
        raise JobError(f"None of the judged queries can be searched. The first: {next(iter(refused.values()))}")
    for name in _words(job, "runs"):
        outcome[f"run:{name}"] = _System({query: list(judged.runs[name].get(query, ())) for query in queries}, [])
    progress(len(queries) * len(wanted), len(queries) * len(wanted), "Comparing")
    qrels = {query: judged.qrels[query] for query in queries}
    values = {
        key: {name: per_query(name, system.rankings, qrels) for name in measures} for key, system in outcome.items()
    }
    detail = {"values": values, "rankings": {key: system.rankings for key, system in outcome.items()}}
    context.store.set_memo(DETAIL_MEMO.format(job.id), squeeze(detail))
    named = {name for of_query in qrels.values() for name in of_query}
    return {
        "queries": len(queries),
        "left_out": len(judged.qrels) - len(queries),
        "refused": len(refused),
        "judgements": sum(map(len, qrels.values())),
        "names": len(named),
        "not_here": len(named - places.keys()),
        "systems": _summary(values, outcome, measures, str(job.payload.get("baseline"))),
        "encoder": context.engines.encoder_fingerprint()
        if any(combination.needs_encoder for combination in wanted)
        else "",
        "settings": context.settings.retrieval.model_dump(),
        "passages": context.store.coverage("")[1],
    }


@dataclass(frozen=True, slots=True)
class _System:
    """Rankings of names by query, and the milliseconds that each query took."""

    rankings: dict[str, list[str]]
    spent: list[float]


def _ask(
    context: JobContext,
    judged: JudgedQueries,
    queries: Sequence[str],
    wanted: Sequence[Combination],
    places: Mapping[str, Place],
    progress: Progress,
) -> tuple[dict[str, _System], dict[str, str]]:
    """The rankings of each way to search; queries that cannot be searched give a reason and are in no ranking."""
    encoder = context.engines.encoder() if any(combination.needs_encoder for combination in wanted) else None
    reranker = context.engines.reranker() if any(combination.stages.rerank for combination in wanted) else None
    _check_coverage(context, encoder)
    systems = {combination.key: _System({}, []) for combination in wanted}
    refused: dict[str, str] = {}
    total = len(queries) * len(wanted)
    done = 0
    for query in queries:
        here = _relevant_places(judged.qrels[query], places)
        for combination in wanted:
            progress(done, total, f"{combination.name}: \u201c{judged.queries[query][:60]}\u201d")
            done += 1
            if query in refused:
                continue
            try:
                result = _search(context, combination, judged.queries[query], encoder, reranker)
            except QueryError as error:
                refused[query] = str(error)
                continue
            passages = [(item.document.id, item.passage.start, item.passage.end) for item in result.candidates]
            systems[combination.key].rankings[query] = ranked(passages, here)
            systems[combination.key].spent.append(sum(result.timings.get(step, 0.0) for step in ("total", "rerank")))
    for query in refused:  # one way may have found something before another could not
        for system in systems.values():
            system.rankings.pop(query, None)
    return systems, refused


def _search(
    context: JobContext, combination: Combination, text: str, encoder: JointEncoder | None, reranker: Reranker | None
) -> SearchResult:
    """The way of the product, with all candidates kept; close reading speaks on as many of them as in a search."""
    settings = context.settings.retrieval
    knobs = settings.model_copy(update={"rerank_depth": FOUND})
    request = SearchRequest((Query(text),), stages=combination.stages, k=1, depth=settings.depth)
    result = pipeline.search(request, context.store, encoder if combination.needs_encoder else None, knobs)
    if not combination.stages.rerank or reranker is None:
        return result
    cut = settings.rerank_depth
    read = pipeline.rerank(replace(result, candidates=result.candidates[:cut]), reranker, settings)
    return replace(read, candidates=(*read.candidates, *result.candidates[cut:]))


def _relevant_places(judged: Mapping[str, int], places: Mapping[str, Place]) -> dict[str, Place]:
    """The places of the relevant names of a query that are here, the better grades first."""
    ordered = sorted(judged.items(), key=lambda pair: -pair[1])
    return {name: places[name] for name, grade in ordered if grade > 0 and name in places}


def _check_coverage(context: JobContext, encoder: JointEncoder | None) -> None:
    if encoder is None:
        return
    encoded, searchable = context.store.coverage(encoder.fingerprint)
    if encoded < searchable:
        raise ModelError(
            f"{searchable - encoded:,} of {searchable:,} passages are not prepared for search by meaning yet, so "
            "measuring now would mislead. Wait until that is done, then measure again."
        )


def _places(context: JobContext, judged: JudgedQueries) -> dict[str, Place]:
    names = names_of(context.store.documents())
    places = {name: place_of(name, names) for of_query in judged.qrels.values() for name in of_query}
    return {name: place for name, place in places.items() if place is not None}


def _summary(
    values: Mapping[str, Values], outcome: Mapping[str, _System], measures: Sequence[str], baseline: str
) -> list[dict[str, object]]:
    others = [key for key in values if key != baseline]
    rows: dict[str, dict[str, object]] = {key: {} for key in values}
    for name in measures:
        chances: dict[str, float] = {}
        if baseline in values:
            base = list(values[baseline][name].values())
            chances = {key: randomization_test(list(values[key][name].values()), base) for key in others}
        adjusted = dict(zip(chances, holm(list(chances.values())), strict=True))
        for key in values:
            each = list(values[key][name].values())
            low, high = ci95(each)
            rows[key][name] = {"mean": statistics.fmean(each), "low": low, "high": high, "p": adjusted.get(key)}
    return [
        {"key": key, "measures": rows[key], "ms": statistics.median(spent) if (spent := outcome[key].spent) else None}
        for key in values
    ]


def _words(job: Job, name: str) -> list[str]:
    values = job.payload.get(name)
    return [str(value) for value in values] if isinstance(values, (list, tuple)) else []


_NONE = StageSwitches(lexical=False, dense=False, late_interaction=False, mmr=False)


@dataclass(frozen=True, slots=True)
class Combination:
    """A way to search. Without words and meaning, word by word looks at every passage."""

    key: str
    name: str
    stages: StageSwitches

    @property
    def needs_encoder(self) -> bool:
        """True when it finds nothing without a model."""
        return self.stages.dense or self.stages.late_interaction


COMBINATIONS: dict[str, Combination] = {
    combination.key: combination
    for combination in (
        Combination("words", "Words", replace(_NONE, lexical=True)),
        Combination("meaning", "Meaning", replace(_NONE, dense=True)),
        Combination("word_by_word", "Word by word, every passage", replace(_NONE, late_interaction=True)),
        Combination("words_meaning", "Words and meaning", replace(_NONE, lexical=True, dense=True)),
        Combination("three", "Words, meaning, word by word", StageSwitches(mmr=False)),
        Combination("variety", "These three, with variety", StageSwitches()),
        Combination("close_reading", "These three, variety, close reading", StageSwitches(rerank=True)),
    )
}
"""In the order of the pipeline; ``variety`` is what a search does unless told otherwise."""

USUAL = "variety"
