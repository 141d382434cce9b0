"""The limits of what is under way at once: places for requests, memory for their bodies, threads for their work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from core.errors import ServiceBusy
from core.http.options import ServiceOptions

T = TypeVar("T")


class Place:
    """One request's place; remembers how many bytes it holds."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self.size = 0

    def take(self, size: int) -> None:
        """Count bytes that were read (ServiceBusy: all requests together hold too many)."""
        self.size += size
        self._slots.take(size)


class Slots:
    """The places of one service. All but the threads' work happens on the event loop, so nothing is locked."""

    def __init__(self, options: ServiceOptions) -> None:
        self._most = options.threads + options.waiting
        self._most_bytes = options.buffered
        self._requests = 0
        self._bytes = 0
        self._quick = ThreadPoolExecutor(options.threads, "service")
        # Judging and the reading of reports take seconds to minutes: searches must not queue behind them.
        self._slow = ThreadPoolExecutor(1, "service-slow")

    @contextmanager
    def place(self) -> Iterator[Place]:
        """A place until the block ends (ServiceBusy: none is free)."""
        if self._requests >= self._most:
            raise ServiceBusy(f"{self._requests} requests are under way, which is all there is room for. Try again.")
        self._requests += 1
        place = Place(self)
        try:
            yield place
        finally:
            self._requests -= 1
            self._bytes -= place.size

    def take(self, size: int) -> None:
        self._bytes += size
        if self._bytes > self._most_bytes:
            raise ServiceBusy("The requests under way hold as many bytes as there is room for. Try again.", 5)

    async def run(self, work: Callable[[], T], *, slow: bool) -> T:
        """Do ``work`` in a thread. Whoever stops waiting leaves what has begun to end by itself: a thread cannot be
        stopped; what has not begun is left out. So no more than ``threads`` are ever at work."""
        pool = self._slow if slow else self._quick
        return await asyncio.wrap_future(pool.submit(work))

    def close(self) -> None:
        """Wait for what has begun."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=True, cancel_futures=True)
