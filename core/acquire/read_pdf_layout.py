"""From the lines of a PDF to its paragraphs and headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from statistics import median

from core.acquire.read_blocks import TextBuilder
from core.acquire.read_pdf_lines import HYPHEN, Line

_PAGE_NUMBER = re.compile(r"[-\u2013\u2014|\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?[-\u2013\u2014|\s]*", re.I)
_BULLET = re.compile(r"(?:[\u2022\u2023\u25aa\u25cf\u25e6\u2013*\uf0b7-]\s|\[\d{1,4}\]\s|\(?\d{1,3}[.)]\s+\S)")
_SECTION = re.compile(
    r"(?:(?:\d{1,2}|[IVX]{1,4})\.?\s+)?(?:abstract|introduction|background|related work|materials and methods|methods?|"
    r"results(?: and discussion)?|discussion|conclusions?|acknowledge?ments?|references|bibliography|appendix)\s*:?",
    re.IGNORECASE,
)
_ENDS = (".", "!", "?", ":", "\u201d", '."', "\u3002")
_EDGE_LINES = 3
_FAR = 1e9
_MAX_HEADING = 160
_MAX_BOLD = 100
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

    kept = []
    for lines, edge in zip(pages, edges, strict=True):
        drop = {id(line) for side in edge for line in _parted(list(takewhile(runs, side)), side)}
        kept.append([line for line in lines if id(line) not in drop])
    return kept


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
    """Whether ``line`` begins a new paragraph after the lines of ``current``."""
    before = current.lines[-1]
    if before.text.endswith(HYPHEN):
        return False
    if _same_height(before, line):  # a raised number, a table cell, a gap in the line
        return False
    if before.bold != line.bold or _SECTION.fullmatch(line.text) or _SECTION.fullmatch(before.text):
        return True
    if abs(line.size - before.size) > 0.12 * max(line.size, before.size) and before.size > _SMALL * line.size:
        return True
    down = before.bottom - line.bottom
    ended = before.text.rstrip().endswith(_ENDS)
    if down < 0 or abs(line.left - before.left) > 0.5 * (before.right - before.left + 1) > 60:  # another column
        return ended or line.text[:1].isupper()
    if down > 1.45 * max(leading, line.size):
        return True
    if _BULLET.match(line.text) and (ended or _BULLET.match(current.lines[0].text) is not None):
        return True
    width = max(x.right for x in current.lines) - min(x.left for x in current.lines)
    short = before.right < max(max(x.right for x in current.lines), line.right) - 0.12 * max(
        width, line.right - line.left
    )
    indented = line.left > min(x.left for x in current.lines) + 0.6 * line.size
    return ended and (short or (indented and len(current.lines) > 1))


def _same_height(before: Line, line: Line) -> bool:
    """Whether the two overlap in height by half of the lower one: parts of one line, raised numbers too."""
    overlap = min(before.top, line.top) - max(before.bottom, line.bottom)
    return overlap > 0.5 * min(before.top - before.bottom, line.top - line.bottom)


def body_size(pages: Iterable[Iterable[Line]]) -> float:
    """Font height of most characters."""
    counts: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            counts[line.size] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def write(blocks: Sequence[Paragraph], pages: int, body: float, builder: TextBuilder) -> None:
    """Add all paragraphs to ``builder`` page by page, headings by their size."""
    words = _vocabulary(blocks)
    levels = _levels({block.size for block in blocks if _is_heading(block, body)})
    page, before, level_before = 0, "", None
    for block in _with_whole_headings(blocks, body):
        text = join_lines([line.text for line in block.lines], words)
        turned = page != block.page
        while page < block.page:
            page += 1
            builder.start_page(page)
        level = levels.get(block.size) if _is_heading(block, body) else None
        if turned and level is None and level_before is None and _goes_on(before, text):
            builder.go_on(text, joiner=" ")
        else:
            builder.add(text, level=level)
        before, level_before = text, level
    for number in range(page + 1, pages + 1):
        builder.start_page(number)


def _with_whole_headings(blocks: Sequence[Paragraph], body: float) -> Iterator[Paragraph]:
    """``blocks`` with the lines of one heading put together: large print is set wider than the page's lines."""
    held: Paragraph | None = None
    for block in blocks:
        first = block.lines[0]
        if (
            held is not None
            and held.page == block.page
            and first.size >= 1.13 * body
            and abs(held.size - first.size) < 0.03 * first.size
            and 0 < held.lines[-1].bottom - first.bottom < 1.6 * first.size
            and len(held.lines) + len(block.lines) <= 3
            and not _BULLET.match(first.text)
        ):
            held = Paragraph(held.page, [*held.lines, *block.lines])
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _levels(sizes: Iterable[float]) -> dict[float, int]:
    """Heading level by font height, largest first; heights within 4 % of each other are one level."""
    levels: dict[float, int] = {}
    level, last = 0, float("inf")
    for size in sorted(sizes, reverse=True):
        if size < 0.96 * last:
            level, last = min(6, level + 1), size
        levels[size] = level
    return levels


def _goes_on(before: str, text: str) -> bool:
    """Whether the first paragraph of a page goes on with the last one of the page before."""
    return bool(before) and text[:1].islower() and not before.rstrip().endswith(_ENDS)


def _is_heading(block: Paragraph, body: float) -> bool:
    length = sum(len(line.text) for line in block.lines)
    letters = sum(map(str.isalpha, "".join(line.text for line in block.lines)))
    if not (2 < length <= _MAX_HEADING and letters > length / 2 and len(block.lines) <= 3 and body > 0):
        return False
    if block.size >= 1.13 * body or _SECTION.fullmatch(block.lines[0].text):
        return True
    return block.lines[0].bold and length <= _MAX_BOLD and not block.lines[-1].text.rstrip().endswith((".", ",", ";"))


def _vocabulary(blocks: Iterable[Paragraph]) -> set[str]:
    return {word.lower() for block in blocks for line in block.lines for word in re.findall(r"[\w-]{4,}", line.text)}


def join_lines(lines: Sequence[str], words: set[str]) -> str:
    """One running text; words divided at a line end are mended, hyphens of compounds kept.

    ``words``: lower-case words of the document, which decide between "wellknown" and "well-known".
    """
    joined = ""
    for line in lines:
        line = line.strip(" ")
        if not joined:
            joined = line
        elif joined.endswith(HYPHEN) or (joined.endswith("-") and joined[-2:-1].isalpha() and line[:1].islower()):
            joined = _mend(joined[:-1], line, words)
        else:
            joined = f"{joined} {line}"
    return joined.replace(HYPHEN, "-")


def _mend(start: str, line: str, words: set[str]) -> str:
    tail, head = re.search(r"[\w-]*$", start), re.match(r"\w*", line)
    first, second = (tail[0] if tail else "").lower(), (head[0] if head else "").lower()
    if not second or (f"{first}-{second}" in words and first + second not in words):
        return f"{start}-{line}"
    return f"{start}{line}"
