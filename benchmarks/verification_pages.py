"""Cited pages as the product holds them: stored documents with passages, vectors and token matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.data import Text
from benchmarks.projects import Chunks, as_document, encode, fill
from benchmarks.verification_data import CitedPage
from core.ports.store import JointEncoder, ProjectStore
from core.records import EvidenceSentence
from core.verify.by_vectors import UnitVectors
from core.verify.sentences import CitedSource

CHUNKS: Chunks = (500, 50)
"""The product's default."""
BREAK = "\n\n"


@dataclass(slots=True)
class Pages:
    """Stored pages, and the sources made of them."""

    store: ProjectStore
    meaning: UnitVectors | None

    @classmethod
    def filled(cls, store: ProjectStore, pages: Sequence[CitedPage], encoder: JointEncoder) -> Pages:
        """Store what is not stored yet, and encode it."""
        fill(store, {page.sentences: as_text(page) for page in pages}.values(), CHUNKS)
        encode(store, encoder)
        return cls(store, UnitVectors(encoder, remember=20_000))

    def source(self, page: CitedPage) -> CitedSource:
        """The page as a source to judge in."""
        document, body, _ = as_document(as_text(page), CHUNKS)
        passages = self.store.passages_of(document.id)
        return CitedSource(document, body, passages, index=self.store, meaning=self.meaning)


def as_text(page: CitedPage) -> Text:
    """The page as one text; a sentence of the set is a paragraph, so that its borders stay."""
    return Text(page.key, page.title, BREAK.join(page.sentences))


def sentence_numbers(page: CitedPage, sentences: Sequence[EvidenceSentence]) -> list[int]:
    """Which sentence of the set each chosen sentence lies in (ours may be parts of theirs), in order."""
    starts = []
    at = 0
    for sentence in page.sentences:
        starts.append(at)
        at += len(sentence) + len(BREAK)
    numbers = []
    for picked in sentences:
        middle = (picked.start + picked.end) / 2
        numbers.append(max(number for number, start in enumerate(starts) if start <= middle))
    return numbers
