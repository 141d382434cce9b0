"""Asking an API for JSON: one time limit for everything, bodies of bounded size, retries only where they can help.
httpx2's transport is used without its client: the client writes addresses into the log, and a few APIs want their key
in the address. For the same reason no message here holds an address with its query. No proxies of the environment, no
cookies. Redirects are followed on the same host only (``http`` to ``https`` included), so that neither a key nor a
query ends up somewhere else and nothing inside the user's network is reached by a foreign answer."""

import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import anyio
import httpcore2
import httpx2

from core.backends.web.failures import ProviderFailed, message_in, retry_after, spoken
from core.errors import SourceError
from core.labels import ProviderState
from core.text.urls import joined_url, url_parts

MAX_BYTES = 5_000_000
MAX_REDIRECTS = 3
ATTEMPTS = 3
LONGEST_WAIT_S = 5.0
"""A server that asks for a longer pause than this is not asked again in this search."""
_REDIRECTS = frozenset({301, 302, 307, 308})
_RETRIED = frozenset({429, 500, 502, 503, 504})
_T = TypeVar("_T")


class _Passing(Exception):
    """Worth another try; ``wait`` in seconds, None for the usual pause."""

    def __init__(self, failure: ProviderFailed, wait: float | None) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Call:
    """One request. ``secret`` is never shown: neither this record nor a message prints it."""

    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: Mapping[str, object] | None = None
    secret_params: Mapping[str, str] = field(default_factory=dict, repr=False)
    secret: str = field(default="", repr=False)


Meaning = Callable[[int, str], ProviderFailed | None]
"""The failure that a status and its body mean to one provider; None where the usual meaning holds."""


def no_meaning(status: int, body: str) -> ProviderFailed | None:
    """For APIs whose statuses mean what they mean everywhere."""
    return None


class Api:
    """Asks one API within one time limit; lives inside ``within``."""

    def __init__(self, title: str, transport: httpx2.AsyncHTTPTransport, user_agent: str, timeout_s: float) -> None:
        self._title = title
        self._transport = transport
        self._user_agent = user_agent
        self._timeout_s = timeout_s
        self.last: ProviderFailed | None = None

    async def json(self, call: Call, meaning: Meaning = no_meaning) -> object:
        """The answer as JSON. Raises ProviderFailed: it did not answer with JSON, also after retries."""
        import stamina

        try:
            async for attempt in stamina.retry_context(
                on=_pause, attempts=ATTEMPTS, timeout=None, wait_initial=0.5, wait_max=4.0, wait_jitter=0.5
            ):
                with attempt:
                    return await self._once(call, meaning)
        except _Passing as passing:
            raise passing.failure from None
        raise AssertionError("stamina ended without a result or an error")  # pragma: no cover

    async def _once(self, call: Call, meaning: Meaning) -> object:
        request = self._request(call)
        for _ in range(MAX_REDIRECTS + 1):
            response = await self._send(request)
            try:
                target = _target(response, request)
                if target is None:
                    return await self._read(response, call, meaning)
            finally:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
            if request.method != "GET" or not _same_host(str(request.url), target):
                raise ProviderFailed(
                    ProviderState.REFUSED,
                    f"{self._title} sends the question on to {url_parts(target).hostname or 'nowhere'}, and that is "
                    "not followed. If that is its new address, set it in web.endpoints.",
                )
            request = httpx2.Request("GET", target, headers=request.headers, extensions=request.extensions)
        raise ProviderFailed(ProviderState.MALFORMED, f"{self._title} redirects in a circle.")

    def _request(self, call: Call) -> httpx2.Request:
        headers = {
            "User-Agent": self._user_agent,
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # nothing that unpacks to more than was counted
            **call.headers,
        }
        limit = {"connect": self._timeout_s, "read": self._timeout_s, "write": self._timeout_s, "pool": self._timeout_s}
        try:
            return httpx2.Request(
                "GET" if call.body is None else "POST",
                call.url,
                params={**call.params, **call.secret_params} or None,
                headers=headers,
                json=call.body,
                extensions={"timeout": limit},
            )
        except (httpx2.InvalidURL, ValueError, TypeError) as error:
            raise ProviderFailed(
                ProviderState.OFF, f"The address set for {self._title} in web.endpoints is not a web address."
            ) from error

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await self._transport.handle_async_request(request)
        except (httpx2.TimeoutException, TimeoutError):
            raise _too_slow(self._title, self._timeout_s) from None
        except (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError):
            raise ProviderFailed(
                ProviderState.OFF, f"The address set for {self._title} in web.endpoints is not a web address."
            ) from None
        except httpx2.RemoteProtocolError:
            raise ProviderFailed(
                ProviderState.MALFORMED, f"{self._title} sent something that is not an HTTP answer."
            ) from None
        except (httpx2.HTTPError, OSError) as error:
            raise ProviderFailed(
                ProviderState.UNREACHABLE,
                f"{self._title} could not be reached ({_cause(error)}). Check the network connection.",
            ) from None

    async def _read(self, response: httpx2.Response, call: Call, meaning: Meaning) -> object:
        body = await self._body(response)
        status = response.status_code
        if 200 <= status < 300:
            return self._parsed(body, response.headers.get("content-type", ""), call.secret)
        text = body.decode("utf-8", "replace")
        failure = meaning(status, text) or self._failure(status, text, call)
        wait = retry_after(response.headers.get("retry-after"))
        failure.retry_after = wait if failure.retry_after is None else failure.retry_after
        passes = status in _RETRIED and failure.state is not ProviderState.KEY_REJECTED
        if passes and (wait is None or wait <= LONGEST_WAIT_S):
            self.last = failure
            raise _Passing(failure, wait)
        raise failure

    async def _body(self, response: httpx2.Response) -> bytes:
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise ProviderFailed(ProviderState.MALFORMED, f"{self._title} packs its answer in a way not asked for.")
        body = bytearray()
        try:
            async for part in response.aiter_raw():
                body += part
                if len(body) > MAX_BYTES:
                    raise ProviderFailed(
                        ProviderState.MALFORMED,
                        f"{self._title} sent more than {MAX_BYTES // 1_000_000} MB, which is no list of results.",
                    )
        except (httpx2.TimeoutException, TimeoutError):
            raise _too_slow(self._title, self._timeout_s) from None
        except (httpx2.HTTPError, OSError):
            raise ProviderFailed(
                ProviderState.MALFORMED, f"{self._title} broke off in the middle of its answer."
            ) from None
        return bytes(body)

    def _parsed(self, body: bytes, content_type: str, secret: str) -> object:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            pass
        if "html" in content_type.lower() or body.lstrip()[:1] == b"<":
            raise ProviderFailed(
                ProviderState.MALFORMED,
                f"{self._title} answered with a web page in place of results. Is its address right?",
            )
        its_words = "" if body.lstrip()[:1] in (b"{", b"[") else spoken(body.decode("utf-8", "replace"), secret)
        raise ProviderFailed(
            ProviderState.MALFORMED,
            f"{self._title} sent an answer that is not valid JSON" + (f": {its_words}" if its_words else "."),
        )

    def _failure(self, status: int, body: str, call: Call) -> ProviderFailed:
        its_words = spoken(message_in(body), call.secret)
        because = f" It says: {its_words}" if its_words else ""
        if status in (401, 403) and call.secret:
            return ProviderFailed(
                ProviderState.KEY_REJECTED,
                f"{self._title} does not accept the key (HTTP {status}). Check it in Settings.",
            )
        if status == 429:
            return ProviderFailed(
                ProviderState.RATE_LIMITED, f"{self._title} has been asked too often (HTTP 429). Try again later."
            )
        if status >= 500:
            return ProviderFailed(
                ProviderState.SERVER_ERROR, f"{self._title} has a fault of its own (HTTP {status}). Try again later."
            )
        return ProviderFailed(ProviderState.REFUSED, f"{self._title} refuses the search (HTTP {status}).{because}")


