"""RAGatouille behind ``core.ports.engines.SnapshotEngine``: one process builds an index, another searches it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.backends.ragatouille.checkpoint import Checkpoint, find_checkpoint
from core.backends.ragatouille.needs import check_compiler, check_extra, environment
from core.backends.ragatouille.process import WorkerProcess
from core.errors import LateEngineError
from core.ports.store import Progress
from core.records import Hit
from core.settings.values import Models

START_S = 300.0
"""After which a process that does not get ready is given up."""
ANSWER_S = 30.0
READY_S = 0.5
"""Seconds that a search waits for a process that still starts, before our own engine answers in its place."""

_TRIES = 2
"""Starts in a row that may fail before a searcher is given up, until its index is built anew."""


class RagatouilleEngine:
    """Builds and opens PLAID indexes with the checkpoint that the settings name."""

    name = "RAGatouille"

    def __init__(self, models: Models, *, ready_s: float = READY_S) -> None:
        self._models = models
        self._ready_s = ready_s

    def checkpoint(self) -> str:
        """Fingerprint of the checkpoint. Raises ExtraMissing, ModelNotFound, ModelDamaged: what is missing and what to
        do."""
        return self._find().fingerprint

    def environment(self) -> str:
        """Versions of what it is made of, and the compiler."""
        return environment()

    def build(self, passages: Sequence[tuple[int, str]], folder: Path, progress: Progress) -> None:
        """Index the passages into ``folder`` (see ``SnapshotEngine``)."""
        check_compiler()
        worker = WorkerProcess(
            "build",
            {"folder": str(folder), "checkpoint": str(self._find().folder), "passages": list(passages)},
            threads=self._models.threads,
        )
        done, total, message = 0, 1, "Starting RAGatouille"
        try:
            while True:
                progress(done, total, message)  # raises when the user asked to stop
                message_of_worker = worker.answer(0.5)
                if message_of_worker is None:
                    continue
                if message_of_worker.get("ok"):
                    return
                done, total, message = (
                    int(message_of_worker["done"]),
                    int(message_of_worker["total"]),
                    str(message_of_worker["message"]),
                )
        finally:
            worker.kill()

    def open(self, folder: Path) -> RagatouilleSearcher:
        """Start the process that searches ``folder`` (ExtraMissing, ModelNotFound)."""
        first = {"folder": str(folder.resolve()), "checkpoint": str(self._find().folder)}
        return RagatouilleSearcher(first, self._models.threads, self._ready_s)

    def _find(self) -> Checkpoint:
        check_extra()
        return find_checkpoint(self._models.checkpoint, allow_downloads=self._models.allow_downloads)


class RagatouilleSearcher:
    """One index in a process that is started at once and asked when it is ready. A process that dies, or hangs, is
    reported to the search that meets it, and the next search starts another."""

    def __init__(self, first: dict[str, Any], threads: int, ready_s: float) -> None:
        self._first, self._threads, self._ready_s = first, threads, ready_s
        self._lock = threading.Lock()
        self._closed = False
        self._failures = 0
        self._broken: LateEngineError | None = None
        self._start()

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._worker.pid

    def search(self, query: str, k: int) -> list[Hit]:
        return self._ask({"query": query, "k": k})

    def score(self, query: str, passage_ids: Sequence[int]) -> list[Hit]:
        return self._ask({"query": query, "k": len(passage_ids), "ids": [str(key) for key in passage_ids]})

    def close(self) -> None:
        """End the process. A search that waits for it is told so."""
        self._closed = True
        self._worker.kill()

    def _start(self) -> None:
        self._worker = WorkerProcess("search", self._first, threads=self._threads)
        self._ready, self._since = False, time.monotonic()

    def _ask(self, request: dict[str, Any]) -> list[Hit]:
        with self._turn():
            if self._closed:
                raise LateEngineError("its process was stopped.")
            if self._broken is not None:
                raise LateEngineError(str(self._broken))
            try:
                self._wait_ready()
                self._worker.ask(request)
                answer = self._worker.answer(ANSWER_S)
                if answer is None:
                    raise LateEngineError(f"it did not answer within {ANSWER_S:.0f} s and was stopped.")
                return [Hit(int(key), float(score)) for key, score in answer["hits"]]
            except LateEngineError as error:
                if not self._starting():
                    self._restart(error)
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One search at a time; while it starts, nobody waits for others who wait for that."""
        if not self._lock.acquire(timeout=-1 if self._ready else self._ready_s):
            raise _still_starting()
        try:
            yield
        finally:
            self._lock.release()

    def _wait_ready(self) -> None:
        if self._ready:
            return
        if self._worker.answer(self._ready_s) is None:
            raise _still_starting()
        self._ready, self._failures = True, 0

    def _starting(self) -> bool:
        return not self._ready and self._worker.alive and time.monotonic() - self._since < START_S

    def _restart(self, error: LateEngineError) -> None:
        self._failures += not self._ready
        self._worker.kill()
        if self._failures >= _TRIES:  # it never gets ready: starting it again with every search would only cost
            self._broken = error
        elif not self._closed:
            self._start()
            if self._closed:  # meanwhile: ``close`` may have seen the one before only
                self._worker.kill()


def _still_starting() -> LateEngineError:
    return LateEngineError("it is still starting; search again in a moment.")
