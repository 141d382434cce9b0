"""Candidates: one ranking per query and index, with what could not run and why."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np

from core.errors import ModelError, QueryError
from core.labels import QueryKind, Stage
from core.late.index import LateIndex
from core.ports.store import JointEncoder, PassageIndex
from core.records import Filters, Hit, Query, SearchRequest, StandIn, TokenMatrix, Vector
from core.retrieve import late_interaction
from core.text.terms import index_terms

BLOCK = 1000
"""Passages whose token matrices are in memory at one time when late interaction looks at all of them."""

_POOL = 1000
"""Hits taken of each part when parts of a keyword search are added up: enough that what is cut off could not reach the
first ranks."""

ONLY: Mapping[QueryKind, frozenset[Stage]] = {
    QueryKind.HYDE: frozenset({Stage.DENSE, Stage.LATE_INTERACTION}),
}
"""Kinds of queries that go to some searches only: the words of a made-up answer are no words that sources must hold.
What this does and does not change is measured in docs/decisions/0012-expansion.md."""

Timed = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One stage's order for one query (its place in the request). ``scores`` hold the stage's score of every candidate
    that it knows, also of those that other stages brought."""

    stage: Stage
    query: int
    hits: list[Hit]
    scores: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class Candidates:
    """All rankings of a search, and plain sentences about what did not run. ``late_engine`` is the late engine that
    answered, ``stand_in`` says why it could not."""

    rankings: list[Ranking] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    late_engine: str = ""
    stand_in: StandIn | None = None

    def ids(self) -> list[int]:
        return sorted({hit.passage_id for ranking in self.rankings for hit in ranking.hits})


def find(
    request: SearchRequest,
    index: PassageIndex,
    encoder: JointEncoder | None,
    timed: Timed,
    late: LateIndex | None = None,
) -> Candidates:
    """Rankings of every switched-on stage for every query; filters hold before anything is ranked. Late interaction
    scores the union of the lexical and dense candidates of all queries; with ``request.exact``, or when neither of
    these stages runs, every passage under the filters. An engine beside our own (``late``) looks at every passage, and
    brings candidates itself. Raises QueryError: no stage can look for this query."""
    candidates = Candidates()
    stages = request.stages
    texts = [query.text for query in request.queries]
    by_words = _places(request, Stage.LEXICAL) if stages.lexical else []
    by_meaning = _places(request, Stage.DENSE) if encoder and (stages.dense or stages.late_interaction) else []
    terms = {at: index_terms(texts[at]) for at in by_words}
    _check_searchable(request, terms, by_meaning, encoder)
    candidates.notes.extend(_unsearched(request, terms, by_meaning, encoder))
    if by_words:
        with timed(Stage.LEXICAL.value):
            for at, words in terms.items():
                hits = lexical(index, words, request.filters, request.depth)
                candidates.rankings.append(Ranking(Stage.LEXICAL, at, hits))
    if encoder is not None and by_meaning:
        _find_by_meaning(request, index, encoder, timed, late, by_meaning, candidates)
    return candidates


def _find_by_meaning(
    request: SearchRequest,
    index: PassageIndex,
    encoder: JointEncoder,
    timed: Timed,
    late: LateIndex | None,
    places: Sequence[int],
    candidates: Candidates,
) -> None:
    """Add the rankings of dense search and of late interaction, for the queries at these places."""
    stages = request.stages
    with timed("encode"):
        encoded, tokens = _encode(encoder, [request.queries[at].text for at in places], stages.late_interaction)
    vectors = dict(zip(places, encoded, strict=True))
    if stages.dense:
        with timed(Stage.DENSE.value):
            for at, vector in vectors.items():
                hits = index.dense(vector, encoder.fingerprint, request.filters, request.depth)
                candidates.rankings.append(Ranking(Stage.DENSE, at, hits))
    if stages.late_interaction:
        with timed(Stage.LATE_INTERACTION.value):
            matrices = dict(zip(places, tokens, strict=True))
            rankings = _by_late_engine(late, request, index, encoder.fingerprint, matrices, candidates)
            candidates.rankings.extend(
                rankings or _by_exact_engine(request, index, encoder.fingerprint, matrices, candidates)
            )
    if stages.dense:
        with timed(Stage.DENSE.value):
            _complete_dense(candidates, index, encoder.fingerprint, vectors)


