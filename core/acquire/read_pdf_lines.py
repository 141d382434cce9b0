"""Lines of a PDF with where they stand, by pdfium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import c_double, c_int, create_string_buffer
from dataclasses import dataclass
from typing import Any

HYPHEN = "\x02"
"""The character that pdfium writes for a hyphen that divides a word at a line end."""

_DIVIDERS = frozenset({2, 0xFFFE})
_BLANKS = frozenset({0, 32, 160})
_BOLD = re.compile(r"bold|black|heavy|semib|demi|\.b(?:\+|$)|-bd|advot.*\.b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text. ``left right bottom top`` in points, y upwards; ``size`` is the height of its font.

    ``bold`` when its first, middle and last character are.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool = False


def page_lines(page: Any) -> list[Line]:
    """Lines of a ``pypdfium2.PdfPage`` in the order of the content."""
    import pypdfium2.raw as pdfium

    textpage = page.get_textpage()
    try:
        raw = textpage.raw
        count = pdfium.FPDFText_CountChars(raw)
        codes = [pdfium.FPDFText_GetUnicode(raw, at) for at in range(count)]
        return [line for first, last in _runs(codes) if (line := _line(raw, codes, first, last))]
    finally:
        textpage.close()


def _runs(codes: list[int]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of characters between line ends. A dividing hyphen ends a line: pdfium drops the line
    end behind it."""
    start = 0
    for at, code in enumerate(codes):
        if code in (10, 13):
            if at > start:
                yield start, at
            start = at + 1
        elif code in _DIVIDERS:
            yield start, at + 1
            start = at + 1
    if start < len(codes):
        yield start, len(codes)


def _line(raw: Any, codes: list[int], first: int, last: int) -> Line | None:
    while first < last and codes[first] in _BLANKS:
        first += 1
    while last > first and codes[last - 1] in _BLANKS:
        last -= 1
    if first == last:
        return None
    text = "".join(HYPHEN if code in _DIVIDERS else chr(code) for code in codes[first:last] if code)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    last_seen = max(first, last - 2) if codes[last - 1] in _DIVIDERS else last - 1
    probes = (first, (first + last_seen) // 2, last_seen)
    boxes = [_box(raw, at) for at in probes]
    return Line(
        text=text,
        left=min(box[0] for box in boxes),
        right=max(box[1] for box in boxes),
        bottom=min(box[2] for box in boxes),
        top=max(box[3] for box in boxes),
        size=round(sorted(box[3] - box[2] for box in boxes)[1], 1),
        bold=all(_is_bold(raw, at) for at in probes),
    )


def _is_bold(raw: Any, at: int) -> bool:
    import pypdfium2.raw as pdfium

    buffer, flags = create_string_buffer(128), c_int()
    length = pdfium.FPDFText_GetFontInfo(raw, at, buffer, 128, flags)
    return 0 < length <= 128 and _BOLD.search(buffer.value.decode("utf-8", "replace")) is not None


def _box(raw: Any, at: int) -> tuple[float, float, float, float]:
    """(left, right, bottom, top) of a character with the full height of its font."""
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    if pdfium.FPDFText_GetLooseCharBox(raw, at, rect):
        return rect.left, rect.right, rect.bottom, rect.top
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium.FPDFText_GetCharBox(raw, at, left, right, bottom, top)
    return left.value, right.value, bottom.value, top.value
