"""A server on 127.0.0.1 that speaks the search APIs of all eight providers and serves the pages that they find.

    with search_api() as api:                  # a str: the base address
        web = Web(enabled=True, endpoints=api.endpoints, providers=api.providers)
        fetching = Fetching(allowed_hosts=(api.host,), per_host_delay_s=0)
        api.switch("brave", "429", "ok")       # answers in turn; the last one stays
        api.require("brave", "right-key")      # any other key is refused
        api.asked                              # every request to a provider

Modes: ok, empty, slow (drips for ever), slow-head, hang, any status (400, 429 ...), a status with Retry-After (429:30),
malformed, html, huge (100 MB), truncated, no-http, packed, deep, list, odd, missing, nulls, duplicates,
schemes, million, redirect, redirect-away, redirect-circle, credits, echo (repeats the key in its error).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.servers.search_corpus import CORPUS, Article, matching
from tests.servers.search_odd import nulled, window_of, without
from tests.servers.search_shapes import ERRORS, SHAPES, Row, Window

_GONE = (BrokenPipeError, ConnectionResetError, TimeoutError)
_PATHS = {
    "/tavily/search": "tavily",
    "/brave/res/v1/web/search": "brave",
    "/serper/search": "serper",
    "/searxng/search": "searxng",
    "/semantic_scholar/graph/v1/paper/search": "semantic_scholar",
    "/openalex/works": "openalex",
    "/crossref/works": "crossref",
    "/wikipedia/w/api.php": "wikipedia",
}
KEYS = {"tavily": "TAVILY_API_KEY", "brave": "BRAVE_API_KEY", "serper": "SERPER_API_KEY"}
"""The providers that need a key, and the names of those."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to a provider: its parameters, be they in the address or in the body."""

    provider: str
    query: str
    params: dict[str, str]
    headers: dict[str, str]
    key: str


@dataclass
class _State:
    corpus: Sequence[Article]
    modes: dict[str, list[str]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    archive: dict[str, str] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)


class SearchApi(str):
    """The base address, with the means to change what the server says."""

    _state: _State

    @property
    def host(self) -> str:
        """As ``fetching.allowed_hosts`` takes it."""
        return urlsplit(self).netloc

    @property
    def providers(self) -> tuple[str, ...]:
        return tuple(SHAPES)

    @property
    def endpoints(self) -> tuple[str, ...]:
        """As ``web.endpoints`` takes them, the archive's among them."""
        return (*(f"{name}={self}/{name}" for name in SHAPES), f"wayback={self}/archive")

    def page(self, slug: str) -> str:
        """The address of an article."""
        return f"{self}/pages/{slug}"

    def switch(self, provider: str, *modes: str) -> None:
        """What a provider ("*": all) answers, in turn; the last mode stays."""
        with self._state.lock:
            for name in SHAPES if provider == "*" else (provider,):
                self._state.modes[name] = list(modes)

    def require(self, provider: str, key: str) -> None:
        """Refuse every other key."""
        self._state.keys[provider] = key

    def archive(self, url: str, slug: str) -> None:
        """Let the archive hold a copy of ``url``: the article ``slug``."""
        self._state.archive[url] = slug

    @property
    def asked(self) -> list[Asked]:
        with self._state.lock:
            return list(self._state.asked)

    @property
    def looked_up(self) -> list[str]:
        """The addresses that the archive was asked for."""
        with self._state.lock:
            return list(self._state.looked_up)


