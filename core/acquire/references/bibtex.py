"""BibTeX, read by bibtexparser: a broken entry is named, and the entries after it are still read."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

from core.acquire.references.found import Gathering, References
from core.acquire.references.identifiers import addresses
from core.errors import SourceError

_URL = re.compile(r"https?://[^\s{}\"\\]+")
_ENTRY = re.compile(r"@\w+\s*[{(]")
LONGEST_TITLE = 500
MOST_ENTRIES = 20_000
"""In one file: reading more takes minutes, and most of them would be left out anyway."""


def of_bibtex(text: str) -> References:
    """The references of a BibTeX file; ``title`` without TeX (SourceError: over 20,000 entries)."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

    entries = sum(1 for _ in _ENTRY.finditer(text))
    if entries > MOST_ENTRIES:
        raise SourceError(f"The file has {entries:,} entries; at most {MOST_ENTRIES:,} are read at once. Split it.")
    gathering = Gathering()
    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # it warns of each broken entry; here they are returned
    for found in parse_string(text).blocks:
        block: Block | None = found
        if isinstance(block, (DuplicateBlockKeyBlock, DuplicateFieldKeyBlock)):
            block = block.ignore_error_block  # two entries of one key are two sources all the same
        if isinstance(block, Entry):
            _entry(gathering, block.key, {name.lower(): str(field.value) for name, field in block.fields_dict.items()})
        elif isinstance(found, ParsingFailedBlock):
            first = (found.raw or "").strip().partition("\n")[0]
            gathering.refuse(f"line {(found.start_line or 0) + 1}, {first[:80]}", "it is not valid BibTeX")
    return gathering.done()


def _entry(gathering: Gathering, key: str, fields: dict[str, str]) -> None:
    title = untex(fields.get("title", ""))
    prefix = fields.get("archiveprefix", fields.get("eprinttype", "")).lower()
    eprint = fields.get("eprint", "")
    arxiv = eprint if "arxiv" in prefix or (not prefix and "arxiv" in eprint.lower()) else fields.get("arxivid", "")
    url = _first_url(fields.get("url", "")) or _first_url(fields.get("howpublished", "") + " " + fields.get("note", ""))
    where = f"{key}: {title}" if title else key
    gathering.add(addresses(doi=untex(fields.get("doi", "")), arxiv=arxiv, url=url), title, where)


def _first_url(text: str) -> str:
    found = _URL.search(text.replace("\\_", "_").replace("\\%", "%").replace("\\&", "&").replace("\\#", "#"))
    return found.group().rstrip(".,;)") if found else ""


def untex(text: str) -> str:
    """TeX as plain words: ``{\\"o}`` becomes ö, braces go."""
    text = text[:LONGEST_TITLE]
    if "\\" in text or "$" in text:
        with suppress(Exception):  # a parser of foreign TeX; the words as they stand are good enough
            text = _decoder()(text)
    return " ".join(text.replace("{", "").replace("}", "").split())


@lru_cache(maxsize=1)
def _decoder() -> Callable[[str], str]:
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped,unused-ignore]
    from pylatexenc.latexwalker import get_default_latex_context_db  # type: ignore[import-untyped,unused-ignore]

    decoder, known = LatexNodes2Text(keep_comments=True), get_default_latex_context_db()
    return lambda text: str(decoder.latex_to_text(text, latex_context=known))  # slow to make: once for all titles
