"""A page of a PDF as a picture, with a passage marked in it. It is drawn in the process that can be killed
(``core.acquire.worker``), like all that is read of foreign files."""

from __future__ import annotations

import struct
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.errors import UnreadableSource
from core.labels import FetchState
from core.ports.store import Extractor
from core.text.lru import Lru

PICTURE = "page_picture"
"""The task of drawing a page."""
WIDTH = 1000
"""Pixels across a picture: sharp in a pane of half a screen."""
_MOST_PIXELS = 12_000_000
_PIECE = 24
"""Letters of the parts that are looked for one by one where a page does not hold the words as one run."""
_PNG = b"\x89PNG\r\n\x1a\n"
_TINT = bytes(value * 45 // 100 for value in range(256))


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as PNG. ``marked``: whether the words that were looked for are marked in it. ``top``: where the first mark
    begins, as a share of the height (0 without one)."""

    png: bytes
    marked: bool
    top: float


_KEPT: Lru[tuple[str, int, str], PagePicture] = Lru(24)
_LOCK = threading.Lock()


def page_picture(extractor: Extractor, body: bytes, key: str, name: str, page: int, words: str) -> PagePicture:
    """Page ``page`` (from 1) of the PDF ``body``, ``words`` marked; kept by ``key``, which names the bytes.

    Raises:
        UnreadableSource: there is no such page, the file is encrypted or damaged, or drawing takes too long or too much
            memory.
    """
    wanted = (key, page, words)
    with _LOCK:
        kept = _KEPT.get(wanted)
    if kept is None:
        kept = extractor.run(PICTURE, name, {"page": page, "words": words}, body, _decoded)
        with _LOCK:
            _KEPT.put(wanted, kept)
    return kept


def _decoded(head: dict[str, Any], output: bytes) -> PagePicture:
    if not output.startswith(_PNG) or not 0 <= float(head["top"]) <= 1:
        raise ValueError("no picture")
    return PagePicture(output, bool(head["marked"]), float(head["top"]))


def picture_task(head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """The task of drawing a page, in the worker."""
    import pypdfium2 as pdfium

    name, number = head["name"], int(head["page"])
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        raise UnreadableSource(FetchState.BROKEN, f"{name} cannot be drawn: {error}. Its text is shown.") from error
    try:
        if not 1 <= number <= len(document):
            raise UnreadableSource(FetchState.BROKEN, f"{name} has {len(document):,} pages, so no page {number:,}.")
        return _drawn(document[number - 1], str(head["words"]))
    finally:
        document.close()


def _drawn(page: Any, words: str) -> tuple[dict[str, Any], bytes]:
    width, height = page.get_size()
    scale = min(WIDTH / width, (_MOST_PIXELS / (width * height)) ** 0.5)
    bitmap = page.render(scale=scale, rev_byteorder=True, no_smoothtext=False)
    clean, line = bytes(bitmap.buffer), bitmap.stride
    pixels = bytearray(clean)
    boxes = _boxes(page, words, bitmap.width, bitmap.height)
    channels = bitmap.n_channels
    for left, top, right, bottom in boxes:
        for y in range(top, bottom):
            blue = slice(y * line + left * channels + 2, y * line + right * channels, channels)
            pixels[blue] = clean[blue].translate(_TINT)  # from the clean page: boxes may overlap
    rows = (pixels[y * line : y * line + bitmap.width * channels] for y in range(bitmap.height))
    first = min((top for _, top, _, _ in boxes), default=0) / bitmap.height
    return {"marked": bool(boxes), "top": first}, _png(bitmap.width, bitmap.height, channels, rows)


def _boxes(page: Any, words: str, width: int, height: int) -> list[tuple[int, int, int, int]]:
    """The lines of the words on the page as pixels (left, top, right, bottom)."""
    from pypdfium2 import raw

    text = page.get_textpage()
    try:
        letters, places = _letters(text.get_text_range())
        boxes: list[list[int]] = []
        for at in _found(letters, _letters(words)[0]):
            left, bottom, right, top = text.get_charbox(places[at])
            corners = [_pixel(raw, page, x, y, width, height) for x, y in ((left, top), (right, bottom))]
            (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*corners, strict=True))
            if boxes and y0 < boxes[-1][3] and y1 > boxes[-1][1] and 0 <= x0 - boxes[-1][2] < 2 * (y1 - y0 + 4):
                boxes[-1][1:] = [min(boxes[-1][1], y0), max(boxes[-1][2], x1), max(boxes[-1][3], y1)]
            else:
                boxes.append([x0, y0, x1, y1])
    finally:
        text.close()
    inside = [(max(0, a - 2), max(0, b - 3), min(width, c + 2), min(height, d + 3)) for a, b, c, d in boxes]
    return [box for box in inside if box[0] < box[2] and box[1] < box[3]]


def _pixel(raw: Any, page: Any, x: float, y: float, width: int, height: int) -> tuple[int, int]:
    from ctypes import byref, c_int

    across, down = c_int(), c_int()
    raw.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, x, y, byref(across), byref(down))
    return across.value, down.value


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text without case, and the place of each in it."""
    pairs = [(letter.lower()[:1], at) for at, letter in enumerate(text) if letter.isalnum()]
    return "".join(letter for letter, _ in pairs), [at for _, at in pairs]


def _found(page: str, words: str) -> Iterator[int]:
    """Places of ``page`` where ``words`` stand: as one run, else those parts of them that stand there in order."""
    at = page.find(words) if words else -1
    if at >= 0:
        yield from range(at, at + len(words))
        return
    after = 0
    for start in range(0, len(words), _PIECE):
        piece = words[start : start + _PIECE]
        at = page.find(piece, after) if len(piece) >= _PIECE // 2 else -1
        if at >= 0:
            after = at + len(piece)
            yield from range(at, after)


def _png(width: int, height: int, channels: int, rows: Iterator[bytearray]) -> bytes:
    """Rows of RGB or RGBA pixels as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    form = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 6)
    return _PNG + chunk(b"IHDR", form) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
