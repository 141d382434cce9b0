"""A web server on 127.0.0.1 for tests: real sockets, routes as functions, every request remembered.

    with LoopbackServer() as server:
        server.page("/a", "<p>hello</p>")
        server.route("/slow", lambda exchange: ...)
        server.url("/a")            # http://127.0.0.1:PORT/a
        server.paths                # what was asked for, in order

``/robots.txt`` answers 404 until it is routed. ``LoopbackServer(tls=True)`` serves https with the
self-signed certificate in ``tests/data`` (valid for localhost, 127.0.0.1 and secure.example).
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

CERTIFICATE = Path(__file__).resolve().parents[1] / "data" / "loopback-cert.pem"
_KEY = Path(__file__).resolve().parents[1] / "data" / "loopback-key.pem"
_GONE = (BrokenPipeError, ConnectionResetError, ssl.SSLError, TimeoutError)


@dataclass
class Exchange:
    """One request and the means to answer it, well or badly."""

    path: str
    headers: Message
    closing: threading.Event
    """Set when the server closes: endless answers end on it."""
    _handler: BaseHTTPRequestHandler

    def send(
        self,
        status: int,
        body: bytes | str = b"",
        headers: Mapping[str, str] | None = None,
        content_type: str = "text/html; charset=utf-8",
    ) -> None:
        """A whole answer with its right Content-Length, unless ``headers`` says otherwise."""
        data = body.encode() if isinstance(body, str) else body
        given = {name.lower() for name in headers or {}}
        self._handler.send_response(status)
        if "content-type" not in given and content_type:
            self._handler.send_header("Content-Type", content_type)
        if not given & {"content-length", "transfer-encoding"}:
            self._handler.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self.raw(data)

    def raw(self, data: bytes) -> bool:
        """Bytes as they are; False once the client has gone. To HEAD nothing but the headers is sent."""
        if self._handler.command == "HEAD":
            return True
        try:
            self._handler.wfile.write(data)
            self._handler.wfile.flush()
        except _GONE:
            self.hang_up()
            return False
        return True

    def hang_up(self) -> None:
        """Close the connection after this answer."""
        self._handler.close_connection = True


Route = Callable[[Exchange], None]


@dataclass
class _Log:
    exchanges: list[Exchange] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0


class LoopbackServer:
    """Serves routes from threads until the ``with`` block ends."""

    def __init__(self, *, tls: bool = False, host: str = "127.0.0.1") -> None:
        self._routes: dict[str, Route] = {}
        self._log = _Log()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._scheme = "https" if tls else "http"
        self._server = _Server((host, 0), _handler_class(self))
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE, _KEY)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def host(self, name: str = "127.0.0.1") -> str:
        """``name:port``, as ``fetching.allowed_hosts`` takes it."""
        return f"{name}:{self.port}"

    def url(self, path: str = "/", name: str = "127.0.0.1") -> str:
        return f"{self._scheme}://{self.host(name)}{path}"

    def route(self, path: str, answer: Route) -> None:
        """Answer ``path`` (without its query) with a function."""
        self._routes[path] = answer

    def page(
        self,
        path: str,
        body: bytes | str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        content_type: str = "text/html; charset=utf-8",
    ) -> None:
        """Answer ``path`` always the same."""
        self.route(path, lambda exchange: exchange.send(status, body, headers, content_type))

    def redirect(self, path: str, target: str, status: int = 302) -> None:
        self.page(path, b"", status=status, headers={"Location": target})

    def in_turn(self, path: str, answers: Iterable[Route]) -> None:
        """Each request to ``path`` gets the next answer; the last one stays."""
        waiting: list[Route] = list(answers)

        def answer(exchange: Exchange) -> None:
            with self._lock:
                current = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            current(exchange)

        self.route(path, answer)

    @property
    def requests(self) -> Sequence[Exchange]:
        """Every request so far, in order of arrival."""
        with self._lock:
            return list(self._log.exchanges)

    @property
    def paths(self) -> list[str]:
        """Paths with their queries, in order of arrival."""
        return [exchange.path for exchange in self.requests]

    @property
    def most_at_once(self) -> int:
        """The largest number of requests that were being answered at one moment."""
        with self._lock:
            return self._log.most_busy

    def answer(self, exchange: Exchange) -> None:
        with self._lock:
            self._log.exchanges.append(exchange)
            self._log.busy += 1
            self._log.most_busy = max(self._log.most_busy, self._log.busy)
        try:
            route = self._routes.get(exchange.path.partition("?")[0])
            if route is None:
                exchange.send(404, "<p>no such page</p>")
            else:
                route(exchange)
        except _GONE:
            exchange.hang_up()
        finally:
            with self._lock:
                self._log.busy -= 1

    @property
    def closing(self) -> threading.Event:
        return self._closing


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is what many tests are about: no traceback."""


def _handler_class(server: LoopbackServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def do_GET(self) -> None:
            server.answer(Exchange(self.path, self.headers, server.closing, self))

        do_HEAD = do_GET

        def log_message(self, *args: object) -> None:
            pass

    return Handler
