"""A small index and a small encoder that live in memory: real arithmetic, no files, no model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.labels import Grade
from core.records import (
    Assessment,
    Document,
    Filters,
    Hit,
    Passage,
    QuantizedTokens,
    TokenMatrix,
    Vector,
)
from core.retrieve.late_interaction import quantize
from core.text.terms import fold, index_terms

DIM = 64


class HashedWords:
    """Encoder whose vector of a word is a fixed random direction: equal words agree, others hardly."""

    fingerprint = "hashed-words-1"
    dim = late_dim = DIM

    def __init__(self) -> None:
        self.encoded_queries = 0

    def _word(self, word: str) -> Vector:
        seed = int.from_bytes(fold(word)[:4].encode("utf-8")[:8].ljust(8, b"\0"), "little")
        vector = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def _matrix(self, text: str) -> TokenMatrix:
        spans = [found.span() for found in re.finditer(r"\w{1,4}", text)]  # pieces of up to four letters
        vectors = [self._word(text[start:end]) for start, end in spans]
        return TokenMatrix(
            np.array(vectors, dtype=np.float32).reshape(-1, DIM), np.array(spans, dtype=np.int32).reshape(-1, 2)
        )

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        self.encoded_queries += len(texts)
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        sums = np.stack([self._matrix(text).vectors.sum(axis=0) for text in texts])
        return (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)).astype(np.float32)

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        return [self._matrix(text) for text in texts]

    encode_passage_tokens = encode_query_tokens

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self.encode_queries(texts), self.encode_query_tokens(texts)

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self.encode_passages(texts), self.encode_passage_tokens(texts)


class MemoryIndex:
    """PassageIndex over lists."""

    def __init__(self) -> None:
        self._passages: dict[int, Passage] = {}
        self._documents: dict[str, Document] = {}
        self._vectors: dict[int, Vector] = {}
        self._tokens: dict[int, QuantizedTokens] = {}

    def add(self, document: Document, texts: Sequence[str], encoder: HashedWords | None = None) -> list[int]:
        self._documents[document.id] = document
        start, ids = 0, []
        for ordinal, text in enumerate(texts):
            key = len(self._passages) + 1
            passage = Passage(document.id, ordinal, start, start + len(text), text, context=document.title, id=key)
            self._passages[key] = passage
            start += len(text) + 1
            ids.append(key)
            if encoder:
                vectors, matrices = encoder.encode_passages_jointly([passage.index_text])
                self._vectors[key], self._tokens[key] = vectors[0], quantize(matrices[0])
        return ids

    def generation(self) -> int:
        return len(self._passages)

    def passage_ids(self, filters: Filters) -> list[int]:
        minimum = filters.min_grade
        return [
            key
            for key, passage in self._passages.items()
            if (not filters.documents or passage.document_id in filters.documents)
            and (minimum is None or self._documents[passage.document_id].grade.at_least(minimum))
        ]

    def lexical(self, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
        held = {key: Counter(index_terms(passage.index_text)) for key, passage in self._passages.items()}
        mean = sum(map(Counter.total, held.values())) / max(1, len(held))
        scores = {}
        for key in self.passage_ids(filters):
            score = 0.0
            for term in terms:
                count, spread = held[key][term], sum(term in other for other in held.values())
                if count:
                    idf = math.log(1 + (len(held) - spread + 0.5) / (spread + 0.5))
                    score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * held[key].total() / mean))
            if score:
                scores[key] = score
        return _best(scores, depth)

    def dense(self, vector: Vector, encoder: str, filters: Filters, depth: int) -> list[Hit]:
        known = [key for key in self.passage_ids(filters) if key in self._vectors]
        return _best({key: float(self._vectors[key] @ vector) for key in known}, depth)

    def vectors(self, passage_ids: Sequence[int], encoder: str) -> dict[int, Vector]:
        return {key: self._vectors[key] for key in passage_ids if key in self._vectors}

    def tokens(self, passage_ids: Sequence[int], encoder: str) -> dict[int, QuantizedTokens]:
        return {key: self._tokens[key] for key in passage_ids if key in self._tokens}

    def passages(self, passage_ids: Sequence[int]) -> dict[int, Passage]:
        return {key: self._passages[key] for key in passage_ids if key in self._passages}

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, Document]:
        return {key: self._documents[key] for key in document_ids}

    def coverage(self, encoder: str) -> tuple[int, int]:
        return (len(self._vectors) if encoder else 0), len(self._passages)


def _best(scores: dict[int, float], depth: int) -> list[Hit]:
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(key, score) for key, score in ordered[:depth]]


_DOCUMENT = Document(
    id="0" * 16,
    content_hash="0" * 64,
    blob_hash="1" * 64,
    title="",
    media_type="text/plain",
    method="text",
    fetched=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    grade=Grade.C,
    assessment=Assessment(Grade.C, ()),
    signature=b"\x00\xff\x80",
)


@pytest.fixture
def encoder() -> HashedWords:
    return HashedWords()


@pytest.fixture
def document() -> Document:
    return _DOCUMENT


@pytest.fixture
def empty_index() -> MemoryIndex:
    return MemoryIndex()


@pytest.fixture
def index(encoder: HashedWords) -> MemoryIndex:
    """Three documents on heat pumps, of grades A, C and E; all passages encoded."""
    made = MemoryIndex()
    for name, title, grade, texts in (
        ("a" * 16, "Field trial", Grade.A, [
            "Heat pumps reached a seasonal performance factor of 2.9 in the field trial.",
            "Noise was measured at one metre from the outdoor unit.",
        ]),
        ("b" * 16, "Cost report", Grade.C, [
            "Installing a heat pump costs more than replacing a gas boiler.",
            "Electricity prices decide whether running costs fall.",
        ]),
        ("c" * 16, "Blog", Grade.E, [
            "Heat pumps never work in winter, says a neighbour.",
            "Gas boilers are cheap.",
        ]),
    ):  # fmt: skip
        made.add(replace(_DOCUMENT, id=name, title=title, grade=grade, content_hash=name * 4), texts, encoder)
    return made
