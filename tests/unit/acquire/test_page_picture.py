"""Promises: a page of a PDF is drawn in the process that can be killed, with the words that decide marked."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from core.acquire.page_picture import PagePicture, page_picture
from core.acquire.worker_pool import WorkerExtractor
from core.errors import UnreadableSource
from core.settings.values import Parsing

FIRST, SECOND = "Dunes cover 17 percent of the surface.", "Plains cover more than half of the moon."


@pytest.fixture(scope="module")
def extractor() -> Iterator[WorkerExtractor]:
    with WorkerExtractor(Parsing(), workers=1) as pool:
        yield pool


@pytest.fixture(scope="module")
def body() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, A4)
    canvas.drawString(70, 700, FIRST)
    canvas.drawString(70, 300, SECOND)
    canvas.showPage()
    canvas.setPageRotation(90)
    canvas.drawString(70, 300, FIRST)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def drawn(extractor: WorkerExtractor, body: bytes, words: str, page: int = 1) -> PagePicture:
    return page_picture(extractor, body, "key", "titan.pdf", page, words)


def tinted(picture: PagePicture) -> tuple[int, int, int, int]:
    """The box of yellow pixels as shares of the picture in per cent."""
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    red, _, blue = image.split()
    mark = Image.eval(blue, lambda value: 255 if 90 < value < 140 else 0)
    bright = Image.eval(red, lambda value: 255 if value > 240 else 0)
    box = Image.composite(mark, Image.new("L", image.size), bright).getbbox()
    assert box is not None
    return tuple(round(100 * side / image.size[at % 2]) for at, side in enumerate(box))  # type: ignore[return-value]


def test_the_words_are_marked_where_they_stand(extractor: WorkerExtractor, body: bytes) -> None:
    first, second = drawn(extractor, body, FIRST), drawn(extractor, body, SECOND)
    assert first.marked
    left, top, right, bottom = tinted(first)
    assert (10 <= left <= 13, 14 <= top <= 17, 30 <= right <= 55, 17 <= bottom <= 19) == (True,) * 4
    assert 62 <= tinted(second)[1] <= 65
    assert abs(first.top - 0.16) < 0.02


def test_words_that_a_line_break_or_hyphen_parts_are_found_all_the_same(
    extractor: WorkerExtractor, body: bytes
) -> None:
    assert tinted(drawn(extractor, body, "Dunes  cover\n17 per-cent of the surface")) == tinted(
        drawn(extractor, body, FIRST[:-1])
    )


def test_words_that_stand_there_only_in_part_are_marked_in_part(extractor: WorkerExtractor, body: bytes) -> None:
    assert not drawn(extractor, body, "Nothing of this stands there.").marked
    assert not drawn(extractor, body, "").marked
    padded = SECOND + " And then it goes on upon the next page for a while."
    assert drawn(extractor, body, padded).marked


def test_a_turned_page_is_marked_at_its_place(extractor: WorkerExtractor, body: bytes) -> None:
    left, top, right, bottom = tinted(drawn(extractor, body, FIRST, page=2))
    assert right - left < bottom - top  # the line runs downwards


def test_what_cannot_be_drawn_says_why(extractor: WorkerExtractor, body: bytes) -> None:
    with pytest.raises(UnreadableSource, match="2 pages, so no page 3"):
        drawn(extractor, body, FIRST, page=3)
    with pytest.raises(UnreadableSource, match=r"odd\.pdf cannot be drawn"):
        page_picture(extractor, b"%PDF-1.4 nothing", "other", "odd.pdf", 1, "")


def test_a_picture_is_drawn_once(extractor: WorkerExtractor, body: bytes) -> None:
    assert drawn(extractor, body, FIRST) is drawn(extractor, body, FIRST)
