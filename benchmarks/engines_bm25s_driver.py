"""Runs in the environment of bm25s: ``python engines_bm25s_driver.py REQUEST RESULT``, both JSON.

The terms are the product's (``core.text.terms``), so that only the engines differ.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from core.text.terms import index_terms


def main(request_file: str, result_file: str) -> None:
    """Build, ask, build anew for a change."""
    request = json.loads(Path(request_file).read_text("utf-8"))
    texts, queries, folder = request["passages"], request["queries"], request["folder"]
    wall, cpu = time.perf_counter(), sum(os.times()[:4])
    index = build(texts, folder)
    values: dict[str, float] = {"build_s": time.perf_counter() - wall, "build_cpu_s": sum(os.times()[:4]) - cpu}
    values["disk_bytes"] = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    for query in queries[:5]:
        search(index, query, request["k"], len(texts))
    ranked, spent = [], []
    for query in queries:
        start = time.perf_counter()
        ranked.append(search(index, query, request["k"], len(texts)))
        spent.append((time.perf_counter() - start) * 1000)
    start = time.perf_counter()
    hits = search(build([*texts, request["later"]], folder), request["title"], request["k"], len(texts) + 1)
    values["add_one_s"] = time.perf_counter() - start
    if len(texts) not in hits[:5]:
        raise SystemExit("the new passage is not among the first five under its own title")
    best = ranked[0][0]
    start = time.perf_counter()
    search(build(texts[:best] + texts[best + 1 :], folder), queries[0], request["k"], len(texts) - 1)
    values["delete_one_s"] = time.perf_counter() - start
    answer = {"values": values, "ranked": ranked, "milliseconds": spent}
    Path(result_file).write_text(json.dumps(answer), "utf-8")


def build(texts: list[str], folder: str) -> Any:
    """An index of the product's terms, saved."""
    import bm25s

    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    index.index([index_terms(text) for text in texts], show_progress=False)
    index.save(folder)
    return index


def search(index: Any, query: str, k: int, size: int) -> list[int]:
    """Places of the best passages."""
    hits, _ = index.retrieve([index_terms(query)], k=min(k, size), show_progress=False)
    return [int(at) for at in hits[0]]


if __name__ == "__main__":
    main(*sys.argv[1:3])
