"""Our own late interaction as the engines are compared: a project on disk, searched by the product's pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.data import Text
from benchmarks.engines_data import Sample
from benchmarks.engines_measure import DEPTH, Spent, spending
from benchmarks.projects import as_document
from core.late.index import LateIndex
from core.ports.store import JointEncoder, LateEncoder, ProjectStore
from core.records import Query, SearchRequest, StageSwitches, TokenMatrix, Vector
from core.retrieve import pipeline
from core.retrieve.encode import encode_missing
from core.settings.values import Settings

LATE_ONLY = StageSwitches(lexical=False, dense=False, late_interaction=True, mmr=False)


class LateOnly:
    """A late encoder where the store wants a joint one: the dense vector is the mean of the token vectors, so that
    nothing is encoded twice and building costs what late interaction costs."""

    def __init__(self, late: LateEncoder) -> None:
        self._late = late

    @property
    def fingerprint(self) -> str:
        """That of the late encoder, named first as another's would be."""
        return f"mean-of-tokens+{self._late.fingerprint}"

    @property
    def dim(self) -> int:
        """That of a token."""
        return self._late.dim

    late_dim = dim

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both for queries."""
        return self._both(self._late.encode_query_tokens(texts))

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both for passages."""
        return self._both(self._late.encode_passage_tokens(texts))

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """Means for queries."""
        return self.encode_queries_jointly(texts)[0]

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        """Means for passages."""
        return self.encode_passages_jointly(texts)[0]

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of queries."""
        return self._late.encode_query_tokens(texts)

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of passages."""
        return self._late.encode_passage_tokens(texts)

    @staticmethod
    def _both(matrices: list[TokenMatrix]) -> tuple[Vector, list[TokenMatrix]]:
        means = np.stack([matrix.vectors.mean(axis=0) for matrix in matrices])
        return (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32), matrices


class Kept:
    """A joint encoder that keeps the float vectors of the passages it encodes, to compute exact MaxSim with, and tells
    how long encoding took (``spent``)."""

    def __init__(self, encoder: JointEncoder) -> None:
        self.encoder = encoder
        self.passages: dict[str, Vector] = {}
        self.spent = Spent()

    @property
    def fingerprint(self) -> str:
        """That of the encoder."""
        return self.encoder.fingerprint

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both for passages."""
        with spending() as spent:
            dense, matrices = self.encoder.encode_passages_jointly(texts)
        self.spent.wall, self.spent.cpu = self.spent.wall + spent.wall, self.spent.cpu + spent.cpu
        self.passages.update({text: matrix.vectors for text, matrix in zip(texts, matrices, strict=True)})
        return dense, matrices

    def __getattr__(self, name: str) -> object:
        return getattr(self.encoder, name)


def exact(encoder: Kept, sample: Sample) -> dict[str, list[int]]:
    """Rankings of exact MaxSim in float over every passage: what an engine of this model should find."""
    matrices = [encoder.passages[text] for text in sample.passages]
    starts = np.concatenate([[0], np.cumsum([len(matrix) for matrix in matrices])[:-1]])
    stacked = np.concatenate(matrices)
    tokens = encoder.encoder.encode_query_tokens(list(sample.queries.values()))
    rankings = {}
    for key, matrix in zip(sample.queries, tokens, strict=True):
        scores = np.maximum.reduceat(stacked @ matrix.vectors.T, starts, axis=0).sum(axis=1)
        rankings[key] = np.argsort(-scores, kind="stable")[:DEPTH].tolist()
    return rankings


def put(store: ProjectStore, sample: Sample) -> None:
    """Store every abstract with its passages."""
    for document, body, passages in sample.documents:
        store.put_blob(body.encode())
        store.put(document, body, passages)


def fill(store: ProjectStore, sample: Sample, encoder: JointEncoder) -> None:
    """Store every abstract with its passages, and encode them."""
    put(store, sample)
    encode_missing(store, encoder, sample.size, lambda done, total, message="": None)


class Ours:
    """A filled project behind ``Searching``. ``stages`` None: late interaction alone, over every passage;
    ``late``: an engine beside our own, which must answer itself."""

    def __init__(
        self,
        store: ProjectStore,
        sample: Sample,
        encoder: JointEncoder,
        *,
        stages: StageSwitches | None = None,
        late: LateIndex | None = None,
    ) -> None:
        self._store, self._encoder, self._late, self._size = store, encoder, late, sample.size
        self._stages = stages or LATE_ONLY
        self._exact = stages is None and late is None
        # All that is asked for is loaded with its texts, as the others' answers are.
        self._settings = Settings().retrieval.model_copy(update={"rerank_depth": DEPTH})
        self.encoding_ms: float | None = None
        passages = [passage for document, _, _ in sample.documents for passage in store.passages_of(document.id)]
        self._places = {passage.id: place for place, passage in enumerate(passages)}
        self._documents = {place: passage.document_id for place, passage in enumerate(passages)}

    def search(self, query: str) -> list[int]:
        """See ``Searching``."""
        request = SearchRequest((Query(query),), stages=self._stages, k=10, depth=DEPTH, exact=self._exact)
        result = pipeline.search(request, self._store, self._encoder, self._settings, late=self._late)
        if result.stand_in is not None:
            raise RuntimeError(result.stand_in.reason)
        self.encoding_ms = result.timings.get("encode")
        return [
            self._places[candidate.passage.id]
            for candidate in result.candidates
            if candidate.passage.id in self._places
        ]

    def add(self, later: Text) -> None:
        """A page of its own with this one passage."""
        document, body, passages = as_document(later, None)
        self._store.put_blob(body.encode())
        self._store.put(document, body, passages)
        encode_missing(self._store, self._encoder, 1, lambda done, total, message="": None)
        self._places[self._store.passages_of(document.id)[0].id] = self._size

    def delete(self, place: int) -> None:
        """The page that the passage stands on: the product deletes sources, never single passages."""
        self._store.delete(self._documents[place])


def project_folder(root: Path) -> Path:
    """The only project's folder."""
    return next(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))
