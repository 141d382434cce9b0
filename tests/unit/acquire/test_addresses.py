"""No name, spelling or DNS answer leads to an address inside; a host allowed by name is let through."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.addresses import KNOWN, AddressGuard, forbidden_kind
from core.errors import FetchFailed, SettingsError
from core.labels import FetchState


class Names:
    """A resolver over a dict, whose answers may be errors; counts its look-ups."""

    def __init__(self, answers: Mapping[str, Sequence[str] | OSError] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answer = self.answers.get(host)
        if answer is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if isinstance(answer, OSError):
            raise answer
        return answer


def addresses(host: str, *, allowed: Sequence[str] = (), port: int = 80, names: Names | None = None) -> list[str]:
    return asyncio.run(AddressGuard(allowed, names or Names()).addresses(host, port))


def state_of(host: str, **kwargs: object) -> FetchState:
    with pytest.raises(FetchFailed) as caught:
        addresses(host, **kwargs)  # type: ignore[arg-type]
    assert host in str(caught.value)
    return caught.value.state


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "::",
        "::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "100::1",
        "2001:db8::1",
        "3fff::1",
        "2001::1",
        "2001:0:7f00:1::",
        "5f00::1",
        "64:ff9b:1::1",
        "4000::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "::10.0.0.1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2002:a9fe:a9fe::",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::10.0.0.1",
        "::ffff:0:127.0.0.1",
    ],
)
def test_inside_addresses_are_forbidden(address: str) -> None:
    assert forbidden_kind(ip_address(address)) is not None


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "1.1.1.1",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "11.0.0.0",
        "2606:4700:4700::1111",
        "2a00:1450:4001:81b::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::",
    ],
)
def test_public_addresses_are_not(address: str) -> None:
    assert forbidden_kind(ip_address(address)) is None


@given(st.ip_addresses())
def test_nothing_that_python_calls_private_passes(address: IPv4Address | IPv6Address) -> None:
    mapped = getattr(address, "ipv4_mapped", None) or address
    if mapped.is_private or mapped.is_loopback or mapped.is_link_local or mapped.is_multicast or mapped.is_unspecified:
        assert forbidden_kind(address) is not None


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_ipv6_coat(address: IPv4Address) -> None:
    coats = [f"::ffff:{address}", f"64:ff9b::{address}", str(IPv6Address((0x2002 << 112) | (int(address) << 80)))]
    for coat in coats:
        assert (forbidden_kind(ip_address(coat)) is None) == (forbidden_kind(address) is None)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "2130706433",
        "017700000001",
        "0",
        "0.0",
        "::1",
        "[::1]",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "0:0:0:0:0:0:0:1",
        "fe80::1%eth0",
        "127.0.0.1.",
    ],
)
def test_every_spelling_of_loopback_is_refused_without_a_look_up(host: str) -> None:
    names = Names()
    assert state_of(host, names=names) is FetchState.FORBIDDEN_ADDRESS
    assert names.asked == []


def test_a_public_name_that_points_inside_is_refused() -> None:
    assert state_of("public.example", names=Names({"public.example": ["127.0.0.1"]})) is FetchState.FORBIDDEN_ADDRESS
    assert state_of("public.example", names=Names({"public.example": ["fd00::1"]})) is FetchState.FORBIDDEN_ADDRESS


def test_one_inside_answer_among_public_ones_refuses_the_name() -> None:
    names = Names({"mixed.example": ["8.8.8.8", "10.0.0.1"]})
    assert state_of("mixed.example", names=names) is FetchState.FORBIDDEN_ADDRESS


def test_a_public_name_gives_its_addresses_in_order_after_one_look_up() -> None:
    names = Names({"good.example": ["2606:4700:4700::1111", "8.8.8.8"]})
    assert addresses("good.example", names=names) == ["2606:4700:4700::1111", "8.8.8.8"]
    assert names.asked == ["good.example"]


def test_a_name_is_missing_only_where_others_are_found() -> None:
    online = Names({KNOWN[1]: ["198.35.26.96"]})
    assert state_of("missing.example", names=online) is FetchState.DNS_FAILURE
    assert state_of("example.org", names=Names({})) is FetchState.NO_NETWORK
    timeout = socket.gaierror(socket.EAI_FAIL, "Non-recoverable failure in name resolution")
    assert state_of("example.org", names=Names({"example.org": timeout})) is FetchState.NO_NETWORK


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), FetchState.DNS_FAILURE),
        (socket.gaierror(socket.EAI_NODATA, "no address"), FetchState.DNS_FAILURE),
        (socket.gaierror(socket.EAI_FAIL, "refused by the name server"), FetchState.NO_NETWORK),
        (socket.gaierror(socket.EAI_SYSTEM, "system error"), FetchState.NO_NETWORK),
        (socket.gaierror(socket.EAI_MEMORY, "no memory"), FetchState.NO_NETWORK),
        (OSError(errno.EMFILE, "too many open files"), FetchState.NO_NETWORK),
        (OSError(errno.ENETDOWN, "network is down"), FetchState.NO_NETWORK),
    ],
)
def test_only_an_answer_about_the_name_says_that_it_is_missing(failure: OSError, state: FetchState) -> None:
    names = Names({"a.example": failure, KNOWN[1]: ["198.35.26.96"]})
    assert state_of("a.example", names=names) is state


def test_names_without_an_address_are_a_dns_failure() -> None:
    assert state_of("empty.example", names=Names({"empty.example": []})) is FetchState.DNS_FAILURE
    assert state_of("odd.example", names=Names({"odd.example": ["not an address"]})) is FetchState.DNS_FAILURE
    busy = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    assert state_of("busy.example", names=Names({"busy.example": busy})) is FetchState.NO_NETWORK


@pytest.mark.parametrize(
    ("entry", "host", "port", "opened"),
    [
        ("intranet.example", "intranet.example", 80, True),
        ("Intranet.Example.", "intranet.example", 8443, True),
        ("intranet.example:8000", "intranet.example", 8000, True),
        ("intranet.example:8000", "intranet.example", 80, False),
        ("intranet.example", "other.intranet.example", 80, False),
        ("10.0.0.1", "10.0.0.1", 80, True),
        ("10.0.0.1", "intranet.example", 80, False),
        ("[::1]:9000", "::1", 9000, True),
        ("::1", "::1", 80, True),
        ("127.0.0.1", "127.1", 80, False),
        ("Bücher.example", "xn--bcher-kva.example", 80, True),
    ],
)
def test_a_host_is_opened_by_its_name_only(entry: str, host: str, port: int, opened: bool) -> None:
    inside = ["10.0.0.1"]
    names = Names(dict.fromkeys(("intranet.example", "other.intranet.example", "xn--bcher-kva.example"), inside))
    if opened:
        assert addresses(host, allowed=[entry], port=port, names=names)
    else:
        assert state_of(host, allowed=[entry], port=port, names=names) is FetchState.FORBIDDEN_ADDRESS


@pytest.mark.parametrize("entry", ["", "https://example.org/", "example.org:http", "example.org/a", "ü" * 80])
def test_an_entry_that_is_no_host_is_refused_by_name(entry: str) -> None:
    with pytest.raises(SettingsError, match=r"allowed_hosts"):
        AddressGuard([entry], Names())


@pytest.mark.parametrize("port", [22, 25, 3306, 6379, 11211, 65535])
def test_a_port_that_is_none_of_the_web_is_asked_only_where_the_user_names_it(port: int) -> None:
    names = Names({"db.example": ["93.184.215.14"]})
    assert state_of("db.example", port=port, names=names) is FetchState.FORBIDDEN_ADDRESS
    assert names.asked == []
    assert addresses("db.example", port=port, names=names, allowed=[f"db.example:{port}"])
