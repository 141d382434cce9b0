"""Servers that lie, stall, flood or point inside: each ends in a named state, within the limits, with nothing stored."""

from __future__ import annotations

import gzip
import os
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence

import pytest
import stamina

from core.acquire.fetch import HttpFetcher
from core.errors import FetchFailed
from core.labels import FetchState
from core.settings import Fetching
from tests.loopback import CERTIFICATE, Exchange, LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


class Names:
    """A resolver over a dict of name to addresses (one call each from a list of lists)."""

    def __init__(self, answers: dict[str, list[Sequence[str]]]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        known = self.answers.get(host)
        if not known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return known.pop(0) if len(known) > 1 else known[0]


def settings(*hosts: str, **changes: object) -> Fetching:
    base: dict[str, object] = {"allowed_hosts": hosts, "per_host_delay_s": 0, "timeout_s": 5, "attempts": 2}
    return Fetching(**{**base, **changes})  # type: ignore[arg-type]


def failure(fetching: Fetching, url: str, **options: object) -> FetchFailed:
    with HttpFetcher(fetching, **options) as fetcher, pytest.raises(FetchFailed) as caught:  # type: ignore[arg-type]
        fetcher.fetch(url)
    return caught.value


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
     "localhost", "localhost.", "LOCALHOST", "good.example@127.0.0.1", "good.example:80@127.0.0.1", "good.example\\@127.0.0.1",
     "127.0.0.1%2f@127.0.0.1", "0.0.0.0", "0", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1"],
)
def test_no_spelling_of_this_machine_reaches_it(server: LoopbackServer, host: str) -> None:
    server.page("/a", "<p>inside</p>")
    error = failure(settings(), f"http://{host}:{server.port}/a")
    assert error.state in (FetchState.FORBIDDEN_ADDRESS, FetchState.DNS_FAILURE)
    assert server.paths == []


@pytest.mark.parametrize("host", ["169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16", "192.168.0.1", "10.0.0.1"])
def test_metadata_and_private_addresses_are_not_asked(host: str) -> None:
    assert failure(settings(), f"http://{host}/latest/meta-data/").state is FetchState.FORBIDDEN_ADDRESS


def test_a_public_name_that_resolves_inside_is_refused(server: LoopbackServer) -> None:
    for answer in (["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"]):
        names = Names({"public.example": [answer]})
        error = failure(settings(), server.url("/a", "public.example"), resolver=names)
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert "public.example" in str(error)
    assert server.paths == []


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1:{other}/inside", "//127.0.0.1:{other}/inside", "http://inside.example:{other}/inside",
     "http://[::1]:{other}/inside", "http://2130706433:{other}/inside", "http://169.254.169.254/latest/"],
)
def test_a_redirect_inside_is_refused(server: LoopbackServer, target: str) -> None:
    with LoopbackServer() as other:
        other.page("/inside", "<p>secret</p>")
        server.redirect("/a", target.format(other=other.port))
        names = Names({"front.example": [["127.0.0.1"]], "inside.example": [["127.0.0.1"]]})
        error = failure(settings("front.example"), server.url("/a", "front.example"), resolver=names)
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert other.paths == [], "not even its robots.txt was asked for"


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://example.org/a", "javascript:alert(1)", "data:text/html,x", "gopher://127.0.0.1:70/",
               "http://", "http://[::1", "http://a:b:c/"],
)
def test_a_redirect_to_another_scheme_or_to_nothing_is_refused(server: LoopbackServer, target: str) -> None:
    server.redirect("/a", target)
    error = failure(settings(server.host()), server.url("/a"))
    assert error.state is FetchState.FORBIDDEN_ADDRESS
    assert "redirects" in str(error)


