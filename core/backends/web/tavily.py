"""Tavily: POST /search, the key as a bearer token; one page of at most 20 results.

https://docs.tavily.com/documentation/api-reference/endpoint/search
"""

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import day, entries, get
from core.labels import ProviderState


class Tavily(Provider):
    """A search engine made for language models."""

    facts = Facts(
        name="tavily",
        title="Tavily",
        about="Search of the web made for language models; gives the passage that fits.",
        base="https://api.tavily.com",
        page=20,
        most=20,
        key_name="TAVILY_API_KEY",
        key_required=True,
        key_from="from app.tavily.com, 1,000 searches a month free",
        longest_query=400,
    )

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """All there is comes at once."""
        key = self._key() or ""
        call = Call(
            f"{self.base}/search",
            headers={"Authorization": f"Bearer {key}"},
            body={"query": query, "max_results": wanted, "search_depth": "basic", "include_answer": False},
            secret=key,
        )
        rows = self.listed(get(await api.json(call, _meaning), "results"), "results")
        hits = (
            self.hit(row.get("url"), row.get("title"), row.get("content"), published=day(row.get("published_date")))
            for row in entries(rows)
        )
        return Page(tuple(hits), more=False)


def _meaning(status: int, body: str) -> ProviderFailed | None:
    if status in (432, 433):  # Tavily's own: the plan's, or the prepaid, searches are used up
        return ProviderFailed(ProviderState.RATE_LIMITED, "The searches of your Tavily plan are used up.")
    return None
