"""Pages on loopback, each source on an address of its own (127.0.0.2, .3, …), as real ones have hosts of their own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PATH = "/source"
_FIRST_HOST = 2


@dataclass(frozen=True, slots=True)
class Page:
    """What an address answers: ``status`` 200 with the body, or another status with none."""

    body: bytes
    media_type: str
    status: int = 200


@contextmanager
def serving(pages: Mapping[str, Page]) -> Iterator[dict[str, str]]:
    """Serve pages by key until the block ends; gives key → address. ``/robots.txt`` answers 404."""
    with ExitStack() as stack:
        addresses = {}
        for number, (key, page) in enumerate(pages.items(), start=_FIRST_HOST):
            host = f"127.0.{number // 250}.{number % 250}"
            port = stack.enter_context(_server(host, {_PATH: page}, {}))
            addresses[key] = f"http://{host}:{port}{_PATH}"
        yield addresses


def host_of(address: str) -> str:
    """``host:port`` of a served address, as ``fetching.allowed_hosts`` takes it."""
    return address.removeprefix("http://").removesuffix(_PATH)


Service = Callable[[Any], Any]


@contextmanager
def service(routes: Mapping[str, Service]) -> Iterator[str]:
    """JSON services by path (POST) on 127.0.0.1; gives their base address. One call at a time."""
    with _server("127.0.0.1", {}, routes) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _server(host: str, pages: Mapping[str, Page], services: Mapping[str, Service]) -> Iterator[int]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path.split("?")[0], Page(b"not found", "text/plain", 404))
            self._answer(page.status, page.body, page.media_type)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                answer = services[self.path](json.loads(body))
            self._answer(200, json.dumps(answer).encode(), "application/json")

        def _answer(self, status: int, body: bytes, media_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silent: requests are not part of the results."""

    server = ThreadingHTTPServer((host, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
