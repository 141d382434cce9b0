"""Places of a PDF that a model may read and a person does not see: its document information, and text that is drawn
invisibly, in white, tiny, or outside the page."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float, c_uint, c_ushort, sizeof
from typing import Any

_MOST_PAGES = 300
_MOST_OBJECTS = 100_000
_LONGEST = 200_000
_TINY = 1.5
"""Points."""
_INVISIBLE_MODES = (3, 7)
"""Neither filled nor stroked; only for clipping (ISO 32000-1, table 106)."""
_WHITE = 250


def pdf_places(body: bytes) -> Iterator[tuple[str, str]]:
    """``metadata`` (title, subject, keywords, author) and ``invisible`` text by page;
    nothing for what cannot be opened."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError:
        return
    try:
        try:
            information = document.get_metadata_dict()
        except UnicodeDecodeError:
            information = {}
        for name in ("Title", "Subject", "Keywords", "Author"):
            yield "metadata", str(information.get(name) or "")[:_LONGEST]
        left = _MOST_OBJECTS
        for number in range(min(len(document), _MOST_PAGES)):
            try:
                page = document[number]
                text, left = _unseen(page, left)
            except pdfium.PdfiumError:  # a damaged page: its reader says so
                continue
            yield "invisible", text
            if left <= 0:
                return
    finally:
        document.close()


def _unseen(page: Any, left: int) -> tuple[str, int]:
    """The words of a page that are not seen, and how many objects may still be looked at."""
    import pypdfium2.raw as pdfium

    textpage, words = page.get_textpage(), []
    width, height = page.get_size()
    try:
        for item in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_TEXT,)):
            left -= 1
            if left <= 0:
                break
            if _is_unseen(item.raw, width, height):
                words.append(_text(item.raw, textpage.raw))
    finally:
        textpage.close()
        page.close()
    return " ".join(words)[:_LONGEST], left


def _is_unseen(item: Any, width: float, height: float) -> bool:
    import pypdfium2.raw as pdfium

    if pdfium.FPDFTextObj_GetTextRenderMode(item) in _INVISIBLE_MODES:
        return True
    red, green, blue, alpha = (c_uint() for _ in range(4))
    coloured = pdfium.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)
    if coloured and (min(red.value, green.value, blue.value) >= _WHITE or alpha.value == 0):
        return True
    left, bottom, right, top = (c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return False
    outside = right.value < 0 or top.value < 0 or left.value > width or bottom.value > height
    return outside or (0 < top.value - bottom.value < _TINY)


def _text(item: Any, textpage: Any) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDFTextObj_GetText(item, textpage, None, 0)
    if size <= 2:
        return ""
    count = min(int(size), 2 * _LONGEST) // sizeof(c_ushort) + 1
    buffer = (c_ushort * count)()
    pdfium.FPDFTextObj_GetText(item, textpage, buffer, count * sizeof(c_ushort))
    return bytes(buffer).decode("utf-16-le", "replace").split("\x00", 1)[0]
