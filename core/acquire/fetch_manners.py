"""Politeness towards hosts: one request at a time, a delay between starts, and robots.txt."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from core.acquire.fetch_failures import TransientFailure, with_retries
from core.errors import FetchFailed
from core.labels import FetchState
from core.text.urls import url_parts

if TYPE_CHECKING:
    from protego import Protego


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


MAX_ROBOTS_BYTES = 512 * 1024
MAX_ROBOTS_REDIRECTS = 5
MAX_CRAWL_DELAY_S = 30.0
_RULES_KEPT_S = 24 * 3600.0  # RFC 9309 2.4
_FAILURE_KEPT_S = 30.0
_AGENT_LINE = re.compile(r"^\s*user[-\s]*agent\s*[:\s](.*)$", re.IGNORECASE)
_SOMEBODY_ELSE = "somebody-else"

RobotsGet = Callable[[str], Awaitable[tuple[int, bytes]]]
"""Fetches a robots.txt URL through redirects: (status, start of the body); raises FetchFailed."""


@dataclass(frozen=True, slots=True)
class _Answer:
    until: float
    rules: Protego | None = None
    failure: FetchFailed | None = None


class Robots:
    """Asks each origin's robots.txt (RFC 9309) once and remembers it. ``user_agent`` is the header's full value.

    - 2xx: its rules hold for our product token. Only the first 512 KiB are read (2.5 asks for 500).
    - 4xx but 429: there are no rules (2.3.1.3).
    - 429, 5xx, time-outs: the whole site counts as disallowed (2.3.1.4) until asked again 30 s later.
    - The host cannot be reached at all (name, address, TLS, connection): that failure is the page's own.
    - ``Crawl-delay``, which the RFC does not know, raises the politeness delay, up to 30 s.
    """

    def __init__(self, user_agent: str, attempts: int, get: RobotsGet, monotonic: Callable[[], float]) -> None:
        self._token = user_agent.partition("/")[0].strip() or user_agent
        self._attempts = attempts
        self._get = get
        self._monotonic = monotonic
        self._answers: dict[str, _Answer] = {}
        self._locks: dict[str, anyio.Lock] = {}

    async def delay(self, url: str) -> float:
        """Check that ``url`` may be fetched; the site's Crawl-delay in seconds, 0 if it has none.

        Raises:
            FetchFailed: ``robots_disallowed``, or why the host could not be reached.
        """
        answer = await self._answer(_origin(url))
        if answer.failure is not None:
            raise FetchFailed(answer.failure.state, str(answer.failure)) from answer.failure
        if answer.rules is None:
            return 0.0
        if not answer.rules.can_fetch(url, self._token):
            raise FetchFailed(
                FetchState.ROBOTS_DISALLOWED,
                f"The robots.txt of {url_parts(url).netloc} does not let programs fetch {url}. "
                "Open it in a browser, save it and upload the file.",
            )
        return min(float(answer.rules.crawl_delay(self._token) or 0.0), MAX_CRAWL_DELAY_S)

    async def _answer(self, origin: str) -> _Answer:
        async with self._locks.setdefault(origin, anyio.Lock()):
            answer = self._answers.get(origin)
            if answer is None or answer.until <= self._monotonic():
                answer = self._answers[origin] = await self._ask(origin)
            return answer

    async def _ask(self, origin: str) -> _Answer:
        from protego import Protego

        url = f"{origin}/robots.txt"
        try:
            status, body = await with_retries(self._attempts, lambda: self._rules_or_trouble(url))
        except FetchFailed as error:
            return _Answer(self._monotonic() + _FAILURE_KEPT_S, failure=error)
        until = self._monotonic() + _RULES_KEPT_S
        if not 200 <= status < 300:
            return _Answer(until)
        rules = _only_for(self._token, body.decode("utf-8-sig", errors="replace"))
        return _Answer(until, rules=Protego.parse(rules))

    async def _rules_or_trouble(self, url: str) -> tuple[int, bytes]:
        try:
            status, body = await self._get(url)
        except FetchFailed as error:
            if error.state is not FetchState.TIMEOUT:
                raise
            raise _unreachable(url, "did not answer in time") from error
        if status == 429 or status >= 500:
            raise _unreachable(url, f"answered with HTTP status {status}")
        return status, body


def _only_for(token: str, text: str) -> str:
    """The file with every foreign product token replaced by one and the same.

    protego stores each rule once for each token of its group, so half a megabyte of tokens over rules
    would keep it busy for minutes; with three tokens at most its work is linear. Group borders stay.
    """
    ours = token.lower()

    def name(match: re.Match[str]) -> str:
        value = match.group(1).partition("#")[0].strip().lower()
        product = value.replace("*", "").partition("/")[0].strip()
        return f"User-agent: {'*' if value == '*' else token if product == ours else _SOMEBODY_ELSE}"

    return "\n".join(_AGENT_LINE.sub(name, line) for line in text.splitlines())


def _unreachable(url: str, what: str) -> TransientFailure:
    return TransientFailure(
        FetchState.ROBOTS_DISALLOWED,
        f"{url} {what}; until it does, the whole site counts as disallowed (RFC 9309). Try again later.",
    )


def _origin(url: str) -> str:
    parts = url_parts(url)
    return f"{parts.scheme}://{parts.netloc}"
