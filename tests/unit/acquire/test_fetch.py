"""What a fetched source brings along, and the named state of everything that goes wrong."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import stamina

from core.acquire.fetch import HttpFetcher
from core.errors import FetchFailed, JobCancelled, SettingsError, SourceError
from core.labels import FetchState
from core.settings.values import Fetching
from tests.helpers.loopback import Exchange, LoopbackServer

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def fetcher(server: LoopbackServer) -> Iterator[HttpFetcher]:
    with HttpFetcher(settings(server), clock=lambda: NOW) as made:
        yield made


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


def settings(server: LoopbackServer, **changes: object) -> Fetching:
    return Fetching(**{"allowed_hosts": (server.host(),), "per_host_delay_s": 0, "timeout_s": 5, **changes})  # type: ignore[arg-type]


def failure(fetcher: HttpFetcher, url: str) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        fetcher.fetch(url)
    return caught.value


def ignore_progress(done: int, total: int | None, message: str = "") -> None:
    pass


def test_a_source_comes_with_its_bytes_type_addresses_and_time(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    body = b"<p>caf\xe9 \x00\xff</p>"
    server.page(
        "/a",
        body,
        content_type="Text/HTML; Charset=ISO-8859-1",
        headers={"Content-Disposition": 'attachment; filename="../up/pa:per.html"'},
    )
    asked = server.url("/a?utm_source=x#part")
    fetched = fetcher.fetch(asked)
    assert fetched.body == body
    assert fetched.media_type == "text/html; Charset=ISO-8859-1"
    assert fetched.url == asked
    assert fetched.final_url == server.url("/a?utm_source=x")
    assert fetched.seen_urls == (asked, server.url("/a?utm_source=x"))
    assert fetched.filename == "paper.html"
    assert fetched.fetched_at == NOW


def test_a_type_that_the_server_does_not_name_is_left_to_the_reader(
    server: LoopbackServer, fetcher: HttpFetcher
) -> None:
    server.page("/a", b"%PDF-1.7", content_type="")
    assert fetcher.fetch(server.url("/a")).media_type == "application/octet-stream"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_redirect_is_followed_and_remembered(server: LoopbackServer, fetcher: HttpFetcher, status: int) -> None:
    server.redirect("/a", "b/../c?x=1#frag", status)
    server.redirect("/c", server.url("/d"), status)
    server.page("/d", "<p>here</p>")
    fetched = fetcher.fetch(server.url("/a"))
    assert fetched.body == b"<p>here</p>"
    assert fetched.final_url == server.url("/d")
    assert [url.rpartition("/")[2] for url in fetched.seen_urls] == ["a", "c?x=1", "d"]


def test_the_number_of_redirects_is_capped(server: LoopbackServer) -> None:
    for at in range(4):
        server.redirect(f"/{at}", f"/{at + 1}")
    server.page("/4", "<p>end</p>")
    with HttpFetcher(settings(server, max_redirects=4)) as fetcher:
        assert fetcher.fetch(server.url("/0")).body == b"<p>end</p>"
    with HttpFetcher(settings(server, max_redirects=3)) as fetcher:
        refused = failure(fetcher, server.url("/0"))
    assert refused.state is FetchState.SERVER_ERROR
    assert "fetching.max_redirects" in str(refused)


def test_a_circle_of_redirects_is_named(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    server.redirect("/a", "/b")
    server.redirect("/b", "/a")
    error = failure(fetcher, server.url("/a"))
    assert error.state is FetchState.SERVER_ERROR
    assert "Redirect loop" in str(error)
    assert server.paths.count("/a") == 1


def test_a_site_that_sets_a_cookie_and_sends_us_back_is_read(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    def page(exchange: Exchange) -> None:
        if "seen=yes" in (exchange.headers.get("Cookie") or ""):
            exchange.send(200, "<p>welcome</p>")
        else:
            exchange.send(302, headers={"Location": "/a", "Set-Cookie": "seen=yes"})

    server.route("/a", page)
    assert fetcher.fetch(server.url("/a")).body == b"<p>welcome</p>"
    assert fetcher.fetch(server.url("/a")).body == b"<p>welcome</p>"
    assert [exchange.headers.get("Cookie") for exchange in server.requests if exchange.path == "/a"] == [
        None,
        "seen=yes",
        None,
        "seen=yes",
    ], "cookies end with the fetch"


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (400, FetchState.SERVER_ERROR),
        (401, FetchState.BLOCKED),
        (402, FetchState.BLOCKED),
        (403, FetchState.BLOCKED),
        (404, FetchState.NOT_FOUND),
        (406, FetchState.UNSUPPORTED_TYPE),
        (408, FetchState.TIMEOUT),
        (410, FetchState.GONE),
        (418, FetchState.SERVER_ERROR),
        (429, FetchState.BLOCKED),
        (451, FetchState.BLOCKED),
        (999, FetchState.BLOCKED),
        (500, FetchState.SERVER_ERROR),
        (503, FetchState.SERVER_ERROR),
        (504, FetchState.TIMEOUT),
        (300, FetchState.SERVER_ERROR),
        (304, FetchState.SERVER_ERROR),
    ],
)
def test_every_bad_status_has_its_state(
    server: LoopbackServer, fetcher: HttpFetcher, status: int, state: FetchState
) -> None:
    server.page("/a", "" if status == 304 else "<p>no</p>", status=status)
    error = failure(fetcher, server.url("/a"))
    assert error.state is state
    assert str(status) in str(error)
    assert server.url("/a") in str(error)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 408])
def test_a_passing_failure_is_tried_again(server: LoopbackServer, fetcher: HttpFetcher, status: int) -> None:
    server.in_turn("/a", [lambda x: x.send(status, headers={"Retry-After": "1"}), lambda x: x.send(200, "<p>ok</p>")])
    assert fetcher.fetch(server.url("/a")).body == b"<p>ok</p>"
    assert server.paths.count("/a") == 2


def test_a_lasting_failure_is_tried_as_often_as_the_settings_say(server: LoopbackServer) -> None:
    server.page("/a", "<p>no</p>", status=503)
    with HttpFetcher(settings(server, attempts=4)) as fetcher:
        error = failure(fetcher, server.url("/a"))
    assert server.paths.count("/a") == 4
    assert "Tried 4 times" in str(error)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 501])
def test_a_final_failure_is_not_tried_again(server: LoopbackServer, fetcher: HttpFetcher, status: int) -> None:
    server.page("/a", "<p>no</p>", status=status)
    failure(fetcher, server.url("/a"))
    assert server.paths.count("/a") == 1


def test_a_server_that_asks_for_a_long_pause_is_left_alone(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    server.page("/a", "", status=429, headers={"Retry-After": "3600"})
    error = failure(fetcher, server.url("/a"))
    assert error.state is FetchState.BLOCKED
    assert "3600 seconds" in str(error)
    assert server.paths.count("/a") == 1


@pytest.mark.parametrize(
    "content_type",
    [
        "image/png",
        "image/svg+xml",
        "audio/mpeg",
        "video/mp4",
        "font/woff2",
        "application/zip",
        "application/gzip",
        "application/json",
        "application/msword",
        "application/epub+zip",
    ],
)
def test_a_type_that_no_reader_takes_is_refused_before_its_body_is_loaded(
    server: LoopbackServer, fetcher: HttpFetcher, content_type: str
) -> None:
    server.page("/a", b"", content_type=content_type, headers={"Content-Length": "1000000"})
    error = failure(fetcher, server.url("/a"))
    assert error.state is FetchState.UNSUPPORTED_TYPE
    assert content_type in str(error)
    assert "PDF" in str(error)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/a", "text/html"),
        ("/a", "text/plain"),
        ("/a", "text/markdown"),
        ("/a", "application/xhtml+xml"),
        ("/a", "application/xml"),
        ("/a", "application/pdf"),
        ("/a", "application/jats+xml"),
        ("/a", "application/octet-stream"),
        ("/a.docx", "application/zip"),
        ("/a.PDF", "application/force-download"),
        ("/a", "text/html;charset=utf-8"),
    ],
)
def test_types_that_readers_take_are_fetched(
    server: LoopbackServer, fetcher: HttpFetcher, path: str, content_type: str
) -> None:
    server.page(path, b"bytes", content_type=content_type)
    assert fetcher.fetch(server.url(path)).body == b"bytes"


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(b"text " * 50_000, mtime=0)),
        ("x-gzip", gzip.compress(b"text " * 50_000, mtime=0)),
        ("GZIP", gzip.compress(b"text " * 25_000, mtime=0) + gzip.compress(b"text " * 25_000, mtime=0)),
        ("gzip", gzip.compress(b"text " * 50_000, mtime=0) + b"\0" * 100),
        ("deflate", zlib.compress(b"text " * 50_000)),
        ("deflate", zlib.compress(b"text " * 50_000)[2:-4]),
        ("gzip, gzip", gzip.compress(gzip.compress(b"text " * 50_000, mtime=0), mtime=0)),
        ("identity", b"text " * 50_000),
    ],
)
def test_a_packed_body_arrives_unpacked_and_whole(
    server: LoopbackServer, fetcher: HttpFetcher, coding: str, packed: bytes
) -> None:
    server.page("/a", packed, headers={"Content-Encoding": coding})
    assert fetcher.fetch(server.url("/a")).body == b"text " * 50_000


def test_an_empty_page_is_a_named_failure(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    server.page("/a", b"")
    server.page("/b", b"", status=204)
    assert failure(fetcher, server.url("/a")).state is FetchState.EMPTY
    assert failure(fetcher, server.url("/b")).state is FetchState.EMPTY


def test_connection_refused_says_so(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        gone = other.url("/a")
    with HttpFetcher(settings(server, allowed_hosts=("127.0.0.1",))) as fetcher:
        error = failure(fetcher, gone)
    assert error.state is FetchState.SERVER_ERROR
    assert "refused" in str(error)


@pytest.mark.parametrize(
    "url", ["ftp://example.org/a", "file:///etc/passwd", "example.org", "", "http://", "http://1.2.3.400/"]
)
def test_what_is_no_web_address_is_a_fetch_failure(fetcher: HttpFetcher, url: str) -> None:
    assert failure(fetcher, url).state in (FetchState.FORBIDDEN_ADDRESS, FetchState.DNS_FAILURE, FetchState.NO_NETWORK)


def test_requests_name_us_and_carry_no_proxy(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.page("/a", "<p>direct</p>")
    with HttpFetcher(settings(server, user_agent="workbench-test/1")) as fetcher:
        assert fetcher.fetch(server.url("/a")).body == b"<p>direct</p>"
    request = server.requests[-1]
    assert request.headers["User-Agent"] == "workbench-test/1"
    assert request.headers["Accept-Encoding"] == "gzip, deflate"
    assert request.headers["Host"] == server.host()
    assert "Authorization" not in request.headers


def test_a_password_in_the_address_is_not_sent(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    server.page("/a", "<p>a</p>")
    fetched = fetcher.fetch(server.url("/a").replace("://", "://me:secret@"))
    assert "Authorization" not in server.requests[-1].headers
    assert not [url for url in fetched.seen_urls if "secret" in url]
    assert fetched.final_url == server.url("/a")


def test_many_sources_come_each_with_its_own_outcome(server: LoopbackServer, fetcher: HttpFetcher) -> None:
    told: list[tuple[int, int | None]] = []
    for at in range(20):
        server.page(f"/{at}", f"<p>{at}</p>", status=404 if at % 5 == 0 else 200)
    urls = [server.url(f"/{at}") for at in range(20)]
    outcomes = dict(fetcher.fetch_many(urls, lambda done, total, message="": told.append((done, total))))
    assert set(outcomes) == set(urls)
    for at, url in enumerate(urls):
        outcome = outcomes[url]
        if at % 5 == 0:
            assert isinstance(outcome, FetchFailed)
            assert outcome.state is FetchState.NOT_FOUND
        else:
            assert not isinstance(outcome, Exception)
            assert outcome.body == f"<p>{at}</p>".encode()
    assert [done for done, _ in dict.fromkeys(told)] == list(range(21))
    assert {total for _, total in told} == {20}
    assert server.paths.count("/robots.txt") == 1


def test_no_more_requests_run_at_once_than_the_settings_say(server: LoopbackServer) -> None:
    import threading

    together = threading.Barrier(3)

    def page(exchange: Exchange) -> None:
        together.wait(timeout=10)  # passes only with three requests at the same time
        exchange.send(200, "<p>a</p>")

    server.route("/a", page)
    with HttpFetcher(settings(server, concurrency=3)) as fetcher:
        outcomes = list(fetcher.fetch_many([server.url(f"/a?{at}") for at in range(9)], ignore_progress))
    assert len(outcomes) == 9
    assert not [outcome for _, outcome in outcomes if isinstance(outcome, Exception)]
    assert server.most_at_once == 3


def test_cancelling_keeps_what_came_and_abandons_the_rest(server: LoopbackServer) -> None:
    def endless(exchange: Exchange) -> None:
        exchange.closing.wait(timeout=20)

    server.page("/a", "<p>a</p>")
    server.route("/endless", endless)

    def stop_after_one(done: int, total: int | None, message: str = "") -> None:
        if done:
            raise JobCancelled("stop")

    kept = []
    urls = [server.url("/endless?1"), server.url("/a"), server.url("/endless?2")]
    with HttpFetcher(settings(server, timeout_s=60)) as fetcher:
        with pytest.raises(JobCancelled):
            kept.extend(fetcher.fetch_many(urls, stop_after_one))
        assert [url for url, _ in kept] == [server.url("/a")]
        assert fetcher.fetch(server.url("/a")).body == b"<p>a</p>", "the fetcher goes on working"


def test_cancelling_is_noticed_while_nothing_arrives(server: LoopbackServer) -> None:
    server.route("/endless", lambda exchange: exchange.closing.wait(timeout=20) and None)
    calls = 0

    def stop_at_second_call(done: int, total: int | None, message: str = "") -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise JobCancelled("stop")

    with HttpFetcher(settings(server, timeout_s=60)) as fetcher, pytest.raises(JobCancelled):
        list(fetcher.fetch_many([server.url("/endless")], stop_at_second_call))


def test_a_closed_fetcher_says_so(server: LoopbackServer) -> None:
    fetcher = HttpFetcher(settings(server))
    fetcher.close()
    fetcher.close()
    with pytest.raises(SourceError, match="closed"):
        fetcher.fetch(server.url("/a"))


def test_a_wrong_allowed_host_is_reported_at_once(server: LoopbackServer) -> None:
    with pytest.raises(SettingsError, match="allowed_hosts"):
        HttpFetcher(settings(server, allowed_hosts=("https://example.org",)))
