"""Inline links: ``[words](https://...)``; ``([Title](https://...))`` with its brackets; narrative ``([2017](...))``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.audit.links import Link, links
from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_WEB = ("http://", "https://")
_YEAR = re.compile(r"\(?(?:1[6-9]|20)\d\d[a-z]?\)?")
_NAME_BEFORE = re.compile(r"(?:[^\W\d_]['\u2019]?s?|al\.|colleagues)[ \t]\Z")
_OPENING = re.compile(
    r"\((?:(?:see(?: also)?|e\.g\.,?|cf\.|via|from|sources?|quellen?|siehe|vgl\.|read more"
    r"|more)[:\s]+(?:(?:in|at|here)[:\s]+)?)?\Z",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;|/&]|and|und)?\s*")
_LEAD = 24


def find(view: View) -> list[Marker]:
    """Links to the web; an image, a link to a place in the report or to a file is none.

    The round brackets belong to the marker when they hold nothing but the link. Such a marker follows its claim,
    unless the link is only the year after a name (``Arntz et al. ([2016](...))``).
    """
    markers: list[Marker] = []
    found = sorted((link for link in links(view.text) if not link.image), key=lambda link: link.start)
    brackets = _brackets(view.text, found)
    for link in found:
        if not link.target.lower().startswith(_WEB):
            continue
        start, end = brackets.get(link.start, (link.start, link.end))
        bracketed = link.start in brackets
        inside = not bracketed
        label = view.source[link.label_start : link.label_end]
        if _YEAR.fullmatch(label.strip()):
            before = view.text[max(0, start - 24) : start]
            inside = bool(_NAME_BEFORE.search(before))
        elif label.strip("[]^ \\").isdecimal() or label.startswith("oai_citation:"):
            inside = False
        target = Target(url=link.target)
        markers.append(Marker(Style.INLINE_LINK, start, end, marker_text(view, start, end), (target,), inside))
    return sorted(markers, key=lambda marker: marker.start)


def _brackets(text: str, found: Sequence[Link]) -> dict[int, tuple[int, int]]:
    """The stretches of links in round brackets that hold nothing but links and words such as "see" or "source:"; the
    first takes the opening bracket, the last the closing one."""
    spans: dict[int, tuple[int, int]] = {}
    group: list[Link] = []
    opened = 0
    for link in found:
        joined = group and _BETWEEN.fullmatch(text, group[-1].end, link.start)
        opening = None if joined else _OPENING.search(text, max(0, link.start - _LEAD), link.start)
        group = [*group, link] if joined else [link] if opening else []
        opened = opening.start() if opening else opened
        if group and text[link.end : link.end + 1] == ")":
            borders = [opened, *(other.start for other in group[1:]), link.end + 1]
            spans |= {other.start: (borders[at], other.end) for at, other in enumerate(group)}
            spans[link.start] = (borders[len(group) - 1], link.end + 1)
            group = []
    return spans


def images(view: View) -> list[tuple[int, int]]:
    """Stretches of images: nothing in them cites."""
    return [(link.start, link.end) for link in links(view.text) if link.image]


def other_targets(view: View) -> list[tuple[int, int]]:
    """Targets of links that lead elsewhere: their words count as text, their addresses do not."""
    return [(link.label_end, link.end) for link in links(view.text)]
