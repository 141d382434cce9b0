"""Around the pages: the root folder and the security headers."""

import base64
import os
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from core.text.hashing import digest

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def root_folder() -> Path:
    """The folder of the projects: ``WORKBENCH_ROOT``, else ``RESEARCH`` under the working directory."""
    return Path(os.environ.get("WORKBENCH_ROOT") or "RESEARCH").expanduser().resolve()


def inline_script_hashes(page: str) -> list[str]:
    """CSP sources (``'sha256-…'``) of the inline scripts of an HTML page."""
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    return [f"'sha256-{base64.b64encode(digest(script)).decode()}'" for script in scripts]


def content_security_policy(host: str, script_hashes: list[str]) -> str:
    """The policy that allows this server only: no remote script, style, image, font, frame or connection. Streamlit
    writes its styles at run time (``unsafe-inline`` for styles) and makes blobs for workers and downloads. Charts go
    through Vega's interpreter, so no ``unsafe-eval`` is needed."""
    socket = f" ws://{host} wss://{host}" if re.fullmatch(r"[A-Za-z0-9.\-\[\]:]+", host) else ""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", *script_hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": f"'self'{socket}",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


FILE_POLICY = "sandbox; default-src 'none'"
"""For files offered as downloads: opened directly they may run nothing and load nothing."""


def is_from_elsewhere(headers: Sequence[tuple[bytes, bytes]], allowed: Sequence[str] = ()) -> bool:
    """The test for a request that a browser makes for a page of another origin, such as another port of this machine.
    Programs name no origin; names that only lead here (DNS rebinding) are refused by ``server.allowedHosts``.
    ``allowed``: origins that the user trusts (``server.corsAllowedOrigins`` of Streamlit)."""
    hosts = {value.decode("latin-1").lower() for name, value in headers if name == b"host"}
    origins = {value.decode("latin-1").lower() for name, value in headers if name == b"origin"}
    origins -= {row.strip().rstrip("/").lower() for row in allowed}
    return any(origin.partition("://")[2] not in hosts for origin in origins)


class SecurityHeaders:
    """ASGI middleware: sends the headers with every answer, and opens no socket for a page of another origin."""

    def __init__(
        self,
        app: Callable[[Message, Receive, Send], Awaitable[None]],
        script_hashes: list[str],
        allowed_origins: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._hashes = script_hashes
        self._allowed = tuple(allowed_origins)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on; add headers to HTTP answers; refuse sockets from elsewhere."""
        if scope["type"] == "websocket" and is_from_elsewhere(scope["headers"], self._allowed):
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        is_file = "/media/" in scope["path"]
        policy = FILE_POLICY if is_file else content_security_policy(host, self._hashes)
        extra = [
            (b"content-security-policy", policy.encode("latin-1")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-dns-prefetch-control", b"off"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = {name for name, _ in extra}
                others = [pair for pair in message.get("headers", []) if pair[0].lower() not in named]
                message = {**message, "headers": [*others, *extra]}
            await send(message)

        await self._app(scope, receive, sending)
