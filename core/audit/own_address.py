"""The report's own addresses, from its front matter and from lines at its head such as ``URL: ...``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.audit.references import keys_of
from core.text.urls import doi_of

_HEAD = 3000
"""Characters of a report that are its head at most; it ends before the second heading."""
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_SAYS = re.compile(
    r"^[ \t>*_\-]*(?:url|permalink|canonical(?: url)?|doi|web address|published (?:at|under|online(?: at)?)"
    r"|available (?:at|from|online(?: at)?)|online at"
    r"|this (?:report|page|document|article|paper)(?: is(?: available| published)? at)?)[*_ \t]*[:\uff1a]?[*_ \t<]*"
    r"(?P<address>https?://[^\s<>)\]]+|(?:doi:[ ]?)?10\.\d{4,9}/[^\s<>)\]]+)",
    re.IGNORECASE | re.MULTILINE,
)


def own_keys(text: str, known_addresses: Sequence[str | None]) -> frozenset[str]:
    """Keys of the report's own addresses (``references.keys_of``).

    Args:
        text: the report, front matter included.
        known_addresses: addresses and DOIs that are known to be the report's: where it was fetched, its front matter.
    """
    head = text[:_HEAD]
    headings = [match.start() for match in _HEADING.finditer(head)]
    head = head[: headings[1]] if headings[1:] else head
    stated = [match["address"].rstrip(".,;*_") for match in _SAYS.finditer(head)]
    keys: frozenset[str] = frozenset()
    for address in filter(None, (*known_addresses, *stated)):
        doi = doi_of(address)
        keys |= keys_of(address if address.lower().startswith(("http://", "https://")) else None, doi)
    return keys
