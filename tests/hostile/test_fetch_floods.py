"""Floods and stalls end at the limits of size and time, in a named state."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator

import pytest
import stamina

from core.acquire.fetch import HttpFetcher
from core.labels import FetchState
from tests.helpers.fetching import failure, fetching, state
from tests.helpers.loopback import Exchange, LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


def endless(chunk: bytes, headers: dict[str, str]) -> Callable[[Exchange], None]:
    def answer(exchange: Exchange) -> None:
        exchange.send(200, b"", {"Connection": "close", **headers})
        exchange.hang_up()
        while exchange.raw(chunk) and not exchange.closing.is_set():
            pass

    return answer


def test_an_endless_body_is_cut_at_the_limit(server: LoopbackServer) -> None:
    server.route("/a", endless(b"x" * 65536, {"Content-Length": "99999999999"}))
    server.route("/b", endless(b"10000\r\n" + b"x" * 65536 + b"\r\n", {"Transfer-Encoding": "chunked"}))
    for path in ("/a", "/b"):
        error = failure(fetching(server.host(), max_bytes=1_000_000), server.url(path))
        assert error.state is FetchState.TOO_LARGE
        assert "1,000,000" in str(error)


def test_a_body_of_exactly_the_limit_is_kept(server: LoopbackServer) -> None:
    server.page("/a", b"x" * 1000)
    server.page("/b", b"x" * 1001)
    with HttpFetcher(fetching(server.host(), max_bytes=1000)) as fetcher:
        assert len(fetcher.fetch(server.url("/a")).body) == 1000
    assert failure(fetching(server.host(), max_bytes=1000), server.url("/b")).state is FetchState.TOO_LARGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_a_compression_bomb_is_stopped_at_the_limit(server: LoopbackServer, coding: str) -> None:
    zeros = b"\0" * 20_000_000
    once = gzip.compress(zeros)
    packed = {"gzip": once, "deflate": zlib.compress(zeros), "gzip, gzip": gzip.compress(once)}
    server.page("/a", packed[coding], headers={"Content-Encoding": coding})
    error = failure(fetching(server.host(), max_bytes=1_000_000), server.url("/a"))
    assert error.state is FetchState.TOO_LARGE


def test_an_endless_stream_that_unpacks_to_nothing_is_stopped(server: LoopbackServer) -> None:
    empty_members = gzip.compress(b"") * 3000
    server.route("/a", endless(empty_members, {"Content-Encoding": "gzip", "Content-Length": "99999999999"}))
    assert failure(fetching(server.host(), max_bytes=500_000), server.url("/a")).state is FetchState.TOO_LARGE


def test_a_slow_body_ends_at_the_time_limit(server: LoopbackServer) -> None:
    def drip(exchange: Exchange) -> None:
        exchange.send(200, b"", {"Content-Length": "1000000"})
        while exchange.raw(b"x") and not exchange.closing.wait(0.02):
            pass

    server.route("/a", drip)
    error = failure(fetching(server.host(), timeout_s=0.3), server.url("/a"))
    assert error.state is FetchState.TIMEOUT
    assert "fetching.timeout_s" in str(error)
    assert server.paths.count("/a") == 1


def test_a_server_that_never_answers_ends_at_the_time_limit(server: LoopbackServer) -> None:
    server.route("/a", lambda exchange: exchange.closing.wait(20) and None)
    assert failure(fetching(server.host(), timeout_s=0.3), server.url("/a")).state is FetchState.TIMEOUT


def test_slow_redirects_share_one_time_limit(server: LoopbackServer) -> None:
    def slow(exchange: Exchange) -> None:
        exchange.closing.wait(0.15)
        exchange.send(302, headers={"Location": exchange.path + "x"})

    for at in range(10):
        server.route("/a" + "x" * at, slow)
    settings = fetching(server.host(), timeout_s=0.4, max_redirects=10, attempts=1)
    assert failure(settings, server.url("/a")).state is FetchState.TIMEOUT


def test_a_robots_file_made_to_stall_its_parser_does_not(server: LoopbackServer) -> None:
    agents = "".join(f"User-agent: a{at}\n" for at in range(12_000))
    rules = "Disallow: /private\n" * 12_000
    server.page("/robots.txt", f"{agents}User-Agent : Evidence-Workbench/9\n{rules}")
    server.page("/a", "<p>a</p>")
    assert state(fetching(server.host(), timeout_s=20), server.url("/a")) is FetchState.STORED
    assert state(fetching(server.host(), timeout_s=20), server.url("/private")) is FetchState.ROBOTS_DISALLOWED


def test_headers_made_to_stall_their_parsers_do_not(server: LoopbackServer) -> None:
    for header in ('attachment; filename="' + ";" * 60_000, "attachment" + ";" * 60_000):
        cookie = "a=b; expires=1" + " " * 30_000
        server.page("/a", "<p>a</p>", headers={"Content-Disposition": header, "Set-Cookie": cookie})
        assert state(fetching(server.host(), timeout_s=20), server.url("/a")) is FetchState.STORED
