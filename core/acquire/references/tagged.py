"""Lists of references as tagged lines: EndNote (``%T``, ``%U``, ``%R``) and PubMed (``PMID-``, ``TI  -``, ``LID -``).

PubMed's fields: https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format. EndNote's are those of refer, with ``%R`` for the
DOI and ``%U`` for the address.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.acquire.references.collect import Gathering, References, addresses, addresses_among

ENDNOTE = re.compile(r"^%0 ", re.MULTILINE)
PUBMED = re.compile(r"^PMID ?- ?\d", re.MULTILINE)
_LINE = re.compile(r"%(?P<sign>[0-9A-Z@!#$&*(+^<>=~\[\]]) +(?P<of_sign>.*)|(?P<name>[A-Z]{2,4}) {0,2}- (?P<of_name>.*)")
_DOI_OF_PUBMED = re.compile(r"(10\.\S+)\s+\[doi\]")


def of_tagged(text: str, begin: re.Pattern[str]) -> References:
    """The references of a file in which each record has a line that matches ``begin`` as its first."""
    gathering = Gathering()
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    starts = [match.start() for match in begin.finditer(text)]
    if before := text[: starts[0] if starts else len(text)].strip():
        gathering.refuse(f"line 1, {before[:60]}", "it is no record, which begins with %0 or PMID-")
    line, at = 1, 0
    for start, end in pairwise([*starts, len(text)]):
        line += text.count("\n", at, start)
        at = start
        fields = _fields(text[start:end])
        title = " ".join((fields.get("T") or fields.get("TI") or [""])[0].split())[:500]
        gathering.add(_addresses(fields), title, f"line {line}: {title}" if title else f"line {line}")
    return gathering.done()


def _fields(record: str) -> dict[str, list[str]]:
    """The values of each tag; a line without one goes on with the value before it."""
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    for line in record.splitlines():
        if match := _LINE.match(line):
            values = fields.setdefault(match["sign"] or match["name"], [])
            values.append((match["of_sign"] or match["of_name"] or "").strip())
        elif values and line.strip():
            values[-1] += f" {line.strip()}"
    return fields


def _addresses(fields: dict[str, list[str]]) -> tuple[str, ...]:
    marked = (
        match[1]
        for value in (*fields.get("LID", ()), *fields.get("AID", ()))
        if (match := _DOI_OF_PUBMED.fullmatch(value))
    )
    doi = next(marked, "") or (fields.get("R") or [""])[0]
    webs = [
        url for value in fields.get("U", ()) for url in value.split() if url.lower().startswith(("http://", "https://"))
    ]
    webs += [f"https://pubmed.ncbi.nlm.nih.gov/{number}/" for number in fields.get("PMID", ()) if number.isdecimal()]
    first = addresses(doi=doi, url=webs[0] if webs else "")
    return tuple(dict.fromkeys((*first, *webs[1:]))) or addresses_among((*fields.get("Z", ()), *fields.get("M", ())))
