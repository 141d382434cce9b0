"""Connections that are slow, huge, broken, or too many: closed or refused with 4xx, and the service goes on."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx2
import pytest

from tests.helpers.serving import Served
from tests.hostile.service_requests import OPTIONS, post, refused


def test_a_body_that_says_it_is_too_large_is_not_read(at: Served) -> None:
    refused(post(at, "/audit", b"x" * 300_000), 413)
    with socket.create_connection(("127.0.0.1", at.port), timeout=10) as raw:
        raw.sendall(_head(at, "/index", "Content-Length: 99999999999999999999999"))
        assert _status(raw) in (400, 413)


def test_a_body_without_a_length_is_cut_off_while_it_streams(at: Served) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50_000_000:
            sent += 10_000
            yield b" " * 10_000

    try:
        answer = post(at, "/index", endless())  # type: ignore[arg-type]
    except httpx2.HTTPError:
        pass  # the server hung up before the client read: the point is that it took no more
    else:
        refused(answer, 413)
    assert httpx2.get(f"{at.url}/healthz").status_code == 200


def _head(at: Served, path: str, *lines: str) -> bytes:
    host = f"Host: 127.0.0.1:{at.port}"
    kept = (
        f"POST {path} HTTP/1.1",
        host,
        f"Authorization: Bearer {at.token}",
        "Content-Type: application/json",
        *lines,
    )
    return ("\r\n".join(kept) + "\r\n\r\n").encode("latin-1")


def _status(raw: socket.socket) -> int:
    """Status of the next answer; 0 when the server hung up without one."""
    got = b""
    while b"\r\n" not in got:
        piece = raw.recv(4096)
        if not piece:
            return 0
        got += piece
    return int(got.split(b" ", 2)[1])


def test_a_body_that_drips_is_given_up(at: Served) -> None:
    with socket.create_connection(("127.0.0.1", at.port), timeout=20) as raw:
        raw.sendall(_head(at, "/search", "Content-Length: 1000"))
        for _ in range(8):
            time.sleep(0.2)
            try:
                raw.sendall(b" ")
            except OSError:
                break
        assert _status(raw) == 408


def test_a_head_that_drips_or_never_begins_is_hung_up_on(at: Served) -> None:
    with socket.create_connection(("127.0.0.1", at.port), timeout=20) as silent:
        with socket.create_connection(("127.0.0.1", at.port), timeout=20) as dripping:
            for sign in _head(at, "/search")[:15]:
                try:
                    dripping.sendall(bytes([sign]))
                except OSError:
                    break
                time.sleep(0.15)
            assert _hung_up(dripping)
        assert _hung_up(silent)


def _hung_up(raw: socket.socket) -> bool:
    try:
        return raw.recv(100) == b""
    except ConnectionResetError:
        return True


def test_a_client_that_never_reads_is_hung_up_on(at: Served) -> None:
    """Without a token: it would hold its connection for ever, and with it one of those that are allowed."""
    asked = f"GET /stats HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\n\r\n".encode() * 200_000
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(30)
        raw.connect(("127.0.0.1", at.port))
        with pytest.raises(ConnectionError):  # and not TimeoutError
            raw.sendall(asked)
    assert httpx2.get(f"{at.url}/healthz").status_code == 200


def test_more_connections_than_allowed_are_closed_and_the_rest_is_served(at: Served) -> None:
    held = [socket.create_connection(("127.0.0.1", at.port), timeout=10) for _ in range(OPTIONS.connections)]
    try:
        with socket.create_connection(("127.0.0.1", at.port), timeout=10) as late:
            assert _hung_up(late)
    finally:
        for one in held:
            one.close()
    deadline = time.monotonic() + 20
    while True:
        try:
            assert httpx2.get(f"{at.url}/healthz").status_code == 200
            return
        except httpx2.HTTPError:
            assert time.monotonic() < deadline, "the places of closed connections stay taken"


@pytest.mark.parametrize("raw", [
    b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 2000,
    b"GET / HTTP/1.1\r\n\r\n",
    b"POST /search HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /search HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100_000,
    b"POST /search HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nZZ\r\n",
], ids=range(9))  # fmt: skip
def test_what_is_no_http_is_refused_and_the_service_goes_on(at: Served, raw: bytes) -> None:
    with socket.create_connection(("127.0.0.1", at.port), timeout=20) as client:
        client.sendall(raw)
        with suppress(ConnectionResetError):
            assert _status(client) in (0, 400, 401, 431)
    assert httpx2.get(f"{at.url}/healthz").status_code == 200


def test_clients_that_leave_in_the_middle_take_no_place_for_ever(at: Served) -> None:
    for _ in range(60):  # more than there are connections
        with socket.create_connection(("127.0.0.1", at.port), timeout=10) as raw:
            raw.sendall(_head(at, "/search", "Content-Length: 1000") + b'{"project"')
    deadline = time.monotonic() + 20
    while True:
        try:
            assert post(at, "/search", json.dumps({"project": "streets", "queries": ["limes"]})).status_code == 200
            return
        except httpx2.HTTPError:
            assert time.monotonic() < deadline
