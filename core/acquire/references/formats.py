"""Files of references: BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache

from core.acquire.references.collect import Gathering, References, addresses, addresses_among
from core.errors import SourceError


def of_csl(text: str) -> References:
    """The references of a CSL-JSON file, as Zotero and citeproc write it: a list of items, or an object with such a
    list under ``items`` (https://docs.citationstyles.org/en/stable/specification.html).

    Raises:
        SourceError: it is no JSON, or no list of items.
    """
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        at = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise SourceError(f"The file is not valid JSON{at}. Export the references as CSL-JSON again.") from error
    if isinstance(data, dict):
        data = data.get("items", [data])
    if not isinstance(data, list):
        raise SourceError("The file is JSON but no list of references. Export the references as CSL-JSON.")
    gathering = Gathering()
    for number, item in enumerate(data, start=1):
        if not isinstance(item, dict):
            gathering.refuse(f"item {number}", "it is no object")
            continue
        title = _words(item.get("title"))
        where = f"item {number}: {title}" if title else f"item {number}"
        arxiv = _words(item.get("number")) if "arxiv" in _words(item.get("publisher")).lower() else ""
        own = addresses(doi=_words(item.get("DOI") or item.get("doi")), arxiv=arxiv, url=_words(item.get("URL")))
        gathering.add(own or addresses_among(_words(item.get("note")).split(" | ")), title, where)
    return gathering.done()


def _words(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return " ".join(str(value).split())[:2000] if isinstance(value, (str, int)) else ""


_BEGIN = re.compile(r"^TY  ?-", re.MULTILINE)
_NOTES = (
    "notes",
    "note",
    "type_of_work",
    "accession_number",
    "custom1",
    "custom2",
    "custom3",
    "custom7",
    "research_notes",
)
_TITLES = ("title", "primary_title", "short_title", "secondary_title")


def of_ris(text: str) -> References:
    """The references of a RIS file, read by rispy record by record, so that a broken record does not take the others
    along."""
    import rispy  # type: ignore[import-untyped,unused-ignore]

    gathering = Gathering()
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for line, record in _records(text):
        try:
            entries = rispy.loads(record)
        except Exception as error:  # of any kind: it parses foreign lines
            gathering.refuse(f"line {line}", f"it is no valid RIS record ({type(error).__name__})")
            continue
        if not entries:
            gathering.refuse(f"line {line}, {record.strip()[:60]}", "it is no RIS record, which begins with TY  -")
        for entry in entries:
            title = " ".join(next((str(entry[name]) for name in _TITLES if entry.get(name)), "").split())[:500]
            where = f"line {line}: {title}" if title else f"line {line}"
            gathering.add(_addresses(entry), title, where)
    return gathering.done()


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Each record with the number of its first line; one without its end mark ends where the next begins."""
    starts = [match.start() for match in _BEGIN.finditer(text)]
    if not starts or text[: starts[0]].strip():
        before = text[: starts[0]] if starts else text
        if before.strip():
            yield 1, before
    if not starts:
        return
    line, at = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line += text.count("\n", at, start)
        at = start
        record = text[start:end].rstrip()
        yield line, record if re.search(r"^ER  ?-", record, re.MULTILINE) else f"{record}\nER  - \n"


def _addresses(entry: dict[str, object]) -> tuple[str, ...]:
    others = entry.get("unknown_tag")
    linked = others.get("LK", []) if isinstance(others, dict) else []
    urls = entry.get("urls")
    given = [str(url) for url in (*(urls if isinstance(urls, list) else ()), *linked)]
    given += [str(entry[name]) for name in ("url", "file_attachments1", "file_attachments2") if entry.get(name)]
    webs = [url for url in given if url.lower().startswith(("http://", "https://"))]
    doi = str(entry.get("doi") or next((url for url in given if url.lower().startswith(("10.", "doi:"))), ""))
    first = addresses(doi=doi, url=webs[0] if webs else "")
    notes = (str(value) for name in _NOTES if (values := entry.get(name)) for value in _listed(values))
    return tuple(dict.fromkeys((*first, *webs[1:]))) or addresses_among(notes)


def _listed(values: object) -> list[object]:
    return values if isinstance(values, list) else [values]


_URL = re.compile(r"https?://[^\s{}\"\\]+")
_ENTRY = re.compile(r"@\w+\s*[{(]")
_NO_ADDRESS = frozenset({"title", "abstract", "author", "editor", "keywords", "file", "biburl", "booktitle"})
LONGEST_TITLE = 500
MOST_ENTRIES = 20_000
"""In one file: reading more takes minutes, and most of them would be left out anyway."""


def of_bibtex(text: str) -> References:
    """The references of a BibTeX file; ``title`` without TeX (SourceError: over 20,000 entries). A broken entry is
    named, and the entries after it are still read."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

    entries = sum(1 for _ in _ENTRY.finditer(text))
    if entries > MOST_ENTRIES:
        raise SourceError(f"The file has {entries:,} entries; at most {MOST_ENTRIES:,} are read at once. Split it.")
    gathering = Gathering()
    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # it warns of each broken entry; here they are returned
    for parsed in parse_string(text).blocks:
        block: Block | None = parsed
        if isinstance(block, (DuplicateBlockKeyBlock, DuplicateFieldKeyBlock)):
            block = block.ignore_error_block  # two entries of one key are two sources all the same
        if isinstance(block, Entry):
            _entry(gathering, block.key, {name.lower(): str(field.value) for name, field in block.fields_dict.items()})
        elif isinstance(parsed, ParsingFailedBlock):
            first = (parsed.raw or "").strip().partition("\n")[0]
            gathering.refuse(f"line {(parsed.start_line or 0) + 1}, {first[:80]}", "it is not valid BibTeX")
    return gathering.done()


def _entry(gathering: Gathering, key: str, fields: dict[str, str]) -> None:
    title = untex(fields.get("title", ""))
    prefix = fields.get("archiveprefix", fields.get("eprinttype", "")).lower()
    eprint = fields.get("eprint", "")
    arxiv = eprint if "arxiv" in prefix or (not prefix and "arxiv" in eprint.lower()) else fields.get("arxivid", "")
    url = _first_url(fields.get("url", "")) or _first_url(fields.get("howpublished", "") + " " + fields.get("note", ""))
    where = f"{key}: {title}" if title else key
    own = addresses(doi=untex(fields.get("doi", "")), arxiv=arxiv, url=url)
    gathering.add(
        own or addresses_among(untex(fields[name]) for name in fields if name not in _NO_ADDRESS), title, where
    )


def _first_url(text: str) -> str:
    match = _URL.search(text.replace("\\_", "_").replace("\\%", "%").replace("\\&", "&").replace("\\#", "#"))
    return match.group().rstrip(".,;)") if match else ""


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

    decoder, context = LatexNodes2Text(keep_comments=True), get_default_latex_context_db()
    return lambda text: str(decoder.latex_to_text(text, latex_context=context))  # slow to make: once for all titles
