"""Broken answers, false names, bad certificates and bot walls are named, never stored as if they were the page."""

from __future__ import annotations

import gzip
import os
import socket
import ssl
import threading
from collections.abc import Iterator

import pytest
import stamina

from core.acquire.fetch import HttpFetcher
from core.errors import FetchFailed
from core.labels import FetchState
from tests.helpers.fetching import Names, failure, fetching, outcome, state
from tests.helpers.loopback import CERTIFICATE, Exchange, LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


class RawServer:
    """Accepts connections, reads the request's start, sends fixed bytes, closes."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.settimeout(5)
                    connection.recv(65536)
                    connection.sendall(self._answer)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except OSError:
                    continue

    def __enter__(self) -> RawServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00" * 5000,
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000,
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % at for at in range(50_000)),
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        + gzip.compress(os.urandom(5000))[:2000],
    ],
    ids=[
        "ssh",
        "zeros",
        "bad status",
        "bad header",
        "nothing",
        "long header",
        "many headers",
        "two lengths",
        "negative length",
        "short body",
        "bad chunk",
        "short chunk",
        "only continue",
        "half a gzip",
    ],
)
def test_a_broken_answer_is_a_server_error_and_never_half_a_page(answer: bytes) -> None:
    with RawServer(answer) as server:
        error = failure(fetching("127.0.0.1", obey_robots=False), f"http://127.0.0.1:{server.port}/a")
    assert error.state is FetchState.SERVER_ERROR
    assert "127.0.0.1" in str(error)


@pytest.mark.parametrize(
    ("coding", "state"),
    [
        ("gzip", FetchState.SERVER_ERROR),
        ("deflate", FetchState.SERVER_ERROR),
        ("br", FetchState.UNSUPPORTED_TYPE),
        ("zstd", FetchState.UNSUPPORTED_TYPE),
        ("gzip, gzip, gzip, gzip", FetchState.UNSUPPORTED_TYPE),
    ],
)
def test_a_body_not_packed_as_declared_is_refused(server: LoopbackServer, coding: str, state: FetchState) -> None:
    server.page("/a", b"<p>plain, not packed</p>", headers={"Content-Encoding": coding})
    assert failure(fetching(server.host()), server.url("/a")).state is state


def test_a_connection_that_breaks_once_is_tried_again(server: LoopbackServer) -> None:
    def break_off(exchange: Exchange) -> None:
        exchange.send(200, b"half", {"Content-Length": "1000"})
        exchange.hang_up()

    server.in_turn("/a", [break_off, lambda exchange: exchange.send(200, "<p>whole</p>")])
    with HttpFetcher(fetching(server.host())) as fetcher:
        assert fetcher.fetch(server.url("/a")).body == b"<p>whole</p>"


@pytest.mark.parametrize(
    "name", ["a/../../etc/passwd", "..\\..\\evil.pdf", "C:\\evil.pdf", "nul\x00.pdf", "x" * 5000, "...", "/"]
)
def test_a_file_name_from_the_server_has_no_folder_in_it(server: LoopbackServer, name: str) -> None:
    server.page("/a", "<p>a</p>", headers={"Content-Disposition": f'attachment; filename="{name}"'})
    result = outcome(fetching(server.host()), server.url("/a"))
    if isinstance(result, FetchFailed):
        assert result.state is FetchState.SERVER_ERROR
        return
    found = result.filename
    assert found is None or (found.strip(". ") and not set(found) & set("/\\:\0") and len(found) <= 255)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/" + "x" * 70_000,
        "http://" + "a" * 300 + ".example/",
        "http://a..b/",
        "http://%00/",
        "http://a.example:0/",
        "http://exa mple.org/",
        "http://\ud800.example/",
        "http://a.example/\ud800",
    ],
)
def test_an_odd_url_is_a_named_failure(url: str) -> None:
    refused = (FetchState.FORBIDDEN_ADDRESS, FetchState.DNS_FAILURE, FetchState.NO_NETWORK)
    assert state(fetching(), url, resolver=Names({})) in refused


def test_an_untrusted_certificate_is_a_tls_error() -> None:
    with LoopbackServer(tls=True) as server:
        server.page("/a", "<p>a</p>")
        error = failure(fetching(server.host()), server.url("/a"))
        assert error.state is FetchState.TLS_ERROR
        assert "certificate" in str(error)
        assert server.paths == []


def test_a_trusted_certificate_is_checked_against_the_name_not_the_address() -> None:
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    names = Names({"secure.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]]})
    with LoopbackServer(tls=True) as server:
        server.page("/a", "<p>a</p>")
        settings = fetching("secure.example", "other.example")
        with HttpFetcher(settings, resolver=names, ssl_context=trusting) as fetcher:
            assert fetcher.fetch(server.url("/a", "secure.example")).body == b"<p>a</p>"
            assert server.requests[-1].headers["Host"] == server.host("secure.example")
        error = failure(settings, server.url("/a", "other.example"), resolver=names, ssl_context=trusting)
        assert error.state is FetchState.TLS_ERROR


def test_https_to_a_plain_server_is_a_tls_error(server: LoopbackServer) -> None:
    assert failure(fetching(server.host()), server.url("/a").replace("http:", "https:")).state is FetchState.TLS_ERROR


WALLS = {
    "cloudflare": b"<head><title>Just a moment...</title></head><body><noscript>Enable JavaScript</noscript></body>",
    "incapsula": b'<html><head><script src="/_Incapsula_Resource?x=1"></script></head><body></body></html>',
    "denied": b"<html><head><title>Access Denied</title></head><body>You don't have permission.</body></html>",
    "anubis": b'<title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge">{}</script>',
}


@pytest.mark.parametrize("wall", WALLS)
def test_a_bot_wall_that_says_200_is_blocked(server: LoopbackServer, wall: str) -> None:
    server.page("/a", WALLS[wall])
    error = failure(fetching(server.host()), server.url("/a"))
    assert error.state is FetchState.BLOCKED
    assert "bot wall" in str(error)


def test_a_challenge_header_is_blocked_whatever_the_status(server: LoopbackServer) -> None:
    for status in (200, 202, 503):
        server.page("/a", "<p>x</p>", status=status, headers={"cf-mitigated": "challenge"})
        assert failure(fetching(server.host()), server.url("/a")).state is FetchState.BLOCKED


@pytest.mark.parametrize(
    "page",
    [
        b"<title>Access denied: how landlords screen tenants</title><p>" + b"Words. " * 100,
        b"<title>CAPTCHA</title><p>" + b"A CAPTCHA is a test that tells people and programs apart. " * 60,
        b'<title>News</title><script src="/_Incapsula_Resource?x=1"></script>' + b"The council met on Monday. " * 99,
    ],
)
def test_an_article_is_no_bot_wall(server: LoopbackServer, page: bytes) -> None:
    server.page("/a", page)
    with HttpFetcher(fetching(server.host())) as fetcher:
        assert fetcher.fetch(server.url("/a")).body == page


@pytest.mark.parametrize("start", [b"<", b"<script", b"<title", b"<title>" + b" ", b"<style><script", b"</script"])
def test_a_page_made_to_stall_the_wall_check_does_not(server: LoopbackServer, start: bytes) -> None:
    page = (start * 60_000)[:59_000] + b"px-captcha"
    server.page("/a", page)
    assert state(fetching(server.host(), timeout_s=20), server.url("/a")) in (FetchState.STORED, FetchState.BLOCKED)
