"""Long quotations of a source, in a form that finds the same words elsewhere whatever marks and spaces they have."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"\u201c([^\u201c\u201d]{40,1000})\u201d|\"([^\"\n]{40,1000})\"|\u00ab([^\u00ab\u00bb]{40,1000})\u00bb"
)
_WORDS = re.compile(r"[^\W_]+")
_SHORTEST = 8
_LONGEST_TEXT = 2_000_000
_MOST = 500
_SHOWN = 80


def squeezed(text: str) -> str:
    """The words of ``text`` in small letters, one space between them and at both ends."""
    return f" {' '.join(_WORDS.findall(text[:_LONGEST_TEXT].casefold()))} "


def long_quotations(text: str) -> dict[str, str]:
    """Quotations of eight words or more: squeezed form to the words as they are shown. At most 500."""
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(text[:_LONGEST_TEXT]):
        words = next(filter(None, match.groups()))
        key = squeezed(words)
        if key.count(" ") > _SHORTEST:
            shown = " ".join(words.split())
            found.setdefault(key, shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "\u2026")
        if len(found) >= _MOST:
            break
    return found
