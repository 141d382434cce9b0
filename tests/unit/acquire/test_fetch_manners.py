"""Requests to one host come one at a time and a delay apart; other hosts do not wait for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from core.acquire.fetch import HttpFetcher
from core.acquire.fetch_failures import TransientFailure, backoff, retry_after, status_failure
from core.acquire.fetch_manners import HostTurns
from core.errors import FetchFailed
from core.labels import FetchState
from core.settings.values import Fetching
from tests.helpers.loopback import Exchange, LoopbackServer

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class FakeTime:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds
        await anyio.sleep(0)


class Loopback:
    """Every name is this machine."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]


def test_starts_at_one_host_are_a_delay_apart() -> None:
    time = FakeTime()
    turns = HostTurns(time.monotonic, time.sleep)
    starts: list[tuple[str, float]] = []

    async def take(host: str, work: float) -> None:
        async with turns.turn(host, 2.0):
            starts.append((host, time.now))
            time.now += work

    async def run() -> None:
        await take("a", 0.5)
        await take("b", 0.0)
        await take("a", 5.0)
        await take("a", 0.0)

    anyio.run(run)
    assert starts == [("a", 100.0), ("b", 100.5), ("a", 102.0), ("a", 107.0)]
    assert time.slept == [1.5]


def test_a_host_that_asked_for_a_pause_gets_it() -> None:
    time = FakeTime()
    turns = HostTurns(time.monotonic, time.sleep)

    async def run() -> None:
        async with turns.turn("a", 1.0):
            turns.hold_off("a", 30.0)
        async with turns.turn("a", 1.0):
            pass

    anyio.run(run)
    assert time.slept == [30.0]


def test_a_polite_fetcher_visits_a_host_one_request_at_a_time() -> None:
    time = FakeTime()
    with LoopbackServer() as server:
        server.page("/a", "<p>a</p>")
        fetching = Fetching(allowed_hosts=("one.example", "two.example"), per_host_delay_s=3)
        with HttpFetcher(fetching, resolver=Loopback(), monotonic=time.monotonic, sleep=time.sleep) as fetcher:
            urls = [server.url(f"/a?{at}", "one.example") for at in range(4)] + [server.url("/a?5", "two.example")]
            outcomes = dict(fetcher.fetch_many(urls, lambda *_: None))
        assert not [outcome for outcome in outcomes.values() if isinstance(outcome, Exception)]
        pages = [
            (exchange.headers["Host"].partition(":")[0], exchange.path)
            for exchange in server.requests
            if exchange.path != "/robots.txt"
        ]
    assert time.slept == [3.0, 3.0, 3.0]
    assert [host for host, _ in pages].index("two.example") < 4, "the other host did not wait for the last of the first"


def test_a_crawl_delay_in_robots_counts_when_it_is_longer() -> None:
    time = FakeTime()
    with LoopbackServer() as server:
        server.page("/robots.txt", "User-agent: *\nCrawl-delay: 7")
        server.page("/a", "<p>a</p>")
        fetching = Fetching(allowed_hosts=(server.host(),), per_host_delay_s=1)
        with HttpFetcher(fetching, monotonic=time.monotonic, sleep=time.sleep) as fetcher:
            list(fetcher.fetch_many([server.url("/a?1"), server.url("/a?2")], lambda *_: None))
    assert time.slept == [7.0]


def test_one_slow_host_does_not_hold_up_the_others() -> None:
    with LoopbackServer() as server:

        def slow(exchange: Exchange) -> None:
            released.wait(timeout=10)
            exchange.send(200, "<p>slow</p>")

        import threading

        released = threading.Event()
        server.route("/slow", slow)
        server.page("/a", "<p>a</p>")
        fetching = Fetching(allowed_hosts=("one.example", "two.example"), per_host_delay_s=0.001, concurrency=2)
        urls = [server.url(f"/slow?{at}", "one.example") for at in range(3)] + [server.url("/a", "two.example")]
        order = []
        with HttpFetcher(fetching, resolver=Loopback()) as fetcher:
            for url, _ in fetcher.fetch_many(urls, lambda *_: None):
                order.append(url)
                released.set()
    assert order[0] == server.url("/a", "two.example")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("5", 5.0),
        (" 120 ", 120.0),
        ("soon", None),
        ("-3", None),
        ("9" * 400, None),
        ("Fri, 02 Jan 2026 03:04:35 GMT", 30.0),
        ("Fri, 02 Jan 2026 03:00:00 GMT", 0.0),
        ("Fri, 99 Jan 2026 03:00:00 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


def test_a_short_pause_is_kept_and_a_long_one_ends_the_trying() -> None:
    soon = status_failure(503, {"retry-after": "7"}, "https://example.org/", NOW)
    assert isinstance(soon, TransientFailure)
    assert backoff(soon) == 7.0
    late = status_failure(
        503, {"retry-after": str(int(timedelta(hours=1).total_seconds()))}, "https://example.org/", NOW
    )
    assert late is not None
    assert not isinstance(late, TransientFailure)
    assert backoff(late) is False
    assert backoff(TransientFailure(FetchState.SERVER_ERROR, "x")) is True
    assert backoff(FetchFailed(FetchState.SERVER_ERROR, "x")) is False
