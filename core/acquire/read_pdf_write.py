"""Paragraphs of a PDF as stored text: headings by print, words mended, paragraphs joined over pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.acquire.read_blocks import TextBuilder
from core.acquire.read_pdf_layout import BULLET, ENDS, SECTION, Paragraph
from core.acquire.read_pdf_lines import HYPHEN

_MAX_HEADING = 160
_MAX_BOLD = 100
_LARGE = 1.13
"""Print larger than the text by this factor is a heading."""


def write(blocks: Sequence[Paragraph], pages: int, body: float, builder: TextBuilder) -> None:
    """Add all paragraphs to ``builder`` page by page, headings by their size."""
    words = _vocabulary(blocks)
    whole = list(_with_whole_headings(blocks, body))
    headings = {
        id(block)
        for block, following in zip(whole, [*whole[1:], None], strict=False)
        if _is_heading(block, body) and not _heads_a_table(block, following, body)
    }
    levels = _levels({block.size for block in whole if id(block) in headings})
    page, before, level_before = 0, "", None
    for block in whole:
        text = join_lines([line.text for line in block.lines], words)
        turned = page != block.page
        while page < block.page:
            page += 1
            builder.start_page(page)
        level = levels.get(block.size) if id(block) in headings else None
        if turned and level is None and level_before is None and _goes_on(before, text):
            builder.go_on(text, joiner=" ")
        else:
            builder.add(text, level=level)
        before, level_before = text, level
    for number in range(page + 1, pages + 1):
        builder.start_page(number)


def _with_whole_headings(blocks: Sequence[Paragraph], body: float) -> Iterator[Paragraph]:
    """``blocks`` with the lines of one heading put together: large print is set wider than the page's lines."""
    heading: Paragraph | None = None
    for block in blocks:
        first = block.lines[0]
        if (
            heading is not None
            and heading.page == block.page
            and first.size >= _LARGE * body
            and abs(heading.size - first.size) < 0.03 * first.size
            and 0 < heading.lines[-1].bottom - first.bottom < 1.6 * first.size
            and len(heading.lines) + len(block.lines) <= 3
            and not BULLET.match(first.text)
        ):
            heading = Paragraph(heading.page, [*heading.lines, *block.lines])
            continue
        if heading is not None:
            yield heading
        heading = block
    if heading is not None:
        yield heading


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
    """True when the first paragraph of a page goes on with the last one of the page before."""
    return bool(before) and text[:1].islower() and not before.rstrip().endswith(ENDS)


def _is_heading(block: Paragraph, body: float) -> bool:
    length = sum(len(line.text) for line in block.lines)
    letters = sum(map(str.isalpha, "".join(line.text for line in block.lines)))
    if not (2 < length <= _MAX_HEADING and letters > length / 2 and len(block.lines) <= 3 and body > 0):
        return False
    if block.size >= _LARGE * body or SECTION.fullmatch(block.lines[0].text):
        return True
    return block.lines[0].bold and length <= _MAX_BOLD and not block.lines[-1].text.rstrip().endswith((".", ",", ";"))


def _heads_a_table(block: Paragraph, following: Paragraph | None, body: float) -> bool:
    """True when a bold line of the size of the text stands above figures: the head of a table."""
    if following is None or block.size >= _LARGE * body or SECTION.fullmatch(block.lines[0].text):
        return False
    words = " ".join(line.text for line in following.lines[:3]).split()
    return sum(any(map(str.isdigit, word)) for word in words) > 0.4 * len(words)


def _vocabulary(blocks: Iterable[Paragraph]) -> set[str]:
    return {word.lower() for block in blocks for line in block.lines for word in re.findall(r"[\w-]{4,}", line.text)}


def join_lines(lines: Sequence[str], words: set[str]) -> str:
    """One running text; words divided at a line end are mended, hyphens of compounds kept.

    ``words``: lower-case words of the document, which decide between "wellknown" and "well-known".
    """
    pieces: list[str] = []
    for line in lines:
        line = line.strip(" ")
        last = pieces[-1] if pieces else ""
        if last.endswith(HYPHEN) or (last.endswith("-") and last[-2:-1].isalpha() and line[:1].islower()):
            pieces[-1] = _mend(last[:-1], line, words)
        else:
            pieces.append(line)
    return " ".join(pieces).replace(HYPHEN, "-")


def _mend(start: str, line: str, words: set[str]) -> str:
    tail, head = re.search(r"(?<![\w-])[\w-]*+$", start), re.match(r"\w*", line)
    first, second = (tail[0] if tail else "").lower(), (head[0] if head else "").lower()
    if not second or (f"{first}-{second}" in words and first + second not in words):
        return f"{start}-{line}"
    return f"{start}{line}"
