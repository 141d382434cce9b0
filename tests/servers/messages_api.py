"""A server on 127.0.0.1 that speaks the Messages API: real HTTP, streamed or whole, with a simulated prompt cache.

    with messages_api("Hello there.") as api:                 # always this text
        Llm(base_url=api, enabled=True)                       # ``api`` is the base URL (a str) with a memory:
        api.requests[0].prompt, api.requests[0].key, api.requests[0].cache_marks

    messages_api([Reply(status=529), "now it works"])         # one after the other, the last one stays
    messages_api(lambda request: '{"answer": …}')             # made from what was asked
    messages_api("slow", seconds_per_1000_tokens=0.2)         # reading tokens takes time, cached ones a twentieth

Written after the types of the SDK (anthropic 2.14) and the API's public reference on streaming, errors and caching.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.messages_shapes import ERROR_TYPES, Reply, Request, message_of, output_of, text_of, tokens_of

__all__ = ["MessagesApi", "Reply", "Request", "Script", "messages_api", "tokens_of"]

CACHED_SPEED = 20.0
_PIECES = re.compile(r"\s*\S+|\s+$")

Script = str | Reply | Sequence["str | Reply"] | Callable[[Request], "str | Reply"]


@dataclass
class _State:
    script: Script
    key: str | None
    minimum: int
    seconds_per_1000_tokens: float
    requests: list[Request] = field(default_factory=list)
    cached: set[str] = field(default_factory=set)
    gone: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)
    turn: int = 0


class MessagesApi(str):
    """The base URL, with what was asked so far."""

    state: _State

    @property
    def requests(self) -> list[Request]:
        """Every request of a message so far."""
        with self.state.lock:
            return list(self.state.requests)

    @property
    def left_early(self) -> int:
        """How many replies could not be sent to their end because the client had gone."""
        with self.state.lock:
            return self.state.gone

    def say(self, script: Script) -> None:
        """Another script from now on."""
        with self.state.lock:
            self.state.script, self.state.turn = script, 0


@contextmanager
def messages_api(
    script: Script = "Hello.",
    *,
    key: str | None = None,
    minimum_cached_tokens: int = 512,
    seconds_per_1000_tokens: float = 0.0,
) -> Iterator[MessagesApi]:
    """The server; with ``key`` any other key is answered by 401."""
    state = _State(script, key, minimum_cached_tokens, seconds_per_1000_tokens)
    server = _Server(("127.0.0.1", 0), _handler(state))
    api = MessagesApi(f"http://127.0.0.1:{server.server_address[1]}")
    api.state = state
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
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

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is what many tests are about: no traceback."""


def _usage(state: _State, request: Request) -> dict[str, int]:
    """Input tokens as read from the cache, written to it, or neither; what is marked is cached from now on."""
    digest = hashlib.sha256(str(request.body.get("model")).encode())
    total, read, marked = 0, 0, 0
    for block in request.blocks:
        plain = {name: value for name, value in block.items() if name != "cache_control"}
        digest.update(json.dumps(plain, sort_keys=True).encode())
        total += tokens_of(text_of(block))
        if block.get("cache_control") and total >= state.minimum:
            with state.lock:
                if digest.hexdigest() in state.cached:
                    read = total
                state.cached.add(digest.hexdigest())
            marked = total
    return {
        "input_tokens": total - marked,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": marked - read,
    }


def _answer(state: _State, request: Request) -> Reply:
    with state.lock:
        script, turn = state.script, state.turn
        state.turn += 1
    if callable(script):
        found: str | Reply = script(request)
    elif isinstance(script, (str, Reply)):
        found = script
    else:
        found = script[min(turn, len(script) - 1)]
    return Reply(text=found) if isinstance(found, str) else found


class _Gone(Exception):
    """The client has left, or the server closes."""


