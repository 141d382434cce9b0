"""Lines of a PDF with where they stand, by pdfium."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from ctypes import c_double, c_int, create_string_buffer
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

HYPHEN = "\x02"
"""The character that pdfium writes for a hyphen that divides a word at a line end."""

RAISED, LOWERED = "\x0e", "\x0f"
"""The characters around digits that stand above the line; ``read_pdf_write`` resolves them."""

_DIVIDERS = frozenset({2, 0xFFFE})
_BLANKS = frozenset({0, 32, 160})
_DIGITS = frozenset(map(ord, "0123456789"))
_AMONG_RAISED = frozenset(map(ord, ",+-\u2013\u2212"))
_BOLD = re.compile(r"bold|black|heavy|semib|demi|\.b(?:\+|$)|-bd|advot.*\.b", re.IGNORECASE)
_SMALLER, _HIGHER = 0.86, 0.2
"""A raised digit is smaller than the line by the first factor, and stands higher by this share of its height."""
_GAP = 0.9
"""Blank wider than this share of the height of the print: another column, a cell, a number in the margin."""
_ANGLES = 25
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text. ``left right bottom top`` in points, y upwards; ``size`` is the height of its font.

    ``bold`` when its first, middle and last character are. ``parts`` are what wide gaps divide it into, if any do. The
    coordinates are turned so that the print of the page stands upright.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool = False
    parts: tuple[Line, ...] = ()


def page_lines(page: Any) -> list[Line]:
    """Lines of a ``pypdfium2.PdfPage`` in the order of the content."""
    import pypdfium2.raw as pdfium

    textpage = page.get_textpage()
    try:
        raw = textpage.raw
        count = pdfium.FPDFText_CountChars(raw)
        codes = [pdfium.FPDFText_GetUnicode(raw, at) for at in range(count)]
        print_ = _Print(raw, codes)
        return _with_raised([line for first, last in _runs(codes) if (line := print_.line(first, last))])
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


class _Print:
    """The characters of a page and where they stand."""

    def __init__(self, raw: Any, codes: list[int]) -> None:
        self._raw = raw
        self._codes = codes
        self._quarters = _quarter_turns(raw, codes)

    def line(self, first: int, last: int, *, whole: bool = True) -> Line | None:
        """The line of the characters from ``first`` to ``last``; None for blanks. ``whole``: gaps are looked for."""
        codes = self._codes
        while first < last and codes[first] in _BLANKS:
            first += 1
        while last > first and codes[last - 1] in _BLANKS:
            last -= 1
        if first == last:
            return None
        last_seen = max(first, last - 2) if codes[last - 1] in _DIVIDERS else last - 1
        probes = (first, (first + last_seen) // 2, last_seen)
        boxes = [self._box(at) for at in probes]
        tallest = max(probes, key=self._height)
        return Line(
            text=self._text(first, last, tallest),
            left=min(box[0] for box in boxes),
            right=max(box[1] for box in boxes),
            bottom=min(box[2] for box in boxes),
            top=max(box[3] for box in boxes),
            size=round(sorted(box[3] - box[2] for box in boxes)[1], 1),
            bold=all(_is_bold(self._raw, at) for at in probes),
            parts=self._parts(first, last, self._height(tallest)) if whole else (),
        )

    def _text(self, first: int, last: int, tallest: int) -> str:
        codes, text, is_raised = self._codes, "", False
        for at in range(first, last):
            code = codes[at]
            raised = self._is_raised(at, tallest) if code in _DIGITS else code in _AMONG_RAISED and (
                (is_raised or (at + 1 < last and codes[at + 1] in _DIGITS)) and self._is_raised(at, tallest)
            )  # fmt: skip
            if raised != is_raised:
                text += RAISED if raised else LOWERED
                is_raised = raised
            text += HYPHEN if code in _DIVIDERS else chr(code) if code else ""
        text += LOWERED if is_raised else ""
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _is_raised(self, at: int, tallest: int) -> bool:
        """Whether a character is smaller and stands on a higher line than the tallest one beside it."""
        size, height = self._height(at), self._height(tallest)
        return size <= _SMALLER * height and self._baseline(at) - self._baseline(tallest) >= _HIGHER * height

    def _height(self, at: int) -> float:
        box = self._box(at)
        return box[3] - box[2]

    def _baseline(self, at: int) -> float:
        import pypdfium2.raw as pdfium

        x, y = c_double(), c_double()
        pdfium.FPDFText_GetCharOrigin(self._raw, at, x, y)
        return (y.value, -x.value, -y.value, x.value)[self._quarters]

    def _parts(self, first: int, last: int, height: float) -> tuple[Line, ...]:
        """The pieces between wide gaps."""
        cuts = [first]
        for at in range(first + 1, last - 1):
            if self._codes[at] in _BLANKS and self._codes[at + 1] not in _BLANKS:
                before = at - 1
                while before > first and self._codes[before] in _BLANKS:
                    before -= 1
                if self._box(at + 1)[0] - self._box(before)[1] > _GAP * height:
                    cuts.append(at + 1)
        if len(cuts) == 1:
            return ()
        pieces = (self.line(a, b, whole=False) for a, b in pairwise([*cuts, last]))
        return tuple(piece for piece in pieces if piece)

    def _box(self, at: int) -> Box:
        """(left, right, bottom, top) of a character with the full height of its font, as if its text stood upright."""
        left, right, bottom, top = _box(self._raw, at)
        if self._quarters == 1:
            return bottom, top, -right, -left
        if self._quarters == 2:
            return -right, -left, -top, -bottom
        return (-top, -bottom, left, right) if self._quarters == 3 else (left, right, bottom, top)


def _quarter_turns(raw: Any, codes: list[int]) -> int:
    """By how many quarters, against the clock, most of the print of a page is turned."""
    import pypdfium2.raw as pdfium

    seen = [at for at, code in enumerate(codes) if code > 32]
    step = max(1, len(seen) // _ANGLES)
    turns = [
        -round(pdfium.FPDFText_GetCharAngle(raw, at) / (math.pi / 2)) % 4 for at in seen[::step]
    ]  # it is clockwise
    return max(set(turns), key=turns.count) if turns else 0


def _with_raised(lines: list[Line]) -> list[Line]:
    """``lines`` with raised digits that pdfium put on lines of their own joined to what they stand behind."""
    joined: list[Line] = []
    for line in lines:
        before = joined[-1] if joined else None
        if before is not None and (text := _raised_behind(before, line)):
            right, top = max(before.right, line.right), max(before.top, line.top)
            line = replace(before, text=before.text + text, right=right, top=top, parts=())
            joined.pop()
        joined.append(line)
    return joined


def _raised_behind(before: Line, line: Line) -> str:
    """The text of ``line`` with its raised digits marked, where they stand right behind ``before``; else ""."""
    gap, height = line.left - before.right, before.top - before.bottom
    if not (-0.3 * height < gap < 0.3 * height and before.bottom - 0.1 * height <= line.bottom < before.top):
        return ""
    if line.text.startswith(RAISED):
        return line.text
    small = line.size <= _SMALLER * before.size and line.bottom >= before.bottom + _HIGHER * before.size
    return f"{RAISED}{line.text}{LOWERED}" if small and line.text.isdecimal() else ""


def _is_bold(raw: Any, at: int) -> bool:
    import pypdfium2.raw as pdfium

    buffer, flags = create_string_buffer(128), c_int()
    length = pdfium.FPDFText_GetFontInfo(raw, at, buffer, 128, flags)
    return 0 < length <= 128 and _BOLD.search(buffer.value.decode("utf-8", "replace")) is not None


def _box(raw: Any, at: int) -> Box:
    """(left, right, bottom, top) of a character with the full height of its font."""
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    if pdfium.FPDFText_GetLooseCharBox(raw, at, rect):
        return rect.left, rect.right, rect.bottom, rect.top
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium.FPDFText_GetCharBox(raw, at, left, right, bottom, top)
    return left.value, right.value, bottom.value, top.value
