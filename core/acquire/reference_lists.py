"""Lists of references as sources: the addresses that they give, and jobs that fetch them."""

from __future__ import annotations

from collections.abc import Sequence

from core.acquire.references import References, of_text
from core.acquire.references.reader import read_list
from core.acquire.references.sitemap_walk import MOST_PAGES
from core.errors import SourceError
from core.labels import JobKind, SourceKind
from core.ports.context import ProjectContext
from core.records import Job
from core.text.urls import fetchable_url


class ReferenceLists:
    """References of one open project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def read_file(self, name: str, body: bytes) -> References:
        """References of a BibTeX, RIS, CSL-JSON or sitemap file, or of a list of addresses; nothing is fetched
        (SourceError)."""
        return read_list(self._context.engines.extractor(), name, body)

    def read_text(self, text: str) -> References:
        """References of pasted addresses, DOIs and arXiv ids (SourceError). They are found by patterns in a text of
        limited length, so no process of their own is started for them."""
        return of_text(text)

    def add(self, references: References) -> Job:
        """Fetch the sources of a list, each from its first address.

        Raises:
            SourceError: there is none; the message names why the first entries are unusable.
        """
        return self.fetch([reference.url for reference in references.usable], references)

    def fetch(self, urls: Sequence[str], references: References = References()) -> Job:
        """Fetch some of the addresses of a list (SourceError: none)."""
        wanted = self.check(urls, references)
        rows = self._store.request(SourceKind.URL, [(url, None) for url in wanted])
        return self._context.schedule(JobKind.ADD, {"acquisitions": [row.id for row in rows]})

    def check(self, urls: Sequence[str], references: References = References()) -> list[str]:
        """The addresses that ``fetch`` would request; nothing is requested (SourceError: none)."""
        wanted = list(dict.fromkeys(map(fetchable_url, urls)))
        if not wanted:
            why = " ".join(f"{entry}." for entry in references.unusable[:3])
            raise SourceError(f"No source to fetch was found. {why}".rstrip())
        return wanted

    def add_sitemap(self, url: str, *, most: int = 100) -> Job:
        """Read the sitemaps of a site (its own address, or that of a sitemap) and fetch the pages that they list, at
        most ``most`` (1 to 1,000).

        Raises:
            SourceError: no web address, or a number out of range.
        """
        if not 1 <= most <= MOST_PAGES:
            raise SourceError(f"{most} pages cannot be asked for. Ask for 1 to {MOST_PAGES:,}.")
        address = url.strip()
        if address and "://" not in address:
            address = f"https://{address}"
        return self._context.schedule(JobKind.ADD, {"sitemap": fetchable_url(address), "most": most})
