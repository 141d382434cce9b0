"""Helpers for tests that fetch: settings without waiting, a resolver without DNS, failures as values."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence

from core.acquire.fetch import HttpFetcher
from core.errors import FetchFailed
from core.labels import FetchState
from core.records import Fetched
from core.settings.values import Fetching


class Names:
    """A resolver over a dict of names; a name's answers are given in turn, the last one stays."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {name: list(turns) for name, turns in answers.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        turns = self._answers.get(host)
        if not turns:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return turns.pop(0) if len(turns) > 1 else turns[0]


def fetching(*allowed_hosts: str, **changes: object) -> Fetching:
    """Settings for a loopback server: these hosts allowed, no politeness delay, short time limit, two attempts."""
    base: dict[str, object] = {"per_host_delay_s": 0, "timeout_s": 5, "attempts": 2}
    return Fetching(allowed_hosts=allowed_hosts, **{**base, **changes})  # type: ignore[arg-type]


def outcome(settings: Fetching, url: str, **options: object) -> Fetched | FetchFailed:
    """What a fetcher of its own makes of ``url``; ``options`` are the fetcher's."""
    with HttpFetcher(settings, **options) as fetcher:  # type: ignore[arg-type]
        try:
            return fetcher.fetch(url)
        except FetchFailed as error:
            return error


def failure(settings: Fetching, url: str, **options: object) -> FetchFailed:
    """The failure that fetching ``url`` must end in."""
    result = outcome(settings, url, **options)
    assert isinstance(result, FetchFailed), f"{url} was fetched: {result}"
    return result


def state(settings: Fetching, url: str, **options: object) -> FetchState:
    """``stored`` for a success, else the failure's state."""
    result = outcome(settings, url, **options)
    return result.state if isinstance(result, FetchFailed) else FetchState.STORED
