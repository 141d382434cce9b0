"""Sections first, then passages: whether retrieval on two levels finds more in long documents (WiCE, cited pages).

Every page of the development set is stored and cut by the product's default; the claim is the query; a passage is
relevant when it holds at least half of a sentence that annotators marked as supporting. A section is a run of
passages of one page; what stands for it is the mean of their vectors, so no model is needed to summarise. ``first``
keeps only passages of the sections nearest to the claim; ``blend`` adds the nearness of its section to a passage's
score.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Text
from benchmarks.machine import machine, versions
from benchmarks.projects import encode, fill, open_store
from benchmarks.rows import Row, mean_row, row
from core.evaluate.measures import holm, per_query, randomization_test
from core.ports.store import JointEncoder, ProjectStore
from core.records import Filters, Query, SearchRequest, StageSwitches, Vector
from core.retrieve import pipeline
from core.retrieve.fusion import scaled
from core.settings.values import Settings

FILE = "wice/claim_dev.jsonl.gz"
SECTION = 8
FIRST = (5, 20, 50)
BLEND = (0.1, 0.2, 0.4)
METRICS = ("ndcg@10", "recall@5")
HELD = 0.5
Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Sections:
    """``of``: the section of every passage; ``vectors``: (sections, dim), unit length."""

    of: Mapping[int, int]
    vectors: Vector


def run(data: Path, encoder: JointEncoder, settings: Settings) -> list[Row]:
    """Measure flat search and both ways over sections (FileNotFoundError: the data are not there)."""
    start = time.perf_counter()
    pages, claims = _load(data / FILE)
    with tempfile.TemporaryDirectory(prefix="benchmark-") as root, open_store(Path(root), "wice") as store:
        keys = fill(store, pages, (settings.chunking.size, settings.chunking.overlap))
        encode(store, encoder)
        sections = _sections(store, encoder)
        of_page = {key: document for document, names in keys.items() for key in names}
        ranked: dict[str, dict[str, list[str]]] = {}
        judged: dict[str, dict[str, int]] = {}
        for key, (claim, spans) in claims.items():
            judged[key] = _relevant(store, of_page[key], spans)
            if judged[key]:
                for system, order in _search(claim, store, encoder, settings, sections).items():
                    ranked.setdefault(system, {})[key] = [str(name) for name in order]
        qrels = {key: grades for key, grades in judged.items() if grades}
        fields: dict[str, Any] = {
            "machine": machine(),
            "seconds": time.perf_counter() - start,
            "fingerprint": {
                "settings": settings.fingerprint(), "encoder": encoder.fingerprint, "versions": versions(),
                "pages": len(pages), "passages": len(sections.of), "sections": len(sections.vectors),
            },
        }  # fmt: skip
    return _rows(ranked, qrels, fields)


def _load(path: Path) -> tuple[list[Text], dict[str, tuple[str, Spans]]]:
    pages, claims = [], {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for at, line in enumerate(lines):
            values = json.loads(line)
            starts, length = [], 0
            for sentence in values["evidence"]:
                starts.append((length, length + len(sentence)))
                length += len(sentence) + 1
            pages.append(Text(str(at), "", "\n".join(values["evidence"])))
            marked = sorted({number for group in values["supporting_sentences"] for number in group})
            if marked:
                claims[str(at)] = (values["claim"], [starts[number] for number in marked])
    return pages, claims


def _relevant(store: ProjectStore, document: str, spans: Spans) -> dict[str, int]:
    return {
        str(passage.id): 1
        for passage in store.passages_of(document)
        if any(min(passage.end, end) - max(passage.start, start) >= HELD * (end - start) > 0 for start, end in spans)
    }


def _sections(store: ProjectStore, encoder: JointEncoder) -> Sections:
    of: dict[int, int] = {}
    vectors: list[Vector] = []
    for document in store.documents():
        passages = store.passages_of(document.id)
        for start in range(0, len(passages), SECTION):
            ids = [passage.id for passage in passages[start : start + SECTION]]
            section_vectors = list(store.vectors(ids, encoder.fingerprint).values())
            mean = np.mean(section_vectors, axis=0)
            of.update(dict.fromkeys(ids, len(vectors)))
            vectors.append((mean / (np.linalg.norm(mean) or 1.0)).astype(np.float32))
    return Sections(of, np.stack(vectors))


def _search(
    claim: str, store: ProjectStore, encoder: JointEncoder, settings: Settings, sections: Sections
) -> dict[str, list[int]]:
    depth = settings.retrieval.depth
    knobs = settings.retrieval.model_copy(update={"rerank_depth": 2 * depth})
    request = SearchRequest((Query(claim[:2000]),), Filters(), StageSwitches(mmr=False), k=10, depth=depth)
    result = pipeline.search(request, store, encoder, knobs)
    flat = {candidate.passage.id: candidate.score for candidate in result.candidates}
    near = sections.vectors @ encoder.encode_queries([claim[:2000]])[0]
    best = np.argsort(-near, kind="stable")
    rankings = {"flat": list(flat)}
    for count in FIRST:
        chosen = set(best[:count].tolist())
        rankings[f"first {count} sections"] = [passage_id for passage_id in flat if sections.of[passage_id] in chosen]
    level = scaled({passage_id: float(near[sections.of[passage_id]]) for passage_id in flat})
    for share in BLEND:
        score = {passage_id: (1 - share) * flat[passage_id] + share * level[passage_id] for passage_id in flat}
        rankings[f"blend {share:g}"] = sorted(
            flat, key=lambda passage_id, score=score: (-score[passage_id], passage_id)
        )  # type: ignore[misc]
    return rankings


def _rows(
    ranked: Mapping[str, Mapping[str, Sequence[str]]], qrels: Mapping[str, Mapping[str, int]], fields: Mapping[str, Any]
) -> list[Row]:
    print(f"sections: {len(qrels)} claims", file=sys.stderr, flush=True)
    rows: list[Row] = []
    names = ("sections", "wice", "dev")
    values = {
        (system, metric): list(per_query(metric, by_query, qrels).values())
        for system, by_query in ranked.items()
        for metric in METRICS
    }
    for (system, metric), each in values.items():
        rows.append(mean_row(*names, system, metric, each, **fields))
    others = [system for system in ranked if system != "flat"]
    for metric in METRICS:
        chances = [randomization_test(values[other, metric], values["flat", metric]) for other in others]
        for system, chance in zip(others, holm(chances), strict=True):
            rows.append(row(*names, system, f"p({metric} = flat)", chance, n=len(qrels), **fields))
    return rows
