"""In front of everything: only known hosts and tokens get further, and every answer carries the headers of safety."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from core.errors import RequestRefused, TokenRejected, WorkbenchError
from core.http.options import is_loopback
from core.http.problems import problem_response
from core.http.token import Token

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

OPEN_PATHS = frozenset({"/healthz"})
_HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


class Guard:
    """ASGI middleware. Without a token (loopback only) the name that was asked for must be this machine: else a page
    on the web whose name leads here could ask (DNS rebinding)."""

    def __init__(self, app: App, token: Token | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on, or refuse."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # WebSocket: there is none here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        try:
            self._check(scope)
        except WorkbenchError as error:
            await problem_response(error)(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _check(self, scope: Message) -> None:
        named = [value for name, value in scope["headers"] if name == b"authorization"]
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if self._token is None:
            if len(hosts) != 1 or not is_loopback(_host_of(hosts[0])):
                raise RequestRefused(421, "Without a token the service answers to the names of this machine only.")
            origins = {value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"}
            if origins - {f"http://{hosts[0]}"}:  # a browser names the page that asks; programs send none
                raise RequestRefused(403, "Without a token the service takes no request of another site's page.")
            return
        if scope["path"] in OPEN_PATHS:
            return
        if len(named) != 1:
            raise TokenRejected("The request carries no token. Send `Authorization: Bearer TOKEN`.")
        scheme, _, given = named[0].decode("latin-1").partition(" ")
        if scheme.lower() != "bearer" or not self._token.accepts(given.strip()):
            raise TokenRejected("This is not the token of the service. It is in the file that `workbench serve` names.")


def _host_of(value: str) -> str:
    if value.startswith("["):
        return value.partition("]")[0].strip("[")
    return value.rpartition(":")[0] if ":" in value else value
