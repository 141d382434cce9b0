"""Passages, scores and vectors of the store in memory."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.ports.store import Clock
from core.records import Document, Filters, Hit, Passage, QuantizedTokens, Vector
from core.text.terms import index_terms
from tests.contract.memory_jobs import MemoryJobs


def passage_key(passage: Passage) -> str:
    """Under which its vectors are kept."""
    return hashlib.sha256(passage.index_text.encode()).hexdigest()


class MemoryIndex(MemoryJobs):
    """``PassageIndex`` and ``VectorStore`` in dictionaries."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._generation = 0
        self._documents: dict[str, Document] = {}
        self._passages: dict[int, Passage] = {}
        self._vectors: dict[tuple[str, str], Vector] = {}
        self._tokens: dict[tuple[str, str], QuantizedTokens] = {}
        self._gives_tokens: set[str] = set()

    def generation(self) -> int:
        return self._generation

    def _passes(self, document: Document, filters: Filters, superseded: bool = False) -> bool:
        language = (document.language or "").lower()
        return (
            (superseded or document.superseded_by is None)
            and (superseded or document.accepted or document.id in filters.documents)
            and (filters.min_grade is None or document.grade_in_force.at_least(filters.min_grade))
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
            number: Counter(index_terms(one.index_text))
            for number, one in self._passages.items()
            if self._documents[one.document_id].superseded_by is None
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
            n: self._vectors[encoder, passage_key(self._passages[n])]
            for n in passage_ids
            if n in self._passages and (encoder, passage_key(self._passages[n])) in self._vectors
        }

    def tokens(self, passage_ids: Sequence[int], encoder: str) -> dict[int, QuantizedTokens]:
        return {
            n: self._tokens[encoder, passage_key(self._passages[n])]
            for n in passage_ids
            if n in self._passages and (encoder, passage_key(self._passages[n])) in self._tokens
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
            key = (encoder, passage_key(passage))
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
