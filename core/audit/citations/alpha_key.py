"""Keys of a list of references in square brackets: ``[Ber20]``, ``[Lun+21, p. 4; Ber20]``."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from core.audit.citations.numeric import LOCATOR
from core.audit.citations.reference_link import folded
from core.audit.report_model import Marker, ReferenceKind, Style, Target
from core.audit.view import View, marker_text

_BRACKET = re.compile(r"(?<![!\\])\\?\[(?P<in>[^\[\]\n\x00]{2,200}?)\\?\](?!\()")
_LEAD = re.compile(r"\s*(?:(?:see(?: also)?|cf\.|e\.g\.,?|and|siehe|vgl\.)\s+)*", re.IGNORECASE)
_LOCATED = re.compile(rf"(?<!\w){LOCATOR}\s*\Z", re.IGNORECASE)
_PAGES = re.compile(r"(?:pp?|[SL]|ch|sec|fig|tab|vol|no|eq)\d+[a-z]?", re.IGNORECASE)
_LOOKS = re.compile(r"[^\W\d_a-z][^\W\d_]{0,12}\+?\d{2,4}[a-z]?")


def find(view: View) -> list[Marker]:
    """Brackets with a key of the list, or, where the list has keys, with what looks like one."""
    keys = {folded(ref.key) for ref in view.references if ref.key and ref.kind is ReferenceKind.KEYED}
    if not keys:
        return []
    markers: list[Marker] = []
    for match in _BRACKET.finditer(view.text):
        pieces = [_key(_LEAD.sub("", piece, count=1).strip(), keys) for piece in re.split("[;,]", match["in"])]
        named = [piece for piece in pieces if folded(piece) in keys or _LOOKS.fullmatch(piece)]
        if named and (len(named) == len(list(filter(None, pieces))) or any(folded(piece) in keys for piece in named)):
            targets = tuple(Target(key=piece) for piece in named)
            markers.append(Marker(Style.NUMERIC, *match.span(), marker_text(view, *match.span()), targets))
    return markers


def _key(piece: str, keys: AbstractSet[str]) -> str:
    """A piece of a bracket without its pages; a key may begin like them (``Lun19``, ``S20``)."""
    if folded(piece) in keys or (_LOOKS.fullmatch(piece) and not _PAGES.fullmatch(piece)):
        return piece
    return _LOCATED.sub("", piece).strip()
