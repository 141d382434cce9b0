"""Reference-style links: ``[words][key]``, ``[key][]`` and ``[key]`` with ``[key]: https://...`` elsewhere."""

from __future__ import annotations

import re

from core.audit.report_model import Marker, ReferenceKind, Style, Target
from core.audit.view import View, marker_text

_LINK = re.compile(r"(?<![!\\\]])\[(?P<label>[^\[\]\x00]{1,500})\](?:\[(?P<key>[^\[\]\x00]{0,200})\])?(?![(:])")


def find(view: View) -> list[Marker]:
    """Links whose key the report defines; keys are compared as CommonMark does, without case and blanks."""
    keys = {
        folded(reference.key)
        for reference in view.references
        if reference.kind is ReferenceKind.LINK_DEFINITION and reference.key
    }
    if not keys:
        return []
    markers: list[Marker] = []
    for match in _LINK.finditer(view.text):
        key = folded(match["key"] or match["label"])
        if key not in keys:
            continue
        start, end = match.span()
        numeric = match["label"].isdecimal() and not match["key"]
        text = marker_text(view, start, end)
        markers.append(Marker(Style.REFERENCE_LINK, start, end, text, (Target(key=key),), inside=not numeric))
    return markers


def folded(key: str) -> str:
    """The form in which two spellings of a link key are equal."""
    return " ".join(key.split()).casefold()
