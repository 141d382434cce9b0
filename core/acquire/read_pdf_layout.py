"""From the lines of a PDF to its paragraphs and headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from core.acquire.read_blocks import TextBuilder
from core.acquire.read_pdf_lines import HYPHEN, Line

_PAGE_NUMBER = re.compile(r"[-\u2013\u2014|\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?[-\u2013\u2014|\s]*", re.I)
_BULLET = re.compile(r"(?:[\u2022\u2023\u25aa\u25cf\u25e6\u2013*\uf0b7-]\s|\[\d{1,4}\]\s|\(?\d{1,3}[.)]\s+\S)")
_ENDS = (".", "!", "?", ":", "\u201d", '."', "\u3002")
_EDGE_LINES = 3
_MAX_HEADING = 160


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; ``size`` is that of the first line."""

    page: int
    lines: list[Line] = field(default_factory=list)

    @property
    def size(self) -> float:
        return self.lines[0].size


def without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """``pages`` without headers, footers and page numbers: edge lines that return on many pages."""
    edges = [_edge_lines(lines) for lines in pages]
    counts = Counter(key for page in edges for key in {_key(line.text) for line in page})
    often = max(3, round(0.3 * len(pages)))
    kept = []
    for lines, edge in zip(pages, edges, strict=True):
        drop = {
            id(x) for x in edge if counts[_key(x.text)] >= often or (len(pages) > 1 and _PAGE_NUMBER.fullmatch(x.text))
        }
        kept.append([line for line in lines if id(line) not in drop])
    return kept


def _edge_lines(lines: Sequence[Line]) -> list[Line]:
    by_height = sorted(lines, key=lambda line: line.top, reverse=True)
    return by_height[:_EDGE_LINES] + by_height[_EDGE_LINES:][-_EDGE_LINES:]


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
    if abs(line.size - before.size) > 0.12 * max(line.size, before.size) and _own_line(before, line):
        return True
    down = before.bottom - line.bottom
    if abs(down) < 0.5 * line.size:  # goes on at the same height: a table cell or a gap in the line
        return False
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


def _own_line(before: Line, line: Line) -> bool:
    """A change of size inside a line (superscripts) begins nothing."""
    return abs(before.bottom - line.bottom) > 0.5 * min(before.size, line.size)


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
    sizes = sorted({b.size for b in blocks if _is_heading(b, body)}, reverse=True)
    levels = {size: min(6, 1 + at) for at, size in enumerate(sizes)}
    page, before, level_before = 0, "", None
    for block in blocks:
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


def _goes_on(before: str, text: str) -> bool:
    """Whether the first paragraph of a page goes on with the last one of the page before."""
    return bool(before) and text[:1].islower() and not before.rstrip().endswith(_ENDS)


def _is_heading(block: Paragraph, body: float) -> bool:
    length = sum(len(line.text) for line in block.lines)
    letters = sum(map(str.isalpha, "".join(line.text for line in block.lines)))
    return (
        block.size >= 1.13 * body > 0 and len(block.lines) <= 3 and 2 < length <= _MAX_HEADING and letters > length / 2
    )


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
