"""Reading a stored text piece by piece: pages of a long text, and the window around a passage. Offsets are code points
into the stored text, half-open."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.records import Document, PageSpan, Passage
from core.retrieve.excerpt import highlights, wanted_stems

SLICE_CHARS = 6000
"""About two printed pages: what one view of a text without pages of its own shows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the stored text to show; ``page`` is set where a page begins, ``marked`` for the passage looked at."""

    start: int
    end: int
    page: int | None = None
    marked: bool = False


def slices(document: Document, length: int, size: int = SLICE_CHARS) -> list[tuple[int, int]]:
    """Spans to leaf through: the document's own pages when it has them, else about ``size`` characters each. An empty
    text gives one empty slice. Together the spans cover the text without a gap."""
    if document.pages:
        starts = [0, *(page.start for page in document.pages[1:])]
        return list(zip(starts, [*starts[1:], length], strict=True))
    return [(at, min(length, at + size)) for at in range(0, max(length, 1), size)]


def slice_at(spans: Sequence[tuple[int, int]], offset: int) -> int:
    """Index of the slice that holds ``offset``; the last one when it is beyond the end."""
    for index, (_, end) in enumerate(spans):
        if offset < end:
            return index
    return max(0, len(spans) - 1)


def page_at(pages: Sequence[PageSpan], offset: int) -> int | None:
    """Number of the page that holds ``offset``, None without pages."""
    number = None
    for page in pages:
        if page.start > offset:
            break
        number = page.number
    return number


def word_marks(text: str, question: str) -> list[tuple[int, int]]:
    """Where words of ``question`` stand in ``text``, as in the excerpts of a search."""
    return list(highlights(text, wanted_stems([question])))


def window(document: Document, text: str, passage: Passage, around: int = 900) -> list[Piece]:
    """Pieces that show ``passage`` with about ``around`` characters before and twice that after it, cut at line or word
    borders; a piece begins anew wherever a page does."""
    start = _cut_forward(text, max(0, passage.start - around), passage.start)
    end = _cut_back(text, min(len(text), passage.end + 2 * around), passage.end)
    borders = {start, passage.start, passage.end, end}
    page_starts = {page.start: page.number for page in document.pages if start <= page.start < end}
    points = sorted(point for point in borders | set(page_starts) if start <= point <= end)
    pieces = [
        Piece(left, right, page_starts.get(left), passage.start <= left < passage.end)
        for left, right in pairwise(points)
    ]
    if pieces and pieces[0].page is None and (number := page_at(document.pages, start)) is not None:
        first = pieces[0]
        pieces[0] = Piece(first.start, first.end, number, first.marked)
    return pieces


def stretch(text: str, start: int, end: int, around: int = 260) -> tuple[int, int]:
    """Borders of ``text[start:end]`` with about ``around`` characters on each side, cut at line or word borders."""
    left = _cut_forward(text, max(0, start - around), start)
    return left, _cut_back(text, min(len(text), end + around), end)


def passage_at(passages: Sequence[Passage], offset: int) -> Passage | None:
    """The passage that holds ``offset``, else the last one before it; None without passages."""
    last = None
    for passage in passages:
        if passage.start <= offset:
            last = passage
        if passage.start <= offset < passage.end:
            return passage
    return last or (passages[0] if passages else None)


def neighbours(passages: Sequence[Passage], passage_id: int) -> tuple[Passage | None, Passage | None]:
    """The passages before and after the one with this id (in document order)."""
    ids = [passage.id for passage in passages]
    if passage_id not in ids:
        return None, None
    at = ids.index(passage_id)
    return (passages[at - 1] if at > 0 else None, passages[at + 1] if at + 1 < len(passages) else None)


def _cut_forward(text: str, at: int, limit: int) -> int:
    """The next line or word border after ``at``, so that a window does not begin inside a word."""
    if at == 0:
        return 0
    for border in ("\n", " "):
        place = text.find(border, at, min(limit, at + 200))
        if place >= 0:
            return place + 1
    return at


def _cut_back(text: str, at: int, limit: int) -> int:
    if at >= len(text):
        return len(text)
    for border in ("\n", " "):
        place = text.rfind(border, max(limit, at - 200), at)
        if place >= 0:
            return place
    return at
