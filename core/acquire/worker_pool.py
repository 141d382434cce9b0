"""Reading foreign files in worker processes that can be killed.

Why a process of our own and not a pool by multiprocessing: docs/decisions/0003-extraction-worker.md.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import core
from core.acquire.read_source import refuse_size
from core.acquire.source_format import name_of
from core.acquire.worker_protocol import SOURCE, extraction_from, fetched_to_head, receive, send
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction, Fetched
from core.settings.values import Parsing

_FILES_PER_WORKER = 300
"""A worker is replaced after so many files: parsers leak."""
_T = TypeVar("_T")


class WorkerExtractor:
    """``ports.Extractor`` over warm worker processes. Safe to share between threads.

    At most ``workers`` files are read at once; a worker starts when it is first needed and is used for
    many files. A worker over its time or memory is killed and only its file fails. ``program`` is the module that a
    worker runs; it decides which tasks there are.
    """

    def __init__(self, parsing: Parsing, *, workers: int = 2, program: str = "core.acquire.worker") -> None:
        self._parsing, self._program = parsing, program
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(workers)
        self._closed = False

    def extract(self, fetched: Fetched) -> Extraction:
        """Text and metadata of ``fetched``.

        Raises:
            UnreadableSource: with the state that says why: ``timeout``, ``too_large``, ``broken`` when the
                worker was stopped or died, else what the reader found.
        """
        refuse_size(fetched, self._parsing.max_bytes)
        request = {"fetched": fetched_to_head(fetched)}
        return self.run(SOURCE, name_of(fetched), request, fetched.body, extraction_from)

    def run(
        self,
        task: str,
        name: str,
        request: Mapping[str, Any],
        body: bytes,
        decode: Callable[[dict[str, Any], bytes], _T],
    ) -> _T:
        """The decoded answer of a task on ``body``, which is called ``name`` in messages.

        Args:
            decode: makes the result of the answer's head and bytes. It must take nothing on trust, and raise KeyError,
                TypeError or ValueError for what no sound worker answers.

        Raises:
            UnreadableSource: as for ``extract``.
        """
        with self._slots:
            worker = self._take()
            try:
                return worker.run(name, {**request, "task": task, "name": name}, body, decode)
            finally:
                self._give_back(worker)

    def close(self) -> None:
        """Stop all idle workers; one that is reading stops when it is done. Further calls start new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.stop()

    def __enter__(self) -> WorkerExtractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.stop()
        return _Worker(self._parsing, self._program)

    def _give_back(self, worker: _Worker) -> None:
        if not worker.alive or worker.served >= _FILES_PER_WORKER:
            worker.stop()
            return
        with self._lock:
            self._idle.append(worker)


class _Worker:
    """One worker process and its pipes."""

    def __init__(self, parsing: Parsing, program: str) -> None:
        self._parsing = parsing
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop()
        self._retired = False  # the worker said that it will end
        self.served = 0
        # -P and an explicit path: a module lying in the user's folder must not be imported.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", program, str(parsing.memory_mb)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=_environment(),
            start_new_session=True,  # Ctrl-C in a terminal is for the command, which then stops between two files
        )  # fmt: skip

    @property
    def alive(self) -> bool:
        return not self._retired and self._process.poll() is None

    def run(
        self, name: str, request: Mapping[str, Any], body: bytes, decode: Callable[[dict[str, Any], bytes], _T]
    ) -> _T:
        self.served += 1
        timed_out = threading.Event()
        timer = threading.Timer(self._parsing.timeout_s, self._time_out, [timed_out])
        timer.daemon = True
        timer.start()
        try:
            answer = self._ask(request, body)
        finally:
            timer.cancel()
        if answer is None:
            raise self._death(name, timed_out.is_set())
        head, output = answer
        self._retired = not head.get("usable", False)
        if "state" in head:
            raise UnreadableSource(FetchState(head["state"]), str(head["message"]))
        try:
            return decode(head["result"], output)
        except (KeyError, TypeError, ValueError) as error:
            self.kill()
            raise UnreadableSource(
                FetchState.BROKEN, f"cannot read {name} because its reader answered nonsense."
            ) from error

    def _ask(self, request: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes] | None:
        """One request and its answer; None when the worker died on the way."""
        limits = {
            "timeout_s": self._parsing.timeout_s,
            "max_bytes": self._parsing.max_bytes,
            "max_text_chars": self._parsing.max_text_chars,
        }
        try:
            send(self._process.stdin, {**request, **limits}, body)  # type: ignore[arg-type]
            return receive(self._process.stdout, 4 * self._parsing.max_text_chars)  # type: ignore[arg-type]
        except (OSError, ValueError):
            self.kill()
            return None

    def _time_out(self, flag: threading.Event) -> None:
        flag.set()
        self.kill()

    def _death(self, name: str, timed_out: bool) -> UnreadableSource:
        code = self._process.wait()
        if timed_out:
            seconds = f"{self._parsing.timeout_s:g} s"
            return UnreadableSource(
                FetchState.TIMEOUT,
                f"reading {name} took longer than {seconds} and was stopped (setting parsing.timeout_s). "
                "Split the file or raise the limit.",
            )
        if code == -signal.SIGKILL:
            return UnreadableSource(
                FetchState.TOO_LARGE,
                f"reading {name} was stopped by the system, most likely for want of memory. Split the file.",
            )
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return UnreadableSource(
            FetchState.BROKEN, f"cannot read {name} because its reader crashed ({how}{self._last_words()})."
        )

    def _last_words(self) -> str:
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f"; {lines[-1][:300]}" if lines else ""

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()

    def stop(self) -> None:
        """End the process and free what belongs to it."""
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._errors.close()


def _environment() -> dict[str, str]:
    """The caller's environment, with this very package first and without threads that eat address space."""
    root = str(Path(core.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
