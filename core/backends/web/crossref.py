"""Crossref: GET /works?query=, the registry of DOIs; an address in ``mailto`` leads to its polite pool.

https://api.crossref.org/swagger-ui
"""

from datetime import date

from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import date_of, doi, entries, get, names, words
from core.records import WebHit

_FIELDS = "DOI,URL,title,abstract,author,issued,published,resource"


class Crossref(Provider):
    """Works as their publishers registered them."""

    facts = Facts(
        name="crossref",
        title="Crossref",
        about="What publishers registered with a DOI: articles, books, data; it needs no key.",
        base="https://api.crossref.org",
        page=100,
        most=1000,
    )

    @property
    def at_once(self) -> int:
        """Three side by side are for those who give an address to write to, one for all others."""
        return 3 if self._settings.contact else 1

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """By offset; the whole count comes with every page."""
        rows = min(wanted, self.facts.page)
        params = {"query": query, "rows": str(rows), "offset": str(start), "select": _FIELDS}
        if self._settings.contact:
            params["mailto"] = self._settings.contact
        message = get(await api.json(Call(f"{self.base}/works", params=params)), "message")
        items = self.listed(get(message, "items"), "message.items")
        total = get(message, "total-results")
        hits = tuple(self._hit(row) for row in entries(items))
        return Page(hits, more=isinstance(total, int) and start + len(hits) < total)

    def _hit(self, row: dict[str, object]) -> WebHit:
        number = doi(row.get("DOI"))
        return self.hit(
            (f"https://doi.org/{number}" if number else "") or get(row, "resource", "primary", "URL") or row.get("URL"),
            row.get("title"),
            row.get("abstract"),
            authors=names(_name(entry) for entry in entries(row.get("author"))),
            published=_issued(row.get("issued")) or _issued(row.get("published")),
            doi=number,
        )


def _name(person: dict[str, object]) -> str:
    return f"{words(person.get('given'), 100)} {words(person.get('family'), 100)}".strip() or words(
        person.get("name"), 200
    )


def _issued(value: object) -> date | None:
    parts = get(value, "date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if not isinstance(first, list) or not first or first[0] is None:
        return None
    return date_of(*first[:3])
