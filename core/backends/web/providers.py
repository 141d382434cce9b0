"""Every provider of web search that there is."""

from collections.abc import Sequence

from core.backends.web.brave import Brave
from core.backends.web.crossref import Crossref
from core.backends.web.failures import ProviderFailed
from core.backends.web.openalex import OpenAlex
from core.backends.web.provider import Provider
from core.backends.web.searxng import Searxng
from core.backends.web.semantic_scholar import SemanticScholar
from core.backends.web.serper import Serper
from core.backends.web.tavily import Tavily
from core.backends.web.wikipedia import Wikipedia
from core.ports.asking import WebSearcher
from core.settings.keys import Keys
from core.settings.values import Web

__all__ = ["PROVIDERS", "ProviderFailed", "web_searchers"]

PROVIDERS: tuple[type[Provider], ...] = (
    Tavily,
    Brave,
    Serper,
    Searxng,
    SemanticScholar,
    OpenAlex,
    Crossref,
    Wikipedia,
)


def web_searchers(settings: Web, keys: Keys) -> Sequence[WebSearcher]:
    """All of them; those that cannot be asked say so in their ``info`` (SettingsError: a fault in web.endpoints)."""
    return [provider(settings, keys) for provider in PROVIDERS]
