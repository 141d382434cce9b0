"""Rows that several people and jobs change: each change gives the row its next version."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.errors import RowMoved, StorageError
from storage.database.codec import key_or_none
from storage.tables.filters import marks

_AT_ONCE = 500
Stored = dict[int, tuple[int, ...]]


def stored_versions(connection: sqlite3.Connection, table: str, columns: str, ids: Sequence[int]) -> Stored:
    """``id`` → (version, ``columns`` …) of those of ``ids`` that are there."""
    if len(set(ids)) < len(ids):
        raise StorageError(f"One of the rows of {table} is given twice. Nothing was stored; give each once.")
    found: Stored = {}
    for at in range(0, len(ids), _AT_ONCE):
        part = [key_or_none(one) for one in ids[at : at + _AT_ONCE]]
        for row in connection.execute(
            f"SELECT id, version, {columns} FROM {table} WHERE id IN ({marks(len(part))})", part
        ):
            found[row[0]] = tuple(row[1:])
    return found


def require_version(what: str, number: int, stored: int, seen: int) -> None:
    """Refuse a change that was made with another version in view.

    Raises:
        RowMoved: somebody changed the row meanwhile.
    """
    if stored != seen:
        raise RowMoved(
            f"{what} {number} was changed meanwhile (version {stored}, you saw {seen}). Nothing was stored; "
            "look at it again, then decide."
        )
