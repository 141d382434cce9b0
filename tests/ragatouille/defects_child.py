"""Shows what ragatouille 0.0.9.post2 does wrong here, one after the other, in one process; prints JSON.

Run by test_defects: when one of these no longer shows, what mends or avoids it can go.
Arguments: a tiny checkpoint, the same without root and experiment, an empty folder.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.backends.ragatouille import compat

WORDS = ("oak", "elm", "lime", "ash", "fir", "yew", "maple", "larch", "alder", "beech", "birch", "willow")
SHORT = [f"the {word} of number {number}" for number, word in enumerate(WORDS[:6])]
TEXTS = [
    f"the {word} of number {number} was planted behind the old harbour in a year that nobody who lives in this quiet "
    "town today can remember, and it has grown taller than every house around it since"
    for number, word in enumerate(WORDS)
]
IDS = [str(100 + number) for number in range(len(TEXTS))]


def outcome(act: Callable[[], Any]) -> str:
    """What came of it: the error's type and text, or "fine"."""
    try:
        act()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    return "fine"


def main(whole: str, without: str, folder: str) -> dict[str, Any]:
    os.chdir(folder)
    told: dict[str, Any] = {}
    compat._stub_langchain_retrievers()
    library = importlib.import_module("ragatouille").RAGPretrainedModel

    def load(checkpoint: str, root: str) -> Any:
        return library.from_pretrained(checkpoint, index_root=str(Path(folder) / root), verbose=0)

    def index(model: Any, texts: list[str]) -> Any:
        return model.index(
            collection=texts, document_ids=IDS[: len(texts)], index_name="i", split_documents=False, use_faiss=True
        )

    told["loading without the mend"] = outcome(lambda: load(whole, "a"))
    compat._finish_models()
    told["loading with the mend"] = outcome(lambda: load(whole, "a"))
    told["few words without the mend"] = outcome(lambda: index(load(whole, "few"), SHORT))
    compat._cap_clusters()
    told["few words with the mend"] = outcome(lambda: index(load(whole, "few, mended"), SHORT))
    bare = load(without, "bare")
    index(bare, TEXTS)
    told["search without root and experiment"] = outcome(lambda: bare.search("elm", k=3))
    compat._fill_checkpoint_settings()
    filled = load(without, "filled")
    index(filled, TEXTS)
    told["search with the mend"] = outcome(lambda: filled.search("elm", k=3))
    first, second = load(whole, "first"), load(whole, "second")
    told["index under the second root"] = outcome(lambda: index(second, TEXTS))
    told["index under the first root"] = outcome(lambda: index(first, TEXTS))
    changed = load(whole, "changed")
    index(changed, TEXTS)
    right = dict(zip(IDS, TEXTS, strict=True))
    changed.search("elm", k=3)
    told["deleting"] = outcome(lambda: changed.delete_from_index(["100"]))
    told["wrong after deleting"] = outcome(lambda: check(changed, right))
    grown = load(whole, "grown")
    index(grown, TEXTS)
    grown.search("elm", k=3)
    told["adding"] = outcome(
        lambda: grown.add_to_index(["a new one of zeppelins"], ["200"], split_documents=False, use_faiss=True)
    )
    told["wrong after adding"] = outcome(lambda: check(grown, {**right, "200": "a new one of zeppelins"}))
    return told


def check(model: Any, right: dict[str, str]) -> None:
    """Every id that is found must come with its own text, and every text must be found."""
    found = {one["document_id"]: one["content"] for one in model.search("elm of number", k=7)}
    wrong = {key: text for key, text in found.items() if right.get(key) != text}
    if wrong:
        raise LookupError(f"texts of other ids: {wrong}")


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print(json.dumps(main(*sys.argv[1:])), file=answers, flush=True)