@contextmanager
def search_api(corpus: Sequence[Article] = CORPUS) -> Iterator[SearchApi]:
    """The server, until the block ends."""
    state = _State(corpus)
    server = _Server(("127.0.0.1", 0), _handler(state))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    api = SearchApi(f"http://127.0.0.1:{server.server_address[1]}")
    api._state = state
    try:
        yield api
    finally:
        state.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is what many tests are about: no traceback."""


def _handler(state: _State) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        shared = state

    return Handler


class _Handler(BaseHTTPRequestHandler):
    shared: _State
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            found = json.loads(body or b"{}")
        except ValueError:
            found = {}
        self._answer({key: str(value) for key, value in found.items()})

    def do_GET(self) -> None:
        self._answer({})

    def _answer(self, body: dict[str, str]) -> None:
        parts = urlsplit(self.path)
        params = {key: values[-1] for key, values in parse_qs(parts.query).items()} | body
        try:
            if parts.path in _PATHS:
                self._search(_PATHS[parts.path], params)
            elif parts.path.startswith("/wikipedia/wiki/"):
                title = unquote(parts.path.removeprefix("/wikipedia/wiki/")).replace("_", " ")
                self._page(next((one for one in self.shared.corpus if one.title == title), None))
            elif parts.path.startswith("/pages/"):
                self._page(self._article(parts.path.removeprefix("/pages/").rstrip("/")))
            elif parts.path == "/archive/wayback/available":
                self._archived(params.get("url", ""))
            elif parts.path.startswith("/archive/web/"):
                original = unquote(self.path.removeprefix("/archive/web/").partition("/")[2])
                self._page(self._article(self.shared.archive.get(original, "")))
            else:
                self._send(404, b"<p>no such page</p>", "text/html")
        except _GONE:
            self.close_connection = True

    # ------------------------------------------------------------ pages

    def _article(self, slug: str) -> Article | None:
        return next((one for one in self.shared.corpus if one.slug == slug), None)

    def _page(self, article: Article | None) -> None:
        if article is None:
            self._send(404, b"<p>no such page</p>", "text/html")
        else:
            body, kind = article.body()
            self._send(200, body, kind)

    def _archived(self, url: str) -> None:
        with self.shared.lock:
            self.shared.looked_up.append(url)
        found: dict[str, object] = {"url": url, "archived_snapshots": {}}
        if url in self.shared.archive:
            here = f"http://{self.headers['Host']}/archive/web/20200102030405/{url}"
            closest = {"status": "200", "available": True, "url": here, "timestamp": "20200102030405"}
            found["archived_snapshots"] = {"closest": closest}
        self._send(200, json.dumps(found).encode(), "application/json")

    # ------------------------------------------------------------ searching

    def _search(self, provider: str, params: dict[str, str]) -> None:
        query = next((params[name] for name in ("query", "q", "search", "srsearch") if name in params), "")
        key = (
            self.headers.get("X-Subscription-Token")
            or self.headers.get("X-API-KEY")
            or self.headers.get("Authorization", "").removeprefix("Bearer ")
            or params.get("api_key", "")
        )
        with self.shared.lock:
            self.shared.asked.append(Asked(provider, query, params, dict(self.headers.items()), key))
            waiting = self.shared.modes.get(provider, ["ok"])
            mode = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        wanted = self.shared.keys.get(provider)
        if wanted is not None and key != wanted:
            self._refuse_key(provider, key)
            return
        name, _, detail = mode.partition(":")
        if name.isdigit():
            words = "Please slow down." if name == "429" else "Something is wrong."
            body = json.dumps(ERRORS[provider](int(name), words)).encode()
            self._send(int(name), body, "application/json", {"Retry-After": detail} if detail else {})
        elif name == "echo":
            body = json.dumps(ERRORS[provider](400, f"The key {key} may not do this at {self.path}")).encode()
            self._send(400, body, "application/json")
        else:
            _MISBEHAVIOUR.get(name, _Handler._results)(self, provider, query, params, name)

    def _refuse_key(self, provider: str, key: str) -> None:
        if provider == "brave":
            error = {"id": "1", "status": 422, "detail": f"token {key} is wrong", "code": "SUBSCRIPTION_TOKEN_INVALID"}
            self._send(422, json.dumps({"type": "ErrorResponse", "error": error}).encode(), "application/json")
        else:
            status = 403 if provider in ("serper", "semantic_scholar") else 401
            body = json.dumps(ERRORS[provider](status, f"Unauthorized: {key}")).encode()
            self._send(status, body, "application/json")

    def _results(self, provider: str, query: str, params: dict[str, str], mode: str) -> None:
        rows = [] if mode == "empty" else self._rows(provider, query, mode)
        start, size = window_of(provider, params)
        if mode == "million":
            rows = [
                Row(f"http://{self.headers['Host']}/pages/street-trees?n={at}", f"Result {at}", "One of very many.")
                for at in range(start, start + size)
            ]
            window = Window(query, rows, start, 1_000_000)
        else:
            window = Window(query, rows[start : start + size], start, len(rows))
        answer = SHAPES[provider](window)
        if mode == "missing":
            answer = without(answer, ("title", "content", "snippet", "description", "display_name", "abstract"))
        if mode == "nulls":
            answer = nulled(answer)
        self._send(200, json.dumps(answer).encode(), "application/json; charset=utf-8")

    def _rows(self, provider: str, query: str, mode: str) -> list[Row]:
        base = f"http://{self.headers['Host']}"
        rows = [
            Row(f"{base}{one.path}", one.title, one.snippet, one.authors, one.day, one.doi)
            for one in matching(query, self.shared.corpus)
        ]
        if mode == "duplicates" and rows:
            first = rows[0]
            spellings = ("?utm_source=x", "#part", "?fbclid=1")
            rows = [*(Row(first.url + more, first.title, first.snippet) for more in spellings), *rows]
        if mode == "schemes":
            bad = (
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/html,<script>x</script>",
                "",
                "http://",
                "x" * 9999,
            )
            rows = [*(Row(url, "<script>alert(1)</script>![x](http://e/)", "bad") for url in bad), *rows]
        return rows

    # ------------------------------------------------------------ answering badly

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _hang(self, *_: object) -> None:
        self.shared.closing.wait(30)
        self.close_connection = True

    def _slow(self, provider: str, query: str, params: dict[str, str], mode: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if mode == "slow":
            self.send_header("Content-Length", "1000000")
            self.end_headers()
        self.wfile.flush()
        while not self.shared.closing.wait(0.05):
            self.wfile.write(b" " if mode == "slow" else b"X-Drip: 1\r\n")
        self.close_connection = True

    def _huge(self, *_: object) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(100_000_000))
        self.end_headers()
        piece = b'"results results results results",' * 2000
        sent = 0
        while sent < 100_000_000 and not self.shared.closing.is_set():
            self.wfile.write(piece)
            sent += len(piece)
        self.close_connection = True

    def _body(self, provider: str, query: str, params: dict[str, str], mode: str) -> None:
        bodies = {
            "malformed": b'{"results": [{"title": "half',
            "deep": b'{"results":' + b"[" * 200_000,
            "list": b'["results"]',
            "odd": b'{"results": {"a": 1}, "web": 7, "organic": "x", "data": null, "message": [], "query": 3}',
        }
        self._send(200, bodies[mode], "application/json")

    def _html(self, *_: object) -> None:
        self._send(200, b"<!doctype html><html><title>Please log in</title></html>", "text/html")

    def _packed(self, *_: object) -> None:
        self._send(200, b"\x1f\x8b" + b"\0" * 40, "application/json", {"Content-Encoding": "gzip"})

    def _truncated(self, *_: object) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"results": [')
        self.close_connection = True

    def _no_http(self, *_: object) -> None:
        self.wfile.write(b"220 mail.example.org ESMTP ready\r\n\r\n")
        self.close_connection = True

    def _redirect(self, provider: str, query: str, params: dict[str, str], mode: str) -> None:
        if mode == "redirect" and "moved" in params:
            self._results(provider, query, params, "ok")
            return
        target = "http://169.254.169.254/latest/meta-data" if mode == "redirect-away" else f"{self.path}&moved=1"
        self._send(307, b"", "text/plain", {"Location": target})

    def _credits(self, provider: str, query: str, params: dict[str, str], mode: str) -> None:
        body = json.dumps(ERRORS[provider](400, "Not enough credits")).encode()
        self._send(400, body, "application/json")


_MISBEHAVIOUR = {
    "hang": _Handler._hang, "slow": _Handler._slow, "slow-head": _Handler._slow, "huge": _Handler._huge,
    "malformed": _Handler._body, "deep": _Handler._body, "list": _Handler._body, "odd": _Handler._body,
    "html": _Handler._html, "packed": _Handler._packed, "truncated": _Handler._truncated, "no-http": _Handler._no_http,
    "redirect": _Handler._redirect, "redirect-away": _Handler._redirect, "redirect-circle": _Handler._redirect,
    "credits": _Handler._credits,
}  # fmt: skip
