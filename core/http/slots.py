"""The limits of what is under way at once: places for requests, memory for their bodies, threads for their work. First
its address and its limits."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from core.errors import ServiceBusy

MIB = 1024 * 1024
SMALL_BODY = MIB
"""Bytes of a request that carries a question or a claim, no source."""


@dataclass(frozen=True, slots=True)
class ServiceOptions:
    """Limits of one service. Times are seconds, sizes bytes. ``threads`` requests are worked on at once and ``waiting``
    more wait for their turn; the next is told to come again. ``buffered`` is what the bodies of all of them may hold
    together. ``request_s`` is how long a client waits for an answer, ``body_s`` how long it may take to send its
    request, ``headers_s`` to begin with it, and ``answer_s`` how long it may leave its answer lying without taking any
    of it."""

    host: str = "127.0.0.1"
    port: int = 8600
    max_body: int = 64 * MIB
    buffered: int = 256 * MIB
    request_s: float = 120.0
    body_s: float = 30.0
    headers_s: float = 15.0
    answer_s: float = 60.0
    threads: int = 4
    waiting: int = 512
    connections: int = 1024


def is_loopback(host: str) -> bool:
    """True when only this machine can reach a service that listens on ``host``."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


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
