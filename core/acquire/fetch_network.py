"""The guarded way to the network: every connection of httpx2 goes through ``AddressGuard``.

httpx2's own transport offers no place for a network backend, so ``GuardedTransport`` is its counterpart
over httpcore2's public pool. There are no proxies here: environment proxies would look names up
themselves, past the guard, so they are ignored.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import anyio
import httpcore2
import httpx2  # noqa: TID253 - this module is itself loaded by the first fetch only

from core.acquire.addresses import AddressGuard
from core.acquire.fetch_failures import TransientFailure, causes, connect_failure
from core.errors import FetchFailed
from core.labels import FetchState

_CONNECT_TIMEOUT_S = 10.0  # for each address; the whole request has its own cap
_SocketOptions = Iterable[httpcore2.SOCKET_OPTION]


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to checked addresses only, in their order, and to nothing that is not TCP."""

    def __init__(self, guard: AddressGuard, inner: httpcore2.AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        self._inner = inner or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: _SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Look up, check, connect; TLS later still uses ``host`` for SNI and the certificate."""
        last: Exception | None = None
        for address in await self._guard.addresses(host, port):
            try:
                stream = await self._inner.connect_tcp(
                    address,
                    port,
                    timeout=_CONNECT_TIMEOUT_S if timeout is None else timeout,
                    local_address=local_address,
                    socket_options=socket_options,
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
            else:
                return _GuardedStream(stream)
        raise connect_failure(host, port, last)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: _SocketOptions | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """Never: a socket file is no web address."""
        raise FetchFailed(FetchState.FORBIDDEN_ADDRESS, f"Socket file {path} is not fetched.")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)


class _GuardedStream(httpcore2.AsyncNetworkStream):
    """A connected stream whose TLS failures have their own name."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            return _GuardedStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))
        except httpcore2.ConnectError as error:
            raise _tls_failure(server_hostname, error) from error

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _tls_failure(host: str | None, error: Exception) -> FetchFailed:
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return FetchFailed(
                FetchState.TLS_ERROR, f"The certificate of {host} is not trusted: {cause.verify_message or cause}."
            )
        if isinstance(cause, ssl.SSLError):
            return FetchFailed(
                FetchState.TLS_ERROR, f"No secure connection to {host}: {cause.reason or cause}. Is it an https server?"
            )
    return FetchFailed(FetchState.TLS_ERROR, f"{host} closed the connection while it was being secured.")


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """Certificates as the system trusts them (SSL_CERT_FILE and SSL_CERT_DIR count); slow to load."""
    return httpcore2.default_ssl_context()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """httpx2 over a pool whose only way out is ``GuardedBackend``. HTTP/1.1, no proxies."""

    def __init__(self, guard: AddressGuard, ssl_context: ssl.SSLContext | None = None) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl_context or _trusted(),
            max_connections=None,  # the session bounds requests; waiting here would eat into their time
            max_keepalive_connections=20,
            keepalive_expiry=5.0,
            network_backend=GuardedBackend(guard),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; the body is streamed."""
        host = request.url.host
        outgoing = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _named_failures(host):
            response = await self._pool.handle_async_request(outgoing)
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response.stream, host),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: object, host: str) -> None:
        assert isinstance(stream, AsyncIterable)
        self._stream = stream
        self._host = host

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _named_failures(self._host):
            async for part in self._stream:
                yield part

    async def aclose(self) -> None:
        if hasattr(self._stream, "aclose"):
            await self._stream.aclose()


@contextmanager
def _named_failures(host: str) -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise TransientFailure(FetchState.TIMEOUT, f"{host} stopped answering.") from error
    except httpcore2.RemoteProtocolError as error:
        words = str(error)
        if words.startswith(("Server disconnected", "peer closed")):
            raise TransientFailure(
                FetchState.SERVER_ERROR, f"{host} closed the connection before its answer was whole."
            ) from error
        message = f"{host} sent an answer that is not valid HTTP ({words})."
        raise FetchFailed(FetchState.SERVER_ERROR, message) from error
    except httpcore2.NetworkError as error:
        raise TransientFailure(FetchState.SERVER_ERROR, f"The connection to {host} broke off.") from error
    except (httpcore2.ProtocolError, httpcore2.UnsupportedProtocol) as error:
        raise FetchFailed(FetchState.SERVER_ERROR, f"The request to {host} could not be sent ({error}).") from error
