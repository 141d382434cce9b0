"""The base of every part of a project's store: its files, its clock, its transactions, and the versions of rows."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from core.errors import RowMoved, StorageError
from core.ports.store import Clock
from storage.database.codec import key_or_none
from storage.database.database import Database
from storage.database.layout import Layout
from storage.tables.documents_read import marks
from storage.tables.index_metadata import IndexMetadata
from storage.tables.late import LateStore


def utc_now() -> datetime:
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
    return int(connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])


def advance(connection: sqlite3.Connection, *keys: str) -> None:
    """Add one to counters of the meta table."""
    connection.executemany("UPDATE meta SET value = value + 1 WHERE key = ?", [(key,) for key in keys])


def insert(connection: sqlite3.Connection, table: str, **values: object) -> int:
    """The id of a new row with these values by column."""
    columns = ", ".join(f'"{column}"' for column in values)
    statement = f"INSERT INTO {table}({columns}) VALUES({marks(len(values))})"
    number = connection.execute(statement, tuple(values.values())).lastrowid
    assert number is not None
    return number


_AT_ONCE = 500
Stored = dict[int, tuple[int, ...]]


def stored_versions(connection: sqlite3.Connection, table: str, columns: str, ids: Sequence[int]) -> Stored:
    """``id`` → (version, ``columns`` …) of those of ``ids`` that are there."""
    if len(set(ids)) < len(ids):
        raise StorageError(f"One of the rows of {table} is given twice. Nothing was stored; give each once.")
    versions: Stored = {}
    for at in range(0, len(ids), _AT_ONCE):
        part = [key_or_none(number) for number in ids[at : at + _AT_ONCE]]
        for row in connection.execute(
            f"SELECT id, version, {columns} FROM {table} WHERE id IN ({marks(len(part))})", part
        ):
            versions[row[0]] = tuple(row[1:])
    return versions


def require_version(what: str, number: int, stored: int, seen: int) -> None:
    """Refuse a change that was made with another version in view. Raises RowMoved: somebody changed the row
    meanwhile."""
    if stored != seen:
        raise RowMoved(
            f"{what} {number} was changed meanwhile (version {stored}, you saw {seen}). Nothing was stored; "
            "look at it again, then decide."
        )
