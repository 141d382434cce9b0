"""What a list of references gives: addresses to fetch, and every entry that gives none, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from core.errors import SourceError
from core.text.urls import canonical_url, fetchable_url

MAX_BYTES = 5_000_000
"""Of one file of references: about ten thousand entries."""
MOST = 5000
"""References taken from one file or text."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One source to fetch. ``urls`` are its addresses, the one to try first is first; ``where`` names the entry."""

    urls: tuple[str, ...]
    title: str = ""
    where: str = ""

    @property
    def url(self) -> str:
        """The address to fetch."""
        return self.urls[0]


@dataclass(frozen=True, slots=True)
class Unusable:
    """An entry that gives nothing to fetch, and why; ``why`` has no full stop at its end."""

    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


@dataclass(frozen=True, slots=True)
class References:
    """References in their order, each source once, and the entries that could not be used: none is lost."""

    found: tuple[Reference, ...] = ()
    unusable: tuple[Unusable, ...] = ()


class Gathering:
    """Collects references; the same source is kept once, entries past ``MOST`` are counted as unusable."""

    def __init__(self) -> None:
        self._found: list[Reference] = []
        self._seen: set[str] = set()
        self._unusable: list[Unusable] = []
        self._over = 0

    def add(self, urls: tuple[str, ...], title: str = "", where: str = "") -> None:
        """Take an entry by its addresses; those that cannot be fetched are passed over."""
        good: dict[str, str] = {}
        fault = "it has no DOI, arXiv id or web address"
        for url in urls:
            try:
                good.setdefault(fetchable_url(url), canonical_url(url))
            except SourceError as error:
                fault = str(error)
        if not good:
            self.refuse(where or title, fault)
            return
        canonical = list(good.values())
        marks = [one for one in canonical if one.startswith(("https://doi.org/", "https://arxiv.org/"))]
        marks = marks or canonical[:1]  # only what names one work; a journal's home page may stand in many entries
        if self._seen.isdisjoint(marks):
            if len(self._found) >= MOST:
                self._over += 1
                return
            self._found.append(Reference(tuple(good), _plain(title), _plain(where)))
        self._seen.update(marks)

    def refuse(self, what: str, why: str) -> None:
        """Note an entry that gives nothing; the full stop of ``why`` goes, for whoever shows it ends the sentence."""
        self._unusable.append(Unusable(_plain(what)[:120] or "an entry", why.rstrip(". ")))

    def done(self) -> References:
        """All of it."""
        if self._over:
            self.refuse(f"{self._over} more", f"only the first {MOST:,} are taken; split the file")
        return References(tuple(self._found), tuple(self._unusable))


def _plain(text: str) -> str:
    """On one line, without what a terminal takes for commands."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def doi_address(doi: str) -> str:
    """The address of a DOI, whatever characters it has."""
    return f"https://doi.org/{quote(doi.strip(), safe='/:;()._-+')}"


def arxiv_addresses(number: str) -> tuple[str, str]:
    """The full text and the abstract of an arXiv id (``2101.00001v2``, ``math.GT/0309136``)."""
    return f"https://arxiv.org/pdf/{number}", f"https://arxiv.org/abs/{number}"
