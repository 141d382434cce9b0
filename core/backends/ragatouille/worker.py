"""The process that holds RAGatouille: ``python -m core.backends.ragatouille.worker PARENT ASIDE build|search``. PARENT
is the process id of the workbench, with which this process ends; ASIDE is a folder of this process alone. Started and
killed by ``process.WorkerProcess``, spoken to over its pipes. One index a process: a second ``index_root`` in one
process would write into the first one's folder."""

import importlib
import json
import os
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from core.backends.ragatouille.ending import end_session

INDEX = "passages"
"""Name of the index under the root that RAGatouille is given."""
MAX_TOKENS = 500
"""Most tokens of a passage; BERT has 512 positions. RAGatouille's own default is 256, and it cuts what is longer
silently."""
_STEPS = 7
_LOOK_S = 1.0
_OWNERS = (
    ("colbert.modeling.colbert", "ColBERT", "1"),
    ("colbert.search.strided_tensor", "StridedTensor", "2"),
    ("colbert.search.index_storage", "IndexScorer", "3 and 4"),
)

Say = Callable[[int, str], None]


def main(arguments: list[str]) -> int:
    """Answer messages on standard input until it ends."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # RAGatouille prints a lot; it must not get between the messages
    parent, aside, task = arguments
    _end_with(int(parent), aside)
    try:
        first = receive(requests)
        if first is None:
            return 1
        if task == "build":
            _build(first, lambda done, text: send(answers, {"done": done, "total": _STEPS, "message": text}))
            send(answers, {"ok": True})
        else:
            _serve(first, requests, answers, aside)
    except Exception as error:
        traceback.print_exc()
        send(answers, {"error": f"{type(error).__name__}: {error}"})
        return 1
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return 0


def _build(request: Mapping[str, Any], say: Say) -> None:
    # Whatever a library writes beside its index is thrown away with the folder. And names from here on: a project that
    # is deleted meanwhile must not come back as the folders that a library makes on the way to its files.
    os.chdir(request["folder"])
    _ready(say)
    library = importlib.import_module("ragatouille").RAGPretrainedModel
    say(5, "Reading the checkpoint")
    texts = [str(text) for _, text in request["passages"]]
    model = library.from_pretrained(request["checkpoint"], index_root="made", verbose=0)
    say(6, f"Encoding and clustering {len(texts):,} passages")
    # The defaults split texts on their own (ids would no longer be ours) and cluster without faiss (1,000 passages
    # did not end in two minutes).
    folder = model.index(
        collection=texts,
        document_ids=[str(key) for key, _ in request["passages"]],
        index_name=INDEX,
        max_document_length=MAX_TOKENS,
        split_documents=False,
        use_faiss=True,
        overwrite_index=True,
    )
    os.rename(folder, INDEX)
    for other in Path().iterdir():
        if other.name != INDEX:
            shutil.rmtree(other) if other.is_dir() else other.unlink()


def _serve(first: Mapping[str, Any], requests: BinaryIO, answers: BinaryIO, aside: str) -> None:
    _ready(lambda _done, _text: None)
    library = importlib.import_module("ragatouille").RAGPretrainedModel
    os.chdir(aside)  # for what libraries write where they stand
    model = library.from_index(Path(first["folder"]) / INDEX, verbose=0)
    if Path(model.model.checkpoint).resolve() != Path(first["checkpoint"]).resolve():
        raise FileNotFoundError(f"the index was made with {model.model.checkpoint}, which is not {first['checkpoint']}")
    # RAGatouille reads long queries beyond the checkpoint's own length; our encoder does not. One scale for both.
    model.model.base_model_max_tokens = int(model.model.config.query_maxlen)
    model.search(query="warming up", k=1)
    send(answers, {"ready": True})
    while (request := receive(requests)) is not None:
        try:
            hits = model.search(query=request["query"], k=request["k"], doc_ids=request.get("ids"))
            send(answers, {"hits": [[int(hit["document_id"]), float(hit["score"])] for hit in hits or []]})
        except Exception as error:
            traceback.print_exc()
            send(answers, {"error": f"{type(error).__name__}: {error}"})


def _ready(say: Say) -> None:
    """Mends, and the extensions compiled and loaded one by one, so that nothing is compiled in a search."""
    from core.backends.ragatouille.compat import mend
    from core.backends.ragatouille.needs import check_compiler, clear_stale_locks, waiting_note

    say(0, "Loading RAGatouille")
    check_compiler()
    for lock in clear_stale_locks():
        print(f"removed the lock that a killed compile left: {lock}", file=sys.stderr)
    mend()
    for done, (module, owner, parts) in enumerate(_OWNERS, start=1):
        say(done, waiting_note() or f"Compiling parts of RAGatouille ({parts} of 4; minutes at first use only)")
        getattr(importlib.import_module(module), owner).try_load_torch_extensions(False)


def _end_with(parent: int, aside: str) -> None:
    """End this process and what it started when the workbench is gone, also while something is loaded or compiled."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_S)
        shutil.rmtree(aside, ignore_errors=True)
        end_session(os.getpid())

    threading.Thread(target=watch, daemon=True).start()


MAX_LINE = 1 << 30


def send(stream: BinaryIO, message: Mapping[str, Any]) -> None:
    stream.write(json.dumps(message).encode("ascii") + b"\n")
    stream.flush()


def receive(stream: BinaryIO) -> dict[str, Any] | None:
    """Read one message; None at the end of the stream, also in the middle of a message. Raises ValueError: the line is
    no JSON object."""
    line = stream.readline(MAX_LINE)
    if not line.endswith(b"\n"):
        return None
    decoded = json.loads(line)
    if not isinstance(decoded, dict):
        raise ValueError("a message must be a JSON object")
    return decoded


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
