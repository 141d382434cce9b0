"""Semantic Scholar: GET /graph/v1/paper/search, at most 100 results a page and 1,000 in all; works without a key.

https://api.semanticscholar.org/api-docs/graph
"""

from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import day, doi, entries, get, names
from core.records import WebHit

_FIELDS = "title,abstract,url,year,publicationDate,authors,externalIds,openAccessPdf"


class SemanticScholar(Provider):
    """Papers of all fields, with links to open copies."""

    facts = Facts(
        name="semantic_scholar",
        title="Semantic Scholar",
        about="Papers of all fields, with open copies where there are any. Without a key it is often busy.",
        base="https://api.semanticscholar.org",
        page=100,
        most=1000,
        key_name="SEMANTIC_SCHOLAR_API_KEY",
        key_from="from semanticscholar.org/product/api",
        at_once=1,
    )

    def prepared(self, query: str) -> str:
        """Words with hyphens are never found here; their parts are."""
        return " ".join(query.replace("-", " ").split())

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """``next`` is there as long as there is more."""
        key = self._key() or ""
        limit = min(wanted, self.facts.page)
        params = {"query": query, "offset": str(start), "limit": str(limit), "fields": _FIELDS}
        headers = {"x-api-key": key} if key else {}
        call = Call(f"{self.base}/graph/v1/paper/search", params=params, headers=headers, secret=key)
        answer = await api.json(call)
        if get(answer, "total") == 0:  # then ``data`` may be left out
            return Page((), more=False)
        rows = self.listed(get(answer, "data"), "data")
        return Page(tuple(self._hit(row) for row in entries(rows)), more=isinstance(get(answer, "next"), int))

    def _hit(self, row: dict[str, object]) -> WebHit:
        number = doi(get(row, "externalIds", "DOI"))
        arxiv = get(row, "externalIds", "ArXiv")
        people = row.get("authors")
        return self.hit(
            get(row, "openAccessPdf", "url")
            or (f"https://arxiv.org/abs/{arxiv}" if isinstance(arxiv, str) and arxiv else "")
            or (f"https://doi.org/{number}" if number else "")
            or row.get("url"),
            row.get("title"),
            row.get("abstract"),
            authors=names(entry.get("name") for entry in entries(people)),
            published=day(row.get("publicationDate")) or day(row.get("year")),
            doi=number,
        )
