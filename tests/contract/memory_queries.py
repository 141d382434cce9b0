"""Statistics, result cache and notes of the store in memory."""

from __future__ import annotations

import numpy as np

from core.ports.store import Clock
from core.records import QueryRecord, Statistics
from tests.contract.memory_documents import MemoryDocuments


class MemoryQueries(MemoryDocuments):
    """``QueryLog`` in dictionaries."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._queries: list[QueryRecord] = []
        self._cache: dict[str, tuple[int, bytes]] = {}
        self._memos: dict[str, str] = {}

    def memo(self, key: str) -> str | None:
        return self._memos.get(key)

    def memos(self, prefix: str) -> dict[str, str]:
        return {name: value for name, value in sorted(self._memos.items()) if name.startswith(prefix)}

    def set_memo(self, key: str, value: str) -> None:
        self._memos[key] = value

    def record_query(self, record: QueryRecord) -> None:
        self._queries.append(record)

    def queries(self, *, limit: int = 10_000) -> list[QueryRecord]:
        return self._queries[-limit:]

    def statistics(self, encoder: str) -> Statistics:
        encoded, passages = self.coverage(encoder)
        count = len(self._queries)
        stages = {stage for one in self._queries for stage in one.timings}
        spent = {
            stage: [one.timings[stage] for one in self._queries[-1000:] if stage in one.timings and not one.cached]
            for stage in sorted(stages)
        }
        return Statistics(
            documents=len(self.documents()),
            passages=passages,
            encoded=encoded,
            total_queries=count,
            zero_result_queries=sum(one.results == 0 for one in self._queries),
            avg_results_per_query=sum(one.results for one in self._queries) / count if count else 0.0,
            cache_hit_rate=sum(one.cached for one in self._queries) / count if count else 0.0,
            latency={
                stage: (float(np.percentile(values, 50)), float(np.percentile(values, 95)))
                for stage, values in spent.items()
                if values
            },
            bytes_on_disk=0,
            recent=tuple(reversed(self._queries[-20:])),
        )

    def cached(self, key: str) -> bytes | None:
        found = self._cache.get(key)
        if found is None or found[0] != self._generation:
            return None
        self._cache[key] = self._cache.pop(key)  # most recent last
        return found[1]

    def cache(self, key: str, value: bytes, *, keep: int) -> None:
        self._cache.pop(key, None)
        self._cache[key] = (self._generation, value)
        kept = {one: entry for one, entry in self._cache.items() if entry[0] == self._generation}
        self._cache = dict(list(kept.items())[-keep:]) if keep else {}
