"""Wikipedia: the Action API's ``list=search``; ``web.endpoints`` names another language, such as https://de.wikipedia.org.

https://www.mediawiki.org/wiki/API:Search
"""

import re
from urllib.parse import quote

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Api, Call
from core.backends.web.provider import Facts, Page, Provider
from core.backends.web.reading import entries, get, words
from core.labels import ProviderState

_COMMANDS = re.compile(r"[!~*?\\]|(?<=\w):|(?<!\S)-")


class Wikipedia(Provider):
    """Articles, for an overview and for their references."""

    facts = Facts(
        name="wikipedia",
        title="Wikipedia",
        about="Articles of the English Wikipedia, good for an overview; it needs no key.",
        base="https://en.wikipedia.org",
        page=50,
        most=500,
        longest_query=300,
    )

    def prepared(self, query: str) -> str:
        """``!``, ``~``, ``*``, ``?`` and ``word:`` are commands of its search."""
        return " ".join(_COMMANDS.sub(" ", query).split())

    async def page(self, api: Api, query: str, number: int, start: int, wanted: int) -> Page:
        """By offset. An error comes with status 200."""
        params = {
            "action": "query", "list": "search", "srsearch": query, "srlimit": str(min(wanted, self.facts.page)),
            "sroffset": str(start), "srprop": "snippet", "format": "json", "formatversion": "2",
        }  # fmt: skip
        answer = await api.json(Call(f"{self.base}/w/api.php", params=params))
        code = words(get(answer, "error", "code"), 60)
        if code:
            state = ProviderState.RATE_LIMITED if code in ("ratelimited", "maxlag") else ProviderState.REFUSED
            raise ProviderFailed(state, f"Wikipedia refuses the search ({code}).")
        if isinstance(answer, dict) and answer.get("batchcomplete") and "query" not in answer:
            return Page((), more=False)
        rows = self.listed(get(answer, "query", "search"), "query.search")
        # The time stamp of a result is that of its last edit, which is no date of publication.
        hits = (self.hit(self._address(row), row.get("title"), row.get("snippet")) for row in entries(rows))
        return Page(tuple(hits), more=isinstance(get(answer, "continue", "sroffset"), int))

    def _address(self, row: dict[str, object]) -> str:
        title = words(row.get("title"))
        return f"{self.base}/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}" if title else ""
