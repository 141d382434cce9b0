"""The asynchronous half of fetching: one URL through its redirects, politely, safely, within its limits.

``timeout_s`` is the network time of one attempt, all redirects included; waiting for a host's turn and
for a retry does not count. Each hop is checked anew: scheme, robots.txt of its host, address at connect
time. Cookies live for one attempt and go back only to the host that set them (some sites redirect in a
circle without them).
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import anyio
import httpx2  # noqa: TID253 - this module is itself loaded by the first fetch only

from core.acquire.addresses import AddressGuard
from core.acquire.fetch_body import ACCEPT_ENCODING, read_body
from core.acquire.fetch_failures import TransientFailure, status_failure, with_retries
from core.acquire.fetch_manners import MAX_ROBOTS_BYTES, MAX_ROBOTS_REDIRECTS, HostTurns, Robots
from core.acquire.fetch_network import GuardedTransport
from core.acquire.fetch_response import ACCEPT, check_media_type, check_wall, filename_of, media_type
from core.errors import FetchFailed, SourceError
from core.labels import FetchState
from core.ports.store import Clock
from core.records import Fetched
from core.settings.values import Fetching
from core.text.urls import fetchable_url, joined_url, url_parts

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_Result = TypeVar("_Result")


@dataclass
class _Walk:
    """The state of one attempt: the addresses visited, the time left, the cookies by host."""

    left_s: float
    visited: list[str] = field(default_factory=list)
    states: set[tuple[str, str]] = field(default_factory=set)
    cookies: dict[str, httpx2.Cookies] = field(default_factory=dict)

    def enter(self, url: str, max_redirects: int) -> None:
        """Take one step to ``url``.

        Raises:
            FetchFailed: ``server_error`` for a circle of redirects or too many of them.
        """
        jar = self.cookies.get(_host(url), httpx2.Cookies()).jar
        state = (url, repr(sorted((cookie.name, cookie.value or "") for cookie in jar)))
        if state in self.states:
            circle = " → ".join([*self.visited[self.visited.index(url) :], url])
            raise FetchFailed(FetchState.SERVER_ERROR, f"Redirect loop: {circle}.")
        if len(self.visited) > max_redirects:
            raise FetchFailed(
                FetchState.SERVER_ERROR,
                f"{self.visited[0]} redirects more than {max_redirects} times (setting fetching.max_redirects).",
            )
        self.states.add(state)
        self.visited.append(url)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer to one request: a redirect's target, or the status with as much of the body as was wanted."""

    status: int
    headers: httpx2.Headers
    body: bytes = b""
    target: str | None = None


