"""DOIs and arXiv ids as people write them, and pasted lines of them.

DOI: ISO 26324, found by the pattern that Crossref recommends (10.prefix/suffix). arXiv ids: the form since April 2007
(``2101.00001``, with ``v2``) and the one before it (``hep-th/9901001``, ``math.GT/0309136``), arXiv's help pages.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from core.acquire.references.found import Gathering, References, arxiv_addresses, doi_address
from core.errors import SourceError
from core.text.urls import arxiv_id_of, doi_of, parse_urls

LONGEST_TEXT = 200_000
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.|www\.)?doi\.org/)?(10\.\d{4,9}(?:\.\d+)*/\S+)", re.IGNORECASE)
_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z][a-z-]{1,15}(?:\.[A-Z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ARXIV = re.compile(rf"(?:arxiv:\s*)?({_NEW}|{_OLD})(v\d{{1,3}})?(?:\.pdf)?(?:\s*\[[\w.-]+\])?", re.IGNORECASE)


def doi_in(text: str) -> str | None:
    """The DOI that ``text`` is, with or without ``doi:`` or a resolver before it."""
    match = _DOI.fullmatch(text.strip().strip("<>{}").rstrip(".,;"))
    if match is None:
        return None
    return unquote(match.group(1)) if text.strip().lower().startswith("http") else match.group(1)


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
        elif found := parse_urls(line):
            for url in found:
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
