"""Search by words: the product's FTS5 beside rank-bm25 and bm25s, on the same passages with the same terms."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Text
from benchmarks.engines_data import Sample, index_text
from benchmarks.engines_measure import DEPTH, System, ask, change, rows_of, say, spending
from benchmarks.engines_ours import put
from benchmarks.peers_env import environment
from benchmarks.projects import as_document, folder_bytes, open_store
from benchmarks.report import Row
from core.ports.store import ProjectStore
from core.records import Filters
from core.retrieve.candidates import lexical
from core.text.terms import index_terms

BM25S = "bm25s==0.3.16"
FTS5 = "ours, FTS5 with texts and project"
RANK = "rank-bm25, in memory"
SPARSE = "bm25s"
ANEW = "built anew: it cannot add or delete"
_DRIVER = Path(__file__).with_name("engines_bm25s_driver.py")


class Fts5:
    """The keyword search of a project that was filled."""

    def __init__(self, store: ProjectStore, sample: Sample) -> None:
        self._store, self._size = store, sample.size
        passages = [passage for document, _, _ in sample.documents for passage in store.passages_of(document.id)]
        self._places = {passage.id: place for place, passage in enumerate(passages)}
        self._documents = {place: passage.document_id for place, passage in enumerate(passages)}

    def search(self, query: str) -> list[int]:
        """See ``Searching``."""
        hits = lexical(self._store, index_terms(query), Filters(), DEPTH)
        return [self._places[hit.passage_id] for hit in hits if hit.passage_id in self._places]

    def add(self, later: Text) -> None:
        """A page with one passage."""
        document, body, passages = as_document(later, None)
        self._store.put_blob(body.encode())
        self._store.put(document, body, passages)
        self._places[self._store.passages_of(document.id)[0].id] = self._size

    def delete(self, place: int) -> None:
        """The page that the passage stands on."""
        self._store.delete(self._documents[place])


class RankBm25:
    """rank-bm25 keeps everything in memory; adding and deleting mean to build anew."""

    def __init__(self, sample: Sample) -> None:
        self._texts = list(sample.passages)
        self._places = list(range(sample.size))
        self._size = sample.size
        self._build()

    def _build(self) -> None:
        from rank_bm25 import BM25Okapi

        self.index = BM25Okapi([index_terms(text) for text in self._texts], k1=1.2, b=0.75)

    def search(self, query: str) -> list[int]:
        """See ``Searching``."""
        scores = self.index.get_scores(index_terms(query))
        return [self._places[at] for at in np.argsort(-scores, kind="stable")[:DEPTH].tolist()]

    def add(self, later: Text) -> None:
        """Built anew with one more."""
        self._texts.append(index_text(later))
        self._places.append(self._size)
        self._build()

    def delete(self, place: int) -> None:
        """Built anew with one less."""
        at = self._places.index(place)
        del self._texts[at], self._places[at]
        self._build()


def run(sample: Sample, cache: Path, about: Mapping[str, Any]) -> list[Row]:
    """All three at one size."""
    systems = [System(FTS5), System(RANK), System(SPARSE)]
    fts5, rank, sparse = systems
    with tempfile.TemporaryDirectory(prefix="benchmark-") as scratch:
        root = Path(scratch) / "projects"
        with open_store(root, "Words") as store, spending() as spent:
            put(store, sample)
        fts5.built(spent, folder_bytes(root))
        fts5.said["build_s"] = "each abstract is stored by itself, safe on disk before the next, with its original"
        fts5.said["disk_bytes"] = "the whole project: texts, originals, index"
        with open_store(root, "Words") as store:
            fts5.engine = Fts5(store, sample)
            with rank.trying("build"):
                with spending() as spent:
                    index = RankBm25(sample)
                rank.engine = index
                rank.built(spent, len(pickle.dumps(index.index)))
                rank.said["add_one_s"] = rank.said["delete_one_s"] = ANEW
                rank.said["disk_bytes"] = "it keeps nothing on disk; the bytes of its index as a pickle"
            ask([fts5, rank], sample.queries)
            for system in (fts5, rank):
                change(system, sample, sample.later[0])
        say(f"  {SPARSE}")
        with sparse.trying("install"):
            _bm25s(sparse, Path(scratch), cache, sample)
    data = f"scifact {sample.size:,} passages, words"
    return [row for system in systems for row in rows_of(system, sample, data, about)]


def _bm25s(system: System, scratch: Path, cache: Path, sample: Sample) -> None:
    peer = environment(cache, BM25S, "PyStemmer")
    request_file, result = scratch / "request.json", scratch / "result.json"
    later = sample.later[0]
    request = {"passages": sample.passages, "queries": list(sample.queries.values()), "k": DEPTH,
               "folder": str(scratch / "bm25s"), "later": index_text(later), "title": later.title}  # fmt: skip
    request_file.write_text(json.dumps(request), "utf-8")
    # The product's own terms: core.text.terms needs nothing but PyStemmer.
    there = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    done = subprocess.run([peer.python, _DRIVER, request_file, result], env=there, cwd=scratch, check=False,
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    if not result.is_file():
        raise RuntimeError(f"it ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    answer = json.loads(result.read_text("utf-8"))
    system.values |= answer["values"]
    system.said["add_one_s"] = system.said["delete_one_s"] = ANEW
    system.ranked = dict(zip(sample.queries, answer["ranked"], strict=True))
    system.milliseconds = answer["milliseconds"]
