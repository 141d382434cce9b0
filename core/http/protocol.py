"""The server's end of a connection: closed when a request does not begin in time, when an answer is not read, or when
there are too many connections."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """uvicorn's protocol with three limits that it lacks: ``headers_s`` seconds for the head of a request (it times
    idle connections between requests only, so one that sends a byte now and then stays for ever), ``answer_s`` seconds
    in which a client takes nothing of an answer that is too large to be under way as a whole, and ``most`` open
    connections, beyond which new ones are closed without a word. Also ends a client that goes on sending after its
    request was refused."""

    headers_s = 15.0
    answer_s = 60.0
    most = 1024
    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

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

    def pause_writing(self) -> None:
        """As uvicorn; begins to wait for the client to read."""
        super().pause_writing()
        self._wait_for_reading(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """As uvicorn; what was written is on its way."""
        self._stop_waiting_for_reading()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn."""
        self._stop_waiting()
        self._stop_waiting_for_reading()
        super().connection_lost(exc)

    def _between(self) -> bool:
        """True while no request is under way: none has come, or the last one was answered."""
        cycle: Any = self.cycle
        return cycle is None or bool(cycle.response_complete)

    def _wait_for_head(self) -> None:
        self._head = self.loop.call_later(self.headers_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _wait_for_reading(self, left: int) -> None:
        self._unread = self.loop.call_later(self.answer_s, self._look_at_reading, left)

    def _look_at_reading(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < before:  # slow, but it reads
            self._wait_for_reading(left)
        else:
            self._unread = None
            self.transport.abort()

    def _stop_waiting_for_reading(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _give_up(self) -> None:
        self._head = None
        if self._between():
            self.transport.abort()


def timed_protocol(headers_s: float, answer_s: float, most: int) -> type[TimedProtocol]:
    return type("LimitedProtocol", (TimedProtocol,), {"headers_s": headers_s, "answer_s": answer_s, "most": most})
