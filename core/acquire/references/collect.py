"""The references of a list: addresses to fetch, and every entry that gives none, with the reason.

DOI: ISO 26324, found by the pattern that Crossref recommends (10.prefix/suffix). arXiv ids: the form since April 2007
(``2101.00001``, with ``v2``) and the one before it (``hep-th/9901001``, ``math.GT/0309136``), arXiv's help pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from core.errors import SourceError
from core.text.urls import arxiv_id_of, canonical_url, doi_of, fetchable_url, parse_urls

MAX_BYTES = 5_000_000
"""Size of one file of references: about ten thousand entries."""
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
    """An entry that gives nothing to fetch, and the reason; ``why`` has no full stop at its end."""

    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


@dataclass(frozen=True, slots=True)
class References:
    """References in their order, each source once, and the entries that could not be used: none is lost."""

    usable: tuple[Reference, ...] = ()
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
        marks = [address for address in canonical if address.startswith(("https://doi.org/", "https://arxiv.org/"))]
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
        """The collected references."""
        if self._over:
            self.refuse(f"{self._over} more", f"only the first {MOST:,} are taken; split the file")
        return References(tuple(self._found), tuple(self._unusable))


def _plain(text: str) -> str:
    """On one line, without what a terminal takes for commands."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def doi_address(doi: str) -> str:
    """The address of a DOI, whatever characters it has."""
    return f"https://doi.org/{quote(doi.strip(), safe='/:;()._-+', errors='replace')}"


def arxiv_addresses(number: str) -> tuple[str, str]:
    """The full text and the abstract of an arXiv id (``2101.00001v2``, ``math.GT/0309136``)."""
    return f"https://arxiv.org/pdf/{number}", f"https://arxiv.org/abs/{number}"


LONGEST_TEXT = 200_000
_DOI = re.compile(
    r"(?:doi(?:\s*:\s*|\s+))?(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/)?(10\.\d{4,9}(?:\.\d+)*/\S+)", re.IGNORECASE
)
_MARKED_DOI = re.compile(r"\bdoi(?:\.org/|\s*:\s*|\s+)(10\.\d{4,9}(?:\.\d+)*/[^\s;,\"<>}]+)", re.IGNORECASE)
_WEB = re.compile(r"https?://[^\s{}\"<>\\]+")
_OF_OTHERS = re.compile(
    r"\b(?:erratum|correct(?:ion|ed)|comment|retract\w+|reply|response|review of|part of)\b", re.IGNORECASE
)
_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z][a-z-]{1,15}(?:\.[A-Z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ARXIV = re.compile(rf"(?:arxiv:\s*)?({_NEW}|{_OLD})(v\d{{1,3}})?(?:\.pdf)?(?:\s*\[[\w.-]+\])?", re.IGNORECASE)


def doi_in(text: str) -> str | None:
    """The DOI that ``text`` is, with or without ``doi:`` or a resolver before it."""
    text = text.strip().strip("<>{}").rstrip(".,;")
    match = _DOI.fullmatch(re.sub("%2f", "/", text, count=1, flags=re.IGNORECASE))
    if match is None:
        return None
    return unquote(match.group(1)) if "doi.org/" in text.lower() else match.group(1)


def arxiv_in(text: str) -> str | None:
    """The arXiv id (with its version) that ``text`` is, bare or as an address."""
    text = text.strip().strip("<>{}").rstrip(",;")
    match = _ARXIV.fullmatch(text)
    if match is not None:
        return f"{match.group(1)}{(match.group(2) or '').lower()}"
    return arxiv_id_of(text, version=True) if "arxiv.org" in text.lower() else None


def addresses(*, doi: str = "", arxiv: str = "", url: str = "") -> tuple[str, ...]:
    """The addresses of a work, the likeliest to give its full text first: arXiv, then the DOI, then what is given."""
    number = arxiv_in(arxiv) or arxiv_id_of(doi_address(doi_in(doi) or ""), version=True) or arxiv_in(url)
    name = doi_in(doi)
    urls = [*(arxiv_addresses(number) if number else ())]
    if (name and not number) or (name and not name.lower().startswith("10.48550/")):
        urls.append(doi_address(name))
    if url.strip():
        urls.append(url.strip())
    return tuple(dict.fromkeys(urls))


def addresses_among(texts: Iterable[str]) -> tuple[str, ...]:
    """The addresses of a work that gives them in a note only: a marked or bare DOI, else a web address; what is said of
    another work (a correction, a comment) is passed over."""
    texts = [text for text in texts if not _OF_OTHERS.search(text)]
    marked = (match[1].rstrip(".)") for text in texts if (match := _MARKED_DOI.search(text)))
    doi = next((name for text in texts if (name := doi_in(text))), None) or next(marked, "")
    url = next((match[0].rstrip(".,;)") for text in texts if (match := _WEB.search(text))), "")
    return addresses(doi=doi, url="" if doi else url)


def of_text(text: str) -> References:
    """Addresses, DOIs and arXiv ids in pasted text: one a line, or wherever they stand in prose.

    A line of one word that is none of them is named as unusable; prose without an address is just prose.

    Raises:
        SourceError: more than 200,000 characters.
    """
    if len(text) > LONGEST_TEXT:
        raise SourceError(
            f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read at once. Split it."
        )
    gathering = Gathering()
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line:
            continue
        where = f"line {number}"
        name, arxiv = doi_in(line), arxiv_in(line)
        if arxiv and "arxiv.org" not in line.lower():  # an address was chosen on purpose: it stays as it is
            gathering.add(arxiv_addresses(arxiv), where=where)
        elif name:
            _add_doi(gathering, name, where)
        elif urls := parse_urls(line):
            for url in urls:
                gathering.add(_addresses_of(url), where=where)
        elif len(line.split()) == 1:
            gathering.refuse(f"{where}, {line[:60]}", "no web address, DOI or arXiv id")
    return gathering.done()


def _add_doi(gathering: Gathering, name: str, where: str) -> None:
    arxiv = arxiv_id_of(doi_address(name), version=True)
    gathering.add(arxiv_addresses(arxiv) if arxiv else (doi_address(name),), where=where)


def _addresses_of(url: str) -> tuple[str, ...]:
    """An address found in prose; one that ``parse_urls`` made of a DOI is quoted anew, for DOIs hold odd characters."""
    if url.startswith("https://doi.org/") and "%" not in url and (name := doi_of(url)):
        return (doi_address(name),)
    return (url,)
