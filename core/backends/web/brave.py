"""Brave Search: GET /res/v1/web/search, at most 20 results a page and 10 pages (``offset`` counts pages).

https://api-dashboard.search.brave.com/app/documentation/web-search/get-started
"""

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import day, entries, get
from core.labels import ProviderState


class Brave(Provider):
    """An index of the web of its own."""

    facts = Facts(
        name="brave",
        title="Brave Search",
        about="An independent index of the web.",
        base="https://api.search.brave.com",
        page=20,
        most=200,
        key_name="BRAVE_API_KEY",
        key_required=True,
        key_from="from api-dashboard.search.brave.com",
        longest_query=400,
        most_words=50,
        at_once=1,
    )

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """``count`` must stay the same on all pages, for ``offset`` counts in it."""
        key = self._key() or ""
        count = self.facts.page if number or wanted > self.facts.page else wanted
        call = Call(
            f"{self.base}/res/v1/web/search",
            params={"q": query, "count": str(count), "offset": str(number), "text_decorations": "false"},
            headers={"X-Subscription-Token": key},
            secret=key,
        )
        answer = await api.json(call, _meaning)
        if not isinstance(answer, dict):
            raise self.malformed("no object")
        web = answer.get("web")
        if web is None:  # Brave leaves the part out when nothing was found
            return Page((), more=False)
        rows = self.listed(get(web, "results"), "web.results")
        hits = (
            self.hit(row.get("url"), row.get("title"), row.get("description"), published=day(row.get("page_age")))
            for row in entries(rows)
        )
        return Page(tuple(hits), more=get(answer, "query", "more_results_available") is True)


def _meaning(status: int, body: str) -> ProviderFailed | None:
    if status == 422 and "SUBSCRIPTION_TOKEN_INVALID" in body:  # a wrong key is "not processable" here, not 401
        return ProviderFailed(
            ProviderState.KEY_REJECTED, "Brave Search does not accept the key (HTTP 422). Check it in Settings."
        )
    return None
