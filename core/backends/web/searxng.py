"""SearXNG: GET /search?format=json of an instance of one's own; pages counted from 1, of a size that nobody chooses.

https://docs.searxng.org/dev/search_api.html
"""

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import day, doi, entries, get, names
from core.labels import ProviderState


class Searxng(Provider):
    """Many search engines through an instance that the user runs or trusts."""

    facts = Facts(
        name="searxng",
        title="SearXNG",
        about="Many search engines at once, through an instance that you run or trust; it needs no key.",
        base="",
        page=20,
        most=100,
        longest_query=2000,
    )

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """There is more until a page comes empty."""
        params = {"q": query, "format": "json", "pageno": str(number + 1)}
        answer = await api.json(Call(f"{self.base}/search", params=params), _meaning)
        rows = self.listed(get(answer, "results"), "results")
        hits = tuple(
            self.hit(
                row.get("url"),
                row.get("title"),
                row.get("content"),
                authors=names(iter(authors)) if isinstance(authors := row.get("authors"), list) else (),
                published=day(row.get("publishedDate")),
                doi=doi(row.get("doi")),
            )
            for row in entries(rows)
        )
        dead = get(answer, "unresponsive_engines")
        if not hits and number == 0 and isinstance(dead, list) and dead:
            raise ProviderFailed(
                ProviderState.SERVER_ERROR, f"None of the engines behind SearXNG answered ({_engines(dead)})."
            )
        return Page(hits, more=bool(hits))


def _engines(dead: list[object]) -> str:
    """``[["google", "timeout"], …]`` as words."""
    pairs = [engine for engine in dead if isinstance(engine, list) and engine]
    return ", ".join(" ".join(str(part)[:40] for part in pair[:2]) for pair in pairs[:3]) or "no reason given"


def _meaning(status: int, body: str) -> ProviderFailed | None:
    if status == 403:
        return ProviderFailed(
            ProviderState.REFUSED,
            "SearXNG does not give JSON here (HTTP 403): add json to search.formats in its settings.yml.",
        )
    return None
