"""Reading a stored text piece by piece: pages of a long text, and the window around a passage. Offsets are code points
into the stored text, half-open. Also excerpts: the parts of a passage around the words that were asked for."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.records import Document, Excerpt, PageSpan, Passage
from core.text.terms import STOP_WORDS, is_sign, terms

ELLIPSIS = "…"
_LOOK = 40  # characters searched for a word border before a window is cut inside a word
_SPACE = re.compile(r"\s")


def wanted_stems(queries: Sequence[str]) -> frozenset[str]:
    """The stems that excerpts and highlights look for: those of all queries, function words left out: the index knows
    some of them ("were"), but a reader looks for what the question is about."""
    words = [(query[term.start : term.end].lower(), term.stem) for query in queries for term in terms(query)]
    telling = frozenset(stem for word, stem in words if word not in STOP_WORDS)
    return telling or frozenset(stem for _, stem in words)


def highlights(text: str, stems: Collection[str]) -> tuple[tuple[int, int], ...]:
    """Spans of ``text`` whose stem is wanted, in order, touching ones merged (pairs of unspaced scripts overlap)."""
    hits = [(term.start, term.end) for term in terms(text) if term.stem in stems] if stems else []
    signs = {stem for stem in stems if is_sign(stem)}
    hits += [(at, at + 1) for at, letter in enumerate(text) if letter in signs] if signs else []
    spans: list[tuple[int, int]] = []
    for start, end in sorted(hits):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return tuple(spans)


def excerpts(text: str, stems: Collection[str], around: int = 350, offset: int = 0) -> tuple[Excerpt, ...]:
    """Windows of ``around`` characters on both sides of each matched word, overlapping ones merged.

    A window is cut at a word border, with an ellipsis where text was left out. When nothing matches there is
    one plain excerpt, the beginning, twice ``around`` long. Together the windows never hold more than ``text``.

    Args:
        text: the passage.
        stems: what to look for (``wanted_stems``); inflected forms share a stem.
        offset: where ``text`` starts in its document.
    """
    if not text:
        return ()
    matches = highlights(text, stems)
    if not matches:
        return (_cut(text, 0, _left_border(text, min(len(text), 2 * around)), (), offset),)
    windows: list[list[int]] = []
    for start, end in matches:
        low = _right_border(text, max(0, start - around), start)
        high = max(end, _left_border(text, min(len(text), end + around)))
        if windows and low <= windows[-1][1] + 1:
            windows[-1][1] = max(windows[-1][1], high)
        else:
            windows.append([low, high])
    return tuple(
        _cut(text, low, high, tuple(span for span in matches if low <= span[0] and span[1] <= high), offset)
        for low, high in windows
    )


def _right_border(text: str, at: int, limit: int) -> int:
    """The first start of a word at or after ``at``, not beyond ``limit``."""
    if at == 0 or text[at - 1].isspace():
        return at
    space = _SPACE.search(text, at, min(limit, at + _LOOK))
    return space.end() if space else at


def _left_border(text: str, at: int) -> int:
    """The last end of a word at or before ``at``."""
    if at >= len(text) or text[at].isspace():
        return at
    for back in range(at, max(0, at - _LOOK), -1):
        if text[back - 1].isspace():
            return back - 1
    return at


def _cut(text: str, low: int, high: int, spans: Sequence[tuple[int, int]], offset: int) -> Excerpt:
    # White space at a cut is no content: the ellipsis stands right at a word.
    while low < high and low > 0 and text[low].isspace():
        low += 1
    while high > low and high < len(text) and text[high - 1].isspace():
        high -= 1
    lead = ELLIPSIS if low > 0 else ""
    tail = ELLIPSIS if high < len(text) else ""
    shift = len(lead) - low
    matches = tuple((start + shift, end + shift) for start, end in spans)
    return Excerpt(lead + text[low:high] + tail, low + offset, high + offset, matches, len(lead))


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
