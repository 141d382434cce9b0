"""Pandoc citations: ``[@key]``, ``[see @a, p. 3; -@b]``, and ``@key`` in the run of a sentence."""

from __future__ import annotations

import re

from core.audit.report_model import Marker, ReferenceKind, Style, Target
from core.audit.view import View, marker_text

_KEY = r"(?:\{[^{}\s]{1,200}\}|[^\W_](?:[\w:.#$%&\-+?<>~/]{0,199}\w)?)"
_BRACKET = re.compile(r"(?<!\\)\[([^\[\]\x00]{0,600}?@[^\[\]\x00]{1,2000})\](?!\()")
_IN_BRACKET = re.compile(rf"(?<![\w.@/])-?@({_KEY})")
_NARRATIVE = re.compile(rf"(?<![\w.@/\\\[-])@({_KEY})(?:[ ]\[[^\[\]\x00]{{1,80}}\])?")


def find(view: View) -> list[Marker]:
    """Bracketed citations always; ``@key`` in a sentence only where the key is one that the report defines or
    also cites in brackets (a user name is no citation)."""
    markers: list[Marker] = []
    defined = {r.key for r in view.references if r.kind is ReferenceKind.KEYED and r.key}
    taken: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(view.text):
        pieces = match[1].split(";")
        keys = [key for piece in pieces for key in _IN_BRACKET.findall(piece)]
        if not keys:
            continue
        names = tuple(Target(key=key.strip("{}")) for key in keys)
        defined.update(target.key for target in names if target.key)
        taken.append(match.span())
        markers.append(Marker(Style.PANDOC, *match.span(), marker_text(view, *match.span()), names))
    rest = view.without(taken)
    for match in _NARRATIVE.finditer(rest.text):
        key = match[1].strip("{}")
        if key in defined:
            text = marker_text(view, *match.span())
            markers.append(Marker(Style.PANDOC, *match.span(), text, (Target(key=key),), inside=True))
    return sorted(markers, key=lambda marker: marker.start)
