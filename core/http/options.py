"""The address of the service and its limits."""

import ipaddress
from dataclasses import dataclass

MIB = 1024 * 1024
SMALL_BODY = MIB
"""Bytes of a request that carries a question or a claim, no source."""


@dataclass(frozen=True, slots=True)
class ServiceOptions:
    """Limits of one service. Times are seconds, sizes bytes. ``threads`` requests are worked on at once and ``waiting``
    more wait for their turn; the next is told to come again. ``buffered`` is what the bodies of all of them may hold
    together. ``request_s`` is how long a client waits for an answer, ``body_s`` how long it may take to send its
    request, ``headers_s`` to begin with it, and ``answer_s`` how long it may leave its answer lying without taking any
    of it."""

    host: str = "127.0.0.1"
    port: int = 8600
    max_body: int = 64 * MIB
    buffered: int = 256 * MIB
    request_s: float = 120.0
    body_s: float = 30.0
    headers_s: float = 15.0
    answer_s: float = 60.0
    threads: int = 4
    waiting: int = 512
    connections: int = 1024


def is_loopback(host: str) -> bool:
    """True when only this machine can reach a service that listens on ``host``."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
