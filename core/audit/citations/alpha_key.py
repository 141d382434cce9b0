"""Keys of a list of references in brackets: ``[Ber20]``, ``[Lun+21, p. 4; Ber20]``; letters and small Roman numbers
``[a]``, ``[i, iii]``, ``[ii–iv]``, at the end of a clause also ``(ii)``."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from core.audit.citations.numeric import LOCATOR
from core.audit.citations.reference_link import folded
from core.audit.report_model import Marker, ReferenceKind, Style, Target
from core.audit.view import View, marker_text
from core.text.letter_numbers import LETTERS, expanded

_BRACKET = re.compile(r"(?<![!\\])\\?\[(?P<in>[^\[\]\n\x00]{1,200}?)\\?\](?!\()")
_ROUND = re.compile(
    r"(?<![(\[])\((?P<in>[ivxl]{1,7}(?:[,;\u2013-] ?[ivxl]{1,7}){0,9})\)(?=[ ]?[.,;:]|\s*(?:\Z|\n|\x00))"
)
_LEAD = re.compile(r"\s*(?:(?:see(?: also)?|cf\.|e\.g\.,?|and|siehe|vgl\.)\s+)*", re.IGNORECASE)
_LOCATED = re.compile(rf"(?<!\w){LOCATOR}\s*\Z", re.IGNORECASE)
_PAGES = re.compile(r"(?:pp?|[SL]|ch|sec|fig|tab|vol|no|eq)\d+[a-z]?", re.IGNORECASE)
_LOOKS = re.compile(r"[^\W\d_a-z][^\W\d_]{0,12}\+?\d{2,4}[a-z]?")


def find(view: View) -> list[Marker]:
    """Brackets with a key of the list, or, where the list has keys, with what looks like one."""
    keys = {folded(ref.key) for ref in view.references if ref.key and ref.kind is ReferenceKind.KEYED}
    if not keys:
        return []
    lettered = any(LETTERS.fullmatch(key) for key in keys)
    markers: list[Marker] = []
    for match in [*_BRACKET.finditer(view.text), *(_ROUND.finditer(view.text) if lettered else ())]:
        if lettered and view.text[match.end() : match.end() + 1].isalnum():  # "[t]he" is a letter that was altered
            continue
        named = _named(match["in"], keys, lettered=lettered)
        if named:
            start, end = match.span()
            targets = tuple(Target(key=piece) for piece in named)
            markers.append(Marker(Style.NUMERIC, start, end, marker_text(view, start, end), targets))
    return sorted(markers, key=lambda marker: marker.start)


def _named(content: str, keys: AbstractSet[str], *, lettered: bool) -> list[str]:
    """The keys in a bracket; none where other words stand beside what only looks like keys."""
    pieces = [_key(_LEAD.sub("", piece, count=1).strip(), keys) for piece in re.split("[;,]", content)]
    pieces = [key for piece in pieces for key in expanded(piece)] if lettered else pieces

    def looks(piece: str) -> bool:
        return bool(_LOOKS.fullmatch(piece) or (lettered and LETTERS.fullmatch(piece)))

    named = [piece for piece in pieces if folded(piece) in keys or looks(piece)]
    sure = len(named) == len(list(filter(None, pieces))) or any(folded(piece) in keys for piece in named)
    return named if sure else []


def _key(piece: str, keys: AbstractSet[str]) -> str:
    """A piece of a bracket without its pages; a key may begin like them (``Lun19``, ``S20``)."""
    if folded(piece) in keys or (_LOOKS.fullmatch(piece) and not _PAGES.fullmatch(piece)):
        return piece
    return _LOCATED.sub("", piece).strip()
