"""Small real records for tests: texts with matching hashes, offsets and passages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from core.labels import Grade
from core.ports.store import ProjectStore
from core.records import Assessment, Document, GradeReason, Passage

START = datetime(2026, 1, 19, 14, 30, tzinfo=UTC)


@dataclass
class FakeClock:
    """A clock that stands still until it is moved."""

    now: datetime = field(default=START)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def make_document(text: str, **changes: Any) -> Document:
    """A document whose id and hashes fit ``text``; its bytes are the text in UTF-8."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    document = Document(
        id=digest[:16],
        content_hash=digest,
        blob_hash=digest,
        title="A title",
        media_type="text/plain",
        method="text",
        fetched=START,
        grade=Grade.C,
        assessment=Assessment(Grade.C, (GradeReason("start", 0.0, "Nothing is known."),)),
    )
    return replace(document, **changes)


def make_passages(document: Document, text: str, *, size: int = 60, context: str = "") -> list[Passage]:
    """Consecutive passages of ``size`` characters, none blank."""
    spans = [(at, min(at + size, len(text))) for at in range(0, len(text), size)]
    kept = [(start, end) for start, end in spans if text[start:end].strip()]
    return [
        Passage(document.id, ordinal, start, end, text[start:end], context) for ordinal, (start, end) in enumerate(kept)
    ]


def add(
    store: ProjectStore,
    text: str,
    *,
    size: int = 60,
    context: str = "",
    acquisition: int | None = None,
    supersedes: str | None = None,
    **changes: Any,
) -> Document:
    """Store a text: its bytes, then document and passages."""
    document = make_document(text, **changes)
    if "blob_hash" not in changes:
        store.put_blob(text.encode())
    return store.put(
        document,
        text,
        make_passages(document, text, size=size, context=context),
        acquisition=acquisition,
        supersedes=supersedes,
    )


def add_all(store: ProjectStore, texts: Sequence[str], **changes: Any) -> list[Document]:
    """Store several texts, one passage each."""
    return [add(store, text, size=10_000, **changes) for text in texts]
