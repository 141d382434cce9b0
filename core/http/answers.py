"""What the service answers: the engine's records, and how they are made from the answers again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from pydantic import BaseModel, ConfigDict

from core.records import (
    Acquisition,
    AuditSummary,
    Claim,
    Document,
    Excerpt,
    Finding,
    Hit,
    Job,
    Passage,
    ScoredPassage,
    SearchRequest,
    SearchResult,
    SourceVerdict,
    StageRank,
    Statistics,
    StoredReport,
)


class _Answer(BaseModel):
    # Unknown fields are left out: a client of this version reads the answers of a later one.
    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", extra="ignore")


class FoundPassage(_Answer):
    """A passage with its final score and rank; ``document`` is a key of the answer's ``documents``."""

    passage: Passage
    document: str
    rank: int
    score: float
    trail: tuple[StageRank, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()

    @classmethod
    def of(cls, one: ScoredPassage) -> FoundPassage:
        """For the way out."""
        return cls.model_construct(
            passage=one.passage, document=one.document.id, rank=one.rank, score=one.score, trail=one.trail,
            excerpts=one.excerpts,
        )  # fmt: skip

    def record(self, documents: Mapping[str, Document]) -> ScoredPassage:
        """The engine's record (KeyError: the answer lacks its document)."""
        return ScoredPassage(self.passage, documents[self.document], self.rank, self.score, self.trail, self.excerpts)


class SearchAnswer(_Answer):
    """What a search found, best first (``core.records.SearchResult``); each document stands here once.

    ``generation`` counts the changes of the project that can change an answer: equal requests at an equal generation
    have equal answers. It is null when the project changed while this search ran.
    """

    project: str
    generation: int | None
    documents: dict[str, Document]
    request: SearchRequest
    passages: tuple[FoundPassage, ...]
    fingerprint: Mapping[str, object]
    timings: Mapping[str, float]
    searchable: int
    encoded: int
    notes: tuple[str, ...] = ()
    cached: bool = False
    reranked: bool = False
    candidates: tuple[FoundPassage, ...] = ()
    by_query: tuple[tuple[Hit, ...], ...] = ()

    @classmethod
    def of(cls, project: str, generation: int | None, result: SearchResult) -> SearchAnswer:
        """For the way out."""
        answered = {name: getattr(result, name) for name in _SHARED}
        scored = (*result.passages, *result.candidates)
        return cls.model_construct(
            **{
                **answered,
                "project": project,
                "generation": generation,
                "documents": {one.document.id: one.document for one in scored},
                "passages": tuple(map(FoundPassage.of, result.passages)),
                "candidates": tuple(map(FoundPassage.of, result.candidates)),
            }
        )

    def record(self) -> SearchResult:
        """The engine's record (KeyError: the answer lacks a document)."""
        values = {name: getattr(self, name) for name in _SHARED}
        for name in ("passages", "candidates"):
            values[name] = tuple(passage.record(self.documents) for passage in values[name])
        return SearchResult(**values)


_SHARED = tuple(field.name for field in fields(SearchResult) if field.name in SearchAnswer.model_fields)
"""Fields of a result that go out; ``stand_in`` stands among its notes as a sentence."""


class StatsAnswer(_Answer):
    """Counts, query statistics and latencies of a project."""

    project: str
    name: str
    generation: int
    statistics: Statistics


class JobAnswer(_Answer):
    """A job and, when it has ended, what came of it: the ``sources`` that it was to bring in, the ``claims`` that it
    was to verify, or the ``report`` that it audited with ``summary`` and ``findings``."""

    project: str
    job: Job
    sources: tuple[Acquisition, ...] = ()
    claims: tuple[Claim, ...] = ()
    report: StoredReport | None = None
    summary: AuditSummary | None = None
    findings: tuple[Finding, ...] = ()


class VerdictAnswer(_Answer):
    """What one document says about a claim."""

    project: str
    claim: str
    verdict: SourceVerdict


class HealthAnswer(_Answer):
    """Whether the server and its worker are alive; ``worker`` is null where none was asked for."""

    server: str
    worker: bool | None
