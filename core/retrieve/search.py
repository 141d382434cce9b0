"""One search of a project, counted and kept: what pages, the query lab and the answering job have in common."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from core.errors import DatabaseDamaged, ModelError, StorageError
from core.late.engine import late_engine, use_stand_in
from core.late.index import LateIndex
from core.late.service import ProjectLateEngine
from core.ports.context import ProjectContext
from core.ports.engines import Engines
from core.ports.store import Clock, JointEncoder, ProjectStore
from core.records import QueryRecord, SearchRequest, SearchResult, StandIn
from core.retrieve import pipeline
from core.retrieve.serialize import VERSION, result_from_json, result_to_json
from core.settings.values import Retrieval
from core.text.hashing import hex_digest

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Means:
    """The encoder and the late index that a search uses, and what is missing of what is set: ``stand_in`` compares
    words in place of it, or search by meaning is off (``problem``, a sentence)."""

    encoder: JointEncoder | None
    late: LateIndex | None = None
    stand_in: StandIn | None = None
    problem: str = ""

    @property
    def as_set(self) -> bool:
        """Whether nothing is missing, so that the answer may be kept."""
        return not self.problem and self.stand_in is None


def search_project(context: ProjectContext, request: SearchRequest) -> SearchResult:
    """The answer of ``run_search``; where another encoder stood in, a job then encodes what the encoder of the late
    engine lacks."""
    result = run_search(request, context.store, context.engines, context.settings.retrieval, context.clock)
    ProjectLateEngine(context).encode_after(result)
    return result


def run_search(
    request: SearchRequest, store: ProjectStore, engines: Engines, settings: Retrieval, clock: Clock
) -> SearchResult:
    """Answer a search (without the cross-encoder), from the cache where nothing has changed, and count it. Without an
    encoder what words find is still found, and a note says why; so does one where another encoder stands in for that of
    the late engine. Raises QueryError: an empty or oversized query."""
    means = _means(request, store, engines)
    key = _cache_key(request, settings, means)
    cached = store.cached(key) if means.as_set else None
    if cached is not None:
        result = replace(result_from_json(cached), cached=True)
    else:
        try:
            result = pipeline.search(request, store, means.encoder, settings, late=means.late)
        except ModelError as error:  # a model is read at its first text
            if use_stand_in(engines, store, error):
                return run_search(request, store, engines, settings, clock)
            means = _Means(None, problem=f"Search by meaning is off: {error}")  # what words find is still found
            result = pipeline.search(request, store, None, settings)
        result = _with_notice(result, means)
        if means.as_set and result.stand_in is None:
            packed = result_to_json(result)
            if packed is not None:
                with _if_it_can_be_kept():
                    store.cache(key, packed, keep=settings.cache_entries)
    with _if_it_can_be_kept():
        _record(request, result, store, clock)
    return result


@contextmanager
def _if_it_can_be_kept() -> Iterator[None]:
    """Count or cache inside; a full disk keeps nobody from reading what was found (DatabaseDamaged)."""
    try:
        yield
    except DatabaseDamaged:
        raise
    except StorageError as error:
        log.warning("The search was not counted: %s", error)


def _means(request: SearchRequest, store: ProjectStore, engines: Engines) -> _Means:
    """The encoder and the index that the switched-on stages of the request need."""
    stages = request.stages
    late = late_engine(engines)
    index = late.index_of(store) if late is not None and stages.late_interaction and not request.exact else None
    by_meaning = stages.dense or stages.late_interaction or stages.mmr
    encoder, problem = engines.encoder_or_reason() if by_meaning else (None, "")
    if encoder is None or late is None:
        return _Means(encoder, index, problem=problem)
    if reason := late.encoder_problem():  # ``encoder`` is what stands in already
        other: JointEncoder | None = encoder
    else:
        other, reason = _better_prepared(store, encoder, late.stand_in)
    if other is None:
        return _Means(encoder, index)
    compared = StandIn(index.engine if index else "", reason) if stages.late_interaction else None
    return _Means(other, stand_in=compared)


def _better_prepared(
    store: ProjectStore, encoder: JointEncoder, stand_in: Callable[[], JointEncoder | None]
) -> tuple[JointEncoder | None, str]:
    """The stand-in and the reason for it, where it has encoded more of the project than the encoder that is set,
    because that was set a while ago; None in the usual case."""
    encoded, searchable = store.coverage(encoder.fingerprint)
    other = stand_in() if encoded < searchable else None
    if other is None or store.coverage(other.fingerprint)[0] <= encoded:
        return None, ""
    return other, f"the passages are still being prepared for it ({encoded:,} of {searchable:,})."


def _with_notice(result: SearchResult, means: _Means) -> SearchResult:
    """The result with what is missing of what is set as its first note."""
    if means.stand_in is not None:
        compared = bool(result.encoded) or not result.searchable
        note = pipeline.stand_in_note(means.stand_in, compared=compared)
        return replace(result, notes=(note, *result.notes), stand_in=means.stand_in)
    return replace(result, notes=(means.problem, *result.notes)) if means.problem else result


def _cache_key(request: SearchRequest, settings: Retrieval, means: _Means) -> str:
    encoder, late = means.encoder.fingerprint if means.encoder else "", means.late.key if means.late else ""
    parts = {
        "form": VERSION, "request": repr(request), "settings": settings.model_dump(), "encoder": encoder, "late": late,
    }  # fmt: skip
    return hex_digest(json.dumps(parts, sort_keys=True))


def _record(request: SearchRequest, result: SearchResult, store: ProjectStore, clock: Clock) -> None:
    text = request.queries[0].text[:500] if request.queries else ""
    store.record_query(
        QueryRecord(clock(), text, len(result.passages), result.cached, {} if result.cached else result.timings)
    )
