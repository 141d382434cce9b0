"""What ``messages_api`` is asked and what it says: requests as they came in, replies as a test wants them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Reply:
    """What the server does with one request.

    ``blocks``: several text blocks in place of ``text``; ``citations`` (char_location objects) go with the block of the
    same number. ``token_s`` seconds between two pieces, ``first_token_s`` before the first. After ``after`` pieces:
    ``fault`` happens: "error" (an error event of ``error_type``), "cut" (the connection ends), "hang" (nothing comes
    any more), "malformed" (an event that is not JSON), "strange" (JSON of another shape), "stop" (the stream ends in
    good form, but without message_stop). ``thinking``: a thinking block goes before. ``body``: these bytes instead of
    a reply, with ``endless`` for ever. A ``status`` other than 200 is an error before anything was streamed.
    """

    text: str = ""
    blocks: tuple[str, ...] = ()
    citations: tuple[tuple[Mapping[str, object], ...], ...] = ()
    stop_reason: str = "end_turn"
    stop_explanation: str | None = None
    status: int = 200
    error_type: str = ""
    message: str = "scripted"
    retry_after: float | None = None
    first_token_s: float = 0.0
    token_s: float = 0.0
    after: int = 0
    fault: str = ""
    thinking: str = ""
    body: bytes | None = None
    endless: bool = False
    content_type: str = "application/json"
    location: str = ""


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def blocks(self) -> list[Mapping[str, Any]]:
        """System blocks, then the content blocks of the messages, in the order in which they are cached."""
        system = self.body.get("system") or []
        found: list[Mapping[str, Any]] = [{"type": "text", "text": system}] if isinstance(system, str) else list(system)
        for message in self.body.get("messages", []):
            content = message["content"]
            found.extend([{"type": "text", "text": content}] if isinstance(content, str) else content)
        return found

    @property
    def key(self) -> str:
        """The key that was sent: the SDK sends it as a bearer token, other clients as x-api-key."""
        return self.headers.get("authorization", "").removeprefix("Bearer ") or self.headers.get("x-api-key", "")

    @property
    def prompt(self) -> str:
        """All text of the request, block by block."""
        return "\n".join(text_of(block) for block in self.blocks)

    @property
    def user(self) -> str:
        """The last block: what is asked."""
        return text_of(self.blocks[-1])

    @property
    def cache_marks(self) -> list[int]:
        """Numbers of the blocks that carry cache_control."""
        return [number for number, block in enumerate(self.blocks) if block.get("cache_control")]


def tokens_of(text: str) -> int:
    """The server's own count: four characters a token."""
    return (len(text) + 3) // 4


def text_of(block: Mapping[str, Any]) -> str:
    if block.get("type") == "document":
        return f"{block.get('title') or ''}\n{block['source'].get('data', '')}"
    return str(block.get("text", ""))


def output_of(reply: Reply) -> int:
    return max(1, sum(map(tokens_of, reply.blocks or (reply.text,))) + tokens_of(reply.thinking))


def message_of(request: Request, reply: Reply, usage: Mapping[str, int]) -> dict[str, Any]:
    texts = reply.blocks or ((reply.text,) if reply.text else ())
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model"),
        "content": [{"type": "text", "text": text, "citations": None} for text in texts],
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": output_of(reply)},
    }
