"""Answered searches: statistics and the result cache."""

import json
import threading
import zlib
from collections import defaultdict

import numpy as np

from core.ports.store import Clock
from core.records import QueryRecord, Statistics
from core.text.files import folder_bytes
from storage.database.codec import clean, dump, moment, to_stamp
from storage.database.database import Database
from storage.database.layout import Layout
from storage.tables.base import counter, insert
from storage.tables.late import LateStore
from storage.tables.vectors import Vectors

LATENCY_WINDOW = 1000
RECENT = 20
KEPT_QUERIES = 10_000


class QueryLog(Vectors):
    """The log and the cache of one project."""

    def __init__(self, layout: Layout, database: Database, late: LateStore, clock: Clock) -> None:
        super().__init__(layout, database, late, clock)
        self._touched_lock = threading.Lock()
        self._touched: list[str] = []

    def record_query(self, record: QueryRecord) -> None:
        """Log an answered search. The newest 10,000 are kept one by one, all of them in the totals."""
        timings = {stage: round(float(spent), 3) for stage, spent in record.timings.items()}
        with self._db.write(durable=False) as connection:
            values = {"results": record.results, "cached": int(record.cached), "timings": dump(timings)}
            number = insert(connection, "queries", at=to_stamp(record.at), query=clean(record.query), **values)
            connection.execute("DELETE FROM queries WHERE id <= ?", (number - KEPT_QUERIES,))
            connection.execute(
                "UPDATE query_totals SET queries = queries + 1, zero_results = zero_results + ?, "
                "results = results + ?, cache_hits = cache_hits + ?",
                (int(record.results == 0), record.results, int(record.cached)),
            )
        self._metadata.publish()

    def queries(self, *, limit: int = KEPT_QUERIES) -> list[QueryRecord]:
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT at, query, results, cached, timings FROM queries ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_record(row) for row in reversed(rows)]

    def statistics(self, encoder: str) -> Statistics:
        """Counts over the project; latencies over the last 1000 searches that were not answered by the cache."""
        encoded, passages = self.coverage(encoder)
        with self._db.read() as connection:
            (documents,) = connection.execute("SELECT count(*) FROM documents WHERE superseded_by IS NULL").fetchone()
            total, zero, results, hits = connection.execute(
                "SELECT queries, zero_results, results, cache_hits FROM query_totals"
            ).fetchone()
            rows = connection.execute(
                "SELECT at, query, results, cached, timings FROM queries ORDER BY id DESC LIMIT ?", (LATENCY_WINDOW,)
            ).fetchall()
        records = [_record(row) for row in rows]
        return Statistics(
            documents=documents,
            passages=passages,
            encoded=encoded,
            total_queries=total,
            zero_result_queries=zero,
            avg_results_per_query=results / total if total else 0.0,
            cache_hit_rate=hits / total if total else 0.0,
            latency=_latency(records),
            bytes_on_disk=folder_bytes(self._layout.root),
            recent=tuple(records[:RECENT]),
        )

    def cached(self, key: str) -> bytes | None:
        with self._db.read() as connection:
            row = connection.execute(
                "SELECT value FROM cache WHERE key = ? AND generation = ?", (key, counter(connection, "generation"))
            ).fetchone()
        if row is None:
            return None
        value = bytes(row[0])
        if _summed(value[_SUM:]) != value:  # what is not as it was stored is found again
            return None
        with self._touched_lock:
            self._touched = [*self._touched[-LATENCY_WINDOW:], key]
        return value[_SUM:]

    def cache(self, key: str, value: bytes, *, keep: int) -> None:
        """Store a value for the current generation; the ``keep`` most recently used values stay. A hit is noted in
        memory and written with the next value, so that reading never waits for a writer."""
        with self._touched_lock:
            touched, self._touched = self._touched, []
        with self._db.write(durable=False) as connection:
            generation = counter(connection, "generation")
            connection.execute("DELETE FROM cache WHERE generation <> ?", (generation,))
            for used in touched:
                connection.execute("UPDATE cache SET used = (SELECT max(used) + 1 FROM cache) WHERE key = ?", (used,))
            connection.execute(
                "INSERT INTO cache VALUES(?1, ?2, (SELECT coalesce(max(used), 0) + 1 FROM cache), ?3) "
                "ON CONFLICT(key) DO UPDATE SET generation = ?2, used = excluded.used, value = ?3",
                (key, generation, _summed(value)),
            )
            connection.execute(
                "DELETE FROM cache WHERE key NOT IN (SELECT key FROM cache ORDER BY used DESC LIMIT ?)", (keep,)
            )


def _record(row: tuple[str, str, int, int, str]) -> QueryRecord:
    at, query, results, cached, timings = row
    return QueryRecord(moment(at), query, results, bool(cached), json.loads(timings))


def _latency(records: list[QueryRecord]) -> dict[str, tuple[float, float]]:
    """(p50, p95) milliseconds by stage, linear interpolation between ranks."""
    spent: dict[str, list[float]] = defaultdict(list)
    for record in records:
        if not record.cached:
            for stage, milliseconds in record.timings.items():
                spent[stage].append(milliseconds)
    percentiles = {stage: np.percentile(values, (50, 95)) for stage, values in spent.items()}
    return {stage: (float(p50), float(p95)) for stage, (p50, p95) in percentiles.items()}


_SUM = 4


def _summed(value: bytes) -> bytes:
    """A value behind its CRC-32."""
    return zlib.crc32(value).to_bytes(_SUM) + value
