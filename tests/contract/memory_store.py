"""``ProjectStore`` in memory: the oracle of the contract tests, and a fast stand-in for other tests.

Everything is plain dictionaries under one lock; it keeps the promises of ``core.ports`` but nothing on disk.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np

from core.errors import BlobMissing, DocumentNotFound, StorageError
from core.labels import FetchState, Grade, SourceKind
from core.model import (
    Acquisition,
    Document,
    Fetched,
    Filters,
    GradeChange,
    Hit,
    Passage,
    Project,
    QuantizedTokens,
    QueryRecord,
    Statistics,
    Vector,
)
from core.ports import Clock
from core.terms import index_terms
from storage.base import utc_now
from tests.contract.memory_jobs import MemoryJobs


def _key(passage: Passage) -> str:
    return hashlib.sha256(passage.index_text.encode()).hexdigest()


class MemoryStore(MemoryJobs):
    """See the module."""

    def __init__(self, clock: Clock = utc_now) -> None:
        super().__init__(clock)
        self._generation = 0
        self._documents: dict[str, Document] = {}
        self._texts: dict[str, str] = {}
        self._passages: dict[int, Passage] = {}
        self._blobs: dict[str, bytes] = {}
        self._acquisitions: dict[int, Acquisition] = {}
        self._changes: list[GradeChange] = []
        self._vectors: dict[tuple[str, str], Vector] = {}
        self._tokens: dict[tuple[str, str], QuantizedTokens] = {}
        self._gives_tokens: set[str] = set()
        self._queries: list[QueryRecord] = []
        self._cache: dict[str, tuple[int, bytes]] = {}
        self._memos: dict[str, str] = {}
        self.project = Project("memory", "Memory", "memory", Path("memory"), clock())

    def memo(self, key: str) -> str | None:
        return self._memos.get(key)

    def set_memo(self, key: str, value: str) -> None:
        self._memos[key] = value

    def detached(self) -> bool:
        return False

    def compact(self) -> None:
        used = {_key(one) for one in self._passages.values()}
        self._vectors = {key: value for key, value in self._vectors.items() if key[1] in used}
        self._tokens = {key: value for key, value in self._tokens.items() if key[1] in used}

    def close(self) -> None:
        """Nothing to close."""

    # ------------------------------------------------------------ index

    def generation(self) -> int:
        return self._generation

    def _passes(self, document: Document, filters: Filters, superseded: bool = False) -> bool:
        language = (document.language or "").lower()
        return (
            (superseded or document.superseded_by is None)
            and (filters.min_grade is None or (document.grade_override or document.grade).at_least(filters.min_grade))
            and (not filters.documents or document.id in filters.documents)
            and (
                filters.published_from is None
                or (document.published is not None and document.published >= filters.published_from)
            )
            and (
                filters.published_to is None
                or (document.published is not None and document.published <= filters.published_to)
            )
            and (
                not filters.languages
                or any(language == one.lower() or language.startswith(one.lower() + "-") for one in filters.languages)
            )
            and (not filters.tags or bool(set(filters.tags) & set(document.tags)))
        )

    def passage_ids(self, filters: Filters) -> list[int]:
        return sorted(
            number for number, one in self._passages.items() if self._passes(self._documents[one.document_id], filters)
        )

    def lexical(self, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
        bags = {
            number: Counter(index_terms(self._passages[number].index_text)) for number in self.passage_ids(Filters())
        }
        mean = sum(bag.total() for bag in bags.values()) / max(1, len(bags))
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms):
            having = [number for number, bag in bags.items() if term in bag]
            idf = max(1e-6, math.log((len(bags) - len(having) + 0.5) / (len(having) + 0.5))) if having else 0.0
            for number in having:
                count, length = bags[number][term], bags[number].total()
                gain = idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean))
                scores[number] = scores.get(number, 0.0) + gain
        allowed = set(self.passage_ids(filters))
        ranked = sorted((-score, number) for number, score in scores.items() if number in allowed)
        return [Hit(number, -score) for score, number in ranked[:depth]]

    def dense(self, vector: Vector, encoder: str, filters: Filters, depth: int) -> list[Hit]:
        found = self.vectors(self.passage_ids(filters), encoder)
        ranked = sorted((-float(np.dot(one, vector)), number) for number, one in found.items())
        return [Hit(number, -score) for score, number in ranked[:depth]]

    def vectors(self, passage_ids: Sequence[int], encoder: str) -> dict[int, Vector]:
        return {
            n: self._vectors[encoder, _key(self._passages[n])]
            for n in passage_ids
            if n in self._passages and (encoder, _key(self._passages[n])) in self._vectors
        }

    def tokens(self, passage_ids: Sequence[int], encoder: str) -> dict[int, QuantizedTokens]:
        return {
            n: self._tokens[encoder, _key(self._passages[n])]
            for n in passage_ids
            if n in self._passages and (encoder, _key(self._passages[n])) in self._tokens
        }

    def passages(self, passage_ids: Sequence[int]) -> dict[int, Passage]:
        return {number: self._passages[number] for number in passage_ids if number in self._passages}

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, Document]:
        return {one: self._documents[one] for one in document_ids if one in self._documents}

    def coverage(self, encoder: str) -> tuple[int, int]:
        ids = self.passage_ids(Filters())
        found = self.vectors(ids, encoder)
        kept = self.tokens(list(found), encoder) if encoder in self._gives_tokens else found
        return len(kept), len(ids)

    def missing(self, encoder: str, limit: int, *, tokens: bool = True) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        for number in self.passage_ids(Filters()):
            passage = self._passages[number]
            key = (encoder, _key(passage))
            if key not in self._vectors or (tokens and key not in self._tokens):
                found.setdefault(key[1], passage.index_text)
        return list(found.items())[:limit]

    def put_vectors(
        self, encoder: str, hashes: Sequence[str], vectors: Vector, tokens: Sequence[QuantizedTokens] | None
    ) -> None:
        if len(vectors) != len(hashes) or (tokens is not None and len(tokens) != len(hashes)):
            raise ValueError("the lengths must be equal")
        for at, text_hash in enumerate(hashes):
            self._vectors.setdefault((encoder, text_hash), vectors[at].astype(np.float16).astype(np.float32))
            if tokens is not None:
                self._gives_tokens.add(encoder)
                self._tokens.setdefault((encoder, text_hash), tokens[at])
        self._generation += 1

    # ------------------------------------------------------------ documents

    def put(
        self,
        document: Document,
        text: str,
        passages: Sequence[Passage],
        *,
        acquisition: int | None = None,
        supersedes: str | None = None,
    ) -> Document:
        if document.content_hash != hashlib.sha256(text.encode()).hexdigest():
            raise StorageError(f"Document {document.id} does not fit its text.")
        if document.blob_hash not in self._blobs:
            raise BlobMissing(f"Keep the bytes of {document.id} first.")
        if supersedes is not None:
            self.document(supersedes)
        if acquisition is not None:
            self.acquisition(acquisition)
        with self._lock:
            self._generation += 1
            known = self._documents.get(document.id)
            if known is not None:
                self._merge(known, document)
            else:
                self._texts[document.id] = text
                self._documents[document.id] = replace(
                    document, length=len(text), passage_count=len(passages), created=self._clock(), superseded_by=None
                )
                self._store(passages)
            if supersedes is not None and supersedes != document.id:
                self._set(supersedes, superseded_by=document.id)
            if acquisition is not None:
                self.finish_acquisition(
                    acquisition,
                    FetchState.DUPLICATE if known else FetchState.STORED,
                    "",
                    blob_hash=document.blob_hash,
                    document_id=document.id,
                )
            return self._documents[document.id]

    def _merge(self, known: Document, again: Document) -> None:
        self._set(
            known.id,
            urls=tuple(dict.fromkeys((*known.urls, *again.urls))),
            superseded_by=None,
            filename=known.filename or again.filename,
            canonical_url=known.canonical_url or again.canonical_url,
        )

    def _store(self, passages: Sequence[Passage]) -> None:
        for passage in passages:
            number = next(self._numbers)
            self._passages[number] = replace(passage, id=number)

    def delete(self, document_id: str) -> None:
        gone = self.document(document_id)
        with self._lock:
            self._generation += 1
            del self._documents[document_id], self._texts[document_id]
            self._passages = {n: one for n, one in self._passages.items() if one.document_id != document_id}
            dropped = {n: one for n, one in self._acquisitions.items() if one.document_id == document_id}
            self._acquisitions = {n: one for n, one in self._acquisitions.items() if n not in dropped}
            copies = [one for one in self._documents.values() if one.near_duplicate_of == document_id]
            original = gone.near_duplicate_of or (copies[0].id if copies else None)
            for one in copies:
                self._set(one.id, near_duplicate_of=None if one.id == original else original)
            for one in list(self._documents.values()):
                if one.superseded_by == document_id:
                    self._set(one.id, superseded_by=gone.superseded_by)
            for blob_hash in {gone.blob_hash, *(one.blob_hash for one in dropped.values() if one.blob_hash)}:
                self._release(blob_hash)

    def _release(self, blob_hash: str | None) -> None:
        used = {one.blob_hash for one in self._documents.values()}
        used |= {one.blob_hash for one in self._acquisitions.values() if one.blob_hash}
        if blob_hash is not None and blob_hash not in used:
            self._blobs.pop(blob_hash, None)

    def _set(self, document_id: str, **changes: object) -> Document:
        changed = replace(self.document(document_id), **changes)  # type: ignore[arg-type]
        self._documents[document_id] = changed
        self._generation += 1
        return changed

    def document(self, document_id: str) -> Document:
        if document_id not in self._documents:
            raise DocumentNotFound(f"No document {document_id!r}.")
        return self._documents[document_id]

    def documents(self, filters: Filters = Filters(), *, superseded: bool = False) -> list[Document]:
        return [one for one in self._documents.values() if self._passes(one, filters, superseded)]

    def by_content_hash(self, content_hash: str) -> Document | None:
        return next((one for one in self._documents.values() if one.content_hash == content_hash), None)

    def by_url(self, url: str) -> Document | None:
        found = [one for one in self.documents() if url in one.urls or url == one.canonical_url]
        return found[-1] if found else None

    def text(self, document_id: str) -> str:
        self.document(document_id)
        return self._texts[document_id]

    def passages_of(self, document_id: str) -> list[Passage]:
        self.document(document_id)
        return sorted(
            (one for one in self._passages.values() if one.document_id == document_id), key=lambda one: one.ordinal
        )

    def touch(self, document_id: str, *, urls: Sequence[str], fetched: datetime) -> Document:
        known = self.document(document_id)
        return self._set(
            document_id, urls=tuple(dict.fromkeys((*known.urls, *urls))), fetched=max(known.fetched, fetched)
        )

    def replace_passages(self, document_id: str, passages: Sequence[Passage]) -> None:
        self.document(document_id)
        self._passages = {n: one for n, one in self._passages.items() if one.document_id != document_id}
        self._store(passages)
        self._set(document_id, passage_count=len(passages))

    def override_grade(self, document_id: str, grade: Grade | None, reason: str, by: str) -> Document:
        known = self.document(document_id)
        self._changes.append(
            GradeChange(document_id, grade, known.grade_override or known.grade, reason, by, self._clock())
        )
        return self._set(document_id, grade_override=grade)

    def grade_changes(self, document_id: str | None = None) -> list[GradeChange]:
        return [one for one in self._changes if document_id in (None, one.document_id)]

    def set_tags(self, document_id: str, tags: Sequence[str]) -> Document:
        return self._set(document_id, tags=tuple(sorted({tag.strip() for tag in tags} - {""})))

    def set_near_duplicate(self, document_id: str, original: str | None) -> None:
        if original is not None:
            self.document(original)
        self._set(document_id, near_duplicate_of=original)

    def signatures(self) -> dict[str, bytes]:
        return {one.id: one.signature for one in self._documents.values()}

    # ------------------------------------------------------------ acquisitions, blobs

    def request(
        self, kind: SourceKind, origins: Sequence[tuple[str, Fetched | None]], batch: str = ""
    ) -> list[Acquisition]:
        made = []
        for origin, fetched in origins:
            number = next(self._numbers)
            blob_hash = self.put_blob(fetched.body) if fetched else None
            media_type = fetched.media_type if fetched else None
            self._acquisitions[number] = Acquisition(
                number, kind, origin, FetchState.QUEUED, self._clock(), "", blob_hash, media_type, batch=batch
            )
            made.append(self._acquisitions[number])
        return made

    def acquisition(self, acquisition_id: int) -> Acquisition:
        if acquisition_id not in self._acquisitions:
            raise StorageError(f"No requested source {acquisition_id}.")
        return self._acquisitions[acquisition_id]

    def acquisitions(self, *, states: Sequence[FetchState] = ()) -> list[Acquisition]:
        return [one for one in self._acquisitions.values() if not states or one.state in states]

    def finish_acquisition(
        self,
        acquisition_id: int,
        state: FetchState,
        message: str,
        *,
        blob_hash: str | None = None,
        document_id: str | None = None,
    ) -> None:
        known = self.acquisition(acquisition_id)
        self._acquisitions[acquisition_id] = replace(
            known,
            state=state,
            message=message,
            blob_hash=blob_hash or known.blob_hash,
            document_id=document_id or known.document_id,
            finished=None if state is FetchState.QUEUED else self._clock(),
        )

    def forget_acquisition(self, acquisition_id: int) -> None:
        known = self.acquisition(acquisition_id)
        del self._acquisitions[acquisition_id]
        self._release(known.blob_hash)

    def put_blob(self, body: bytes) -> str:
        digest = hashlib.sha256(body).hexdigest()
        self._blobs[digest] = bytes(body)
        return digest

    def blob(self, blob_hash: str) -> bytes:
        if blob_hash not in self._blobs:
            raise BlobMissing(f"No bytes {blob_hash}.")
        return self._blobs[blob_hash]

    # ------------------------------------------------------------ statistics

    def record_query(self, record: QueryRecord) -> None:
        self._queries.append(record)

    def statistics(self, encoder: str) -> Statistics:
        encoded, passages = self.coverage(encoder)
        count = len(self._queries)
        stages = {stage for one in self._queries for stage in one.timings}
        spent = {
            stage: [one.timings[stage] for one in self._queries[-1000:] if stage in one.timings and not one.cached]
            for stage in sorted(stages)
        }
        return Statistics(
            documents=len(self.documents()),
            passages=passages,
            encoded=encoded,
            total_queries=count,
            zero_result_queries=sum(one.results == 0 for one in self._queries),
            avg_results_per_query=sum(one.results for one in self._queries) / count if count else 0.0,
            cache_hit_rate=sum(one.cached for one in self._queries) / count if count else 0.0,
            latency={
                stage: (float(np.percentile(values, 50)), float(np.percentile(values, 95)))
                for stage, values in spent.items()
                if values
            },
            bytes_on_disk=0,
            recent=tuple(reversed(self._queries[-20:])),
        )

    def cached(self, key: str) -> bytes | None:
        found = self._cache.get(key)
        if found is None or found[0] != self._generation:
            return None
        self._cache[key] = self._cache.pop(key)  # most recent last
        return found[1]

    def cache(self, key: str, value: bytes, *, keep: int) -> None:
        self._cache.pop(key, None)
        self._cache[key] = (self._generation, value)
        kept = {one: entry for one, entry in self._cache.items() if entry[0] == self._generation}
        self._cache = dict(list(kept.items())[-keep:]) if keep else {}
