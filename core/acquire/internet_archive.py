"""A page that is gone, taken from an archive instead, and said so (only where ``web.wayback`` is set)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.backends.web_failures import ProviderFailed
from core.errors import FetchFailed, SettingsError
from core.labels import FetchState
from core.ports.context import JobContext
from core.records import Fetched
from core.web.run import CALLS_FOR_ONE, cool_down, cooling

DEAD = frozenset({FetchState.NOT_FOUND, FetchState.GONE, FetchState.DNS_FAILURE})
"""Failures that an archive can help against: the page was there once, and is not any more."""


_NAME = "wayback"


@dataclass(frozen=True, slots=True)
class Archived:
    """What the archive gave: the copy with the warning that goes onto the document, or why there is none."""

    copy: Fetched | None
    said: str


def archived_copy(context: JobContext, url: str, failure: FetchFailed) -> Archived | None:
    """The newest archived copy of ``url``; None when looking there is not wished or would not help.

    The copy keeps the page's own address, so that citations of it are found; the archive's is among the seen ones.
    """
    if failure.state not in DEAD:
        return None
    try:
        archive = context.engines.archive()
        if archive is None:
            return None
        resting = cooling(context.store, _NAME, context.clock())
        if resting is not None:
            return Archived(None, f"The Internet Archive was not asked for a copy: {resting[1]}")
        snapshot = archive.closest(url)
        if snapshot is None:
            return Archived(None, "The Internet Archive has no copy of it.")
        copy = context.engines.fetcher().fetch(snapshot.url)
    except ProviderFailed as error:
        pause = max(context.settings.web.cooldown_s, error.retry_after or 0.0)
        if error.state in CALLS_FOR_ONE and pause > 0:  # else every dead link of a long list would wait for it
            cool_down(context.store, _NAME, context.clock(), pause, str(error))
        return Archived(None, f"No copy from the Internet Archive either: {error}")
    except (SettingsError, FetchFailed) as error:
        return Archived(None, f"No copy from the Internet Archive either: {error}")
    seen = tuple(dict.fromkeys((url, snapshot.url, *copy.seen_urls)))
    day = f"{snapshot.taken:%Y-%m-%d}"
    said = f"This is a copy of {day} from the Internet Archive ({snapshot.url}). The page itself: {failure}"
    return Archived(replace(copy, url=url, final_url=None, seen_urls=seen), said)
