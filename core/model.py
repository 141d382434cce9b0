"""Frozen records that carry everything between the stages.

Offsets are code points into the stored text of a document, half-open ``[start, end)``.
Scores: larger is better. Ranks start at 1. Times are aware UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.labels import FetchState, Grade, JobKind, JobState, QueryKind, SourceKind, Stage

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Project:
    """One research effort, one folder ``path`` named ``slug`` under the root."""

    id: str
    name: str
    slug: str
    path: Path
    created: datetime
    archived: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """A project with what a list of projects shows; ``problem`` is set when it cannot be opened."""

    project: Project
    documents: int = 0
    passages: int = 0
    bytes_on_disk: int = 0
    last_used: datetime | None = None
    problem: str | None = None


# ---------------------------------------------------------------- sources in


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes of one source exactly as received, and where they came from."""

    body: bytes
    media_type: str
    url: str | None = None
    final_url: str | None = None
    seen_urls: tuple[str, ...] = ()
    filename: str | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A page of a paged medium: ``number`` starts at 1."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the stored text; ``level`` 1 is the highest."""

    level: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What reading a source gave: the text to store and what is known about it."""

    text: str
    media_type: str
    method: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: date | None = None
    language: str | None = None
    canonical_url: str | None = None
    publisher: str | None = None
    doi: str | None = None
    pages: tuple[PageSpan, ...] = ()
    headings: tuple[Heading, ...] = ()
    references: int = 0
    links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GradeReason:
    """One rule that spoke: ``effect`` in grade steps (positive is better), ``text`` for people."""

    rule: str
    effect: float
    text: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """A grade with every reason that led to it."""

    grade: Grade
    reasons: tuple[GradeReason, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """One stored source with its metadata. The text is kept beside it (``ProjectStore.text``).

    ``id`` is the first 16 hex digits of ``content_hash`` (SHA-256 of the stored text, UTF-8);
    ``blob_hash`` is the SHA-256 of the bytes as received. ``signature`` is the MinHash used to find
    near-duplicates; ``near_duplicate_of`` names the earliest stored near-duplicate.
    """

    id: str
    content_hash: str
    blob_hash: str
    title: str
    media_type: str
    method: str
    fetched: datetime
    grade: Grade
    assessment: Assessment
    grade_override: Grade | None = None
    canonical_url: str | None = None
    urls: tuple[str, ...] = ()
    filename: str | None = None
    authors: tuple[str, ...] = ()
    published: date | None = None
    publisher: str | None = None
    doi: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    pages: tuple[PageSpan, ...] = ()
    headings: tuple[Heading, ...] = ()
    links: tuple[str, ...] = ()
    length: int = 0
    passage_count: int = 0
    signature: bytes = b""
    near_duplicate_of: str | None = None
    superseded_by: str | None = None
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a document: ``document_text[start:end] == text`` always.

    ``context`` is the title and the headings above the span (``Title › Section``); it is indexed and
    encoded with the text (``index_text``) but is no part of it. ``id`` is 0 until stored.
    """

    document_id: str
    ordinal: int
    start: int
    end: int
    text: str
    context: str = ""
    page: int | None = None
    id: int = 0

    @property
    def index_text(self) -> str:
        """What the indexes see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Acquisition:
    """One request to bring a source in, and what became of it."""

    id: int
    kind: SourceKind
    origin: str
    state: FetchState
    requested: datetime
    message: str = ""
    blob_hash: str | None = None
    media_type: str | None = None
    document_id: str | None = None
    finished: datetime | None = None
    batch: str = ""


@dataclass(frozen=True, slots=True)
class GradeChange:
    """A logged override of a grade (or its removal, ``grade`` None)."""

    document_id: str
    grade: Grade | None
    previous: Grade
    reason: str
    by: str
    at: datetime


# ---------------------------------------------------------------- jobs


@dataclass(frozen=True, slots=True)
class Job:
    """Long work as a value: a row that any process can read and one worker carries out."""

    id: int
    kind: JobKind
    state: JobState
    payload: Mapping[str, object]
    created: datetime
    done: int = 0
    total: int | None = None
    message: str = ""
    result: Mapping[str, object] = field(default_factory=dict)
    error: str | None = None
    started: datetime | None = None
    finished: datetime | None = None
    attempts: int = 0
    cancel_requested: bool = False

    @property
    def fraction(self) -> float | None:
        """Share done in [0, 1], or None while the total is unknown."""
        if not self.total:
            return None
        return min(1.0, self.done / self.total)


# ---------------------------------------------------------------- search


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
    """Where a passage stood after one stage, for one query (``query`` indexes the request's queries;
    None once the queries are fused)."""

    stage: Stage
    rank: int
    score: float
    query: int | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A window of a passage. ``matches`` are offsets of matched words, relative to ``text``.

    ``start``/``end`` are offsets into the document and leave out the ellipses that ``text`` may have at
    its ends; ``lead`` is the length of the leading ellipsis, so ``text[lead + i]`` is document character
    ``start + i``.
    """

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
    """Which optional stages run."""

    lexical: bool = True
    dense: bool = True
    late_interaction: bool = True
    mmr: bool = True
    rerank: bool = False


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Everything that decides a search; equal requests on equal contents give equal results.

    ``k`` results of at most ``depth`` candidates per index; ``exact`` scores late interaction over every
    passage instead of the union of the candidates.
    """

    queries: tuple[Query, ...]
    filters: Filters = Filters()
    stages: StageSwitches = StageSwitches()
    k: int = 10
    depth: int = 100
    exact: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first, with what a reader needs to trust and repeat them.

    ``timings``: milliseconds by stage. ``fingerprint``: stage → model and settings. ``encoded`` of
    ``searchable`` passages could be found by meaning. ``notes``: plain sentences about what did not run
    and why. ``reranked`` tells whether the cross-encoder has spoken. ``candidates`` are the ids that a
    later rerank looks at, in their order.
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


@dataclass(frozen=True, slots=True)
class WordMatch:
    """Which passage word answered a query word. Offsets: into the query, and into the document.

    ``in_context`` is True when the answering word stands in the title or a heading; then
    ``start``/``end`` are offsets into ``Passage.context``.
    """

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
    """Counts over a project (SPEC 4, last bullet). ``latency``: stage → (p50, p95) milliseconds."""

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
