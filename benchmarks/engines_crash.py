"""Killed in the middle (SIGKILL): a build, and a search. Whether what was there before still answers, and what is left.

Values are 1 (yes) and 0 (no); the row's ``said`` tells what happened in words.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import engines_pylate
from benchmarks.engines_data import Sample
from benchmarks.engines_late import MULTI, PLAID, PRODUCT
from benchmarks.engines_measure import System, rows_of, say
from benchmarks.engines_ours import LateOnly, Ours, fill, project_folder
from benchmarks.projects import folder_bytes, open_store
from benchmarks.report import Row
from core.backends.ragatouille.checkpoint import find_checkpoint
from core.backends.ragatouille.needs import extensions_folder
from core.backends.resolve import load_encoder
from core.backends.sentence_transformers.encoders import load_late_encoder
from core.ports.store import ProjectStore
from core.retrieve.encode import encode_missing
from core.settings.values import Models

OURS = "ours (the default encoder)"
BUILD, SEARCH = "answers_after_killed_build", "answers_after_killed_search"
_REPOSITORY = Path(__file__).resolve().parents[1]
_LIMIT_S = 300
SHARES = (0.5, 0.7, 0.85)
"""Of a build's time, after which it is killed, until the earlier index answers no more."""
NAME = "Killed"


def run(sample: Sample, cache: Path, checkpoint: Path, about: Mapping[str, Any]) -> list[Row]:
    """One line an engine."""
    systems = [System(name) for name in (OURS, PRODUCT, PLAID, MULTI, engines_pylate.SYSTEM)]
    ours, product, alone, multi, pylate = systems
    with tempfile.TemporaryDirectory(prefix="benchmark-") as scratch:
        root = Path(scratch)
        for system, action in (
            (ours, lambda: _ours(ours, root / "ours", sample)),
            (product, lambda: _product(product, root / "product", checkpoint, first(sample, 100))),
            (alone, lambda: _alone(alone, root / "alone", checkpoint, first(sample, 100))),
            (pylate, lambda: _pylate(pylate, root / "pylate", cache, checkpoint, first(sample, 100))),
        ):
            say(f"  {system.name}")
            with system.trying("crash"):
                action()
    _note(multi, BUILD, False, "by its design: vectors are in memory only, and are gone with the process")
    data = f"scifact {sample.size:,} passages, killed with SIGKILL"
    return [row for system in systems for row in rows_of(replace_queries(system), sample, data, about)]


def replace_queries(system: System) -> System:
    """Nothing is ranked here: only words and values are told."""
    return replace(system, ranked={}, milliseconds=[])


def first(sample: Sample, size: int) -> Sample:
    """The first whole abstracts of up to ``size`` passages."""
    documents, count = [], 0
    for document in sample.documents:
        if count + len(document[2]) > size:
            break
        documents.append(document)
        count += len(document[2])
    return replace(sample, documents=tuple(documents), passages=sample.passages[:count], keys=sample.keys[:count])


def _note(system: System, metric: str, holds: bool, words: str) -> None:
    say(f"    {metric}: {'yes' if holds else 'no'}: {words}")
    system.values[metric] = float(holds)
    system.said[metric] = words


@contextlib.contextmanager
def _child(mode: str, request: Mapping[str, Any], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A child that has said ``begin``; it is killed when the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    request_file = folder / f"{mode}.json"
    request_file.write_text(json.dumps(dict(request)), "utf-8")
    with (folder / f"{mode}.log").open("w") as log:
        process = subprocess.Popen([sys.executable, "-m", "benchmarks.engines_crash_child", mode, str(request_file)],
                                cwd=_REPOSITORY, env=_surroundings(), stdout=subprocess.PIPE, stderr=log,
                                text=True)  # fmt: skip
        try:
            _wait_begin(process, folder / f"{mode}.log")
            yield process
            if mode != "raw-build" and process.poll() is not None:
                raise RuntimeError("the child ended before it was killed")
        finally:
            process.kill()
            process.wait()


def _wait_begin(child: subprocess.Popen[str], log: Path | None = None) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        if line.strip() == "begin":
            return
    last_line = log.read_text().strip().splitlines()[-1:] if log else []
    raise RuntimeError(f"the child ended before its work began: {' '.join(last_line)}")


def _surroundings() -> dict[str, str]:
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "TORCH_EXTENSIONS_DIR": str(extensions_folder())}  # fmt: skip


def _query(sample: Sample) -> str:
    return next(iter(sample.queries.values()))


def _ours(system: System, root: Path, sample: Sample) -> None:
    before, encoder = first(sample, 40), load_encoder(Models())
    request = {"root": str(root), "name": NAME, "query": _query(sample)}
    with open_store(root, NAME) as store:
        fill(store, before, encoder)
        ours = Ours(store, before, encoder)
        best = ours.search(_query(sample))[:5]
        for document, body, passages in sample.documents[len(before.documents) :]:
            store.put_blob(body.encode())
            store.put(document, body, passages)
        with _child("ours", request, root.with_name("ours-child")):
            pass
        encoded, searchable = store.coverage(encoder.fingerprint)
        same = ours.search(_query(sample))[:5] == best
        again = encode_missing(store, encoder, 0, lambda done, total, message="": None)
        words = f"{encoded} of {searchable} passages were encoded when it was killed, the next run encoded {again}"
        _note(system, BUILD, same and encoded + again == searchable, words)
        with _child("search", request, root.with_name("ours-child")):
            pass
        _note(system, SEARCH, ours.search(_query(sample))[:5] == best, "a search writes nothing")


