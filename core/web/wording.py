"""Hits and providers of a web search in words: pure functions that pages and the command line share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.labels import ProviderState
from core.records import ProviderOutcome, WebHit, WebResult
from core.text.urls import url_parts
from core.text.words import count_words, short

PROVIDER_STATES: Mapping[ProviderState, str] = {
    ProviderState.OK: "answered",
    ProviderState.EMPTY: "found nothing",
    ProviderState.OFF: "not set up",
    ProviderState.NO_KEY: "needs a key",
    ProviderState.KEY_REJECTED: "rejects the key",
    ProviderState.RATE_LIMITED: "asked too often",
    ProviderState.REFUSED: "refused",
    ProviderState.TIMEOUT: "too slow",
    ProviderState.UNREACHABLE: "not reached",
    ProviderState.SERVER_ERROR: "has a fault",
    ProviderState.MALFORMED: "answered unreadably",
    ProviderState.COOLDOWN: "left alone for a while",
    ProviderState.CANCELLED: "stopped",
}

STORED = "in the project"


@dataclass(frozen=True, slots=True)
class HitRow:
    """One hit as a row of a table; ``note`` is empty or says that it is stored."""

    title: str
    site: str
    snippet: str
    by: str
    published: str
    found_by: str
    note: str


def hit_row(hit: WebHit, titles: Mapping[str, str]) -> HitRow:
    """A hit as a row; ``titles`` are those of the providers by name."""
    authors = hit.authors[0] + (" et al." if len(hit.authors) > 1 else "") if hit.authors else ""
    return HitRow(
        title=short(hit.title, 300),
        site=_site(hit.url),
        snippet=short(hit.snippet, 400),
        by=short(authors, 60),
        published=hit.published.isoformat() if hit.published else "",
        found_by=", ".join(titles.get(name, name) for name in hit.providers),
        note=STORED if hit.document_id else "",
    )


def _site(url: str) -> str:
    return (url_parts(url).hostname or "").removeprefix("www.")


def headline(result: WebResult) -> str:
    """The result of a search in one sentence; never "nothing found" when nobody answered."""
    if result.failed:
        return "No provider answered, so it is not known whether the web has anything on this."
    stored = sum(hit.document_id is not None for hit in result.hits)
    if not result.hits:
        return "The providers that answered found nothing."
    there = f", {stored} of them in the project already" if stored else ""
    return f"{count_words(len(result.hits), 'result')} on the web{there}."


@dataclass(frozen=True, slots=True)
class ProviderLine:
    """The state of one provider over all queries. ``good`` when it answered all of them."""

    title: str
    words: str
    details: tuple[str, ...]
    good: bool


def provider_lines(outcomes: Sequence[ProviderOutcome], titles: Mapping[str, str]) -> list[ProviderLine]:
    """One line a provider, in the order in which they were asked; each message once."""
    by_provider: dict[str, list[ProviderOutcome]] = {}
    for outcome in outcomes:
        by_provider.setdefault(outcome.provider, []).append(outcome)
    lines = []
    for name, mine in by_provider.items():
        states = dict.fromkeys(outcome.state for outcome in mine)
        hits = sum(outcome.hits for outcome in mine)
        words = ", ".join(PROVIDER_STATES[state] for state in states)
        words += f", {count_words(hits, 'result')}" if hits else ""
        details = tuple(dict.fromkeys(outcome.message for outcome in mine if outcome.message))
        good = all(state in (ProviderState.OK, ProviderState.EMPTY) for state in states)
        lines.append(ProviderLine(titles.get(name, name), words, details, good))
    return lines
