"""The network addresses that may be connected to, decided on the address itself at connect time.

A name is looked up once, here; every answer is checked and the connection goes to exactly the checked
addresses, so a second DNS answer can change nothing (DNS rebinding). A name with one forbidden answer
among good ones is refused as a whole. Hosts that the user allowed by name are looked up but not checked.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Protocol

from core.acquire.fetch_failures import TransientFailure
from core.errors import FetchFailed, SettingsError, SourceError
from core.labels import FetchState
from core.text.urls import ascii_host

# IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771); and the one metadata
# service that lives in public space (Azure).
_FORBIDDEN_V4 = [
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local or cloud metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("168.63.129.16/32", "cloud metadata"),
    )
]
# IANA IPv6 Special-Purpose Address Registry; everything outside 2000::/3 is no global unicast (RFC 4291).
_GLOBAL_V6 = IPv6Network("2000::/3")
_FORBIDDEN_V6 = [
    (IPv6Network(network), kind)
    for network, kind in (
        ("::1/128", "loopback"),
        ("::/128", "unspecified"),
        ("fe80::/10", "link-local"),
        ("fc00::/7", "private or cloud metadata"),
        ("ff00::/8", "multicast"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("2001::/23", "protocol assignment or Teredo"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
    )
]
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052
_COMPATIBLE = IPv6Network("::/96")  # RFC 4291 2.5.5.1, deprecated
_NUMERIC_HOST = re.compile(r"^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}$", re.IGNORECASE)


class Resolver(Protocol):
    """Looks up the addresses of a host name."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """IP addresses in the order to try.

        Raises:
            OSError: the name cannot be looked up (``socket.gaierror``).
        """
        ...


class SystemResolver:
    """The operating system's resolver, in a thread that an abandoned request does not wait for."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        from anyio import to_thread

        answers = await to_thread.run_sync(
            lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), abandon_on_cancel=True
        )
        return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def forbidden_kind(address: IPv4Address | IPv6Address) -> str | None:
    """The reason why an address must not be connected to (``"loopback"``, ``"private"`` ...), None if it may.

    IPv6 forms that carry an IPv4 address (mapped, compatible, 6to4, NAT64) are judged by what they carry.
    """
    if isinstance(address, IPv4Address):
        for network, kind in _FORBIDDEN_V4:
            if address in network:
                return kind
        return None if address.is_global else "not global"
    carried = _carried(address)
    if carried is not None:
        return forbidden_kind(carried)
    for network6, kind in _FORBIDDEN_V6:
        if address in network6:
            return kind
    return None if address in _GLOBAL_V6 and not address.is_private else "not global unicast"


