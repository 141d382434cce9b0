"""The quality of stages and variants for one question, on the passages judged for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import ModelError, QueryError
from core.evaluate.judged import Place, ShownPassage, names_of, place_of, ranked
from core.evaluate.measures import ndcg, recall
from core.late.engine import late_index
from core.late.index import LateIndex
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Expansion, Filters, Query, SearchRequest, SearchResult, StageSwitches, Variant
from core.retrieve import pipeline
from core.settings.values import Retrieval

NDCG_AT, RECALL_AT = 10, 5
_FOUND = 50


@dataclass(frozen=True, slots=True)
class Figures:
    """One combination of stages with one variant by itself (its stages joined, before variety and close reading), or
    with all of them (``variant`` ""). ``relevant``: how many judged places have a grade above 0 and are here;
    ``at_top`` of them stand among the first ten. Measures are None where ``problem`` says why. ``engine`` names what
    compared word by word; "" for our own exact engine."""

    variant: str
    stages: StageSwitches
    ndcg: float | None
    recall: float | None
    at_top: int
    relevant: int
    problem: str = ""
    engine: str = ""


def compare(
    expansion: Expansion,
    stages: Sequence[StageSwitches],
    filters: Filters,
    judged: Mapping[str, int],
    store: ProjectStore,
    engines: Engines,
    settings: Retrieval,
) -> list[Figures]:
    """See ``QueryLab.compare``; ``judged``: grade by the name of a place."""
    names = names_of(store.documents())
    here = {name: place for name in judged if (place := place_of(name, names)) is not None}
    if not any(judged[name] > 0 for name in here):
        return []
    on = [variant for variant in expansion.variants if variant.on and variant.text.strip()]
    measure = _Measure(here, {name: judged[name] for name in here})
    queries = tuple(Query(variant.text, variant.kind) for variant in on)
    rows: list[Figures] = []
    for switches, late in _combinations(stages, late_index(engines, store)):
        request = SearchRequest(queries, filters, switches, k=_FOUND, depth=settings.depth)
        engine = late.engine if late else ""
        try:
            result = _search(request, store, engines, settings, late)
        except (ModelError, QueryError) as error:
            rows.append(measure.failed(switches, str(error), engine))
        else:
            rows.extend(_measured(result, on, measure, store, engine))
    return rows


def _combinations(
    stages: Sequence[StageSwitches], index: LateIndex | None
) -> Iterator[tuple[StageSwitches, LateIndex | None]]:
    """Each combination of stages with the exact engine, and where it compares word by word with the late engine too."""
    for switches in stages:
        yield switches, None
        if index is not None and switches.late_interaction:
            yield switches, index


def _measured(
    result: SearchResult, on: Sequence[Variant], measure: _Measure, store: ProjectStore, engine: str
) -> list[Figures]:
    switches = result.request.stages
    together = [
        (candidate.document.id, candidate.passage.start, candidate.passage.end) for candidate in result.candidates
    ]
    rows = [measure.figures("", switches, together), *_alone(result, on, switches, measure, store)]
    return [replace(row, engine=engine) for row in rows]


def _search(
    request: SearchRequest, store: ProjectStore, engines: Engines, settings: Retrieval, late: LateIndex | None
) -> SearchResult:
    stages = request.stages
    encoder = engines.encoder() if stages.dense or stages.late_interaction or stages.mmr else None
    deep = settings.model_copy(update={"rerank_depth": _FOUND})
    result = pipeline.search(request, store, encoder, deep, late=late)
    if late is not None and result.stand_in is not None:  # figures of the exact engine under its name would be wrong
        raise ModelError(result.stand_in.reason)
    if not stages.rerank:
        return result
    cut = settings.rerank_depth
    read = pipeline.rerank(replace(result, candidates=result.candidates[:cut]), engines.reranker(), settings)
    return replace(read, candidates=(*read.candidates, *result.candidates[cut:]))


def _alone(
    result: SearchResult, on: Sequence[Variant], stages: StageSwitches, measure: _Measure, store: ProjectStore
) -> list[Figures]:
    at = {query.text: place for place, query in enumerate(result.request.queries)}
    passages = store.passages(sorted({hit.passage_id for hits in result.by_query for hit in hits}))
    rows = []
    for variant in on:
        hits = result.by_query[at[variant.text.replace("\x00", "").strip()]]
        ranking = [passages[hit.passage_id] for hit in hits if hit.passage_id in passages]
        rows.append(
            measure.figures(
                variant.key, stages, [(passage.document_id, passage.start, passage.end) for passage in ranking]
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class _Measure:
    places: Mapping[str, Place]
    grades: Mapping[str, int]

    @property
    def relevant(self) -> int:
        return sum(grade > 0 for grade in self.grades.values())

    def failed(self, stages: StageSwitches, problem: str, engine: str) -> Figures:
        return Figures("", stages, None, None, 0, self.relevant, problem, engine)

    def figures(self, variant: str, stages: StageSwitches, passages: Sequence[ShownPassage]) -> Figures:
        best_first = sorted(self.places, key=lambda name: (-self.grades[name], name))
        wanted = {name: self.places[name] for name in best_first if self.grades[name] > 0}
        ranking = ranked(passages, wanted)
        return Figures(
            variant,
            stages,
            ndcg(ranking, self.grades, NDCG_AT),
            recall(ranking, self.grades, RECALL_AT),
            sum(name in wanted for name in ranking[:NDCG_AT]),
            self.relevant,
        )
