"""The pipeline: queries → lexical ∥ dense ∥ late interaction → RRF → MMR → (rerank) → passages. ``search`` answers
without the cross-encoder; ``rerank`` reorders an answer when the slower model has spoken."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from core.labels import QueryKind, Stage
from core.late.index import LateIndex
from core.ports.store import JointEncoder, PassageIndex, Reranker
from core.records import Hit, ScoredPassage, SearchRequest, SearchResult, StageRank, StandIn
from core.retrieve import stretch
from core.retrieve.candidates import Candidates, Ranking, find, goes_to
from core.retrieve.fingerprint import fingerprint, with_stage
from core.retrieve.fusion import fuse_with_reranker
from core.retrieve.join import alone, fuse
from core.retrieve.request import checked
from core.retrieve.variety import maximal_marginal_relevance, over_sources
from core.settings.values import Retrieval

Seconds = Callable[[], float]
Trails = Mapping[int, tuple[StageRank, ...]]


def search(
    request: SearchRequest,
    index: PassageIndex,
    encoder: JointEncoder | None,
    settings: Retrieval,
    clock: Seconds = time.perf_counter,
    *,
    late: LateIndex | None = None,
) -> SearchResult:
    """Answer a request; the same request on the same contents gives the same passages in the same order. Without an
    encoder, or for passages that are not encoded yet, words still find; ``notes`` say so. ``late`` is the index of a
    late engine; where it cannot answer, the exact engine does, and ``stand_in`` and ``notes`` say so. ``timings``
    (milliseconds) name the stages, ``encode`` (the query's forward pass), ``load``, ``excerpts`` and ``total``. Raises
    QueryError: a query that cannot be run; the message says why."""
    request = checked(request)
    timings: dict[str, float] = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        start = clock()
        yield
        timings[name] = timings.get(name, 0.0) + (clock() - start) * 1000

    with timed("total"):
        candidates = find(request, index, encoder, timed, late)
        encoded, searchable = index.coverage(encoder.fingerprint if encoder else "")
        with timed(Stage.FUSION.value):
            fused = fuse(candidates, settings, request.queries)
            several = range(len(request.queries)) if len(request.queries) > 1 else ()
            each = [alone(candidates, at, settings) for at in several] or [fused]
        order, ran = fused, _ran(candidates, encoder)
        if request.stages.mmr and encoder is not None and len(fused) > 1:
            with timed(Stage.MMR.value):
                pool = [hit.passage_id for hit in fused[: settings.mmr_pool]]
                vectors = index.vectors(pool, encoder.fingerprint)
                order = maximal_marginal_relevance(fused, vectors, settings.mmr_lambda, settings.mmr_pool)
                order = _over_sources(order, fused, index, max(request.k, settings.rerank_depth))
            ran[Stage.MMR] = None
        with timed("load"):
            first = order[: max(request.k, settings.rerank_depth)]
            trails = _trails(candidates.rankings, fused, order if Stage.MMR in ran else None, first)
            scored = _load(index, first, trails, {hit.passage_id: hit.score for hit in fused})
        with timed("excerpts"):
            passages = with_excerpts(scored[: request.k], request, settings)
    notes = [
        *candidates.notes,
        *([stand_in_note(candidates.stand_in, compared=encoded > 0 or not searchable)] if candidates.stand_in else []),
        *_coverage_note(encoder, encoded, searchable),
        *_nearest_note(candidates, passages),
    ]
    return SearchResult(
        request=request,
        passages=passages,
        fingerprint=fingerprint(ran, settings, request.depth, exact=request.exact, late_engine=candidates.late_engine),
        timings=timings,
        searchable=searchable,
        encoded=encoded,
        notes=tuple(notes),
        candidates=tuple(scored[: settings.rerank_depth]),
        by_query=tuple(tuple(hits[: request.k]) for hits in each),
        stand_in=candidates.stand_in,
    )


def rerank(
    result: SearchResult, reranker: Reranker, settings: Retrieval, clock: Seconds = time.perf_counter
) -> SearchResult:
    """Let the cross-encoder speak on a result's candidates; its order is fused with the earlier one. The question is
    the original query (the first one when none is marked so). A result that was reranked before, or that is empty, is
    returned as it is. Raises ModelError: the reranker cannot be had."""
    if result.reranked or not result.candidates:
        return result
    start = clock()
    by_id = {scored.passage.id: scored for scored in result.candidates}
    texts = [scored.passage.index_text for scored in result.candidates]
    spoken = [float(score) for score in reranker.score(_question(result.request), texts)]
    fused, ranking = fuse_with_reranker(list(by_id), spoken, settings.rrf_k, settings.weight_rerank)
    if result.request.stages.mmr:
        sources = {key: scored.passage.document_id for key, scored in by_id.items()}
        fused = over_sources(fused, sources, {key: scored.score for key, scored in by_id.items()}, len(fused))
    ranks = {hit.passage_id: StageRank(Stage.RERANK, rank, hit.score) for rank, hit in enumerate(ranking, start=1)}
    reordered = [
        replace(
            by_id[hit.passage_id],
            rank=rank,
            score=hit.score,
            trail=(*by_id[hit.passage_id].trail, ranks[hit.passage_id]),
        )
        for rank, hit in enumerate(fused, start=1)
    ]
    # Results beyond the candidates (k larger than the depth of reranking) keep their places after them.
    rest = [scored for scored in result.passages if scored.passage.id not in by_id]
    passages = with_excerpts((*reordered, *rest)[: result.request.k], result.request, settings)
    ran = with_stage(result.fingerprint, Stage.RERANK, reranker.fingerprint, settings, result.request.depth)
    return replace(
        result,
        passages=passages,
        candidates=tuple(reordered),
        fingerprint=ran,
        timings={**result.timings, Stage.RERANK.value: (clock() - start) * 1000},
        reranked=True,
    )


def with_excerpts(
    scored: Sequence[ScoredPassage], request: SearchRequest, settings: Retrieval
) -> tuple[ScoredPassage, ...]:
    """The passages with the windows around the words of all queries that were put to the keyword index: a word of a
    made-up answer is not marked as found."""
    texts = [query.text for query in request.queries if goes_to(query.kind, Stage.LEXICAL)]
    stems = stretch.wanted_stems(texts or [query.text for query in request.queries])
    return tuple(
        replace(
            passage,
            excerpts=stretch.excerpts(passage.passage.text, stems, settings.excerpt_chars, passage.passage.start),
        )
        for passage in scored
    )


def stand_in_note(stand_in: StandIn, *, compared: bool) -> str:
    """The notice about what stood in; ``compared`` is False where no passage is encoded, so that nothing could."""
    if stand_in.engine and compared:
        start = f"The exact engine compared word by word in place of {stand_in.engine}:"
    elif stand_in.engine:
        start = f"Neither the exact engine compared word by word, nor {stand_in.engine}:"
    elif compared:
        start = "Words were compared with another model than the one that is set:"
    else:
        start = "The model that is set to compare words cannot be used:"
    return f"{start} {stand_in.reason}"


def _over_sources(order: Sequence[Hit], fused: Sequence[Hit], index: PassageIndex, first: int) -> list[Hit]:
    relevance = {hit.passage_id: hit.score for hit in fused}
    sources = {key: passage.document_id for key, passage in index.passages(list(relevance)).items()}
    return over_sources(order, sources, relevance, first)


def _ran(candidates: Candidates, encoder: JointEncoder | None) -> dict[Stage, str | None]:
    model = encoder.fingerprint if encoder else None
    ran: dict[Stage, str | None] = {
        ranking.stage: None if ranking.stage is Stage.LEXICAL else model for ranking in candidates.rankings
    }
    return {**ran, Stage.FUSION: None}


def _trails(
    rankings: Sequence[Ranking], fused: Sequence[Hit], diversified: Sequence[Hit] | None, first: Sequence[Hit]
) -> Trails:
    trails: dict[int, list[StageRank]] = {hit.passage_id: [] for hit in first}

    def walk(stage: Stage, hits: Sequence[Hit], query: int | None) -> None:
        for rank, hit in enumerate(hits, start=1):
            if hit.passage_id in trails:
                trails[hit.passage_id].append(StageRank(stage, rank, hit.score, query))

    for ranking in rankings:
        walk(ranking.stage, ranking.hits, ranking.query)
    walk(Stage.FUSION, fused, None)
    if diversified is not None:
        walk(Stage.MMR, diversified, None)
    return {passage_id: tuple(steps) for passage_id, steps in trails.items()}


def _load(
    index: PassageIndex, hits: Sequence[Hit], trails: Trails, scores: Mapping[int, float]
) -> tuple[ScoredPassage, ...]:
    passages = index.passages([hit.passage_id for hit in hits])
    documents = index.documents_by_id(sorted({passage.document_id for passage in passages.values()}))
    # A passage or document deleted by another process since it was ranked is left out.
    present = [hit for hit in hits if hit.passage_id in passages and passages[hit.passage_id].document_id in documents]
    return tuple(
        ScoredPassage(
            passage=passages[hit.passage_id],
            document=documents[passages[hit.passage_id].document_id],
            rank=rank,
            score=scores[hit.passage_id],
            trail=trails[hit.passage_id],
        )
        for rank, hit in enumerate(present, start=1)
    )


def _coverage_note(encoder: JointEncoder | None, encoded: int, searchable: int) -> list[str]:
    if encoder is None or encoded >= searchable:
        return []
    missing = searchable - encoded
    return [f"{missing:,} of {searchable:,} passages are not encoded yet; until then only words find them."]


def _nearest_note(candidates: Candidates, passages: Sequence[ScoredPassage]) -> list[str]:
    by_words = [ranking for ranking in candidates.rankings if ranking.stage is Stage.LEXICAL]
    if not passages or not by_words or any(ranking.hits for ranking in by_words):
        return []
    return ["No source holds a word of the question: these passages only come nearest in meaning, and may not answer."]


def _question(request: SearchRequest) -> str:
    original = [query.text for query in request.queries if query.kind is QueryKind.ORIGINAL]
    return (original or [request.queries[0].text])[0]
