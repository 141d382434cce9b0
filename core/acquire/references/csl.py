"""CSL-JSON, as Zotero and citeproc write it: a list of items, or an object with such a list under ``items``.

https://docs.citationstyles.org/en/stable/specification.html (input data: csl-data.json)
"""

from __future__ import annotations

import json

from core.acquire.references.found import Gathering, References
from core.acquire.references.identifiers import addresses
from core.errors import SourceError


def of_csl(text: str) -> References:
    """The references of a CSL-JSON file.

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
        gathering.add(addresses(doi=_words(item.get("DOI")), arxiv=arxiv, url=_words(item.get("URL"))), title, where)
    return gathering.done()


def _words(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return " ".join(str(value).split())[:2000] if isinstance(value, (str, int)) else ""
