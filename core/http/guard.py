"""In front of everything: only known hosts and tokens get further, and every answer carries the headers of safety. The
token is that of the environment, or of a file that only its owner may read."""

import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import RequestRefused, SettingsError, TokenRejected, WorkbenchError
from core.http.problems import problem_response
from core.http.slots import is_loopback

VARIABLE = "WORKBENCH_TOKEN"
FILE = ".service-token"
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-fA-F:.]+)\]|(?P<name>[\w.-]+))(?::\d{1,5})?", re.ASCII)
SHORTEST = 16
LONGEST = 512


@dataclass(frozen=True, slots=True)
class Token:
    """The token and where it is from. ``is_new``: it was made just now, and is to be shown once."""

    value: str
    origin: str
    is_new: bool = False

    def __repr__(self) -> str:  # a traceback or a log must not show it
        return f"Token(origin={self.origin!r})"

    def accepts(self, given: str) -> bool:
        """True when ``given`` is the token. The comparison takes equally long wherever the two differ."""
        mine, other = (hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in (self.value, given))
        return hmac.compare_digest(mine, other)


def find_token(file: Path, environment: Mapping[str, str] | None = None) -> Token:
    """The token of the environment, else of ``file``, which is made when it is not there. Raises SettingsError: the
    token is too short or has characters that no header may carry; the file cannot be read or written, or others may
    read it."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if given:
        return Token(_checked(given, f"The variable {VARIABLE}"), VARIABLE)
    try:
        return _make(file)
    except FileExistsError:
        return Token(_checked(_read(file), f"The file {file}"), str(file))
    except OSError as error:
        raise SettingsError(
            f"The token cannot be kept in {file}: {error.strerror}. Set {VARIABLE}, or name another file."
        ) from error


def _make(file: Path) -> Token:
    value = secrets.token_urlsafe(32)
    # O_EXCL: two services that start together end with one token, and a link laid in the way is not followed.
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(value + "\n")
        opened.flush()
        os.fsync(opened.fileno())
    return Token(value, str(file), is_new=True)


def _read(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            text = opened.read(LONGEST + 2).strip()
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The token in {file} cannot be read: {error}. Remove the file to get a new one."
        ) from error
    if not stat.S_ISREG(mode) or (os.name == "posix" and mode & 0o077):
        raise SettingsError(
            f"Others may read the token in {file}. Run `chmod 600 {file}`, or remove it to get a new one."
        )
    return text


def _checked(value: str, place: str) -> str:
    if not SHORTEST <= len(value) <= LONGEST or not all("!" <= sign <= "~" for sign in value):
        raise SettingsError(
            f"{place} holds no token that can be used: {SHORTEST} to {LONGEST} characters of ASCII without spaces are."
        )
    return value


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
            sites = {value for name, value in scope["headers"] if name == b"sec-fetch-site"}
            origins = {value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"}
            if origins - {f"http://{hosts[0]}"} or sites - {
                b"same-origin",
                b"none",
            }:  # a browser names the page that asks; programs send none
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
    match = _HOST.fullmatch(value)
    return (match["address"] or match["name"]) if match else ""