def _handler(state: _State) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw))
            if self.path == "/v1/messages/count_tokens":
                return self._json(200, {"input_tokens": sum(tokens_of(text_of(one)) for one in request.blocks)})
            if self.path != "/v1/messages":
                return self._error(Reply(status=404, message=f"no {self.path}"))
            with state.lock:
                state.requests.append(request)
            if state.key is not None and request.key != state.key:
                return self._error(Reply(status=401, message="invalid key"))
            try:
                self._reply(request, _answer(state, request))
            except (_Gone, OSError):
                with state.lock:
                    state.gone += 1
                self.close_connection = True
            return None

        def _reply(self, request: Request, reply: Reply) -> None:
            if reply.status != 200 and not reply.endless:
                return self._error(reply)
            if reply.body is not None and not reply.endless:
                return self._raw(200, reply.body, reply.content_type)
            if reply.body is not None:
                return self._flood(reply)
            usage = _usage(state, request)
            new = usage["input_tokens"] + usage["cache_creation_input_tokens"]
            read = new + usage["cache_read_input_tokens"] / CACHED_SPEED
            first = reply.first_token_s + state.seconds_per_1000_tokens * read / 1000
            if not request.body.get("stream"):
                self._wait(first)
                return self._json(200, message_of(request, reply, usage))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            self._stream(request, reply, usage, first)
            return None

        def _stream(self, request: Request, reply: Reply, usage: dict[str, int], first: float) -> None:
            started = message_of(request, Reply(), usage) | {"content": [], "stop_reason": None}
            self._event({"type": "message_start", "message": started})
            self._event({"type": "ping"})
            self._wait(first)
            told, index = 0, 0
            if reply.thinking:
                self._block(0, {"type": "thinking", "thinking": "", "signature": ""}, "thinking", [reply.thinking])
                index = 1
            for number, text in enumerate(reply.blocks or (reply.text,)):
                if text or reply.blocks or reply.fault:
                    self._event(
                        {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
                    )
                for piece in _PIECES.findall(text):
                    if reply.fault and told >= reply.after:
                        return self._fault(reply)
                    self._wait(reply.token_s if told else 0.0)
                    delta = {"type": "text_delta", "text": piece}
                    self._event({"type": "content_block_delta", "index": index, "delta": delta})
                    told += 1
                for citation in reply.citations[number] if number < len(reply.citations) else ():
                    cited = {"type": "citations_delta", "citation": dict(citation)}
                    self._event({"type": "content_block_delta", "index": index, "delta": cited})
                if text or reply.blocks:
                    self._event({"type": "content_block_stop", "index": index})
                index += 1
            if reply.fault:
                return self._fault(reply)
            details = reply.stop_explanation and {
                "type": "refusal", "category": None, "explanation": reply.stop_explanation
            }  # fmt: skip
            delta = {"stop_reason": reply.stop_reason, "stop_sequence": None, "stop_details": details or None}
            counted = {"output_tokens": output_of(reply)}
            self._event({"type": "message_delta", "delta": delta, "usage": counted})
            self._event({"type": "message_stop"})
            return None

        def _flood(self, reply: Reply) -> None:
            assert reply.body is not None
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            while not state.closing.is_set():
                self._write(reply.body)

        def _block(self, index: int, block: dict[str, Any], kind: str, pieces: Sequence[str]) -> None:
            self._event({"type": "content_block_start", "index": index, "content_block": block})
            for piece in pieces:
                delta = {"type": f"{kind}_delta", kind: piece}
                self._event({"type": "content_block_delta", "index": index, "delta": delta})
            self._event({"type": "content_block_stop", "index": index})

        def _fault(self, reply: Reply) -> None:
            if reply.fault == "error":
                kind = reply.error_type or "overloaded_error"
                self._event({"type": "error", "error": {"type": kind, "message": reply.message}})
            elif reply.fault == "hang":
                while not state.closing.wait(0.05):
                    self._write(b": still here\n\n" if reply.token_s else b"")
                raise _Gone
            elif reply.fault == "malformed":
                self._write(b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "del\n\n')
            elif reply.fault == "strange":
                self._event({"type": "content_block_delta", "index": 7, "delta": [1, 2]})
                self._event({"type": "message_delta", "delta": None, "usage": "many"})
                self._event({"type": "message_stop"})
            elif reply.fault == "cut":
                self.wfile.flush()
                self.connection.shutdown(2)

        def _event(self, data: Mapping[str, Any]) -> None:
            self._write(f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode())

        def _write(self, data: bytes) -> None:
            self.wfile.write(data)
            self.wfile.flush()

        def _wait(self, seconds: float) -> None:
            if seconds > 0 and state.closing.wait(seconds):
                raise _Gone

        def _error(self, reply: Reply) -> None:
            kind = reply.error_type or ERROR_TYPES.get(reply.status, "api_error")
            body = {"type": "error", "error": {"type": kind, "message": reply.message}, "request_id": "req_test"}
            headers = {} if reply.retry_after is None else {"retry-after": f"{reply.retry_after:g}"}
            if reply.location:
                headers["Location"] = reply.location
            self._wait(reply.first_token_s)
            if reply.body is not None:
                return self._raw(reply.status, reply.body, reply.content_type, headers)
            return self._json(reply.status, body, headers)

        def _json(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
            self._raw(status, json.dumps(body).encode(), "application/json", headers)

        def _raw(self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            for name, value in {"request-id": "req_test", **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self._write(body)

        def logmessage_of(self, *args: object) -> None:
            pass

    return Handler
