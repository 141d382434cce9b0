"""Whether what can be reviewed is still what it was, without reading it."""

from __future__ import annotations

from storage.tables.base import Part, counter

_TABLES = {"reports": "0", "findings": "version", "claims": "version"}


class ReviewStamps(Part):
    """``core.ports.store.ReviewStore.review_stamp``."""

    def review_stamp(self) -> tuple[int, ...]:
        """The generation, then of reports, rows and claims how many there are, the newest id, the sum of versions.

        Ids are never given twice (AUTOINCREMENT), so a row that is added raises the newest id; one that is removed
        lowers the number of rows; one that is changed raises its version. No row's content is read.
        """
        with self._db.read() as connection:
            stamp = [counter(connection, "generation")]
            for table, version in _TABLES.items():
                stamp += connection.execute(
                    f"SELECT count(*), coalesce(max(id), 0), coalesce(sum({version}), 0) FROM {table}"
                ).fetchone()
        return tuple(stamp)
