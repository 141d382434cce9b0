"""Runs in the environment of PyLate, not in the product's: ``python engines_pylate_driver.py REQUEST RESULT``.

Encodes, indexes, searches, adds and deletes with PyLate and fast-plaid, and writes what came out, all as JSON. With
``victim`` in the request it only builds an index, saying when that begins, to be killed meanwhile; with ``answer`` it
only searches one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main(request_file: str, result_file: str) -> None:
    """One request."""
    request = json.loads(Path(request_file).read_text("utf-8"))
    from pylate import indexes, models, retrieve

    model = models.ColBERT(model_name_or_path=request["checkpoint"], device="cpu")
    if request.get("answer"):
        index = indexes.PLAID(index_folder=request["folder"], index_name="index", override=False, show_progress=False)
        hits = _Search(model, retrieve.ColBERT(index), request["k"])(request["queries"][0])
        Path(result_file).write_text(json.dumps({"found": hits}), "utf-8")
        return
    vectors = None
    if request.get("victim"):
        vectors = _encode(model, request["passages"])
        print("begin", flush=True)
    wall, cpu = time.perf_counter(), _cpu()
    if vectors is None:
        vectors = _encode(model, request["passages"])
    encoded = time.perf_counter() - wall
    index = indexes.PLAID(index_folder=request["folder"], index_name="index", override=True, show_progress=False)
    index.add_documents([str(at) for at in range(len(vectors))], vectors)
    answer: dict[str, Any] = {"build_s": time.perf_counter() - wall, "build_cpu_s": _cpu() - cpu, "encode_s": encoded}
    search = _Search(model, retrieve.ColBERT(index), request["k"])
    answer["disk_bytes"] = sum(path.stat().st_size for path in Path(request["folder"]).rglob("*") if path.is_file())
    if not request.get("victim"):
        answer |= _ask(search, request) | _change(model, index, search, request)
    Path(result_file).write_text(json.dumps(answer), "utf-8")


class _Search:
    """Places of the best passages of a query."""

    def __init__(self, model: Any, retriever: Any, k: int) -> None:
        self._model, self._retriever, self._k = model, retriever, k
        self.encoding_ms = 0.0

    def __call__(self, query: str) -> list[int]:
        start = time.perf_counter()
        vectors = self._model.encode([query], is_query=True, show_progress_bar=False)
        self.encoding_ms = (time.perf_counter() - start) * 1000
        hits = self._retriever.retrieve(queries_embeddings=vectors, k=self._k)[0]
        return [int(row["id"]) for row in hits]


def _encode(model: Any, texts: list[str]) -> Any:
    return model.encode(texts, is_query=False, batch_size=32, show_progress_bar=False)


def _ask(search: _Search, request: dict[str, Any]) -> dict[str, Any]:
    for query in request["queries"][:5]:
        search(query)
    ranked, spent, encoding = [], [], []
    for query in request["queries"]:
        start = time.perf_counter()
        ranked.append(search(query))
        spent.append((time.perf_counter() - start) * 1000)
        encoding.append(search.encoding_ms)
    return {"ranked": ranked, "milliseconds": spent, "encoding": encoding}


def _change(model: Any, index: Any, search: _Search, request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    new = len(request["passages"])
    try:
        start = time.perf_counter()
        index.add_documents([str(new)], _encode(model, [request["later"]]))
        hits = search(request["later_title"])
        answer["add_one_s"] = time.perf_counter() - start
        if new not in hits[:5]:
            answer["add_error"] = f"the new passage is not among the first five under its own title, but {hits[:5]}"
        before = search(request["queries"][0])
        start = time.perf_counter()
        index.remove_documents([str(before[0])])
        after = search(request["queries"][0])
        answer["delete_one_s"] = time.perf_counter() - start
        if before[0] in after:
            answer["delete_error"] = "the deleted passage is still found"
        answer["same_after_delete"] = len(set(before[1:6]) & set(after[:5]))
    except Exception as error:
        answer["change_error"] = f"{type(error).__name__}: {error}"
    return answer


def _cpu() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    main(*sys.argv[1:3])