def test_robots_txt_cannot_lead_inside_either(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        server.redirect("/robots.txt", other.url("/robots.txt"))
        server.page("/a", "<p>a</p>")
        error = failure(settings(server.host()), server.url("/a"))
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert other.paths == []


def test_a_second_dns_answer_changes_nothing(server: LoopbackServer) -> None:
    """DNS rebinding: the name is public when it is checked and inside a moment later."""
    names = Names({"rebind.example": [["8.8.8.8"], ["127.0.0.1"]]})
    server.page("/a", "<p>inside</p>")
    with HttpFetcher(settings(timeout_s=0.3, attempts=1), resolver=names) as fetcher:
        with pytest.raises(FetchFailed):
            fetcher.fetch(server.url("/a", "rebind.example"))
        assert names.asked == ["rebind.example"], "one look-up for one connection"
        with pytest.raises(FetchFailed):
            fetcher.fetch(server.url("/a", "rebind.example"))
    assert server.paths == []


def test_an_allowed_name_does_not_open_its_neighbours(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        other.page("/a", "<p>a</p>")
        assert failure(settings(server.host()), other.url("/a")).state is FetchState.FORBIDDEN_ADDRESS
        assert other.paths == []


def test_cookies_do_not_travel_between_hosts(server: LoopbackServer) -> None:
    names = Names({"one.example": [["127.0.0.1"]], "two.example": [["127.0.0.1"]]})
    cookie = {"Location": server.url("/b", "two.example"), "Set-Cookie": "secret=1; Domain=example; Path=/"}
    server.page("/a", "", status=302, headers=cookie)
    server.page("/b", "<p>b</p>")
    with HttpFetcher(settings("one.example", "two.example"), resolver=names) as fetcher:
        fetcher.fetch(server.url("/a", "one.example"))
    assert [exchange.headers.get("Cookie") for exchange in server.requests] == [None] * 4


# ---------------------------------------------------------------- size and time


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
        error = failure(settings(server.host(), max_bytes=1_000_000), server.url(path))
        assert error.state is FetchState.TOO_LARGE
        assert "1,000,000" in str(error)


def test_a_body_of_exactly_the_limit_is_kept(server: LoopbackServer) -> None:
    server.page("/a", b"x" * 1000)
    server.page("/b", b"x" * 1001)
    with HttpFetcher(settings(server.host(), max_bytes=1000)) as fetcher:
        assert len(fetcher.fetch(server.url("/a")).body) == 1000
    assert failure(settings(server.host(), max_bytes=1000), server.url("/b")).state is FetchState.TOO_LARGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_a_compression_bomb_is_stopped_at_the_limit(server: LoopbackServer, coding: str) -> None:
    zeros = b"\0" * 20_000_000
    packed = {"gzip": gzip.compress(zeros), "deflate": zlib.compress(zeros), "gzip, gzip": gzip.compress(gzip.compress(zeros))}
    server.page("/a", packed[coding], headers={"Content-Encoding": coding})
    error = failure(settings(server.host(), max_bytes=1_000_000), server.url("/a"))
    assert error.state is FetchState.TOO_LARGE


def test_an_endless_stream_that_unpacks_to_nothing_is_stopped(server: LoopbackServer) -> None:
    empty_members = gzip.compress(b"") * 3000
    server.route("/a", endless(empty_members, {"Content-Encoding": "gzip", "Content-Length": "99999999999"}))
    assert failure(settings(server.host(), max_bytes=500_000), server.url("/a")).state is FetchState.TOO_LARGE


def test_a_slow_body_ends_at_the_time_limit(server: LoopbackServer) -> None:
    def drip(exchange: Exchange) -> None:
        exchange.send(200, b"", {"Content-Length": "1000000"})
        while exchange.raw(b"x") and not exchange.closing.wait(0.02):
            pass

    server.route("/a", drip)
    error = failure(settings(server.host(), timeout_s=0.3), server.url("/a"))
    assert error.state is FetchState.TIMEOUT
    assert "fetching.timeout_s" in str(error)
    assert server.paths.count("/a") == 1


def test_a_server_that_never_answers_ends_at_the_time_limit(server: LoopbackServer) -> None:
    server.route("/a", lambda exchange: exchange.closing.wait(20) and None)
    assert failure(settings(server.host(), timeout_s=0.3), server.url("/a")).state is FetchState.TIMEOUT


def test_slow_redirects_share_one_time_limit(server: LoopbackServer) -> None:
    def slow(exchange: Exchange) -> None:
        exchange.closing.wait(0.15)
        exchange.send(302, headers={"Location": exchange.path + "x"})

    for at in range(10):
        server.route("/a" + "x" * at, slow)
    fetching = settings(server.host(), timeout_s=0.4, max_redirects=10, attempts=1)
    assert failure(fetching, server.url("/a")).state is FetchState.TIMEOUT


# ---------------------------------------------------------------- answers that are not HTTP


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
        b"SSH-2.0-OpenSSH_9.6\r\n", b"\x00" * 5000, b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000,
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
    ids=["ssh", "zeros", "bad status", "bad header", "nothing", "long header", "many headers", "two lengths", "negative length",
         "short body", "bad chunk", "short chunk", "only continue", "half a gzip"],
)
def test_a_broken_answer_is_a_server_error_and_never_half_a_page(answer: bytes) -> None:
    with RawServer(answer) as server:
        error = failure(settings("127.0.0.1", obey_robots=False), f"http://127.0.0.1:{server.port}/a")
    assert error.state is FetchState.SERVER_ERROR
    assert "127.0.0.1" in str(error)


@pytest.mark.parametrize(
    ("coding", "state"),
    [("gzip", FetchState.SERVER_ERROR), ("deflate", FetchState.SERVER_ERROR), ("br", FetchState.UNSUPPORTED_TYPE),
     ("zstd", FetchState.UNSUPPORTED_TYPE), ("gzip, gzip, gzip, gzip", FetchState.UNSUPPORTED_TYPE)],
)
def test_a_body_not_packed_as_declared_is_refused(server: LoopbackServer, coding: str, state: FetchState) -> None:
    server.page("/a", b"<p>plain, not packed</p>", headers={"Content-Encoding": coding})
    assert failure(settings(server.host()), server.url("/a")).state is state


def test_a_connection_that_breaks_once_is_tried_again(server: LoopbackServer) -> None:
    def break_off(exchange: Exchange) -> None:
        exchange.send(200, b"half", {"Content-Length": "1000"})
        exchange.hang_up()

    server.in_turn("/a", [break_off, lambda exchange: exchange.send(200, "<p>whole</p>")])
    with HttpFetcher(settings(server.host())) as fetcher:
        assert fetcher.fetch(server.url("/a")).body == b"<p>whole</p>"


@pytest.mark.parametrize("name", ["a/../../etc/passwd", "..\\..\\evil.pdf", "C:\\evil.pdf", "nul\x00.pdf", "x" * 5000, "...", "/"])
def test_a_file_name_from_the_server_has_no_folder_in_it(server: LoopbackServer, name: str) -> None:
    server.page("/a", "<p>a</p>", headers={"Content-Disposition": f'attachment; filename="{name}"'})
    with HttpFetcher(settings(server.host())) as fetcher:
        try:
            found = fetcher.fetch(server.url("/a")).filename
        except FetchFailed as error:
            assert error.state is FetchState.SERVER_ERROR
            return
    assert found is None or (found.strip(". ") and not set(found) & set("/\\:\0") and len(found) <= 255)


@pytest.mark.parametrize("url", ["http://a.example/" + "x" * 70_000, "http://" + "a" * 300 + ".example/", "http://a..b/", "http://%00/",
                                 "http://a.example:0/", "http://exa mple.org/", "http://\ud800.example/", "http://a.example/\ud800"])
def test_an_odd_url_is_a_named_failure(url: str) -> None:
    assert failure(settings(), url, resolver=Names({})).state in (FetchState.FORBIDDEN_ADDRESS, FetchState.DNS_FAILURE)


# ---------------------------------------------------------------- TLS


def test_an_untrusted_certificate_is_a_tls_error() -> None:
    with LoopbackServer(tls=True) as server:
        server.page("/a", "<p>a</p>")
        error = failure(settings(server.host()), server.url("/a"))
        assert error.state is FetchState.TLS_ERROR
        assert "certificate" in str(error)
        assert server.paths == []


def test_a_trusted_certificate_is_checked_against_the_name_not_the_address() -> None:
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    names = Names({"secure.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]]})
    with LoopbackServer(tls=True) as server:
        server.page("/a", "<p>a</p>")
        fetching = settings("secure.example", "other.example")
        with HttpFetcher(fetching, resolver=names, ssl_context=trusting) as fetcher:
            assert fetcher.fetch(server.url("/a", "secure.example")).body == b"<p>a</p>"
            assert server.requests[-1].headers["Host"] == server.host("secure.example")
        error = failure(fetching, server.url("/a", "other.example"), resolver=names, ssl_context=trusting)
        assert error.state is FetchState.TLS_ERROR


def test_https_to_a_plain_server_is_a_tls_error(server: LoopbackServer) -> None:
    assert failure(settings(server.host()), server.url("/a").replace("http:", "https:")).state is FetchState.TLS_ERROR


# ---------------------------------------------------------------- bot walls


WALLS = {
    "cloudflare": b"<html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript</noscript></body></html>",
    "incapsula": b'<html><head><script src="/_Incapsula_Resource?x=1"></script></head><body></body></html>',
    "denied": b"<html><head><title>Access Denied</title></head><body>You don't have permission.</body></html>",
    "anubis": b'<title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge">{}</script>',
}


@pytest.mark.parametrize("wall", WALLS)
def test_a_bot_wall_that_says_200_is_blocked(server: LoopbackServer, wall: str) -> None:
    server.page("/a", WALLS[wall])
    error = failure(settings(server.host()), server.url("/a"))
    assert error.state is FetchState.BLOCKED
    assert "bot wall" in str(error)


def test_a_challenge_header_is_blocked_whatever_the_status(server: LoopbackServer) -> None:
    for status in (200, 202, 503):
        server.page("/a", "<p>x</p>", status=status, headers={"cf-mitigated": "challenge"})
        assert failure(settings(server.host()), server.url("/a")).state is FetchState.BLOCKED


@pytest.mark.parametrize(
    "page",
    [
        b"<title>Access denied: how landlords screen tenants</title><p>" + b"Words. " * 100,
        b"<title>CAPTCHA</title><p>" + b"A CAPTCHA is a test that tells people and programs apart. " * 60,
        b'<title>News</title><script src="/_Incapsula_Resource?x=1"></script><p>' + b"The council met on Monday. " * 100,
    ],
)
def test_an_article_is_no_bot_wall(server: LoopbackServer, page: bytes) -> None:
    server.page("/a", page)
    with HttpFetcher(settings(server.host())) as fetcher:
        assert fetcher.fetch(server.url("/a")).body == page


@pytest.mark.parametrize("start", [b"<", b"<script", b"<title", b"<title>" + b" ", b"<style><script", b"</script"])
def test_a_page_made_to_stall_the_wall_check_does_not(server: LoopbackServer, start: bytes) -> None:
    page = (start * 60_000)[:59_000] + b"px-captcha"
    server.page("/a", page)
    with HttpFetcher(settings(server.host(), timeout_s=20)) as fetcher:
        try:
            fetcher.fetch(server.url("/a"))
        except FetchFailed as error:
            assert error.state is FetchState.BLOCKED
