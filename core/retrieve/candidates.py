"""Candidates: one ranking per query and index, with what could not run and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np

from core.errors import ModelError, QueryError
from core.labels import QueryKind, Stage
from core.late.index import LateIndex, fallback_note
from core.ports.store import JointEncoder, PassageIndex
from core.records import Hit, SearchRequest, TokenMatrix, Vector
from core.retrieve import late_interaction
from core.retrieve.lexical import lexical
from core.text.terms import index_terms

BLOCK = 1000
"""Passages whose token matrices are in memory at one time when late interaction looks at all of them."""

ONLY: Mapping[QueryKind, frozenset[Stage]] = {
    QueryKind.HYDE: frozenset({Stage.DENSE, Stage.LATE_INTERACTION}),
}
"""Kinds of queries that go to some searches only: the words of a made-up answer are no words that sources must hold
(SPEC 3). What this does and does not change is measured in docs/decisions/0012-expansion.md."""

Timed = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One stage's order for one query (its place in the request).

    ``scores`` hold the stage's score of every candidate that it knows, also of those that other stages brought.
    """

    stage: Stage
    query: int
    hits: list[Hit]
    scores: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class Candidates:
    """All rankings of a search, and plain sentences about what did not run."""

    rankings: list[Ranking] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    late_engine: str = ""

    def ids(self) -> list[int]:
        """The union of all candidates, ascending."""
        return sorted({hit.passage_id for ranking in self.rankings for hit in ranking.hits})


def find(
    request: SearchRequest,
    index: PassageIndex,
    encoder: JointEncoder | None,
    timed: Timed,
    late: LateIndex | None = None,
) -> Candidates:
    """Rankings of every switched-on stage for every query; filters hold before anything is ranked.

    Late interaction scores the union of the lexical and dense candidates of all queries; with
    ``request.exact``, or when neither of these stages runs, every passage under the filters. An engine beside our own
    (``late``) looks at every passage, and brings candidates itself.

    Raises:
        QueryError: no stage can look for this query.
    """
    found = Candidates()
    stages = request.stages
    texts = [query.text for query in request.queries]
    by_words = _places(request, Stage.LEXICAL) if stages.lexical else []
    by_meaning = _places(request, Stage.DENSE) if encoder and (stages.dense or stages.late_interaction) else []
    terms = {at: index_terms(texts[at]) for at in by_words}
    _note_unsearchable(request, terms, by_meaning, encoder, found)
    if by_words:
        with timed(Stage.LEXICAL.value):
            for at, words in terms.items():
                hits = lexical(index, words, request.filters, request.depth)
                found.rankings.append(Ranking(Stage.LEXICAL, at, hits))
    if encoder is None or not by_meaning:
        return found
    with timed("encode"):
        encoded, tokens = _encode(encoder, [texts[at] for at in by_meaning], stages.late_interaction)
    vectors = dict(zip(by_meaning, encoded, strict=True))
    if stages.dense:
        with timed(Stage.DENSE.value):
            for at, vector in vectors.items():
                hits = index.dense(vector, encoder.fingerprint, request.filters, request.depth)
                found.rankings.append(Ranking(Stage.DENSE, at, hits))
    if stages.late_interaction:
        with timed(Stage.LATE_INTERACTION.value):
            asked = dict(zip(by_meaning, tokens, strict=True))
            told = _by_engine(late, request, index, encoder.fingerprint, asked, found)
            found.rankings.extend(told or _late(request, index, encoder.fingerprint, asked, found))
    if stages.dense:
        with timed(Stage.DENSE.value):
            _complete_dense(found, index, encoder.fingerprint, vectors)
    return found


def goes_to(kind: QueryKind, stage: Stage) -> bool:
    """Whether queries of this kind are put to this search."""
    return stage in ONLY.get(kind, (stage,))


def _places(request: SearchRequest, stage: Stage) -> list[int]:
    return [at for at, query in enumerate(request.queries) if goes_to(query.kind, stage)]


def _complete_dense(found: Candidates, index: PassageIndex, encoder: str, queries: Mapping[int, Vector]) -> None:
    """Dense scores of the candidates that other stages brought."""
    union = found.ids()
    kept = index.vectors(union, encoder)
    if not kept:
        return
    matrix = np.stack(list(kept.values()))
    for ranking in found.rankings:
        if ranking.stage is Stage.DENSE:
            every = zip(kept, (matrix @ queries[ranking.query]).tolist(), strict=True)
            # What the index itself said stays, to the last bit.
            ranking.scores.update({**dict(every), **{hit.passage_id: hit.score for hit in ranking.hits}})


def _encode(encoder: JointEncoder, texts: Sequence[str], jointly: bool) -> tuple[Vector, list[TokenMatrix]]:
    if jointly:
        return encoder.encode_queries_jointly(texts)
    return encoder.encode_queries(texts), []


def _by_engine(
    late: LateIndex | None,
    request: SearchRequest,
    index: PassageIndex,
    encoder: str,
    tokens: Mapping[int, TokenMatrix],
    found: Candidates,
) -> list[Ranking]:
    """Rankings of the engine beside our own; none, with a note, where it cannot answer."""
    if late is None or request.exact:
        return []
    try:
        told = late.rank(request, tokens, index, encoder, found.ids())
    except ModelError as error:
        found.notes.append(fallback_note(late.engine, error))
        return []
    found.late_engine = late.engine
    return [Ranking(Stage.LATE_INTERACTION, at, ranked.hits, ranked.scores) for at, ranked in told.items()]


def _late(
    request: SearchRequest, index: PassageIndex, encoder: str, tokens: Mapping[int, TokenMatrix], found: Candidates
) -> Iterator[Ranking]:
    everything = request.exact or not (request.stages.lexical or request.stages.dense)
    wanted = index.passage_ids(request.filters) if everything else found.ids()
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


def _note_unsearchable(
    request: SearchRequest,
    terms: Mapping[int, Sequence[str]],
    by_meaning: Sequence[int],
    encoder: JointEncoder | None,
    found: Candidates,
) -> None:
    stages = request.stages
    if not stages.lexical and not (encoder is not None and (stages.dense or stages.late_interaction)):
        why = "needs a model that is not there" if stages.dense or stages.late_interaction else "is switched off"
        raise QueryError(f"Nothing can search: search by words is switched off, and search by meaning {why}.")
    if not terms and not by_meaning:
        raise QueryError(
            f"None of these queries goes to a search that is on: {request.queries[0].text[:60]!r} is put to search by "
            f"{'meaning' if stages.lexical else 'words'} only. Switch that on, or the question itself."
        )
    if encoder is None and (stages.dense or stages.late_interaction):
        found.notes.append("These results come from words alone: there is no model to search by meaning with.")
    for at, query in enumerate(request.queries):
        shown = f"{query.text[:60]!r}"
        if at not in terms and at not in by_meaning:
            found.notes.append(f"{shown} was not searched: the only search that it goes to is off.")
        elif at in terms and not terms[at]:
            if not by_meaning and not any(terms.values()):
                raise QueryError(
                    f"{shown} holds only words that every text has (or no words at all), and search by "
                    "meaning cannot run. Add a word that says what you look for."
                )
            how = "was searched by meaning only" if at in by_meaning else "was not searched"
            found.notes.append(f"{shown} holds no word that the keyword index keeps; it {how}.")
