"""The stored text: clean blocks, one blank line between them, and the places of headings and pages in it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.records import Heading, PageSpan

_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x0b\x0c\x85]")
# Controls but \t and \n, lone surrogates, byte order mark, soft hyphen, the non-characters pdfium leaves.
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\ufeff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_AROUND_LINE_END = re.compile(" ?\n ?")
_MANY_LINES = re.compile("\n{3,}")


def clean(text: str) -> str:
    """``text`` as it may be stored: NFC, ``\\n`` line ends, no controls, no lone surrogates, single spaces."""
    text = _LINE_ENDS.sub("\n", text)
    text = _SURROGATES.sub("\ufffd", _UNWANTED.sub("", text))
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    text = _AROUND_LINE_END.sub("\n", _SPACES.sub(" ", text))
    return _MANY_LINES.sub("\n\n", text).strip()


def one_line(text: str | None) -> str | None:
    """``text`` cleaned, on one line; None when nothing is left."""
    return " ".join(clean(text or "").split()) or None


@dataclass(frozen=True, slots=True)
class Built:
    """A text with the offsets of its headings and pages."""

    text: str
    headings: tuple[Heading, ...]
    pages: tuple[PageSpan, ...]


class TextBuilder:
    """Collects blocks in reading order and keeps count of offsets."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._pages: list[tuple[int, int]] = []
        self._tight = False

    def add(self, text: str, *, level: int | None = None, tight: bool = False) -> None:
        """Add a block; a heading when ``level`` (1 highest) is given.

        Two ``tight`` blocks in a row (list items, table rows) are parted by a line end, all others by a
        blank line. A block without characters is left out.
        """
        text = clean(text) if level is None else (one_line(text) or "")
        if not text:
            return
        if self._length:
            gap = "\n" if tight and self._tight else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        if level is not None:
            self._headings.append(Heading(level, self._length, self._length + len(text), text))
        self._parts.append(text)
        self._length += len(text)
        self._tight = tight

    def go_on(self, text: str, *, joiner: str = " ") -> None:
        """Go on with the last block, e.g. over a page break; ``joiner`` is "" for a word that was divided."""
        if not self._parts:
            self.add(text)
            return
        text = clean(text)
        self._parts.append(joiner + text)
        self._length += len(joiner) + len(text)

    def start_page(self, number: int) -> None:
        """Blocks added from here on stand on page ``number``."""
        self._pages.append((number, self._length))

    def build(self) -> Built:
        """The text so far. Pages are half-open and cover it; a page without text has ``start == end``."""
        text = "".join(self._parts)
        starts = [self._page_start(text, start) for _, start in self._pages]
        ends = [*starts[1:], len(text)] if starts else []
        pages = tuple(
            PageSpan(number, start, max(start, end))
            for (number, _), start, end in zip(self._pages, starts, ends, strict=True)
        )
        return Built(text, tuple(self._headings), pages)

    @staticmethod
    def _page_start(text: str, start: int) -> int:
        """A page starts at its first character, behind the blank line that parts it from the one before."""
        while start < len(text) and text[start] in "\n ":
            start += 1
        return start
