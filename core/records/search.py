"""Searches: the request, the passages, and the way of each passage through the stages. Variants of a question, and what
each of them brings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from core.labels import Grade, QueryKind, Stage
from core.records.sources import Document, Passage

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that hold before anything is ranked; an empty field does not filter."""

    min_grade: Grade | None = None
    documents: tuple[str, ...] = ()
    published_from: date | None = None
    published_to: date | None = None
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """One string put to an index or to a web search."""

    text: str
    kind: QueryKind = QueryKind.ORIGINAL


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found by one index, with that index's own score."""

    passage_id: int
    score: float


@dataclass(frozen=True, slots=True)
class TokenMatrix:
    """Token vectors of one text, unit length. ``vectors``: (tokens, dim) float32; ``spans``: (tokens, 2)
    int32 offsets into the encoded text."""

    vectors: Vector
    spans: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class QuantizedTokens:
    """A token matrix as stored: ``codes`` (tokens, dim) int8, value = code × ``scale``."""

    codes: NDArray[np.int8]
    scale: float


@dataclass(frozen=True, slots=True)
class StageRank:
    """The rank of a passage after one stage, for one query (``query`` indexes the request's queries;
    None once the queries are fused)."""

    stage: Stage
    rank: int
    score: float
    query: int | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A window of a passage. ``matches`` are offsets of matched words, relative to ``text``. ``start``/``end`` are
    offsets into the document and leave out the ellipses that ``text`` may have at its ends; ``lead`` is the length of
    the leading ellipsis, so ``text[lead + i]`` is document character ``start + i``."""

    text: str
    start: int
    end: int
    matches: tuple[tuple[int, int], ...] = ()
    lead: int = 0


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A returned passage with its document, its final score and rank, and its way through the stages."""

    passage: Passage
    document: Document
    rank: int
    score: float
    trail: tuple[StageRank, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()


@dataclass(frozen=True, slots=True)
class StageSwitches:
    """Switches of the optional stages."""

    lexical: bool = True
    dense: bool = True
    late_interaction: bool = True
    mmr: bool = True
    rerank: bool = False


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Everything that decides a search; equal requests on equal contents give equal results. ``k`` results of at most
    ``depth`` candidates per index; ``exact`` scores late interaction over every passage instead of the union of the
    candidates."""

    queries: tuple[Query, ...]
    filters: Filters = Filters()
    stages: StageSwitches = StageSwitches()
    k: int = 10
    depth: int = 100
    exact: bool = False


@dataclass(frozen=True, slots=True)
class StandIn:
    """Another engine or model compared words in place of the one that is set, because of ``reason``, a sentence.
    ``engine`` is the late engine that could not answer; "" where only the model is another."""

    engine: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first, with what a reader needs to trust and repeat them.

    ``timings``: milliseconds by stage. ``fingerprint``: stage → model and settings. ``encoded`` of
    ``searchable`` passages could be found by meaning. ``notes``: plain sentences about what did not run
    and why. ``reranked`` tells whether the cross-encoder has spoken. ``candidates`` are the ids that a
    later rerank looks at, in their order. ``by_query``: the ``k`` best that each query finds by itself (its stages
    joined), in the order of the request's queries. ``stand_in``: what stood in for the engine that is set, where one
    did; ``notes`` say the same in words.
    """

    request: SearchRequest
    passages: tuple[ScoredPassage, ...]
    fingerprint: Mapping[str, object]
    timings: Mapping[str, float]
    searchable: int
    encoded: int
    notes: tuple[str, ...] = ()
    cached: bool = False
    reranked: bool = False
    candidates: tuple[ScoredPassage, ...] = ()
    by_query: tuple[tuple[Hit, ...], ...] = ()
    stand_in: StandIn | None = None


@dataclass(frozen=True, slots=True)
class WordMatch:
    """The passage word that answered a query word. Offsets: into the query, and into the document. ``in_context`` is
    True when the answering word stands in the title or a heading; then ``start``/``end`` are offsets into
    ``Passage.context``."""

    query_word: str
    query_start: int
    query_end: int
    word: str
    start: int
    end: int
    similarity: float
    in_context: bool = False


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One answered search, as kept for the statistics."""

    at: datetime
    query: str
    results: int
    cached: bool
    timings: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over a project. ``latency``: stage → (p50, p95) milliseconds."""

    documents: int
    passages: int
    encoded: int
    total_queries: int
    zero_result_queries: int
    avg_results_per_query: float
    cache_hit_rate: float
    latency: Mapping[str, tuple[float, float]]
    bytes_on_disk: int
    recent: tuple[QueryRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One query made from a question. ``text`` is put to the index; ``web_text`` to the web ("" : not put there), such
    as the first 100 characters of a hypothetical answer. ``on``: whether it runs. ``why`` says how it came about in a
    few words; ``edited``: a person changed it. ``key`` names it within its question."""

    key: str
    kind: QueryKind
    text: str
    web_text: str = ""
    on: bool = True
    why: str = ""
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Expansion:
    """All variants of one question, the question itself first, and sentences about kinds that could not be made."""

    question: str
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantYield:
    """The yield of a variant: the ``passages`` it returns, and those and the documents that no earlier variant
    brought."""

    variant: str
    passages: int
    new_passages: tuple[int, ...]
    new_documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpandedSearch:
    """A search over variants: the joined result (``result.request.queries`` are the variants that ran, in order; the
    waterfall is in the trails) and each variant's yield."""

    expansion: Expansion
    result: SearchResult
    yields: tuple[VariantYield, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the project with its variants, as saved. ``version`` grows with every change (RowMoved)."""

    id: int
    version: int
    text: str
    variants: tuple[Variant, ...]
    created: datetime
    changed: datetime
