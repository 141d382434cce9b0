"""From the lines of a PDF to its paragraphs and headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from statistics import median

from core.acquire.read_pdf_lines import HYPHEN, Line

_PAGE_NUMBER = re.compile(r"[-\u2013\u2014|\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?[-\u2013\u2014|\s]*", re.I)
BULLET = re.compile(r"(?:[\u2022\u2023\u25aa\u25cf\u25e6\u2013*\uf0b7-]\s|\[\d{1,4}\]\s|\(?\d{1,3}[.)]\s+\S)")
SECTION = re.compile(
    r"(?:(?:\d{1,2}|[IVX]{1,4})\.?\s+)?(?:abstract|introduction|background|related work|materials and methods|methods?|"
    r"results(?: and discussion)?|discussion|conclusions?|acknowledge?ments?|references|bibliography|appendix)\s*:?",
    re.IGNORECASE,
)
ENDS = (".", "!", "?", ":", "\u201d", '."', "\u3002")
_EDGE_LINES = 3
_FAR = 1e9
_RECENT = 40
_SMALL = 0.8
"""A line whose font is smaller than this share of the next one's is a raised number: the next goes on."""


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; ``size`` is that of the first line."""

    page: int
    lines: list[Line] = field(default_factory=list)

    @property
    def size(self) -> float:
        return self.lines[0].size


def without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """``pages`` without headers, footers and page numbers: edge lines that return on many pages.

    From the edge inwards, up to the first line that does not return and no further than to a gap: what
    follows is text, even when all pages are alike.
    """
    edges = [_edges(lines) for lines in pages]
    counts = Counter(key for top, bottom in edges for key in {_key(line.text) for line in (*top, *bottom)})
    often = max(3, round(0.3 * len(pages)))

    def runs(line: Line) -> bool:
        return counts[_key(line.text)] >= often or (len(pages) > 1 and _PAGE_NUMBER.fullmatch(line.text) is not None)

    trimmed = []
    for lines, edge in zip(pages, edges, strict=True):
        drop = {id(line) for side in edge for line in _parted(list(takewhile(runs, side)), side)}
        trimmed.append([line for line in lines if id(line) not in drop])
    return trimmed


def _parted(running: list[Line], side: list[Line]) -> list[Line]:
    """The part of ``running``, the first lines of ``side``, that a gap parts from what follows it."""
    while running:
        last, following = running[-1], side[len(running) : len(running) + 1]
        gap = abs(last.bottom - following[0].bottom) if following else _FAR
        if gap > 1.6 * max(last.size, 1.0):
            return running
        running.pop()
    return []


def _edges(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The outermost lines at the top and at the bottom of a page, from the edge inwards."""
    by_height = sorted(lines, key=lambda line: line.top, reverse=True)
    seen = _EDGE_LINES + 1  # one more, to see the gap behind the last that may go
    return by_height[:seen], by_height[seen:][-seen:][::-1]


def _key(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.split()).lower())


def paragraphs(pages: Sequence[Sequence[Line]]) -> Iterator[Paragraph]:
    """Group the lines of each page; a paragraph never spans pages here."""
    for number, lines in enumerate(pages, start=1):
        leading = _leading(lines)
        current: Paragraph | None = None
        for line in lines:
            if current is None or _begins(current, line, leading):
                if current:
                    yield current
                current = Paragraph(number)
            current.lines.append(line)
        if current:
            yield current


def _leading(lines: Sequence[Line]) -> float:
    """Usual distance from one line to the next."""
    gaps = [a.bottom - b.bottom for a, b in pairwise(lines) if 2 < a.bottom - b.bottom < 60]
    return median(gaps) if gaps else 14.0


def _begins(current: Paragraph, line: Line, leading: float) -> bool:
    """True when ``line`` begins a new paragraph after the lines of ``current``."""
    before = current.lines[-1]
    if before.text.endswith(HYPHEN) or _same_height(before, line):  # a raised number, a table cell, a gap in the line
        return False
    if _other_print(before, line):
        return True
    down = before.bottom - line.bottom
    ended = before.text.rstrip().endswith(ENDS)
    if down < 0 or abs(line.left - before.left) > 0.5 * (before.right - before.left + 1) > 60:  # another column
        return ended or line.text[:1].isupper()
    if down > 1.45 * max(leading, line.size):
        return True
    if BULLET.match(line.text) and (ended or BULLET.match(current.lines[0].text) is not None):
        return True
    return ended and _breaks_off(current, line)


def _other_print(before: Line, line: Line) -> bool:
    """True when two lines differ in weight or size, or one of them is a heading by its words."""
    if before.bold != line.bold or SECTION.fullmatch(line.text) or SECTION.fullmatch(before.text):
        return True
    return abs(line.size - before.size) > 0.12 * max(line.size, before.size) and before.size > _SMALL * line.size


def _breaks_off(current: Paragraph, line: Line) -> bool:
    """True when the last line of ``current`` is short, or ``line`` is indented."""
    before, recent = current.lines[-1], current.lines[-_RECENT:]
    left, right = min(x.left for x in recent), max(x.right for x in recent)
    short = before.right < max(right, line.right) - 0.12 * max(right - left, line.right - line.left)
    indented = line.left > left + 0.6 * line.size
    return short or (indented and len(current.lines) > 1)


def _same_height(before: Line, line: Line) -> bool:
    """True when the two overlap in height by half of the lower one: parts of one line, raised numbers too."""
    overlap = min(before.top, line.top) - max(before.bottom, line.bottom)
    return overlap > 0.5 * min(before.top - before.bottom, line.top - line.bottom)


def body_size(pages: Iterable[Iterable[Line]]) -> float:
    """Font height of most characters."""
    counts: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            counts[line.size] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0
