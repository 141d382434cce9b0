"""Providers that are left alone for a while, because they were busy, failing, or not there.

Kept in the project, so that a restart, another process, or the next question does not ask them all the same.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Protocol

from core.labels import ProviderState

LONGEST_S = 3600.0
CALLS_FOR_ONE = frozenset(
    {ProviderState.RATE_LIMITED, ProviderState.TIMEOUT, ProviderState.UNREACHABLE, ProviderState.SERVER_ERROR}
)
"""What a pause can help against."""


class Memos(Protocol):
    """The part of a project's store that is used."""

    def memo(self, key: str) -> str | None: ...

    def set_memo(self, key: str, value: str) -> None: ...


def cooling(store: Memos, provider: str, now: datetime) -> tuple[datetime, str] | None:
    """Until when a provider is left alone, and the sentence that says why; None when it may be asked."""
    try:
        kept = json.loads(store.memo(_name(provider)) or "null")
        until, why = datetime.fromisoformat(kept["until"]), str(kept["why"])
        # A clock that was set back must not keep a provider away for ever.
        return (until, why) if now < until <= now + timedelta(seconds=LONGEST_S) else None
    except (ValueError, TypeError, KeyError):  # no memo, or one of another version
        return None


def cool_down(store: Memos, provider: str, now: datetime, seconds: float, why: str) -> None:
    """Leave a provider alone for so long (at most an hour)."""
    until = now + timedelta(seconds=min(seconds, LONGEST_S))
    store.set_memo(_name(provider), json.dumps({"until": until.isoformat(), "why": why}))


def _name(provider: str) -> str:
    return f"web-cooldown {provider}"