class FetchSession:
    """Fetches inside one event loop. See ``core.acquire.fetch.HttpFetcher`` for the door to it."""

    def __init__(
        self,
        fetching: Fetching,
        *,
        clock: Clock,
        guard: AddressGuard,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._fetching = fetching
        self._clock = clock
        self._transport = GuardedTransport(guard, ssl_context)
        self._slots = anyio.CapacityLimiter(fetching.concurrency)
        self._turns = HostTurns(monotonic, sleep)
        self._robots = Robots(fetching.user_agent, fetching.attempts, self._get_robots, monotonic)

    async def fetch(self, url: str) -> Fetched:
        """One source.

        Raises:
            FetchFailed: with the state that says why.
        """
        start = _checked(url)
        return await with_retries(self._fetching.attempts, lambda: self._attempt(url, start))

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

    async def _attempt(self, requested: str, start: str) -> Fetched:
        walk = _Walk(self._fetching.timeout_s)
        try:
            return await self._follow(requested, start, walk)
        except FetchFailed as error:
            if len(walk.visited) < 2 or start in str(error):
                raise
            message = f"{start} redirects to {walk.visited[-1]}. {error}"
            if isinstance(error, TransientFailure):
                raise TransientFailure(error.state, message, error.wait) from error
            raise FetchFailed(error.state, message) from error

    async def _follow(self, requested: str, url: str, walk: _Walk) -> Fetched:
        while True:
            walk.enter(url, self._fetching.max_redirects)
            delay = self._fetching.per_host_delay_s
            if self._fetching.obey_robots:
                delay = max(delay, await self._robots.delay(url))
            try:
                async with self._turns.turn(_host(url), delay):
                    answer = await self._timed(walk, url, partial(self._page, url, walk))
            except TransientFailure as error:
                self._turns.hold_off(_host(url), error.wait or 0.0)
                raise
            if answer.target is None:
                return self._result(requested, walk, answer)
            url = answer.target

    async def _timed(self, walk: _Walk, url: str, call: Callable[[], Awaitable[_Result]]) -> _Result:
        async with self._slots:
            started = anyio.current_time()
            try:
                with anyio.fail_after(max(0.0, walk.left_s)):
                    return await call()
            except TimeoutError as error:
                limit = self._fetching.timeout_s
                raise FetchFailed(
                    FetchState.TIMEOUT, f"{url} did not arrive within {limit:g} seconds (setting fetching.timeout_s)."
                ) from error
            finally:
                walk.left_s -= anyio.current_time() - started

    async def _page(self, url: str, walk: _Walk) -> _Answer:
        async def read(response: httpx2.Response) -> bytes:
            check_wall(response.headers, b"", url)
            failure = status_failure(response.status_code, response.headers, url, self._clock())
            if failure is not None:
                raise failure
            name = filename_of(response.headers.get("content-disposition", ""))
            check_media_type(_content_type(response.headers), url, name)
            return await read_body(response, self._fetching.max_bytes)

        return await self._exchange(url, walk, read)

    async def _exchange(self, url: str, walk: _Walk, read: Callable[[httpx2.Response], Awaitable[bytes]]) -> _Answer:
        try:
            request = httpx2.Request("GET", url, headers=self._headers())
        except (httpx2.InvalidURL, ValueError) as error:
            raise FetchFailed(FetchState.FORBIDDEN_ADDRESS, f"{url[:200]} is not a valid URL: {error}.") from error
        jar = walk.cookies.setdefault(_host(url), httpx2.Cookies())
        jar.set_cookie_header(request)
        response = await self._transport.handle_async_request(request)
        response.request = request
        try:
            jar.extract_cookies(response)
            location = response.headers.get("location")
            if response.status_code in _REDIRECTS and location:
                return _Answer(response.status_code, response.headers, target=_target(url, location))
            return _Answer(response.status_code, response.headers, body=await read(response))
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

    def _headers(self) -> dict[str, str]:
        return {
            "User-Agent": self._fetching.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ACCEPT_ENCODING,
            "Accept-Language": "en, *;q=0.5",
        }

    def _result(self, requested: str, walk: _Walk, answer: _Answer) -> Fetched:
        final = walk.visited[-1]
        # A password in the address is never sent; it is not kept among the seen addresses either.
        seen = walk.visited if url_parts(requested).username else [requested, *walk.visited]
        check_wall(answer.headers, answer.body, final)
        if not answer.body:
            raise FetchFailed(FetchState.EMPTY, f"The server of {final} sent an empty page; nothing was stored.")
        return Fetched(
            body=answer.body,
            media_type=media_type(_content_type(answer.headers)),
            url=requested,
            final_url=final,
            seen_urls=tuple(dict.fromkeys(seen)),
            filename=filename_of(answer.headers.get("content-disposition", "")),
            fetched_at=self._clock(),
        )

    async def _get_robots(self, url: str) -> tuple[int, bytes]:
        walk = _Walk(self._fetching.timeout_s)

        async def read(response: httpx2.Response) -> bytes:
            return await read_body(response, MAX_ROBOTS_BYTES, excess="cut") if response.is_success else b""

        while True:
            try:
                walk.enter(url, MAX_ROBOTS_REDIRECTS)
            except FetchFailed:
                return 404, b""  # RFC 9309 2.3.1.2: too many redirects count as "no such file"
            answer = await self._timed(walk, url, partial(self._exchange, url, walk, read))
            if answer.target is None:
                return answer.status, answer.body
            url = answer.target


def _content_type(headers: httpx2.Headers) -> str:
    """The first Content-Type: a doubled header reads as ``a, b`` otherwise."""
    return next(iter(headers.get_list("content-type")), "")


def _target(url: str, location: str) -> str:
    try:
        return fetchable_url(joined_url(url, location))
    except SourceError as error:
        message = f"{url} redirects to an address that is refused: {error}"
        raise FetchFailed(FetchState.FORBIDDEN_ADDRESS, message) from error


def _checked(url: str) -> str:
    try:
        return fetchable_url(url)
    except SourceError as error:
        raise FetchFailed(FetchState.FORBIDDEN_ADDRESS, str(error)) from error


def _host(url: str) -> str:
    return url_parts(url).hostname or ""