def _product(system: System, root: Path, checkpoint: Path, sample: Sample) -> None:
    from benchmarks.engines_plaid import FOLDER, build

    files = find_checkpoint(str(checkpoint), allow_downloads=False)
    encoder = LateOnly(load_late_encoder(files.files, files.name))
    with open_store(root, NAME) as store:
        fill(store, sample, encoder)
        index, spent, _ = build(store, root, checkpoint)
        place = project_folder(root) / FOLDER
        ours = Ours(store, sample, encoder, late=index)
        try:
            best = ours.search(_query(sample))[:5]
            request = {"root": str(root), "name": NAME, "place": str(place), "checkpoint": str(checkpoint)}
            with _child("product", request, root.with_name("product-child")):
                time.sleep(spent.wall / 4)
            left = sum(folder_bytes(path) for path in place.parent.glob(f".{place.name}.*"))
            words = f"{left:,} bytes are left in a hidden folder, which the next build removes"
            _note(system, BUILD, ours.search(_query(sample))[:5] == best, words)
            _kill_searcher(system, index.pid, ours, sample, store, encoder, best)
        finally:
            index.close()


def _kill_searcher(
    system: System, pid: int | None, ours: Ours, sample: Sample, store: ProjectStore, encoder: Any, best: list[int]
) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    start = time.perf_counter()
    try:
        ours.search(_query(sample))
        notice = "none"
    except RuntimeError as error:  # our own engine answered in its place, with this notice
        notice = str(error)
    stood_in = Ours(store, sample, encoder).search(_query(sample))[:5]
    while True:
        try:
            again = ours.search(_query(sample))[:5]
            break
        except RuntimeError:
            if time.perf_counter() - start > _LIMIT_S:
                raise
    words = f"our own engine answered at once ({notice}); it answered again after {time.perf_counter() - start:.0f} s"
    _note(system, SEARCH, again == best and bool(stood_in), words)


def _alone(system: System, root: Path, checkpoint: Path, sample: Sample) -> None:
    request = {"checkpoint": str(checkpoint), "folder": str(root / "index"), "passages": list(sample.passages),
               "query": _query(sample), "result": str(root / "found.json")}  # fmt: skip
    root.mkdir(parents=True)
    with _child("raw-build", request, root) as child:
        start = time.perf_counter()
        if child.wait(_LIMIT_S) != 0:
            raise RuntimeError("its first build failed")
        whole = time.perf_counter() - start
    best = _raw_answer(request, root)
    if not best:
        raise RuntimeError("its first index does not answer")
    _note(system, SEARCH, best == _raw_answer(request, root), "a new process answers from the same index")
    for share in SHARES:  # what it overwrites, it overwrites late
        with _child("raw-build", request, root):
            time.sleep(whole * share)
        after = _raw_answer(request, root)
        if after != best:
            break
    words = f"killed after {share:.0%} of the {whole:.0f} s of a build over the earlier index of the same name"
    state = (
        _last(root / "raw-search.log") if after is None else "it answers" if after == best else "it answers otherwise"
    )
    _note(system, BUILD, after == best, f"{words}: {state}")


def _raw_answer(request: Mapping[str, Any], root: Path) -> list[str] | None:
    """The best five of a new process; None when it fails."""
    Path(request["result"]).unlink(missing_ok=True)
    request_file = root / "raw-search.json"
    request_file.write_text(json.dumps(dict(request)), "utf-8")
    with (root / "raw-search.log").open("w") as log:
        command = [sys.executable, "-m", "benchmarks.engines_crash_child", "raw-search", str(request_file)]
        subprocess.run(command, cwd=_REPOSITORY, env=_surroundings(), stdout=log, stderr=log, check=False,
                       timeout=_LIMIT_S)  # fmt: skip
    result = Path(request["result"])
    return [str(document_id) for document_id in json.loads(result.read_text("utf-8"))] if result.is_file() else None


def _last(log: Path) -> str:
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    return (errors or lines or ["without a word"])[-1][:300]


def _pylate(system: System, root: Path, cache: Path, checkpoint: Path, sample: Sample) -> None:
    peer = engines_pylate.installed(cache)
    payload = engines_pylate.request(checkpoint, root / "index", sample.passages, [_query(sample)])
    whole = float(engines_pylate.run(peer, root, {**payload, "victim": True})["build_s"])
    best = engines_pylate.run(peer, root, {**payload, "answer": True})["found"][:5]
    again = engines_pylate.run(peer, root, {**payload, "answer": True})["found"][:5]
    _note(system, SEARCH, best == again, "a new process answers from the same index")
    child = engines_pylate.victim(peer, root, payload)
    try:
        _wait_begin(child)
        time.sleep(whole / 2)
    finally:
        child.kill()
        child.wait()
    words = f"killed after half of the {whole:.1f} s of a build over the earlier index of the same name"
    try:
        after = engines_pylate.run(peer, root, {**payload, "answer": True})["found"][:5]
    except RuntimeError as error:
        _note(system, BUILD, False, f"{words}: {error}")
        return
    _note(system, BUILD, after == best, f"{words}: {'it answers' if after == best else 'it answers otherwise'}")
