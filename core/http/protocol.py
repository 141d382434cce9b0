"""The server's end of a connection: closed when a request does not begin in time, or when there are too many."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """uvicorn's protocol with two limits that it lacks: ``headers_s`` seconds for the head of a request (it times idle
    connections between requests only, so one that sends a byte now and then stays for ever), and ``most`` open
    connections, beyond which new ones are closed without a word. Also ends a client that goes on sending after its
    request was refused."""

    headers_s = 15.0
    most = 1024
    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """As uvicorn; a head that is whole ends the wait."""
        super().data_received(data)
        if not self._between():
            self._stop_waiting()
        elif self._head is None:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _between(self) -> bool:
        """Whether no request is under way: none has come, or the last one was answered."""
        cycle: Any = self.cycle
        return cycle is None or bool(cycle.response_complete)

    def _wait_for_head(self) -> None:
        self._head = self.loop.call_later(self.headers_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _give_up(self) -> None:
        self._head = None
        if self._between():
            self.transport.abort()


def timed_protocol(headers_s: float, most: int) -> type[TimedProtocol]:
    """The protocol with these limits."""
    return type("LimitedProtocol", (TimedProtocol,), {"headers_s": headers_s, "most": most})
