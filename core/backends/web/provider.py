"""The common part of all providers of web search: their facts, their address, their key, and paging."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, within
from core.backends.web.reading import LONGEST_SNIPPET, address, words
from core.errors import SettingsError
from core.labels import ProviderState
from core.records import ProviderInfo, WebHit
from core.settings.keys import Keys
from core.settings.values import Web
from core.text.urls import canonical_or_none

MOST_PAGES = 10
USER_AGENT = "evidence-workbench/0.1 (+research)"


@dataclass(frozen=True, slots=True)
class Facts:
    """The fixed facts about a provider. ``base``: its address, "" when every user has an own one. ``longest_query`` in
    characters, ``most_words`` in words (0: no limit), ``page`` results a request, ``most`` results it ever gives,
    ``at_once`` requests that may run side by side."""

    name: str
    title: str
    about: str
    base: str
    page: int
    most: int
    key_name: str | None = None
    key_required: bool = False
    key_from: str = ""
    longest_query: int = 1000
    most_words: int = 0
    at_once: int = 2


@dataclass(frozen=True, slots=True)
class Page:
    """The hits of one request, and whether there are more."""

    hits: tuple[WebHit, ...]
    more: bool


class Provider(ABC):
    """Implements ``core.ports.asking.WebSearcher``; a subclass says how one page is asked for and read."""

    facts: ClassVar[Facts]

    def __init__(self, settings: Web, keys: Keys) -> None:
        self._settings = settings
        self._keys = keys
        given = endpoints(settings).get(self.facts.name)
        self.base = (given or self.facts.base).rstrip("/")

    @property
    def info(self) -> ProviderInfo:
        """The provider as a person sees it; looks for its key anew each time."""
        facts = self.facts
        about = ProviderInfo(facts.name, facts.title, facts.about, facts.key_name, facts.key_required)
        if not self.base:
            return replace(
                about, reason=f"Set the address of your {facts.title} in web.endpoints, as {facts.name}=https://…"
            )
        try:
            key = self._key()
        except SettingsError as error:
            return replace(about, reason=str(error))
        if facts.key_required and not key:
            reason = f"It needs a key ({facts.key_from}): put it into Settings, or into {facts.key_name}."
            return replace(about, reason=reason)
        return about

    def search(self, query: str, max_results: int) -> list[WebHit]:
        """At most ``max_results`` hits, best first (also at most what the provider gives at all). Raises
        ProviderFailed: with the state that says why."""
        info = self.info
        if info.reason:
            raise ProviderFailed(ProviderState.NO_KEY if self.base else ProviderState.OFF, info.reason)
        sent = self.prepared(self.shortened(query)) or self.shortened(query)
        wanted = max(1, min(max_results, self.facts.most))
        return within(
            self.facts.title, self._user_agent(), self._settings.timeout_s, lambda api: self._pages(api, sent, wanted)
        )

    @property
    def at_once(self) -> int:
        """The number of queries that it may get side by side: more is not polite, and free plans refuse it."""
        return self.facts.at_once

    def prepared(self, query: str) -> str:
        """The query without what this provider takes for commands; "" leaves it as it is."""
        return query

    def shortened(self, query: str) -> str:
        """The query as it is sent: on one line, cut at a word where the provider takes no more."""
        words_of_query = query.split()
        if self.facts.most_words:
            words_of_query = words_of_query[: self.facts.most_words]
        line = " ".join(words_of_query)
        if len(line) <= self.facts.longest_query:
            return line
        cut = line[: self.facts.longest_query + 1]
        head = cut.rpartition(" ")[0]
        return head or line[: self.facts.longest_query]

    async def _pages(self, api: Api, query: str, wanted: int) -> list[WebHit]:
        hits: list[WebHit] = []
        for number in range(MOST_PAGES):
            try:
                page = await self.page(api, query, number, len(hits), wanted - len(hits))
            except ProviderFailed as failure:
                failure.hits = _ranked(hits)
                raise
            hits.extend(page.hits)
            if len(hits) >= wanted or not page.more or not page.hits:
                break
        return list(_ranked(hits[:wanted]))

    @abstractmethod
    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """Page ``number`` from 0, which begins after ``start`` hits; ``wanted`` hits are still missing."""

    def _key(self) -> str | None:
        return self._keys.get(self.facts.key_name) if self.facts.key_name else None

    def _user_agent(self) -> str:
        contact = "".join(letter for letter in self._settings.contact if " " <= letter <= "~")[:200]
        return f"{USER_AGENT[:-1]}; mailto:{contact})" if contact else USER_AGENT

    def hit(
        self,
        url: object,
        title: object,
        snippet: object,
        *,
        authors: tuple[str, ...] = (),
        published: date | None = None,
        doi: str | None = None,
    ) -> WebHit:
        """One result. An address that cannot be fetched leaves ``canonical_url`` empty; who merges leaves it out."""
        given = address(url)
        canonical = canonical_or_none(given) or ""
        name = words(title) or given
        brief = words(snippet, LONGEST_SNIPPET)
        return WebHit(
            given, canonical, name, brief, self.facts.name, 0, (self.facts.name,), (), authors, published, doi
        )

    def malformed(self, what: str) -> ProviderFailed:
        """The answer is JSON, but not what was promised."""
        return ProviderFailed(
            ProviderState.MALFORMED, f"{self.facts.title} sent an answer of another shape than expected ({what})."
        )

    def listed(self, value: object, what: str) -> list[object]:
        """``value`` as the list that it must be (ProviderFailed)."""
        if not isinstance(value, list):
            raise self.malformed(f"no list {what!r}")
        return value


def _ranked(hits: Iterable[WebHit]) -> tuple[WebHit, ...]:
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1))


def endpoints(settings: Web) -> dict[str, str]:
    """The addresses set in place of the providers' own, by provider. Raises SettingsError: an entry is not
    ``provider=http(s)://…``."""
    addresses: dict[str, str] = {}
    for entry in settings.endpoints:
        name, equals, url = entry.partition("=")
        if not equals or not url.strip().lower().startswith(("http://", "https://")):
            raise SettingsError(f"web.endpoints: {entry[:80]!r} must be like searxng=https://search.example.org.")
        addresses[name.strip().lower()] = url.strip()
    return addresses
