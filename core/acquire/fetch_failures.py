"""Failures of a fetch by name: from a status, from a broken connection; and which are worth another try."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from core.errors import FetchFailed
from core.labels import FetchState

MAX_RETRY_AFTER_S = 60.0
"""A server that asks for a longer pause is not asked again in this run."""

_RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_Result = TypeVar("_Result")

_STATUS_STATES: dict[int, tuple[FetchState, str]] = {
    401: (FetchState.BLOCKED, "asks for a login"),
    402: (FetchState.BLOCKED, "asks for payment"),
    403: (FetchState.BLOCKED, "refuses access"),
    404: (FetchState.NOT_FOUND, "says there is no such page"),
    406: (FetchState.UNSUPPORTED_TYPE, "has the page in no type we can read"),
    407: (FetchState.BLOCKED, "asks for a proxy login"),
    408: (FetchState.TIMEOUT, "gave up waiting"),
    410: (FetchState.GONE, "says the page was removed for good"),
    429: (FetchState.BLOCKED, "says there were too many requests"),
    451: (FetchState.BLOCKED, "withholds the page for legal reasons"),
    504: (FetchState.TIMEOUT, "timed out behind its gateway"),
    999: (FetchState.BLOCKED, "refuses automatic access"),
}


class TransientFailure(FetchFailed):
    """A failure that may pass: the request is worth another try, after ``wait`` seconds if that is given."""

    def __init__(self, state: FetchState, message: str, wait: float | None = None) -> None:
        super().__init__(state, message)
        self.wait = wait


def backoff(error: Exception) -> bool | float:
    """stamina's hook: whether to try again, or the seconds that the server asked to wait (Retry-After)."""
    if not isinstance(error, TransientFailure):
        return False
    return True if error.wait is None else error.wait


async def with_retries(attempts: int, call: Callable[[], Awaitable[_Result]]) -> _Result:
    """``call`` until it succeeds, fails for good, or ``attempts`` are used up (stamina: 1 s doubling to 20 s,
    with jitter; Retry-After in its place where given).

    Raises:
        FetchFailed: the last failure; says how often it was tried.
    """
    import stamina

    try:
        async for attempt in stamina.retry_context(
            on=backoff, attempts=attempts, timeout=None, wait_initial=1.0, wait_max=20.0, wait_jitter=1.0
        ):
            with attempt:
                return await call()
    except TransientFailure as error:
        tried = f" Tried {attempts} times." if attempts > 1 else ""
        raise FetchFailed(error.state, f"{error}{tried}") from error
    raise AssertionError("stamina ended without a result or an error")  # pragma: no cover


def status_failure(status: int, headers: Mapping[str, str], url: str, now: datetime) -> FetchFailed | None:
    """The failure that an HTTP status means, or None for 2xx. ``headers``: names in lower case."""
    if 200 <= status < 300:
        return None
    state, words = _STATUS_STATES.get(status, (FetchState.SERVER_ERROR, "failed"))
    if status not in _STATUS_STATES and status < 500:
        words = "did not accept the request" if status >= 400 else "sent an answer that leads nowhere"
    message = f"The server of {url} {words} (HTTP status {status})."
    if status not in _RETRIED_STATUSES:
        return FetchFailed(state, message)
    wait = retry_after(headers.get("retry-after"), now)
    if wait is not None and wait > MAX_RETRY_AFTER_S:
        return FetchFailed(state, f"{message} It asks to come back in {wait:.0f} seconds: try again then.")
    return TransientFailure(state, message, wait)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds of a Retry-After header (RFC 9110 10.2.3: seconds or a date), or None if absent or unreadable."""
    if not value:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came from, nearest first. httpcore2 re-raises ``from None``, so contexts count."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)
        waiting.extend((current.__cause__, current.__context__))


def connect_failure(host: str, port: int, error: BaseException | None) -> FetchFailed:
    """No checked address of the host took the connection."""
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes(error)):
        return TransientFailure(
            FetchState.SERVER_ERROR, f"Connection refused: nothing answers at {host} port {port}. Is the address right?"
        )
    if any(isinstance(cause, TimeoutError) for cause in causes(error)):
        return TransientFailure(FetchState.TIMEOUT, f"{host} port {port} did not take the connection in time.")
    detail = next((str(cause) for cause in causes(error) if isinstance(cause, OSError) and cause.errno), str(error))
    return TransientFailure(FetchState.SERVER_ERROR, f"Could not connect to {host} port {port}: {detail}.")
