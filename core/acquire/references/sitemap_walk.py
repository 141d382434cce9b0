"""From an address of a site to the pages that its sitemaps list."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.acquire.references.sitemap import Sitemap, listed_in_robots, read_sitemap
from core.errors import SourceError
from core.text.urls import canonical_url, fetchable_url, joined_url, site_of, url_parts

MOST_SITEMAPS = 50
MOST_PAGES = 1000
DEEPEST = 3

Fetch = Callable[[str], bytes]
"""The bytes at an address (SourceError)."""
Read = Callable[[bytes], Sitemap]
"""The addresses that a sitemap lists (SourceError)."""
Tell = Callable[[int, str], None]
"""Called with the number of sitemaps read and the address of the next; may raise JobCancelled."""


@dataclass
class Walked:
    """The pages of a site in order, each once. ``listed`` counts also those past the limit; ``problems`` are
    sentences."""

    pages: list[str] = field(default_factory=list)
    listed: int = 0
    problems: list[str] = field(default_factory=list)


def walk(start: str, fetch: Fetch, tell: Tell, *, most: int = MOST_PAGES, read: Read = read_sitemap) -> Walked:
    """Read the sitemap at ``start`` (or those that the site's robots.txt names, when it is the address of the site),
    and the sitemaps that it names, at most 50 and three levels deep. Only pages of the same site are taken, at most
    ``most`` of them. ``read`` parses a sitemap.

    Raises:
        SourceError: not one sitemap could be read.
        JobCancelled: from ``tell``.
    """
    walker = _Walker(fetchable_url(start), fetch, tell, most, read)
    return walker.walk()


class _Walker:
    def __init__(self, start: str, fetch: Fetch, tell: Tell, most: int, read: Read) -> None:
        self._start, self._fetch, self._tell, self._most, self._read_one = start, fetch, tell, most, read
        self._site = site_of(start)
        self._seen: set[str] = set()
        self._pages: dict[str, str] = {}
        self._elsewhere = 0
        self._read = 0
        self._walked = Walked()

    def walk(self) -> Walked:
        waiting = deque((url, 0) for url in self._entrances())
        while waiting:
            url, depth = waiting.popleft()
            if not self._enters(url):
                continue
            for child in self._take(url):
                if depth + 1 > DEEPEST:
                    self._problem(f"{child} lies more than {DEEPEST} levels deep and is left out.")
                else:
                    waiting.append((child, depth + 1))
        if not self._read:
            raise SourceError(
                " ".join(self._walked.problems[:3])
                or f"No sitemap was found at {self._start}. Give the address of the sitemap itself."
            )
        if self._elsewhere:
            self._problem(f"{self._elsewhere} addresses lie on other sites and are left out.")
        if self._walked.listed > len(self._walked.pages):
            self._problem(f"{self._walked.listed:,} pages are listed; the first {len(self._walked.pages):,} are taken.")
        return self._walked

    def _entrances(self) -> list[str]:
        path = url_parts(self._start).path.lower()
        if path not in ("", "/", "/robots.txt"):
            return [self._start]
        robots = joined_url(self._start, "/robots.txt")
        self._tell(0, robots)
        try:
            listed = listed_in_robots(self._fetch(robots).decode("utf-8", "replace"))
        except SourceError:  # a site without one may still have its sitemap at the usual place
            listed = []
        return self._joined(robots, listed) or [joined_url(self._start, "/sitemap.xml")]

    def _enters(self, url: str) -> bool:
        """True when a sitemap is to be read: of this site, not read before, and within the limit of their number."""
        try:
            url, site = fetchable_url(url), site_of(url)
        except SourceError as error:
            self._problem(str(error))
            return False
        if url in self._seen:
            return False  # a circle, or named twice
        self._seen.add(url)
        if site != self._site:
            self._problem(f"The sitemap {url} lies on another site and is left out.")
            return False
        if len(self._seen) > MOST_SITEMAPS:
            if len(self._seen) == MOST_SITEMAPS + 1:
                self._problem(f"There are more than {MOST_SITEMAPS} sitemaps; the others are left out.")
            return False
        return True

    def _take(self, url: str) -> tuple[str, ...]:
        """Read one sitemap and return the sitemaps that it names."""
        self._tell(self._read, url)
        try:
            sitemap = self._read_one(self._fetch(url))
        except SourceError as error:
            self._problem(f"{url}: {error}" if url not in str(error) else str(error))
            return ()
        self._read += 1
        if sitemap.over:
            self._problem(f"{url} lists {sitemap.over:,} addresses more than a sitemap may; they are left out.")
        for page in self._joined(url, sitemap.pages):
            self._page(page)
        return tuple(self._joined(url, sitemap.sitemaps[: MOST_SITEMAPS + 1]))

    def _joined(self, base: str, links: Iterable[str]) -> list[str]:
        """The links as they are meant on ``base``; what is no address is a problem, not the end of the walk."""
        addresses = []
        for link in links:
            try:
                addresses.append(joined_url(base, link))
            except SourceError as error:
                self._problem(str(error))
        return addresses

    def _page(self, url: str) -> None:
        try:
            address, key, site = fetchable_url(url), canonical_url(url), site_of(url)
        except SourceError as error:
            self._problem(str(error))
            return
        if site != self._site:
            self._elsewhere += 1
        elif key not in self._pages:
            self._pages[key] = address
            self._walked.listed += 1
            if len(self._walked.pages) < self._most:
                self._walked.pages.append(address)

    def _problem(self, sentence: str) -> None:
        if len(self._walked.problems) < 20:
            self._walked.problems.append(sentence)
