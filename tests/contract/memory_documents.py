"""Documents of the store in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core.errors import BlobMissing, DocumentNotFound, StorageError
from core.labels import FetchState, Grade
from core.ports.store import Clock
from core.records import MENDABLE, Document, Filters, GradeChange, Passage, SourceVerdict
from tests.contract.memory_blobs import MemoryBlobs


class MemoryDocuments(MemoryBlobs):
    """The part of ``DocumentStore`` that deals with documents."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._texts: dict[str, str] = {}
        self._changes: list[GradeChange] = []
        self._verdicts: dict[str, SourceVerdict] = {}

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
            superseded_by=None if again.accepted else known.superseded_by,
            filename=known.filename or again.filename,
            canonical_url=known.canonical_url or again.canonical_url,
            accepted=known.accepted or again.accepted,
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
            self._verdicts = {key: one for key, one in self._verdicts.items() if one.document_id != document_id}
            for blob_hash in {gone.blob_hash, *(one.blob_hash for one in dropped.values() if one.blob_hash)}:
                self._release(blob_hash)

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

    def by_url(self, url: str) -> Document | None:
        every = [one for one in self._documents.values() if one.superseded_by is None]
        found = [one for one in every if url in one.urls or url == one.canonical_url]
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
        self._changes.append(GradeChange(document_id, grade, known.grade_in_force, reason, by, self._clock()))
        return self._set(document_id, grade_override=grade)

    def grade_changes(self, document_id: str | None = None) -> list[GradeChange]:
        return [one for one in self._changes if document_id in (None, one.document_id)]

    def set_tags(self, document_id: str, tags: Sequence[str]) -> Document:
        return self._set(document_id, tags=tuple(sorted({tag.strip() for tag in tags} - {""})))

    def mend(self, document: Document, fields: Sequence[str]) -> Document:
        known = self.document(document.id)
        mended = tuple(name for name in MENDABLE if name in (*known.mended, *fields))
        return self._set(document.id, mended=mended, **{name: getattr(document, name) for name in fields})

    def accept(self, document_id: str) -> Document:
        return self._set(document_id, accepted=True)

    def signatures(self) -> dict[str, bytes]:
        return {one.id: one.signature for one in self._documents.values()}
