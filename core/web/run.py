"""One web search carried out: providers and queries in parallel, each within its time, and nothing waits longer."""

import json
import math
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, runtime_checkable

from core.backends.web.failures import ProviderFailed
from core.labels import ProviderState
from core.ports.asking import WebSearcher
from core.ports.store import Clock, Progress
from core.records import ProviderOutcome, WebHit
from core.settings.values import Web
from core.web.merge import Listed

LONGEST_S = 3600.0
CALLS_FOR_ONE = frozenset(
    {ProviderState.RATE_LIMITED, ProviderState.TIMEOUT, ProviderState.UNREACHABLE, ProviderState.SERVER_ERROR}
)
"""The states after which a pause may help."""

AT_ONCE = 2
"""Queries that a provider is asked at the same time if it says nothing about that."""
GRACE_S = 1.0
_TICK_S = 0.1


class Memos(Protocol):
    """The part of a project's store that is used."""

    def memo(self, key: str) -> str | None: ...

    def set_memo(self, key: str, value: str) -> None: ...


def cooling(store: Memos, provider: str, now: datetime) -> tuple[datetime, str] | None:
    """Until when a provider is left alone, and the sentence that says why; None when it may be asked."""
    try:
        pause = json.loads(store.memo(_cooldown_memo(provider)) or "null")
        until, why = datetime.fromisoformat(pause["until"]), str(pause["why"])
        # A clock that was set back must not keep a provider away for ever.
        return (until, why) if now < until <= now + timedelta(seconds=LONGEST_S) else None
    except (ValueError, TypeError, KeyError):  # no memo, or one of another version
        return None


def cool_down(store: Memos, provider: str, now: datetime, seconds: float, why: str) -> None:
    """Leave a provider alone for so long (at most an hour)."""
    until = now + timedelta(seconds=min(seconds, LONGEST_S))
    store.set_memo(_cooldown_memo(provider), json.dumps({"until": until.isoformat(), "why": why}))


def _cooldown_memo(provider: str) -> str:
    return f"web-cooldown {provider}"


@runtime_checkable
class Limited(Protocol):
    """A provider that takes queries of limited length only, and few at once."""

    @property
    def at_once(self) -> int:
        """Queries that it may be asked at the same time."""

    def shortened(self, query: str) -> str:
        """The query as it is sent."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of one provider to one query."""

    listed: Listed
    outcome: ProviderOutcome
    retry_after: float | None = None


