"""``ProjectStore`` in memory: the oracle of the contract tests, and a fast stand-in for other tests.

Everything is plain dictionaries under one lock; it keeps the promises of ``core.ports.store`` but nothing on disk. The
parts build on one another: jobs, index, blobs, documents, queries, audits, review, asking.
"""

from __future__ import annotations

from pathlib import Path

from core.ports.store import Clock
from core.records import Project
from storage.tables.base import utc_now
from tests.contract.memory_asking import MemoryAsking


class MemoryStore(MemoryAsking):
    """See the module."""

    def __init__(self, clock: Clock = utc_now) -> None:
        super().__init__(clock)
        self.project = Project("memory", "Memory", "memory", Path("memory"), clock())

    def detached(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing to close."""
