"""What every engine is asked to do, and how long that takes."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from benchmarks.data import Text
from benchmarks.engines_data import Sample, ndcg10, overlap
from benchmarks.report import Row
from benchmarks.rows import mean_row, row

DEPTH = 100
"""Passages that a search is asked for."""
WARM = 5


@dataclass(slots=True)
class Spent:
    """Seconds by the clock, and of the processor: of this process and of those that it waited for."""

    wall: float = 0.0
    cpu: float = 0.0


def _cpu() -> float:
    return sum(os.times()[:4])


@contextmanager
def spending() -> Iterator[Spent]:
    """Measures what is done inside."""
    spent, wall, cpu = Spent(), time.perf_counter(), _cpu()
    try:
        yield spent
    finally:
        spent.wall, spent.cpu = time.perf_counter() - wall, _cpu() - cpu


class Searching(Protocol):
    """A built engine. Passages are named by their places in the sample; an added one gets the place after the last."""

    def search(self, query: str) -> list[int]:
        """Up to ``DEPTH`` passages, best first."""
        ...


@runtime_checkable
class Changing(Searching, Protocol):
    """One that can take in and leave out single passages."""

    def add(self, later: Text) -> None:
        """Take in a text of one passage, so that the next search finds it."""
        ...

    def delete(self, place: int) -> None:
        """Leave a passage out, so that the next search does not find it."""
        ...


@dataclass(slots=True)
class System:
    """One line of the comparison. ``values``: metric → value, as they come in; ``said``: metric → what it means, in
    words; ``exact``: the rankings of exact MaxSim in float of the same model."""

    name: str
    engine: Searching | None = None
    exact: Mapping[str, Sequence[int]] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    ranked: dict[str, list[int]] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)
    encoding: list[float] = field(default_factory=list)

    @contextmanager
    def trying(self, what: str) -> Iterator[None]:
        """A step whose failure is noted in words, and ends this engine's part; the other engines go on."""
        try:
            yield
        except Exception as error:
            self.fail(what, f"{type(error).__name__}: {error}")

    def fail(self, what: str, words: str) -> None:
        """Note that a step did not work."""
        say(f"  {self.name}: {what} failed: {words}")
        self.values[f"{what}_works"] = 0.0
        self.said[f"{what}_works"] = words[:500]
        self.engine = None

    def built(self, spent: Spent, size: int) -> None:
        """What building cost, and what it left on disk."""
        self.values |= {"build_s": spent.wall, "build_cpu_s": spent.cpu, "disk_bytes": float(size)}


def ask(systems: Sequence[System], queries: Mapping[str, str]) -> None:
    """Every query to every system in turn, so that what else the machine does falls on all of them alike."""
    for text in list(queries.values())[:WARM]:
        for system in systems:
            if system.engine is not None:
                with system.trying("search"):
                    system.engine.search(text)
    for key, text in queries.items():
        for system in systems:
            if system.engine is None:
                continue
            with system.trying("search"):
                start = time.perf_counter()
                system.ranked[key] = system.engine.search(text)
                system.milliseconds.append((time.perf_counter() - start) * 1000)
                if (encoding := getattr(system.engine, "encoding_ms", None)) is not None:
                    system.encoding.append(encoding)


def change(system: System, sample: Sample, later: Text) -> None:
    """Seconds until an added passage is found under its title, and until a deleted one is found no more."""
    query = next(iter(sample.queries.values()))
    if isinstance(system.engine, Changing) and "add_one_s" not in system.values:
        with system.trying("add_one"):
            with spending() as spent:
                system.engine.add(later)
                hits = system.engine.search(later.title)
            if sample.size not in hits[:5]:
                raise LookupError("the new passage is not among the first five under its own title")
            system.values["add_one_s"] = spent.wall
    if isinstance(system.engine, Changing) and "delete_one_s" not in system.values:
        with system.trying("delete_one"):
            place = next(at for at in system.engine.search(query) if at < sample.size)
            with spending() as spent:
                system.engine.delete(place)
                hits = system.engine.search(query)
            if place in hits:
                raise LookupError("the deleted passage is still found")
            system.values["delete_one_s"] = spent.wall


def rows_of(system: System, sample: Sample, data: str, about: Mapping[str, Any]) -> list[Row]:
    """Everything that is known of a system at one size."""
    rows: list[Row] = []
    fingerprint = dict(about["fingerprint"])

    def one(metric: str, value: float, n: int) -> None:
        words = {"said": system.said[metric]} if metric in system.said else {}
        rows.append(row("engines", data, "test", system.name, metric, value, n=n, machine=about["machine"],
                        fingerprint={**fingerprint, **words}))  # fmt: skip

    for metric, value in system.values.items():
        one(metric, value, sample.size)
    if system.milliseconds:
        one("query_p50_ms", statistics.median(system.milliseconds), len(system.milliseconds))
        one("query_p95_ms", percentile(system.milliseconds, 0.95), len(system.milliseconds))
    if system.encoding:
        one("query_encoding_p50_ms", statistics.median(system.encoding), len(system.encoding))
    if len(system.ranked) == len(sample.queries):
        rows.append(mean_row("engines", data, "test", system.name, "ndcg@10", ndcg10(system.ranked, sample), **about))
        if system.exact:
            shares = overlap(system.ranked, system.exact)
            rows.append(mean_row("engines", data, "test", system.name, "overlap_with_exact", shares, **about))
    return rows


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which about ``share`` of them lie."""
    return sorted(values)[int(share * (len(values) - 1))]


def say(text: str) -> None:
    """A line of progress on standard error."""
    print(text, file=sys.stderr, flush=True)
