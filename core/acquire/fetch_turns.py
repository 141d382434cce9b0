"""Politeness: one request at a time to a host, and starts at least a delay apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio


class HostTurns:
    """Hands out turns per host name, first come first served.

    ``monotonic`` (seconds) and ``sleep`` are injected. With a delay of 0 there are no turns to wait for.
    """

    def __init__(self, monotonic: Callable[[], float], sleep: Callable[[float], Awaitable[None]]) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._locks: dict[str, anyio.Lock] = {}
        self._next_start: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float) -> AsyncIterator[None]:
        """Hold the host's turn; ``delay`` in seconds from this start to the next."""
        if delay <= 0:
            yield
            return
        async with self._locks.setdefault(host, anyio.Lock()):
            wait = self._next_start.get(host, 0.0) - self._monotonic()
            if wait > 0:
                await self._sleep(wait)
            self._next_start[host] = self._monotonic() + delay
            yield

    def hold_off(self, host: str, seconds: float) -> None:
        """The host asked for a pause: its next turn comes no sooner, whatever URL it is for."""
        self._next_start[host] = max(self._next_start.get(host, 0.0), self._monotonic() + seconds)
