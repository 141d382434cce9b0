"""Inline links: ``[words](https://...)``; ``([Title](https://...))`` with its brackets; narrative ``([2017](...))``."""

from __future__ import annotations

import re

from core.audit.links import links
from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_WEB = ("http://", "https://")
_YEAR = re.compile(r"\(?(?:1[6-9]|20)\d\d[a-z]?\)?")
_NAME_BEFORE = re.compile(r"(?:[^\W\d_]['\u2019]?s?|al\.|colleagues)[ \t]\Z")


def find(view: View) -> list[Marker]:
    """Links to the web; an image, a link to a place in the report or to a file is none.

    The round brackets belong to the marker when they hold nothing but the link. Such a marker follows its claim,
    unless the link is only the year after a name (``Arntz et al. ([2016](...))``).
    """
    markers: list[Marker] = []
    for link in links(view.text):
        if link.image or not link.target.lower().startswith(_WEB):
            continue
        start, end = link.start, link.end
        bracketed = view.text[start - 1 : start] == "(" and view.text[end : end + 1] == ")"
        inside = not bracketed
        label = view.source[link.label_start : link.label_end]
        if _YEAR.fullmatch(label.strip()):
            before = view.text[max(0, start - bracketed - 24) : start - bracketed]
            inside = bool(_NAME_BEFORE.search(before))
        elif label.strip("[]^ \\").isdecimal():
            inside = False
        if bracketed:
            start, end = start - 1, end + 1
        target = Target(url=link.target)
        markers.append(Marker(Style.INLINE_LINK, start, end, marker_text(view, start, end), (target,), inside))
    return sorted(markers, key=lambda marker: marker.start)


def images(view: View) -> list[tuple[int, int]]:
    """Stretches of images: nothing in them cites."""
    return [(link.start, link.end) for link in links(view.text) if link.image]


def other_targets(view: View) -> list[tuple[int, int]]:
    """Targets of links that lead elsewhere: their words count as text, their addresses do not."""
    return [(link.label_end, link.end) for link in links(view.text)]
