"""Candidates: one ranking per query and index, with what could not run and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np

from core.errors import QueryError
from core.labels import Stage
from core.model import Hit, SearchRequest, TokenMatrix, Vector
from core.ports import JointEncoder, PassageIndex
from core.retrieve import late_interaction
from core.retrieve.lexical import lexical
from core.terms import index_terms

BLOCK = 1000
"""Passages whose token matrices are in memory at one time when late interaction looks at all of them."""

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

    def ids(self) -> list[int]:
        """The union of all candidates, ascending."""
        return sorted({hit.passage_id for ranking in self.rankings for hit in ranking.hits})


def find(request: SearchRequest, index: PassageIndex, encoder: JointEncoder | None, timed: Timed) -> Candidates:
    """Rankings of every switched-on stage for every query; filters hold before anything is ranked.

    Late interaction scores the union of the lexical and dense candidates of all queries; with
    ``request.exact``, or when neither of these stages runs, every passage under the filters.

    Raises:
        QueryError: no stage can look for this query.
    """
    found = Candidates()
    stages = request.stages
    texts = [query.text for query in request.queries]
    terms = [index_terms(text) for text in texts]
    _note_unsearchable(request, terms, encoder, found)
    if stages.lexical:
        with timed(Stage.LEXICAL.value):
            for at, words in enumerate(terms):
                hits = lexical(index, words, request.filters, request.depth)
                found.rankings.append(Ranking(Stage.LEXICAL, at, hits))
    if encoder is None or not (stages.dense or stages.late_interaction):
        return found
    with timed("encode"):
        vectors, tokens = _encode(encoder, texts, stages.late_interaction)
    if stages.dense:
        with timed(Stage.DENSE.value):
            for at, vector in enumerate(vectors):
                hits = index.dense(vector, encoder.fingerprint, request.filters, request.depth)
                found.rankings.append(Ranking(Stage.DENSE, at, hits))
    if stages.late_interaction:
        with timed(Stage.LATE_INTERACTION.value):
            found.rankings.extend(_late(request, index, encoder.fingerprint, tokens, found))
    if stages.dense:
        with timed(Stage.DENSE.value):
            _complete_dense(found, index, encoder.fingerprint, vectors)
    return found


def _complete_dense(found: Candidates, index: PassageIndex, encoder: str, queries: Vector) -> None:
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


def _late(
    request: SearchRequest, index: PassageIndex, encoder: str, tokens: Sequence[TokenMatrix], found: Candidates
) -> Iterator[Ranking]:
    everything = request.exact or not (request.stages.lexical or request.stages.dense)
    wanted = index.passage_ids(request.filters) if everything else found.ids()
    queries = [np.asarray(matrix.vectors) for matrix in tokens]
    scores: list[dict[int, float]] = [{} for _ in queries]
    for start in range(0, len(wanted), BLOCK):
        matrices = index.tokens(wanted[start : start + BLOCK], encoder)
        block = late_interaction.maxsim(queries, list(matrices.values()))
        for at, row in enumerate(block):
            scores[at].update(zip(matrices, row.tolist(), strict=True))
    for at, of_query in enumerate(scores):
        hits = late_interaction.rank(of_query, request.depth if everything else None)
        yield Ranking(Stage.LATE_INTERACTION, at, hits, of_query)


def _note_unsearchable(
    request: SearchRequest, terms: Sequence[Sequence[str]], encoder: JointEncoder | None, found: Candidates
) -> None:
    stages = request.stages
    by_meaning = encoder is not None and (stages.dense or stages.late_interaction)
    if not stages.lexical and not by_meaning:
        why = "needs a model that is not there" if stages.dense or stages.late_interaction else "is switched off"
        raise QueryError(f"Nothing can search: search by words is switched off, and search by meaning {why}.")
    if encoder is None and (stages.dense or stages.late_interaction):
        found.notes.append("These results come from words alone: there is no model to search by meaning with.")
    if not stages.lexical:
        return
    for query, words in zip(request.queries, terms, strict=True):
        if words:
            continue
        if not by_meaning and not any(terms):
            raise QueryError(
                f"{query.text[:60]!r} holds only words that every text has (or no words at all), and search by "
                "meaning cannot run. Add a word that says what you look for."
            )
        found.notes.append(
            f"{query.text[:60]!r} holds no word that the keyword index keeps; it was searched by meaning only."
        )
