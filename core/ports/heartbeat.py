"""Progress of long work: told often, written seldom, cancelled between two steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from core.errors import JobCancelled

WRITE_EVERY_S = 0.3
HEARTBEAT_S = 5.0


def silent(done: int, total: int | None, message: str = "") -> None:
    """A Progress for callers that do not watch."""


class Heartbeat:
    """Reports the latest progress through ``report``: at most every 0.3 s, at least every 5 s while a step takes long.
    ``report(done, total, message)`` returns True when the user asked to stop; the next call of the progress then raises
    JobCancelled. Use as a context manager."""

    def __init__(self, report: Callable[[int, int | None, str], bool]) -> None:
        self._report = report
        self._latest: tuple[int, int | None, str] = (0, None, "")
        self._stop_wished = threading.Event()
        self._closed = threading.Event()
        self._written = 0.0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._beat, name="job-heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._thread.join()

    def __call__(self, done: int, total: int | None, message: str = "") -> None:
        """Progress of the job. Raises JobCancelled: the user asked to stop."""
        with self._lock:
            self._latest = (done, total, message)
        if time.monotonic() - self._written >= WRITE_EVERY_S or (total is not None and done >= total):
            self._write()
        if self._stop_wished.is_set():
            raise JobCancelled("Stopped on request; what was finished before stays.")

    def _write(self) -> None:
        with self._lock:
            latest = self._latest
            self._written = time.monotonic()
        if self._report(*latest):
            self._stop_wished.set()

    def _beat(self) -> None:
        while not self._closed.wait(HEARTBEAT_S):
            self._write()
