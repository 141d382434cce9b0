"""robots.txt is asked once a host, obeyed, and its troubles are read as RFC 9309 says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import stamina

from core.acquire.fetch import HttpFetcher
from core.errors import FetchFailed
from core.labels import FetchState
from tests.helpers.fetching import fetching, state
from tests.helpers.loopback import Exchange, LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        running.page("/a", "<p>a</p>")
        running.page("/private/b", "<p>b</p>")
        yield running


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


def state_of(server: LoopbackServer, path: str, **changes: object) -> FetchState:
    return state(fetching("127.0.0.1", **{"attempts": 3, **changes}), server.url(path))


def test_a_disallowed_page_is_not_asked_for(server: LoopbackServer) -> None:
    server.page("/robots.txt", "User-agent: *\nDisallow: /private", content_type="text/plain")
    assert state_of(server, "/private/b") is FetchState.ROBOTS_DISALLOWED
    assert server.paths == ["/robots.txt"]
    assert state_of(server, "/a") is FetchState.STORED


def test_rules_for_our_name_come_before_those_for_all(server: LoopbackServer) -> None:
    server.page("/robots.txt", "User-agent: *\nDisallow: /\n\nUser-agent: Evidence-Workbench\nDisallow: /private\n")
    assert state_of(server, "/a") is FetchState.STORED
    assert state_of(server, "/private/b") is FetchState.ROBOTS_DISALLOWED
    assert state_of(server, "/a", user_agent="other/1") is FetchState.ROBOTS_DISALLOWED


def test_rules_hold_after_a_redirect(server: LoopbackServer) -> None:
    server.page("/robots.txt", "User-agent: *\nDisallow: /private")
    server.redirect("/go", "/private/b")
    assert state_of(server, "/go") is FetchState.ROBOTS_DISALLOWED
    assert "/private/b" not in server.paths


def test_the_user_can_turn_robots_off(server: LoopbackServer) -> None:
    server.page("/robots.txt", "User-agent: *\nDisallow: /")
    assert state_of(server, "/a", obey_robots=False) is FetchState.STORED
    assert server.paths == ["/a"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_no_robots_file_means_no_rules(server: LoopbackServer, status: int) -> None:
    server.page("/robots.txt", "User-agent: *\nDisallow: /", status=status)
    assert state_of(server, "/a") is FetchState.STORED


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_robots_file_that_fails_disallows_the_site(server: LoopbackServer, status: int) -> None:
    server.page("/robots.txt", "", status=status)
    assert state_of(server, "/a") is FetchState.ROBOTS_DISALLOWED
    assert server.paths == ["/robots.txt"] * 3


def test_a_robots_file_that_fails_once_is_asked_again(server: LoopbackServer) -> None:
    server.in_turn("/robots.txt", [lambda x: x.send(503), lambda x: x.send(200, "User-agent: *\nDisallow: /private")])
    assert state_of(server, "/a") is FetchState.STORED


def test_a_robots_file_that_never_arrives_disallows_the_site(server: LoopbackServer) -> None:
    server.route("/robots.txt", lambda exchange: exchange.closing.wait(timeout=20) and None)
    assert state_of(server, "/a", timeout_s=0.2, attempts=1) is FetchState.ROBOTS_DISALLOWED


def test_a_host_that_cannot_be_reached_is_that_and_not_a_robots_refusal() -> None:
    with LoopbackServer() as gone:
        pass
    with HttpFetcher(fetching("127.0.0.1")) as fetcher, pytest.raises(FetchFailed, match="refused") as caught:
        fetcher.fetch(gone.url("/a"))
    assert caught.value.state is FetchState.SERVER_ERROR


def test_robots_redirects_are_followed_and_their_rules_are_the_sites(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        other.page("/rules", "User-agent: *\nDisallow: /private")
        server.redirect("/robots.txt", other.url("/rules"))
        assert state_of(server, "/private/b") is FetchState.ROBOTS_DISALLOWED
        assert state_of(server, "/a") is FetchState.STORED


def test_robots_redirects_without_end_mean_no_rules(server: LoopbackServer) -> None:
    server.redirect("/robots.txt", "/robots.txt?again")
    assert state_of(server, "/a") is FetchState.STORED


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe\x00garbage\x00" * 100,
        b"<html><p>not rules</p></html>",
        b"",
        b"\xef\xbb\xbfUser-agent: x\nDisallow: /",
    ],
)
def test_what_is_no_rule_forbids_nothing(server: LoopbackServer, body: bytes) -> None:
    server.page("/robots.txt", body)
    assert state_of(server, "/a") is FetchState.STORED


def test_only_the_start_of_an_endless_robots_file_is_read(server: LoopbackServer) -> None:
    def endless(exchange: Exchange) -> None:
        exchange.send(
            200, b"User-agent: *\nDisallow: /private\n", {"Connection": "close", "Content-Length": "99999999"}
        )
        while exchange.raw(b"# and so on\n" * 1000) and not exchange.closing.is_set():
            pass

    server.route("/robots.txt", endless)
    assert state_of(server, "/a") is FetchState.STORED
    assert state_of(server, "/private/b") is FetchState.ROBOTS_DISALLOWED


def test_robots_is_asked_once_a_host_for_many_pages(server: LoopbackServer) -> None:
    with HttpFetcher(fetching("127.0.0.1")) as fetcher:
        list(fetcher.fetch_many([server.url(f"/a?{at}") for at in range(12)], lambda *_: None))
    assert server.paths.count("/robots.txt") == 1
    assert server.paths[0] == "/robots.txt"
