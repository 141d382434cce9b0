"""Requested sources and bytes of the store in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BlobMissing, StorageError
from core.labels import FetchState, SourceKind
from core.ports.store import Clock
from core.records import Acquisition, Fetched, StoredReport
from tests.contract.memory_index import MemoryIndex


class MemoryBlobs(MemoryIndex):
    """The part of ``DocumentStore`` that deals with bytes."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._blobs: dict[str, bytes] = {}
        self._acquisitions: dict[int, Acquisition] = {}
        self._reports: dict[int, StoredReport] = {}

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

    def _release(self, blob_hash: str | None) -> None:
        used = {one.blob_hash for one in self._documents.values()}
        used |= {one.blob_hash for one in self._acquisitions.values() if one.blob_hash}
        used |= {one.blob_hash for one in self._reports.values()}
        if blob_hash is not None and blob_hash not in used:
            self._blobs.pop(blob_hash, None)
