"""The fetcher: safe, polite HTTP for synchronous callers.

Environment proxies (``HTTP_PROXY`` ...) are ignored: a proxy would look names up past the address check.
The event loop lives in a thread of its own, started with the first fetch.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from core.acquire.addresses import AddressGuard, Resolver, SystemResolver
from core.errors import SourceError
from core.ports.store import Clock, Progress
from core.records import Fetched
from core.settings.values import Fetching
from core.text.urls import url_parts

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from core.acquire.fetch_session import FetchSession

_HEARTBEAT_S = 1.0
_CLOSED = "This fetcher is closed; make a new one."


def _utc_now() -> datetime:
    return datetime.now(UTC)


async def _sleep(seconds: float) -> None:
    import anyio

    await anyio.sleep(seconds)


class HttpFetcher:
    """Implements ``ports.Fetcher``. Safe to share between threads; ``close`` it, or use it in ``with``.

    ``resolver``, ``monotonic``, ``sleep`` (both for politeness only) and ``ssl_context`` are there to be
    replaced in tests and special networks.

    Raises:
        SettingsError: an entry of ``fetching.allowed_hosts`` is no host.
    """

    def __init__(
        self,
        fetching: Fetching,
        clock: Clock = _utc_now,
        *,
        resolver: Resolver | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = _sleep,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._fetching = fetching
        self._clock = clock
        self._guard = AddressGuard(fetching.allowed_hosts, resolver or SystemResolver())
        self._monotonic = monotonic
        self._sleep = sleep
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._open: tuple[BlockingPortal, FetchSession] | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def fetch(self, url: str) -> Fetched:
        """Fetch one URL. ``Fetched.media_type`` is the whole Content-Type (``text/html; charset=...``).

        Raises:
            FetchFailed: with the state that says why.
        """
        future = self._submit(url)
        try:
            return _outcome(future)
        finally:
            future.cancel()

    def fetch_many(self, urls: Sequence[str], progress: Progress) -> Iterator[tuple[str, Fetched | Exception]]:
        """Each URL with its bytes or its FetchFailed, as they come in; at most ``concurrency`` at a time,
        hosts that are idle first.

        ``progress`` is told after each item has been taken and about every second meanwhile; when it
        raises (JobCancelled), requests in flight are abandoned and what was yielded stays.
        """
        waiting = _Waiting(urls)
        running: dict[Future[Fetched], str] = {}
        done, total = 0, len(urls)
        try:
            progress(0, total)
            while waiting or running:
                while waiting and len(running) < self._fetching.concurrency:
                    url = waiting.take({_host(other) for other in running.values()})
                    running[self._submit(url)] = url
                finished, _ = wait(running, timeout=_HEARTBEAT_S, return_when=FIRST_COMPLETED)
                if not finished:
                    progress(done, total, f"waiting for {_host(next(iter(running.values())))}")
                for future in finished:
                    url = running.pop(future)
                    try:
                        result: Fetched | Exception = _outcome(future)
                    except Exception as error:  # the caller files it under its URL; the others go on
                        result = error
                    yield url, result
                    done += 1
                    progress(done, total, url)
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Abandon what is in flight and end the thread; closing twice is fine."""
        with self._lock:
            self._closed = True
            opened, self._open = self._open, None
        if opened is not None:
            portal, session = opened
            portal.call(session.aclose)
            portal.call(portal.stop, True)
        self._stack.close()

    def _submit(self, url: str) -> Future[Fetched]:
        with self._lock:
            if self._closed:
                raise SourceError(_CLOSED)
            if self._open is None:
                self._open = self._start()
            portal, session = self._open
        try:
            return portal.start_task_soon(session.fetch, url)  # waits for the loop, so never under the lock
        except RuntimeError as error:  # closed by another thread in between
            raise SourceError(_CLOSED) from error

    def _start(self) -> tuple[BlockingPortal, FetchSession]:
        from anyio.from_thread import start_blocking_portal

        from core.acquire.fetch_session import FetchSession

        portal = self._stack.enter_context(start_blocking_portal(name="fetcher"))
        session = portal.call(
            lambda: FetchSession(
                self._fetching,
                clock=self._clock,
                guard=self._guard,
                monotonic=self._monotonic,
                sleep=self._sleep,
                ssl_context=self._ssl_context,
            )
        )
        return portal, session


def _outcome(future: Future[Fetched]) -> Fetched:
    try:
        return future.result()
    except CancelledError as error:
        raise SourceError("The fetcher was closed before this source arrived; fetch it again.") from error


class _Waiting:
    """URLs not asked for yet, in a queue for each host."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._queues: dict[str, deque[str]] = {}
        for url in urls:
            self._queues.setdefault(_host(url), deque()).append(url)

    def __bool__(self) -> bool:
        return bool(self._queues)

    def take(self, busy: set[str]) -> str:
        """The next URL of the first host that is not busy, else of the first host."""
        host = next((host for host in self._queues if host not in busy), next(iter(self._queues)))
        url = self._queues[host].popleft()
        if not self._queues[host]:
            del self._queues[host]
        return url


def _host(url: str) -> str:
    return (url_parts(url).hostname or "").lower()
