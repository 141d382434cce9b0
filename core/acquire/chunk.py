"""Cutting a document into passages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.records import Heading, PageSpan, Passage
from core.text.sentences import iter_sentence_spans

CONTEXT_CHARS = 200
"""Longest context of a passage, in characters."""

_SEPARATOR = " \u203a "
_TINY = 0.2
"""A passage shorter than this share of the size does not stand alone: a heading does not end it, and as
the last one of a section it joins the passage before it."""
_SLACK = 1.25
"""How far, in sizes, a passage may grow so that no heading and no tiny rest is left alone."""


@dataclass(slots=True)
class _Unit:
    start: int
    end: int
    heading: bool = False


@dataclass(slots=True)
class _Section:
    """Units that one run of passages is made of: a heading or several in a row, and what stands under them."""

    units: list[_Unit] = field(default_factory=list)


def chunk(
    text: str,
    *,
    document_id: str,
    title: str = "",
    headings: Sequence[Heading] = (),
    pages: Sequence[PageSpan] = (),
    size: int = 500,
    overlap: int = 50,
) -> list[Passage]:
    """Passages of about ``size`` characters with an overlap of at most ``overlap`` (whole sentences).

    ``text[p.start:p.end] == p.text`` for every passage; ordinals count from 0; every character that is no
    space lies in a passage. A sentence is cut only when it alone is longer than ``size``, then at a space
    if there is one. No passage is longer than 1.25 × ``size``. A heading starts a new passage unless the
    current one is tiny. ``headings`` and ``pages`` are offsets into ``text``, in order.
    """
    if size < 1 or overlap < 0:
        raise ValueError(f"size must be at least 1 and overlap at least 0, not {size} and {overlap}")
    contexts = _Contexts(title, headings)
    page_starts = [page.start for page in pages]
    passages: list[Passage] = []
    for start, end in _spans(text, headings, size, overlap):
        at = bisect_right(page_starts, start) - 1
        page = pages[at].number if at >= 0 else None
        passages.append(Passage(document_id, len(passages), start, end, text[start:end], contexts.at(start), page))
    return passages


class _Contexts:
    """The title and the headings above a place; asked for places in ascending order."""

    def __init__(self, title: str, headings: Sequence[Heading]) -> None:
        self._title = " ".join(title.split())
        self._headings = headings
        self._next = 0
        self._open: list[Heading] = []

    def at(self, start: int) -> str:
        """Context of a passage that starts at ``start``: headings that begin before it."""
        while self._next < len(self._headings) and self._headings[self._next].start < start:
            heading = self._headings[self._next]
            while self._open and self._open[-1].level >= heading.level:
                self._open.pop()
            self._open.append(heading)
            self._next += 1
        parts = [self._title] if self._title else []
        for heading in self._open:
            words = " ".join(heading.text.split())
            if words and words.casefold() not in (part.casefold() for part in parts):
                parts.append(words)
        return _fit(parts)


def _fit(parts: list[str]) -> str:
    """Join within CONTEXT_CHARS: middle headings go first, then long ones are shortened."""
    while len(parts) > 2 and len(_SEPARATOR.join(parts)) > CONTEXT_CHARS:
        del parts[1]
    room = (CONTEXT_CHARS - len(_SEPARATOR) * (len(parts) - 1)) // max(1, len(parts))
    if len(_SEPARATOR.join(parts)) > CONTEXT_CHARS:
        parts = [part if len(part) <= room else part[: room - 1].rstrip() + "\u2026" for part in parts]
    return _SEPARATOR.join(parts)


def _spans(text: str, headings: Sequence[Heading], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    last_end = 0
    for section in _sections(_units(text, headings, size), size):
        for start, end in _pack(section.units, size, overlap):
            # A repeated sentence may make a start fall back, never behind the passage before.
            if end > last_end:
                yield start, end
                last_end = end


def _units(text: str, headings: Sequence[Heading], size: int) -> Iterator[_Unit]:
    """Sentences, those longer than ``size`` in pieces, none across the border of a heading."""
    position = 0
    for heading in headings:
        start, end = max(position, heading.start), min(len(text), heading.end)
        if end <= start:
            continue
        yield from _plain_units(text, position, start, size, heading=False)
        yield from _plain_units(text, start, end, size, heading=True)
        position = end
    yield from _plain_units(text, position, len(text), size, heading=False)


def _plain_units(text: str, start: int, end: int, size: int, *, heading: bool) -> Iterator[_Unit]:
    if start >= end:
        return
    part = text if (start, end) == (0, len(text)) else text[start:end]
    spans: Iterator[tuple[int, int]] = iter_sentence_spans(part)
    if heading:
        spans = iter([(len(part) - len(part.lstrip()), len(part.rstrip()))] if part.strip() else [])
    for first, last in spans:
        for a, b in _pieces(part, first, last, size):
            yield _Unit(start + a, start + b, heading)


def _pieces(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``[start, end)`` at spaces into pieces of at most ``size``; anywhere where there is no space."""
    while end - start > size:
        cut = max(text.rfind(space, start + 1, start + size + 1) for space in " \n\t\u3000\u00a0")
        if cut <= start:
            cut = start + size
        stop = cut
        while stop > start + 1 and text[stop - 1].isspace():
            stop -= 1
        yield start, stop
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _sections(units: Iterator[_Unit], size: int) -> Iterator[_Section]:
    """Group units so that a heading opens a new group, unless the group so far is tiny."""
    current = _Section()
    for unit in units:
        opens = unit.heading and bool(current.units) and not current.units[-1].heading
        if opens and current.units[-1].end - current.units[0].start >= _TINY * size:
            yield current
            current = _Section()
        current.units.append(unit)
    if current.units:
        yield current


def _pack(units: list[_Unit], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Fill passages greedily; the sentences at a border that fit into ``overlap`` are repeated."""
    limit = int(size * _SLACK)
    first = 0  # index of the first unit of the current passage
    fresh = 0  # index of its first unit that no passage has held yet
    for index, unit in enumerate(units):
        if index == fresh:
            continue
        length = unit.end - units[first].start
        if length <= size:
            continue
        only_headings = all(u.heading for u in units[fresh:index][:4]) and index - fresh <= 4
        if length <= limit and (only_headings or _tiny_rest(units, index, size)):
            continue
        yield units[first].start, units[index - 1].end
        first, fresh = _overlapping(units, first, index, size, overlap), index
    yield units[first].start, units[-1].end


def _tiny_rest(units: list[_Unit], index: int, size: int) -> bool:
    """True when the rest from ``index`` on is too short to stand alone."""
    return units[-1].end - units[index].start < _TINY * size


def _overlapping(units: list[_Unit], first: int, index: int, size: int, overlap: int) -> int:
    """The first unit of the passage whose first new unit is ``index``: the units before it are repeated."""
    start = index
    while start - 1 > first and not units[start - 1].heading:
        candidate = units[start - 1]
        if units[index - 1].end - candidate.start > overlap or units[index].end - candidate.start > size:
            break
        start -= 1
    return start
