"""Short notes of the engine about a project, by name."""

from __future__ import annotations

from storage.tables.base import Part


class Memos(Part):
    """``core.ports.store.ProjectStore.memo`` and ``set_memo``."""

    def memo(self, key: str) -> str | None:
        """The note kept under ``key``."""
        with self._db.read() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (f"memo:{key}",)).fetchone()
        return None if row is None else str(row[0])

    def memos(self, prefix: str) -> dict[str, str]:
        """Notes whose name begins with ``prefix``, by name."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT substr(key, 6), value FROM meta WHERE substr(key, 1, ?2) = ?1 ORDER BY key",
                (f"memo:{prefix}", len(f"memo:{prefix}")),
            ).fetchall()
        return {str(name): str(value) for name, value in rows}

    def set_memo(self, key: str, value: str) -> None:
        """Keep a note, in place of an earlier one."""
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (f"memo:{key}", value)
            )