def lexical(index: PassageIndex, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
    """The ``depth`` best passages for the index ``terms`` of a query, ties by passage id. BM25 is a sum over the terms
    of the query, repeats included (Robertson & Zaragoza 2009, section 3.3), while an index scores each distinct term
    once. So the terms that occur at least twice, at least three times … are asked again and their scores added."""
    counts = Counter(terms)
    if not counts:
        return []
    most = max(counts.values())
    if most == 1:
        return index.lexical(list(counts), filters, depth)
    scores: dict[int, float] = {}
    for times in range(1, most + 1):
        repeated = [term for term, count in counts.items() if count >= times]
        for hit in index.lexical(repeated, filters, max(_POOL, depth)):
            scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + hit.score
    return late_interaction.rank(scores, depth)


def goes_to(kind: QueryKind, stage: Stage) -> bool:
    """Whether queries of this kind are put to this search."""
    return stage in ONLY.get(kind, (stage,))


def _places(request: SearchRequest, stage: Stage) -> list[int]:
    return [at for at, query in enumerate(request.queries) if goes_to(query.kind, stage)]


def _complete_dense(candidates: Candidates, index: PassageIndex, encoder: str, queries: Mapping[int, Vector]) -> None:
    """Dense scores of the candidates that other stages brought."""
    union = candidates.ids()
    vectors = index.vectors(union, encoder)
    if not vectors:
        return
    matrix = np.stack(list(vectors.values()))
    for ranking in candidates.rankings:
        if ranking.stage is Stage.DENSE:
            every = zip(vectors, (matrix @ queries[ranking.query]).tolist(), strict=True)
            # What the index itself said stays, to the last bit.
            ranking.scores.update({**dict(every), **{hit.passage_id: hit.score for hit in ranking.hits}})


def _encode(encoder: JointEncoder, texts: Sequence[str], jointly: bool) -> tuple[Vector, list[TokenMatrix]]:
    if jointly:
        return encoder.encode_queries_jointly(texts)
    return encoder.encode_queries(texts), []


def _by_late_engine(
    late: LateIndex | None,
    request: SearchRequest,
    index: PassageIndex,
    encoder: str,
    tokens: Mapping[int, TokenMatrix],
    candidates: Candidates,
) -> list[Ranking]:
    """Rankings of the late engine; none where it is not asked, or cannot answer."""
    if late is None or request.exact:
        return []
    try:
        answers = late.rank(request, tokens, index, encoder, candidates.ids())
    except ModelError as error:
        candidates.stand_in = StandIn(late.engine, str(error))
        return []
    candidates.late_engine = late.engine
    return [Ranking(Stage.LATE_INTERACTION, at, ranked.hits, ranked.scores) for at, ranked in answers.items()]


def _by_exact_engine(
    request: SearchRequest, index: PassageIndex, encoder: str, tokens: Mapping[int, TokenMatrix], candidates: Candidates
) -> Iterator[Ranking]:
    everything = request.exact or not (request.stages.lexical or request.stages.dense)
    wanted = index.passage_ids(request.filters) if everything else candidates.ids()
    queries = [np.asarray(matrix.vectors) for matrix in tokens.values()]
    scores: list[dict[int, float]] = [{} for _ in queries]
    for start in range(0, len(wanted), BLOCK):
        matrices = index.tokens(wanted[start : start + BLOCK], encoder)
        block = late_interaction.maxsim(queries, list(matrices.values()))
        for at, row in enumerate(block):
            scores[at].update(zip(matrices, row.tolist(), strict=True))
    for at, of_query in zip(tokens, scores, strict=True):
        hits = late_interaction.rank(of_query, request.depth if everything else None)
        yield Ranking(Stage.LATE_INTERACTION, at, hits, of_query)


def _check_searchable(
    request: SearchRequest,
    terms: Mapping[int, Sequence[str]],
    by_meaning: Sequence[int],
    encoder: JointEncoder | None,
) -> None:
    """Refuse a request for which nothing can look (QueryError, which says why)."""
    stages = request.stages
    meaning = stages.dense or stages.late_interaction
    if not stages.lexical and (encoder is None or not meaning):
        why = "needs a model that is not there" if meaning else "is switched off"
        raise QueryError(f"Nothing can search: search by words is switched off, and search by meaning {why}.")
    if not terms and not by_meaning:
        raise QueryError(
            f"None of these queries goes to a search that is on: {request.queries[0].text[:60]!r} is put to search by "
            f"{'meaning' if stages.lexical else 'words'} only. Switch that on, or the question itself."
        )
    if not by_meaning and not any(terms.values()):
        raise QueryError(
            f"{_shown(request.queries[min(terms)])} holds only words that every text has (or no words at all), and "
            "search by meaning cannot run. Add a word that says what you look for."
        )


def _unsearched(
    request: SearchRequest,
    terms: Mapping[int, Sequence[str]],
    by_meaning: Sequence[int],
    encoder: JointEncoder | None,
) -> Iterator[str]:
    """A sentence about each search that a query does not go to, though it is on."""
    if encoder is None and (request.stages.dense or request.stages.late_interaction):
        yield "These results come from words alone: there is no model to search by meaning with."
    for at, query in enumerate(request.queries):
        if at not in terms and at not in by_meaning:
            yield f"{_shown(query)} was not searched: the only search that it goes to is off."
        elif at in terms and not terms[at]:
            how = "was searched by meaning only" if at in by_meaning else "was not searched"
            yield f"{_shown(query)} holds no word that the keyword index keeps; it {how}."


def _shown(query: Query) -> str:
    return f"{query.text[:60]!r}"
