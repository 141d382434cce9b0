"""Paragraphs of a PDF as stored text: headings by print, words mended, paragraphs joined over pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.acquire.raised_text import Rise, written
from core.acquire.read_blocks import TextBuilder
from core.acquire.read_pdf_layout import BULLET, ENDS, SECTION, Paragraph
from core.acquire.read_pdf_lines import HYPHEN, LOWERED, RAISED
from core.text.hyphens import LINKING, keeps_hyphen, vocabulary

_ADDRESS = re.compile(r"https?://|www\.|\b10\.\d{4,9}/", re.IGNORECASE)
_LONGEST_ADDRESS = 500
_DOTTED = re.compile(r"\w+[./]\w")
_SENTENCE_WORD = re.compile(
    r"\(?(?:and|or|the|in|is|was|on|at|for|with|accessed|retrieved|last|available),?", re.IGNORECASE
)
_MAX_HEADING = 160
_MAX_BOLD = 100
_LARGE = 1.13
"""Print larger than the text by this factor is a heading."""


def write(blocks: Sequence[Paragraph], pages: int, body: float, builder: TextBuilder) -> None:
    """Add all paragraphs to ``builder`` page by page, headings by their size."""
    words = vocabulary(line.text for block in blocks for line in block.lines)
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


def join_lines(lines: Sequence[str], words: set[str]) -> str:
    """One running text; words divided at a line end are mended, hyphens of compounds and of addresses kept.

    ``words``: lower-case words of the document, which decide between "wellknown" and "well-known".
    """
    pieces: list[str] = []
    for line in lines:
        line = line.strip(" ")
        last = pieces[-1] if pieces else ""
        if last and line and last[-1] in (HYPHEN, "-"):
            pieces[-1] = _mend(last[:-1], line, words, sure=last[-1] == HYPHEN)
        elif last and line and _is_tight(last, line):
            pieces[-1] = last + line
        else:
            pieces.append(line)
    return written(_pieces(" ".join(filter(None, pieces)).replace(HYPHEN, "-")))


def _is_tight(text: str, line: str) -> bool:
    """True when no blank stands at the line end: behind a raised number, inside an address."""
    if text[-1] == LOWERED:
        return line[0] in ".,;:)]"
    return _ADDRESS.search(_last_word(text)) is not None and _goes_on_as_address(text, line)


def _pieces(text: str) -> Iterator[tuple[str, Rise]]:
    for part in text.split(RAISED):
        raised, mark, rest = part.partition(LOWERED)
        yield from ((raised, Rise.RAISED), (rest, Rise.NONE)) if mark else ((part, Rise.NONE),)


def _last_word(text: str) -> str:
    return text[text.rfind(" ", -_LONGEST_ADDRESS) + 1 :][-_LONGEST_ADDRESS:]


def _goes_on_as_address(text: str, line: str) -> bool:
    """True when an address that ends a line was broken there behind one of its own signs."""
    word = line.split(" ", 1)[0]
    if text[-1] == ".":
        return _DOTTED.match(word) is not None
    return text[-1] in "/_=&?%~" and word[:1].isalnum() and not _SENTENCE_WORD.fullmatch(word)


def _mend(start: str, line: str, words: set[str], *, sure: bool) -> str:
    """``start``, which lost its hyphen at the line end, with ``line``; ``sure``: pdfium takes it for a dividing one."""
    tail, head = re.search(r"(?<![\w-])[\w-]*+$", _last_word(start)), re.match(r"\w*", line)
    first, second = (tail[0] if tail else "").lower(), (head[0] if head else "").lower()
    if not second or second in LINKING or not (sure or (first and first[-1].isalnum())):
        return f"{start}- {line}" if second or not sure else f"{start}-{line}"
    last = first.rpartition("-")[2]
    keeps = (
        _ADDRESS.search(_last_word(start))
        or second[0].isdigit()
        or not last[-1:].isalpha()
        or (line[0].isupper() and not start[-2:].isupper())
        or keeps_hyphen(first, second, words)
    )
    return f"{start}-{line}" if keeps else f"{start}{line}"
