"""One search of a project, counted and kept: what pages, the query lab and the answering job have in common."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from core.errors import ModelError
from core.late import damaged as late_damaged
from core.late.index import FALLBACK, fallback_note, late_index, nothing_compared
from core.ports.engines import Engines
from core.ports.store import Clock, JointEncoder, ProjectStore
from core.records import QueryRecord, SearchRequest, SearchResult
from core.retrieve import pipeline
from core.retrieve.serialize import result_from_json, result_to_json
from core.settings.values import Retrieval

OTHER_MODEL = "Words were compared with another model than the one that is set:"
NO_MODEL = "The model that is set to compare words cannot be used:"


def run_search(
    request: SearchRequest, store: ProjectStore, engines: Engines, settings: Retrieval, clock: Clock
) -> SearchResult:
    """Answer a search (without the cross-encoder), from the cache where nothing has changed, and count it.

    Without an encoder what words find is still found, and a note says why; so does one where another encoder stands in
    for that of the engine of late interaction.

    Raises:
        QueryError: an empty or oversized query.
    """
    stages = request.stages
    late = late_index(engines, store) if stages.late_interaction and not request.exact else None
    by_meaning = stages.dense or stages.late_interaction or stages.mmr
    encoder, reason = engines.encoder_or_reason() if by_meaning else (None, "")
    if encoder is not None and (told := _other_encoder(store, engines, encoder)):
        encoder, why = told
        if stages.late_interaction:
            reason = fallback_note(late.engine, ModelError(why)) if late else f"{OTHER_MODEL} {why}"
        late = None
    key = _cache_key(request, settings, encoder.fingerprint if encoder else "", late.key if late else "")
    kept = store.cached(key) if not reason else None
    if kept is not None:
        result = replace(result_from_json(kept), cached=True)
    else:
        try:
            result = pipeline.search(request, store, encoder, settings, late=late)
        except ModelError as error:  # a model is read at its first text
            if engines.give_up_encoder(error):
                late_damaged.note(store, engines)
                return run_search(request, store, engines, settings, clock)
            engines.try_encoder_again()
            reason = f"Search by meaning is off: {error}"  # what words find is still found
            result = pipeline.search(request, store, None, settings)
        if reason:
            result = replace(result, notes=(reason, *result.notes))
        elif late is None or not any(note.startswith(FALLBACK) for note in result.notes):
            store.cache(key, result_to_json(result), keep=settings.cache_entries)
    if result.searchable and not result.encoded:  # so nothing stood in either
        said = (nothing_compared(note).replace(OTHER_MODEL, NO_MODEL, 1) for note in result.notes)
        result = replace(result, notes=tuple(said))
    _record(request, result, store, clock)
    return result


def _other_encoder(store: ProjectStore, engines: Engines, encoder: JointEncoder) -> tuple[JointEncoder, str] | None:
    """What stands in for the encoder that is set, and why: it cannot be had, or what stands in has encoded more of the
    project, because another engine was chosen a while ago. None in the usual case."""
    if missing := engines.stood_in():
        return encoder, missing
    encoded, searchable = store.coverage(encoder.fingerprint)
    other = engines.stand_in() if encoded < searchable else None
    if other is None or store.coverage(other.fingerprint)[0] <= encoded:
        return None
    return other, f"the passages are still being prepared for it ({encoded:,} of {searchable:,})."


def _cache_key(request: SearchRequest, settings: Retrieval, encoder: str, late: str) -> str:
    parts = {"request": repr(request), "settings": settings.model_dump(), "encoder": encoder, "late": late}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _record(request: SearchRequest, result: SearchResult, store: ProjectStore, clock: Clock) -> None:
    text = request.queries[0].text[:500] if request.queries else ""
    store.record_query(
        QueryRecord(clock(), text, len(result.passages), result.cached, {} if result.cached else result.timings)
    )
