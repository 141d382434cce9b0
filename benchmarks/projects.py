"""Projects of the product, filled with the texts of a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.data import Text
from core.acquire.chunk import chunk
from core.labels import Grade
from core.ports.store import JointEncoder, ProjectStore
from core.records import Assessment, Document, Passage
from core.retrieve.encode import encode_missing

FIXED_TIME = datetime(2026, 1, 1, tzinfo=UTC)
Chunks = tuple[int, int]


@contextmanager
def open_store(root: Path, name: str) -> Iterator[ProjectStore]:
    """A project under ``root``, made when it is not there."""
    from storage import open_catalog

    catalog = open_catalog(root, clock=lambda: datetime.now(UTC))
    slug = next((summary.project.slug for summary in catalog.summaries() if summary.project.name == name), None)
    store = catalog.open(slug or catalog.create(name).slug)
    try:
        yield store
    finally:
        store.close()


def as_document(text: Text, chunks: Chunks | None) -> tuple[Document, str, list[Passage]]:
    """A document and its passages: one passage for the whole text, or cut by (size, overlap).

    The title is the passages' context, as the product has it; a text with a title alone gets it as its body.
    """
    body, title = (text.body, text.title) if text.body.strip() else (text.title, "")
    content = hashlib.sha256(body.encode()).hexdigest()
    document = Document(
        id=content[:16],
        content_hash=content,
        blob_hash=hashlib.sha256(body.encode()).hexdigest(),
        title=title or text.key,
        media_type="text/plain",
        method="benchmark",
        fetched=FIXED_TIME,
        grade=Grade.B,
        assessment=Assessment(Grade.B, ()),
    )
    if chunks is None:
        return document, body, [Passage(document.id, 0, 0, len(body), body, context=title)]
    size, overlap = chunks
    return document, body, chunk(body, document_id=document.id, title=title, size=size, overlap=overlap)


def fill(store: ProjectStore, texts: Iterable[Text], chunks: Chunks | None) -> dict[str, list[str]]:
    """Store every text as a document; returns document id → keys (equal texts share a document).

    A text without any word is left out: nothing could find it.
    """
    keys: dict[str, list[str]] = {}
    for text in texts:
        if not (text.body.strip() or text.title.strip()):
            continue
        document, body, passages = as_document(text, chunks)
        store.put_blob(body.encode())
        store.put(document, body, passages)
        keys.setdefault(document.id, []).append(text.key)
    return keys


def encode(store: ProjectStore, encoder: JointEncoder) -> int:
    """Encode what is missing, with progress on standard error."""
    import sys

    def progress(done: int, total: int | None, message: str = "") -> None:
        if done % 512 == 0:
            print(f"  encoded {done} of {total}", file=sys.stderr, flush=True)

    _, searchable = store.coverage(encoder.fingerprint)
    return encode_missing(store, encoder, searchable, progress)


def folder_bytes(folder: Path) -> int:
    """Bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def first(texts: Sequence[Text], count: int) -> list[Text]:
    """The first ``count`` texts, repeated with a number before the body where there are not enough."""
    out = list(texts[:count])
    turn = 1
    while len(out) < count:
        turn += 1
        more = texts[: count - len(out)]
        out.extend(Text(f"{text.key}-{turn}", text.title, f"Copy {turn}. {text.body}") for text in more)
    return out
