"""RIS, read by rispy record by record, so that a broken one does not take the others along."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.acquire.references.found import Gathering, References
from core.acquire.references.identifiers import addresses

_BEGIN = re.compile(r"^TY  ?-", re.MULTILINE)
_TITLES = ("title", "primary_title", "short_title", "secondary_title")


def of_ris(text: str) -> References:
    """The references of a RIS file."""
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
    urls = entry.get("urls")
    given = [str(url) for url in urls] if isinstance(urls, list) else []
    given += [str(entry[name]) for name in ("url", "file_attachments1", "file_attachments2") if entry.get(name)]
    webs = [url for url in given if url.lower().startswith(("http://", "https://"))]
    doi = str(entry.get("doi") or next((url for url in given if url.lower().startswith(("10.", "doi:"))), ""))
    first = addresses(doi=doi, url=webs[0] if webs else "")
    return tuple(dict.fromkeys((*first, *webs[1:])))
