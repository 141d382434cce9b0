"""Serper: POST /search, what Google finds; pages counted from 1.

https://serper.dev
"""

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import day, entries, get
from core.labels import ProviderState

_PAGE = 10
"""Google gives ten results a page since it dropped the parameter ``num``; fewer come when it likes."""


class Serper(Provider):
    """Google's results through a service."""

    facts = Facts(
        name="serper",
        title="Serper",
        about="The results of Google, through the service Serper.",
        base="https://google.serper.dev",
        page=_PAGE,
        most=100,
        key_name="SERPER_API_KEY",
        key_required=True,
        key_from="from serper.dev, 2,500 searches free",
        longest_query=2000,
        most_words=32,  # Google reads no more
    )

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """Pages go on until one brings fewer than half of what it could."""
        key = self._key() or ""
        body = {"q": query, "num": _PAGE, "page": number + 1}
        call = Call(f"{self.base}/search", headers={"X-API-KEY": key}, body=body, secret=key)
        rows = self.listed(get(await api.json(call, _meaning), "organic"), "organic")
        hits = tuple(
            self.hit(row.get("link"), row.get("title"), row.get("snippet"), published=day(row.get("date")))
            for row in entries(rows)
        )
        return Page(hits, more=len(hits) >= _PAGE // 2)


def _meaning(status: int, body: str) -> ProviderFailed | None:
    if status == 400 and "credits" in body.lower():
        return ProviderFailed(ProviderState.RATE_LIMITED, "The credits of your Serper account are used up.")
    return None
