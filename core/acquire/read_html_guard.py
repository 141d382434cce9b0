"""Refusing pages built to exhaust a parser, before parsing them."""

from __future__ import annotations

import re

from core.errors import UnreadableSource
from core.labels import FetchState

MAX_ATTRIBUTES = 5_000
"""Attributes of one element. Real pages stay under a hundred; parsers compare each with all others."""

_ATTRIBUTE = re.compile(r"\s[^\s=<>\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_TAG = re.compile(r"<[a-zA-Z][^\s/>]*")


def refuse_monsters(text: str, *, name: str) -> None:
    """Raise UnreadableSource (too_large) when an element has more than MAX_ATTRIBUTES attributes."""
    for tag in _TAG.finditer(text):
        # An element with so many attributes is long: look only at those whose next ">" is far.
        end = text.find(">", tag.end(), tag.end() + MAX_ATTRIBUTES * 2)
        if end != -1:
            continue
        count, at = 0, tag.end()
        while count <= MAX_ATTRIBUTES and (match := _ATTRIBUTE.match(text, at)):
            count, at = count + 1, match.end()
        if count > MAX_ATTRIBUTES:
            raise UnreadableSource(
                FetchState.TOO_LARGE,
                f"{name} has an element with more than {MAX_ATTRIBUTES} attributes, which only a page made to choke "
                "its reader has. It was not read.",
            )
