"""From all rankings of a search to one: the stages of each query first, then the queries."""

from collections.abc import Sequence

from core.labels import QueryKind, Stage
from core.records import Hit, Query
from core.retrieve.candidates import Candidates, Ranking
from core.retrieve.fusion import convex_combination, reciprocal_rank_fusion, scaled
from core.settings.values import Retrieval


def fuse(candidates: Candidates, settings: Retrieval, queries: Sequence[Query]) -> list[Hit]:
    """One order of all candidates, best first, ties by passage id. With ``settings.fusion`` = ``scores`` the stages of
    one query are joined by a convex combination of their scores, and several queries by RRF; with ``ranks`` everything
    is joined by one RRF. A passage that is not encoded yet is judged by its words alone, else what was just added would
    always come last. Queries made from the question count ``settings.weight_variants`` together."""
    shares = _shares(queries, settings)
    if settings.fusion == "ranks":
        return _by_ranks(candidates.rankings, settings, shares)
    union = candidates.ids()
    places = sorted({ranking.query for ranking in candidates.rankings})
    fused = [_of_query(candidates, query, union, settings) for query in places]
    if len(fused) == 1:
        return fused[0]
    rankings = [[hit.passage_id for hit in hits] for hits in fused]
    return reciprocal_rank_fusion(rankings, settings.rrf_k, [shares[query] for query in places])


def alone(candidates: Candidates, query: int, settings: Retrieval) -> list[Hit]:
    """Hits of one query (its place in the request) by itself, best first, without those that only others brought."""
    mine = [ranking for ranking in candidates.rankings if ranking.query == query]
    first = [ranking for ranking in mine if ranking.stage in (Stage.LEXICAL, Stage.DENSE)] or mine
    own = {hit.passage_id for ranking in first for hit in ranking.hits}
    if settings.fusion == "ranks":
        shares = [1.0] * (query + 1)
        return [hit for hit in _by_ranks(mine, settings, shares) if hit.passage_id in own]
    return _of_query(candidates, query, sorted(own), settings)


def _shares(queries: Sequence[Query], settings: Retrieval) -> list[float]:
    """Weight of each query. Where no question stands beside the variants they count alike."""
    own = [query.kind in (QueryKind.ORIGINAL, QueryKind.MANUAL) for query in queries]
    if not any(own):
        return [1.0] * len(queries)
    made_up = settings.weight_variants / max(1, len(own) - sum(own))
    return [1.0 if is_own else made_up for is_own in own]


def _of_query(candidates: Candidates, query: int, union: Sequence[int], settings: Retrieval) -> list[Hit]:
    mine = [ranking for ranking in candidates.rankings if ranking.query == query]
    fused = _by_scores(mine, union, settings)
    if all(
        ranking.stage is Stage.LEXICAL for ranking in mine
    ):  # a rank among what holds none of the words says nothing
        return [hit for hit in fused if hit.score > 0]
    return fused


def _by_scores(rankings: Sequence[Ranking], union: Sequence[int], settings: Retrieval) -> list[Hit]:
    scales, weights = [], []
    for ranking in rankings:
        if ranking.stage is Stage.LEXICAL:
            # BM25 has a true zero: a passage without any of the words.
            scores = {**dict.fromkeys(union, 0.0), **{hit.passage_id: hit.score for hit in ranking.hits}}
            scales.append(scaled(scores, lowest=0.0) if ranking.hits else scores)
        else:
            scales.append(scaled({key: ranking.scores[key] for key in union if key in ranking.scores}))
        weights.append(_weight(ranking.stage, settings))
    return convex_combination(scales, weights)


def _by_ranks(rankings: Sequence[Ranking], settings: Retrieval, shares: Sequence[float]) -> list[Hit]:
    weights = [_weight(ranking.stage, settings) * shares[ranking.query] for ranking in rankings]
    fused = reciprocal_rank_fusion(
        [[hit.passage_id for hit in ranking.hits] for ranking in rankings], settings.rrf_k, weights
    )
    lexical = sum(weight for weight, ranking in zip(weights, rankings, strict=True) if ranking.stage is Stage.LEXICAL)
    encoded = {key for ranking in rankings if ranking.stage is not Stage.LEXICAL for key in ranking.scores}
    if not encoded or not lexical:
        return fused
    share = sum(weights) / lexical
    raised = [Hit(hit.passage_id, hit.score * (1.0 if hit.passage_id in encoded else share)) for hit in fused]
    return sorted(raised, key=lambda hit: (-hit.score, hit.passage_id))


def _weight(stage: Stage, settings: Retrieval) -> float:
    match stage:
        case Stage.LEXICAL:
            return settings.weight_lexical
        case Stage.DENSE:
            return settings.weight_dense
        case _:
            return settings.weight_late
