"""OpenAlex: GET /works?search=, at most 100 results a page; the key goes into the address, so no address is ever shown.

https://developers.openalex.org/api-reference/works
"""

import re

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import LONGEST_SNIPPET, day, doi, entries, get, names
from core.labels import ProviderState
from core.records import WebHit

_FIELDS = (
    "id,doi,display_name,publication_date,publication_year,authorships,primary_location,best_oa_location,"
    "abstract_inverted_index"
)
_LONGEST_ABSTRACT = 2000
_COMMANDS = re.compile(r"[?*~()\[\]{}!|^:\\/<>+=&]")


class OpenAlex(Provider):
    """The open catalogue of the world's research."""

    facts = Facts(
        name="openalex",
        title="OpenAlex",
        about="The open catalogue of research works. Without a (free) key it answers only few searches a day.",
        base="https://api.openalex.org",
        page=100,
        most=1000,
        key_name="OPENALEX_API_KEY",
        key_from="from openalex.org/settings/api, free",
        longest_query=400,  # the whole address may have about 4 KB, and a letter may take nine bytes of it
    )

    def prepared(self, query: str) -> str:
        """Wildcards, brackets and the like are commands or errors here; quotation marks of phrases stay."""
        plain = " ".join(_COMMANDS.sub(" ", query).split())
        return plain if plain.count('"') % 2 == 0 else plain.replace('"', "")

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """Pages from 1; their size must not change between them."""
        key = self._key() or ""
        size = self.facts.page if number or wanted > self.facts.page else wanted
        params = {"search": query, "per_page": str(size), "page": str(number + 1), "select": _FIELDS}
        if self._settings.contact:
            params["mailto"] = self._settings.contact
        call = Call(f"{self.base}/works", params=params, secret_params={"api_key": key} if key else {}, secret=key)
        answer = await api.json(call, _meaning)
        rows = self.listed(get(answer, "results"), "results")
        total = get(answer, "meta", "count")
        hits = tuple(self._hit(row) for row in entries(rows))
        return Page(hits, more=isinstance(total, int) and start + len(hits) < total)

    def _hit(self, row: dict[str, object]) -> WebHit:
        places = (row.get("best_oa_location"), row.get("primary_location"))
        landing = (get(place, name) for place in places for name in ("pdf_url", "landing_page_url"))
        return self.hit(
            next((url for url in landing if url), None) or row.get("doi") or row.get("id"),
            row.get("display_name"),
            abstract(row.get("abstract_inverted_index")),
            authors=names(get(entry, "author", "display_name") for entry in entries(row.get("authorships"))),
            published=day(row.get("publication_date")) or day(row.get("publication_year")),
            doi=doi(row.get("doi")),
        )


def abstract(index: object) -> str:
    """The beginning of an abstract that is given as words with their positions."""
    if not isinstance(index, dict):
        return ""
    at: dict[int, str] = {}
    for word, places in index.items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < _LONGEST_ABSTRACT:
                at[place] = str(word)
    return " ".join(at[place] for place in sorted(at))[:LONGEST_SNIPPET]


def _meaning(status: int, body: str) -> ProviderFailed | None:
    answer = body.lower()
    if status in (401, 403) and "api key" in answer.replace("_", " "):
        return ProviderFailed(
            ProviderState.KEY_REJECTED, f"OpenAlex does not accept the key (HTTP {status}). Check it in Settings."
        )
    if status == 403 and "invalid" in answer:  # what it says to a query that it cannot read
        return ProviderFailed(ProviderState.REFUSED, "OpenAlex cannot read this query (HTTP 403). Use plain words.")
    if status == 403 or (status == 429 and ("daily" in answer or "budget" in answer)):
        return ProviderFailed(
            ProviderState.RATE_LIMITED,
            f"The searches of OpenAlex for today are used up (HTTP {status}). A free key allows a thousand a day.",
        )
    return None