def within(title: str, user_agent: str, timeout_s: float, work: Callable[[Api], Awaitable[_T]]) -> _T:
    """Carry out ``work``, all its requests and pauses together in at most ``timeout_s`` seconds. Raises ProviderFailed:
    ``timeout`` when it took longer, or what ``work`` raises."""

    async def run() -> _T:
        transport = httpx2.AsyncHTTPTransport(verify=_trusted(), trust_env=False)
        api = Api(title, transport, user_agent, timeout_s)
        try:
            with anyio.fail_after(timeout_s):
                return await work(api)
        except TimeoutError:  # between two tries: what kept it from answering says more than the clock
            raise api.last or _too_slow(title, timeout_s) from None
        finally:
            with anyio.move_on_after(1.0, shield=True):
                await transport.aclose()

    return anyio.run(run)


def _pause(error: Exception) -> bool | float:
    if not isinstance(error, _Passing):
        return False
    return True if error.wait is None else error.wait


def _too_slow(title: str, timeout_s: float) -> ProviderFailed:
    return ProviderFailed(
        ProviderState.TIMEOUT, f"{title} did not answer within {timeout_s:g} seconds (setting web.timeout_s)."
    )


def _target(response: httpx2.Response, request: httpx2.Request) -> str | None:
    location = response.headers.get("location")
    if response.status_code not in _REDIRECTS or not location:
        return None
    try:
        return joined_url(str(request.url), location)
    except SourceError:
        return ""


def _same_host(url: str, target: str) -> bool:
    before, after = url_parts(url), url_parts(target)
    safer = after.scheme == before.scheme or (before.scheme, after.scheme) == ("http", "https")
    return safer and before.hostname == after.hostname and (before.port == after.port or before.scheme != after.scheme)


def _cause(error: BaseException) -> str:
    """The operating system's message; never a library's, which may quote an address with its query."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror
        if isinstance(seen, ssl.SSLError):
            return "no secure connection"
        seen = seen.__cause__ or seen.__context__
    return "no connection"


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """Certificates as the system trusts them; slow to load, so loaded once."""
    return httpcore2.default_ssl_context()
