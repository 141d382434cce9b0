"""Lines of a PDF with where they stand, by pdfium."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_double
from dataclasses import dataclass
from typing import Any

HYPHEN = "\x02"
"""What pdfium writes for a hyphen that divides a word at a line end."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text. ``left right bottom top`` in points, y upwards; ``size`` is the height of its font."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float


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
    """Half-open ranges of characters between line ends."""
    start = 0
    for at, code in enumerate(codes):
        if code in (10, 13):
            if at > start:
                yield start, at
            start = at + 1
    if start < len(codes):
        yield start, len(codes)


def _line(raw: Any, codes: list[int], first: int, last: int) -> Line | None:
    while first < last and codes[first] in (0, 32, 160):
        first += 1
    while last > first and codes[last - 1] in (0, 32, 160):
        last -= 1
    if first == last:
        return None
    text = "".join(map(chr, (HYPHEN_CODE if code in (2, 0xFFFE) else code for code in codes[first:last] if code)))
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    start, end = _box(raw, first), _box(raw, last - 1 if codes[last - 1] not in (2, 0xFFFE) else max(first, last - 2))
    middle = _box(raw, (first + last) // 2)
    return Line(
        text=text,
        left=min(start[0], end[0]),
        right=max(start[1], end[1]),
        bottom=min(start[2], end[2]),
        top=max(start[3], end[3]),
        size=round(sorted(box[3] - box[2] for box in (start, middle, end))[1], 1),
    )


HYPHEN_CODE = ord(HYPHEN)


def _box(raw: Any, at: int) -> tuple[float, float, float, float]:
    """(left, right, bottom, top) of a character with the full height of its font."""
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    if pdfium.FPDFText_GetLooseCharBox(raw, at, rect):
        return rect.left, rect.right, rect.bottom, rect.top
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium.FPDFText_GetCharBox(raw, at, left, right, bottom, top)
    return left.value, right.value, bottom.value, top.value