class WebRun:
    """Asks ``searchers`` all ``queries``; made for one search."""

    def __init__(
        self, searchers: Sequence[WebSearcher], queries: Sequence[str], settings: Web, store: Memos, clock: Clock
    ) -> None:
        self._searchers = searchers
        self._queries = queries
        self._settings = settings
        self._store = store
        self._clock = clock
        self._answers: queue.Queue[Answered] = queue.Queue()
        self._stop = threading.Event()

    def run(self, max_results: int, progress: Progress) -> list[Answered]:
        """Every provider's answer to every query, by query, then in the order of the providers. Requests in flight are
        abandoned when ``progress`` raises (JobCancelled); nothing new is asked then."""
        answers: dict[tuple[str, int], Answered] = {}
        waiting: list[WebSearcher] = []
        for searcher in self._searchers:
            refused = self._refusal(searcher)
            if refused is None:
                waiting.append(searcher)
                continue
            for at in range(len(self._queries)):
                answers[searcher.info.name, at] = self._without(searcher.info.name, at, *refused)
        try:
            self._ask(waiting, max_results, progress, answers)
        finally:
            self._stop.set()
        self._keep_cooldowns(answers)
        names = [searcher.info.name for searcher in self._searchers]
        return [answers[name, at] for at in range(len(self._queries)) for name in names]

    def _ask(
        self,
        searchers: Sequence[WebSearcher],
        max_results: int,
        progress: Progress,
        answers: dict[tuple[str, int], Answered],
    ) -> None:
        total = len(self._queries) * len(self._searchers)
        titles = {searcher.info.name: searcher.info.title for searcher in searchers}
        missing = {(name, at) for name in titles for at in range(len(self._queries))}
        progress(total - len(missing), total, "Asking the web")
        for searcher in searchers:
            self._start(searcher, max_results)
        rounds = max((math.ceil(len(self._queries) / _at_once(searcher)) for searcher in searchers), default=0)
        deadline = time.monotonic() + self._settings.timeout_s * rounds + GRACE_S
        while missing and time.monotonic() < deadline:
            try:
                answer = self._answers.get(timeout=_TICK_S)
            except queue.Empty:
                pass
            else:
                key = answer.outcome.provider, answer.listed.query
                answers[key] = answer
                missing.discard(key)
            left = ", ".join(dict.fromkeys(titles[name] for name, _ in sorted(missing)))
            progress(total - len(missing), total, f"Waiting for {left}" if left else "Done")
        for name, at in missing:
            message = f"{titles[name]} did not answer within the time for a whole search (setting web.timeout_s)."
            answers[name, at] = self._without(name, at, ProviderState.TIMEOUT, message)

    def _start(self, searcher: WebSearcher, max_results: int) -> None:
        turns: queue.Queue[int] = queue.Queue()
        for at in range(len(self._queries)):
            turns.put(at)
        failed = threading.Event()
        for number in range(min(_at_once(searcher), len(self._queries))):
            # Daemons: a provider that hangs must not keep the process from ending.
            threading.Thread(
                target=self._work,
                args=(searcher, turns, max_results, failed),
                name=f"web-{searcher.info.name}-{number}",
                daemon=True,
            ).start()

    def _work(self, searcher: WebSearcher, turns: queue.Queue[int], max_results: int, failed: threading.Event) -> None:
        while not self._stop.is_set():
            try:
                at = turns.get_nowait()
            except queue.Empty:
                return
            info = searcher.info
            if failed.is_set():
                message = f"{info.title} was not asked this any more, for it failed at another query."
                self._answers.put(self._without(info.name, at, ProviderState.COOLDOWN, message))
                continue
            answer = self._answer_of(searcher, at, max_results)
            if answer.outcome.state in CALLS_FOR_ONE or answer.outcome.state is ProviderState.KEY_REJECTED:
                failed.set()
            self._answers.put(answer)

    def _answer_of(self, searcher: WebSearcher, at: int, max_results: int) -> Answered:
        name, query = searcher.info.name, self._queries[at]
        began = time.perf_counter()
        hits: tuple[WebHit, ...] = ()
        retry_after, message = None, _cut(searcher, query)
        try:
            hits = tuple(searcher.search(query, max_results))
            state = ProviderState.OK if hits else ProviderState.EMPTY
        except ProviderFailed as error:
            state, message, retry_after, hits = error.state, str(error), error.retry_after, error.hits
        except Exception as error:  # a fault of ours in one adapter must not take the others' results along
            state = ProviderState.MALFORMED
            message = f"The answer of {searcher.info.title} could not be read ({type(error).__name__})."
        ms = (time.perf_counter() - began) * 1000
        outcome = ProviderOutcome(name, query, state, len(hits), message, ms)
        return Answered(Listed(name, at, hits), outcome, retry_after)

    def _refusal(self, searcher: WebSearcher) -> tuple[ProviderState, str] | None:
        """The state and the reason by which a provider is not asked at all; None when it is asked."""
        info = searcher.info
        if info.reason:
            return (ProviderState.NO_KEY if info.key_required else ProviderState.OFF), info.reason
        rest = cooling(self._store, info.name, self._clock())
        if rest is None:
            return None
        until, why = rest
        return ProviderState.COOLDOWN, f"{info.title} is left alone until {_clock_words(until)}. Before: {why}"

    def _without(self, provider: str, at: int, state: ProviderState, message: str) -> Answered:
        return Answered(Listed(provider, at, ()), ProviderOutcome(provider, self._queries[at], state, 0, message))

    def _keep_cooldowns(self, answers: dict[tuple[str, int], Answered]) -> None:
        for (provider, _), answer in answers.items():
            pause = max(self._settings.cooldown_s, answer.retry_after or 0.0)
            if answer.outcome.state in CALLS_FOR_ONE and pause > 0:
                cool_down(self._store, provider, self._clock(), pause, answer.outcome.message)


def _at_once(searcher: WebSearcher) -> int:
    return searcher.at_once if isinstance(searcher, Limited) else AT_ONCE


def _cut(searcher: WebSearcher, query: str) -> str:
    if not isinstance(searcher, Limited):
        return ""
    sent = searcher.shortened(query)
    if sent == " ".join(query.split()):
        return ""
    return f"{searcher.info.title} takes shorter queries only: it was asked with the first {len(sent)} characters."


def _clock_words(moment: datetime) -> str:
    return f"{moment:%H:%M:%S} UTC"
