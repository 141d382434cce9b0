"""No spelling, DNS answer or redirect makes the fetcher talk to a machine inside."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import httpcore2
import pytest
import stamina

from core.acquire.addresses import AddressGuard
from core.acquire.fetch import HttpFetcher
from core.acquire.fetch_network import GuardedBackend
from core.errors import FetchFailed
from core.labels import FetchState
from tests.helpers.fetching import Names, failure, fetching
from tests.helpers.loopback import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_waiting_between_attempts() -> Iterator[None]:
    with stamina.set_testing(True, attempts=99, cap=True):
        yield


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "good.example@127.0.0.1",
        "good.example:80@127.0.0.1",
        "good.example\\@127.0.0.1",
        "127.0.0.1%2f@127.0.0.1",
        "0.0.0.0",
        "0",
        "１２７.0.0.1",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
    ],
)
def test_no_spelling_of_this_machine_reaches_it(server: LoopbackServer, host: str) -> None:
    server.page("/a", "<p>inside</p>")
    error = failure(fetching(), f"http://{host}:{server.port}/a")
    assert error.state in (FetchState.FORBIDDEN_ADDRESS, FetchState.DNS_FAILURE, FetchState.NO_NETWORK)
    assert server.paths == []


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16", "192.168.0.1", "10.0.0.1"]
)
def test_metadata_and_private_addresses_are_not_asked(host: str) -> None:
    assert failure(fetching(), f"http://{host}/latest/meta-data/").state is FetchState.FORBIDDEN_ADDRESS


def test_a_public_name_that_resolves_inside_is_refused(server: LoopbackServer) -> None:
    for answer in (["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"]):
        names = Names({"public.example": [answer]})
        error = failure(fetching(), server.url("/a", "public.example"), resolver=names)
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert "public.example" in str(error)
    assert server.paths == []


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{other}/inside",
        "//127.0.0.1:{other}/inside",
        "http://inside.example:{other}/inside",
        "http://[::1]:{other}/inside",
        "http://2130706433:{other}/inside",
        "http://169.254.169.254/latest/",
    ],
)
def test_a_redirect_inside_is_refused(server: LoopbackServer, target: str) -> None:
    with LoopbackServer() as other:
        other.page("/inside", "<p>secret</p>")
        server.redirect("/a", target.format(other=other.port))
        names = Names({"front.example": [["127.0.0.1"]], "inside.example": [["127.0.0.1"]]})
        error = failure(fetching("front.example"), server.url("/a", "front.example"), resolver=names)
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert f"{server.url('/a', 'front.example')} redirects to" in str(error)
        assert other.paths == [], "not even its robots.txt was asked for"


@pytest.mark.parametrize(
    "target",
    [
        "file:///etc/passwd",
        "ftp://example.org/a",
        "javascript:alert(1)",
        "data:text/html,x",
        "gopher://127.0.0.1:70/",
        "http://[::1",
        "http://a:b:c/",
    ],
)
def test_a_redirect_to_another_scheme_or_to_nothing_is_refused(server: LoopbackServer, target: str) -> None:
    server.redirect("/a", target)
    error = failure(fetching(server.host()), server.url("/a"))
    assert error.state is FetchState.FORBIDDEN_ADDRESS
    assert "redirects" in str(error)


def test_robots_txt_cannot_lead_inside_either(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        server.redirect("/robots.txt", other.url("/robots.txt"))
        server.page("/a", "<p>a</p>")
        error = failure(fetching(server.host()), server.url("/a"))
        assert error.state is FetchState.FORBIDDEN_ADDRESS
        assert other.paths == []


def test_a_second_dns_answer_changes_nothing() -> None:
    """DNS rebinding: the name is public when it is checked and inside a moment later."""

    class Recorder(httpcore2.AsyncMockBackend):
        async def connect_tcp(self, host: str, port: int, **options: object) -> httpcore2.AsyncNetworkStream:
            connected.append((host, port))
            return httpcore2.AsyncMockStream([])

    connected: list[tuple[str, int]] = []
    names = Names({"rebind.example": [["8.8.8.8"], ["127.0.0.1"]]})
    backend = GuardedBackend(AddressGuard((), names), Recorder([]))
    anyio.run(backend.connect_tcp, "rebind.example", 80)
    assert names.asked == ["rebind.example"], "one look-up for one connection"
    assert connected == [("8.8.8.8", 80)], "the checked address itself, not the name"
    with pytest.raises(FetchFailed) as caught:
        anyio.run(backend.connect_tcp, "rebind.example", 80)
    assert caught.value.state is FetchState.FORBIDDEN_ADDRESS
    assert len(connected) == 1


def test_an_allowed_name_does_not_open_its_neighbours(server: LoopbackServer) -> None:
    with LoopbackServer() as other:
        other.page("/a", "<p>a</p>")
        assert failure(fetching(server.host()), other.url("/a")).state is FetchState.FORBIDDEN_ADDRESS
        assert other.paths == []


def test_cookies_do_not_travel_between_hosts(server: LoopbackServer) -> None:
    names = Names({"one.example": [["127.0.0.1"]], "two.example": [["127.0.0.1"]]})
    cookie = {"Location": server.url("/b", "two.example"), "Set-Cookie": "secret=1; Domain=example; Path=/"}
    server.page("/a", "", status=302, headers=cookie)
    server.page("/b", "<p>b</p>")
    with HttpFetcher(fetching("one.example", "two.example"), resolver=names) as fetcher:
        fetcher.fetch(server.url("/a", "one.example"))
    assert [exchange.headers.get("Cookie") for exchange in server.requests] == [None] * 4
