"""What every part of a project's store shares: the files, the clock, and how a change is committed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from core.ports.store import Clock
from storage.database.database import Database
from storage.database.layout import Layout
from storage.tables.index_metadata import IndexMetadata
from storage.tables.late import LateStore


def utc_now() -> datetime:
    """The default clock."""
    return datetime.now(UTC)


class Part:
    """Base of the parts that together make ``SqliteProjectStore``."""

    def __init__(self, layout: Layout, database: Database, late: LateStore, clock: Clock) -> None:
        self._layout = layout
        self._db = database
        self._late = late
        self._clock = clock
        self._metadata = IndexMetadata(layout, database)

    def generation(self) -> int:
        """Grows with every committed change that can change an answer."""
        with self._db.read() as connection:
            return counter(connection, "generation")

    @contextmanager
    def _change(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction that can change answers, and then ``index_metadata.json`` if it says something else now."""
        with self._db.write(durable=durable) as connection:
            advance(connection, "generation")
            yield connection
        self._metadata.publish()


def counter(connection: sqlite3.Connection, key: str) -> int:
    """A counter of the meta table."""
    return int(connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])


def advance(connection: sqlite3.Connection, *keys: str) -> None:
    """Add one to counters of the meta table."""
    connection.executemany("UPDATE meta SET value = value + 1 WHERE key = ?", [(key,) for key in keys])
