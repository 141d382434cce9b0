"""Failures of providers of web search, and a server's words about them as a message: short, and without a key."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.errors import WebSearchError
from core.labels import ProviderState
from core.records import WebHit

_WORDS = 160


class ProviderFailed(WebSearchError):
    """The failure of a provider; ``state`` says why, the message is one sentence for people. ``retry_after``: seconds
    after which it wants to be asked again, if it said so. ``hits`` came before it failed."""

    def __init__(self, state: ProviderState, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.state = state
        self.retry_after = retry_after
        self.hits: tuple[WebHit, ...] = ()


def retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110 10.2.3: seconds or a date), None if absent or unreadable."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def spoken(text: str, secret: str = "") -> str:
    """A server's answer for a message: on one line, short, without the key."""
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    if secret:
        line = line.replace(secret, "(key)")
        if len(secret) > 8 and (secret[:8] in line or secret[-8:] in line):  # a shortened key is a key as well
            return ""
    return line if len(line) <= _WORDS else line[: _WORDS - 1] + "…"


def message_in(body: str) -> str:
    """The sentence in an error body of any of the usual shapes; "" where there is none."""
    try:
        part = json.loads(body)
    except (ValueError, RecursionError):
        return "" if "<" in body[:200] else body[:1000]
    for _ in range(4):
        if isinstance(part, list) and part:
            part = part[0]
        elif isinstance(part, dict):
            names = ("message", "detail", "error", "errors", "msg", "info")
            part = next((part[name] for name in names if part.get(name)), "")
    return part if isinstance(part, str) else ""
