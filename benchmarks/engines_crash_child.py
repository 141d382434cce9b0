"""What is killed in ``engines_crash``: ``python -m benchmarks.engines_crash_child MODE REQUEST``.

It prints ``begin`` when the work begins that is to be interrupted.
"""

from __future__ import annotations

import importlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def main(mode: str, request_file: str) -> None:
    """One of ``ours``, ``search``, ``product``, ``raw-build``, ``raw-search``."""
    request = json.loads(Path(request_file).read_text("utf-8"))
    actions = {"ours": _ours, "search": _search, "product": _product, "raw-build": _raw_build,
               "raw-search": _raw_search}  # fmt: skip
    actions[mode](request)


def _begin() -> None:
    print("begin", flush=True)


def _ours(request: dict[str, Any]) -> None:
    """Encode what is missing in a project; begins with the second batch."""
    from benchmarks.projects import open_store
    from core.backends.resolve import load_encoder
    from core.retrieve.encode import encode_missing
    from core.settings.values import Models

    def progress(done: int, total: int | None, message: str = "") -> None:
        if done:
            _begin()

    with open_store(Path(request["root"]), request["name"]) as store:
        encode_missing(store, load_encoder(Models()), 0, progress)


def _search(request: dict[str, Any]) -> None:
    """Search a project over and over."""
    from benchmarks.engines_ours import LATE_ONLY
    from benchmarks.projects import open_store
    from core.backends.resolve import load_encoder
    from core.records import Query, SearchRequest
    from core.retrieve import pipeline
    from core.settings.values import Models, Settings

    encoder, settings = load_encoder(Models()), Settings().retrieval
    with open_store(Path(request["root"]), request["name"]) as store:
        while True:
            pipeline.search(SearchRequest((Query(request["query"]),), stages=LATE_ONLY), store, encoder, settings)
            _begin()


def _product(request: dict[str, Any]) -> None:
    """Build the product's index anew; begins when RAGatouille encodes and clusters."""
    from benchmarks.engines_plaid import engine
    from benchmarks.projects import open_store
    from core.late.index import LateIndex

    def progress(done: int, total: int | None, message: str = "") -> None:
        if message.startswith("Encoding and clustering"):
            _begin()

    with open_store(Path(request["root"]), request["name"]) as store:
        index = LateIndex(Path(request["place"]), store.project.id, engine(Path(request["checkpoint"])))
        index.build(store, progress, lambda: datetime.now(UTC))


def _library() -> Any:
    from core.backends.ragatouille.compat import mend

    mend()
    return importlib.import_module("ragatouille").RAGPretrainedModel


def _raw_build(request: dict[str, Any]) -> None:
    """RAGatouille as its manual has it, without the product: an index over the earlier one of the same name."""
    model = _library().from_pretrained(request["checkpoint"], index_root=request["folder"], verbose=0)
    _begin()
    model.index(collection=request["passages"], document_ids=[str(at) for at in range(len(request["passages"]))],
                index_name="passages", split_documents=False, use_faiss=True, overwrite_index=True)  # fmt: skip


def _raw_search(request: dict[str, Any]) -> None:
    """Search what is there."""
    place = next(Path(request["folder"]).rglob("passages"))
    model = _library().from_index(str(place), verbose=0)
    hits = model.search(query=request["query"], k=5)
    Path(request["result"]).write_text(json.dumps([row["document_id"] for row in hits]), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
