"""The passages and queries that the engines are compared on: SciFact, cut as the product cuts it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.data import RetrievalSet, Text
from benchmarks.projects import Chunks, as_document
from core.evaluate.measures import ndcg
from core.records import Document, Passage

JUDGED_SHARE = 0.7
"""Of the passages at most so many are of judged abstracts; the others only stand in the way, as in a real project."""
LATER = 4


@dataclass(frozen=True, slots=True)
class Sample:
    """``passages`` and the key of the abstract that each belongs to, in the same order; ``queries`` by their ids, with
    every abstract that is judged for them inside. ``documents`` hold what the store is filled with; ``later`` are the
    first passages of abstracts that are not among them, to be added."""

    documents: tuple[tuple[Document, str, list[Passage]], ...]
    passages: tuple[str, ...]
    keys: tuple[str, ...]
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]
    later: tuple[Text, ...]

    @property
    def size(self) -> int:
        """How many passages there are."""
        return len(self.passages)


def choose(of_set: RetrievalSet, size: int, queries: int, chunks: Chunks) -> Sample:
    """Exactly ``size`` passages of whole abstracts: those judged for the first ``queries`` queries, then others in the
    order of the corpus. Fewer queries where their abstracts would be more than ``JUDGED_SHARE`` of the passages.

    Raises:
        ValueError: the corpus has not that many passages, or no combination of whole abstracts gives that number.
    """
    by_key = {text.key: text for text in of_set.texts}
    lengths: dict[str, int] = {}

    def length(key: str) -> int:
        if key not in lengths:
            lengths[key] = len(as_document(by_key[key], chunks)[2])
        return lengths[key]

    wanted: dict[str, None] = {}
    chosen_queries: dict[str, str] = {}
    total = 0
    for query, judged in list(of_set.qrels.items())[:queries]:
        new = [key for key in judged if key in by_key and key not in wanted]
        if total + sum(map(length, new)) > JUDGED_SHARE * size:
            break
        wanted.update(dict.fromkeys(new))
        total += sum(map(length, new))
        chosen_queries[query] = of_set.queries[query]
    rest = [text.key for text in of_set.texts if text.key not in wanted and (text.body.strip() or text.title.strip())]
    left = iter(rest)
    for key in left:
        if total == size:
            break
        if total + length(key) <= size:
            wanted[key] = None
            total += length(key)
    if total != size or not chosen_queries:
        raise ValueError(f"{size:,} passages cannot be had: whole abstracts of {of_set.name} give {total:,} of them")
    outside = [by_key[key] for key in reversed(rest) if key not in wanted][:LATER]
    return _sample([by_key[key] for key in wanted], chosen_queries, of_set, outside, chunks)


def _sample(
    texts: Sequence[Text], queries: Mapping[str, str], of_set: RetrievalSet, outside: Sequence[Text], chunks: Chunks
) -> Sample:
    documents = [as_document(text, chunks) for text in texts]
    pairs = [
        (passage.index_text, text.key)
        for text, document in zip(texts, documents, strict=True)
        for passage in document[2]
    ]
    return Sample(
        documents=tuple(documents),
        passages=tuple(text for text, _ in pairs),
        keys=tuple(key for _, key in pairs),
        queries=dict(queries),
        judged={query: of_set.qrels[query] for query in queries},
        later=tuple(replace(text, body=as_document(text, chunks)[2][0].text) for text in outside),
    )


def index_text(text: Text) -> str:
    """What engines see of a text that is one passage: the title before it, as the product has it."""
    return f"{text.title}\n{text.body}" if text.title else text.body


def by_document(ranked: Sequence[int], keys: Sequence[str]) -> list[str]:
    """The abstracts of ranked passages (places in ``keys``), each at its best passage."""
    return list(dict.fromkeys(keys[at] for at in ranked))


def ndcg10(ranked: Mapping[str, Sequence[int]], sample: Sample) -> list[float]:
    """nDCG@10 of each query over abstracts; a query that found nothing counts 0."""
    return [ndcg(by_document(ranked.get(query, ()), sample.keys), sample.judged[query], 10) for query in sample.queries]


def overlap(ranked: Mapping[str, Sequence[int]], exact: Mapping[str, Sequence[int]], top: int = 5) -> list[float]:
    """Share of the exact ``top`` passages that are among the engine's ``top``, for each query of ``exact``."""
    return [len(set(ranked.get(query, ())[:top]) & set(best[:top])) / top for query, best in exact.items()]


def data_name(sample: Sample) -> str:
    """What the results of a sample are filed under."""
    return f"scifact {sample.size:,} passages"


def keep_exact(cache: Path, sample: Sample, ranked: Mapping[str, Sequence[int]]) -> None:
    """Keep the rankings of exact MaxSim in float, for engines that are asked in another run."""
    place = _exact_file(cache, sample)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({query: list(ranking) for query, ranking in ranked.items()}), "utf-8")


def kept_exact(cache: Path, sample: Sample) -> dict[str, list[int]]:
    """These rankings; empty when none were kept for the very same sample."""
    place = _exact_file(cache, sample)
    rankings: dict[str, list[int]] = json.loads(place.read_text("utf-8")) if place.is_file() else {}
    return rankings


def _exact_file(cache: Path, sample: Sample) -> Path:
    from tools.ragatouille_checkpoint import recipe

    whole = json.dumps([recipe(), sample.passages, dict(sample.queries)])
    return cache / "engines" / f"exact-{hashlib.sha256(whole.encode()).hexdigest()[:16]}.json"
