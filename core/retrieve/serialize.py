"""Search results as JSON and back: for the result cache, and for the HTTP service. Not pickle: a project folder may
come from somebody else. The reader builds only the records of ``core.records``, by their annotations, and refuses
anything that does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticSerializationError

from core.errors import StorageError
from core.records import Document, Excerpt, Hit, Passage, ScoredPassage, SearchRequest, SearchResult, StageRank

VERSION = 2
"""The form of ``result_to_json``. It is a part of the cache's key, so results in another form are never read."""


class _Form(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", extra="ignore", defer_build=True)


class FoundPassage(_Form):
    """A passage with its final score and rank; ``document`` is a key of the answer's ``documents``."""

    passage: Passage
    document: str
    rank: int
    score: float
    trail: tuple[StageRank, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()

    @classmethod
    def of(cls, scored: ScoredPassage) -> FoundPassage:
        """The form of a record."""
        return cls.model_construct(
            passage=scored.passage, document=scored.document.id, rank=scored.rank, score=scored.score,
            trail=scored.trail, excerpts=scored.excerpts,
        )  # fmt: skip

    def record(self, documents: Mapping[str, Document]) -> ScoredPassage:
        """The record of a form (KeyError: the answer lacks its document)."""
        return ScoredPassage(self.passage, documents[self.document], self.rank, self.score, self.trail, self.excerpts)


class FoundPassages(_Form):
    """What a search found, best first (``core.records.SearchResult``); each document stands here once."""

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
    def form_of(cls, result: SearchResult, **more: Any) -> Self:
        """The form of a result; ``more`` are fields that a subclass adds."""
        values = {name: getattr(result, name) for name in _SHARED}
        scored = (*result.passages, *result.candidates)
        values["documents"] = {passage.document.id: passage.document for passage in scored}
        for name in ("passages", "candidates"):
            values[name] = tuple(map(FoundPassage.of, values[name]))
        return cast(Self, cls.model_construct(**values, **more))

    def record(self) -> SearchResult:
        """The result of a form (KeyError: it lacks a document)."""
        values = {name: getattr(self, name) for name in _SHARED}
        for name in ("passages", "candidates"):
            values[name] = tuple(passage.record(self.documents) for passage in values[name])
        return SearchResult(**values)


_SHARED = tuple(field.name for field in fields(SearchResult) if field.name in FoundPassages.model_fields)
"""Fields of a result that go out; ``stand_in`` stands among its notes as a sentence."""


def result_to_json(result: SearchResult) -> bytes | None:
    """A result as UTF-8 JSON; every document is written once, passages name it by its id. None where a text in it is no
    UTF-8 (a lone surrogate in a query)."""
    try:
        return FoundPassages.form_of(result).model_dump_json().encode()
    except PydanticSerializationError:
        return None


def result_from_json(data: bytes) -> SearchResult:
    """The result that ``result_to_json`` wrote. Raises StorageError: the bytes are not such a result."""
    try:
        return FoundPassages.model_validate_json(data, strict=True, extra="forbid").record()
    except (ValidationError, KeyError) as error:
        raise StorageError(f"A stored search result cannot be read ({error}). Search again.") from error