def _carried(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


_NO_SUCH_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
"""Answers about the name itself; any other failure (no server, no memory, too many open files) says nothing of it."""
KNOWN = ("www.iana.org", "www.wikipedia.org")
"""Names that exist, looked up when another cannot be found: a machine without a network finds no name at all."""


WEB_PORTS = frozenset({80, 443, 8000, 8008, 8080, 8081, 8443, 8888})
"""Ports of web servers. What listens on another is a mail server, a database, a router: asked only where the user names
it."""


class AddressGuard:
    """Turns a host name into the addresses that may be connected to.

    ``allowed_hosts``: names (``intranet.example``) or names with a port (``localhost:8000``,
    ``[::1]:8000``) that the user trusts; matched on the name in the URL, never on an address.
    """

    def __init__(self, allowed_hosts: Iterable[str], resolver: Resolver) -> None:
        self._allowed = frozenset(_normal_entry(entry) for entry in allowed_hosts)
        self._resolver = resolver

    def allows_by_name(self, host: str, port: int) -> bool:
        """True when the user opened this host, or this host with this port."""
        name = host.rstrip(".").lower()
        return (name, None) in self._allowed or (name, port) in self._allowed

    async def addresses(self, host: str, port: int) -> list[str]:
        """Checked addresses of ``host``, in the order to try.

        Raises:
            FetchFailed: ``forbidden_address``, ``dns_failure`` or ``no_network``.
        """
        literal = _literal(host)
        if self.allows_by_name(host, port):
            return [str(answer) for answer in ([literal] if literal is not None else await self._look_up(host, port))]
        if literal is not None:  # the kind of an address says more than its port
            _refuse_forbidden(host, [literal])
        if port not in WEB_PORTS:
            raise FetchFailed(
                FetchState.FORBIDDEN_ADDRESS,
                f"{host} was not asked at port {port}, which is no usual port of a web server. To allow it, add "
                f"{host}:{port} to fetching.allowed_hosts.",
            )
        answers = [literal] if literal is not None else await self._look_up(host, port)
        _refuse_forbidden(host, answers)
        return [str(answer) for answer in answers]

    async def _look_up(self, host: str, port: int) -> list[IPv4Address | IPv6Address]:
        try:
            raw = await self._resolver.resolve(host, port)
        except OSError as error:
            message = f"The name {host} could not be looked up ({error.strerror or error})."
            again = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            absent = isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME
            if not absent or not await self._any_known():
                message += " Names cannot be looked up from here, so nothing is known about it. Check the network."
                raise (TransientFailure if again else FetchFailed)(FetchState.NO_NETWORK, message) from error
            raise FetchFailed(FetchState.DNS_FAILURE, f"{message} Check its spelling.") from error
        except UnicodeError as error:  # a label over 63 characters
            raise FetchFailed(
                FetchState.DNS_FAILURE, f"The name {host} could not be looked up ({error}). Check its spelling."
            ) from error
        if not raw:
            raise FetchFailed(FetchState.DNS_FAILURE, f"The name {host} has no address. Check its spelling.")
        return [_parsed(host, answer) for answer in raw]

    async def _any_known(self) -> bool:
        """True when names can be looked up from here at all: only then a failure says something about a name."""
        for name in KNOWN:
            try:
                if await self._resolver.resolve(name, 443):
                    return True
            except (OSError, UnicodeError):
                continue
        return False


def _refuse_forbidden(host: str, answers: Iterable[IPv4Address | IPv6Address]) -> None:
    """FetchFailed (``forbidden_address``) for the first address that is not of the public network."""
    for answer in answers:
        if (kind := forbidden_kind(answer)) is not None:
            raise FetchFailed(FetchState.FORBIDDEN_ADDRESS, _refusal(host, answer, kind))


def _parsed(host: str, answer: str) -> IPv4Address | IPv6Address:
    try:
        return ip_address(answer)
    except ValueError as error:
        raise FetchFailed(
            FetchState.DNS_FAILURE, f"The name {host} was answered with {answer!r}, which is no address."
        ) from error


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    """The address a host spells out, also in the forms of inet_aton (``127.1``, ``0x7f000001``)."""
    bare = host.strip("[]").rstrip(".")
    try:
        return ip_address(bare)
    except ValueError:
        pass
    if _NUMERIC_HOST.match(bare):
        try:
            return IPv4Address(socket.inet_aton(bare))
        except OSError:
            return None
    return None


def _normal_entry(entry: str) -> tuple[str, int | None]:
    text = entry.strip().lower()
    bracketed = re.fullmatch(r"\[([^\]]+)\](?::(\d+))?", text)
    if bracketed:
        name, port = bracketed.group(1), bracketed.group(2)
    elif text.count(":") == 1:
        name, _, port = text.partition(":")
    else:
        name, port = text, None
    if not name or "/" in name or (port is not None and not (port.isascii() and port.isdigit())):
        raise SettingsError(f"fetching.allowed_hosts: {entry!r} is no host or host:port. Write example.org:8080.")
    try:
        return ascii_host(name).strip("[]"), int(port) if port is not None else None
    except SourceError as error:
        raise SettingsError(f"fetching.allowed_hosts: {error}") from error


def _refusal(host: str, address: IPv4Address | IPv6Address, kind: str) -> str:
    name = f"{host} is" if _literal(host) is not None else f"{host} has"
    what = f"a {kind} address" if str(address) == host.strip("[]") else f"the {kind} address {address}"
    return (
        f"{name} {what}, and such addresses are not fetched. "
        f"If you trust this host, add it to fetching.allowed_hosts in the settings."
    )
