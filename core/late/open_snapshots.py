"""The snapshots that are open in this process, and when they are closed again. A snapshot is searched by a process with
a model in memory (RAGatouille: half a gigabyte and more). It is stopped when nobody has searched for a while, when more
than a few are open, and when its snapshot has gone or was replaced (the project was deleted, perhaps by another
process). The next search starts it again."""

import threading
import time
from collections.abc import Callable
from typing import Protocol

IDLE_S = 600.0
"""Seconds without a search after which a snapshot is closed."""
MOST = 3
"""Snapshots that may be open at one time; of more, the one that was searched longest ago is closed."""
LOOK_S = 5.0
"""Seconds between two looks for snapshots to be closed; nothing looks while none is open."""


class Closable(Protocol):
    """An open snapshot."""

    @property
    def replaced(self) -> bool:
        """Whether another snapshot, or none, lies in its place on disk."""

    def close_unless_used(self) -> bool:
        """Close it, unless a search uses it at this moment; whether it is closed now. Never waits."""


class OpenSnapshots:
    """The open snapshots of one process. Safe to share between threads."""

    def __init__(
        self,
        *,
        idle_s: float = IDLE_S,
        most: int = MOST,
        look_s: float = LOOK_S,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle_s, self._most, self._look_s, self._seconds = idle_s, most, look_s, seconds
        self._used: dict[Closable, float] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    def used(self, snapshot: Closable) -> None:
        """Note that a search with this snapshot begins or ends."""
        with self._lock:
            self._used.pop(snapshot, None)
            self._used[snapshot] = self._seconds()  # the last place: they are kept in the order of their use
            surplus = [
                other for other in list(self._used)[: max(0, len(self._used) - self._most)] if other is not snapshot
            ]
            if self._watch is None or not self._watch.is_alive():
                self._watch = threading.Thread(target=self._look_on, name="late-snapshots", daemon=True)
                self._watch.start()
        self._close(surplus)

    def forget(self, snapshot: Closable) -> None:
        with self._lock:
            self._used.pop(snapshot, None)

    def look(self) -> None:
        """Close the snapshots that nobody has searched for long, and those that were replaced."""
        now = self._seconds()
        with self._lock:
            used = dict(self._used)
        self._close([snapshot for snapshot, last in used.items() if now - last >= self._idle_s or snapshot.replaced])

    def _close(self, snapshots: list[Closable]) -> None:
        for snapshot in snapshots:
            snapshot.close_unless_used()

    def _look_on(self) -> None:
        while True:
            time.sleep(self._look_s)
            self.look()
            with self._lock:
                if not self._used:
                    self._watch = None
                    return
