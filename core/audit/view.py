"""The text as the citation finders see it: same length, everything that cannot cite blanked out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.audit.report_model import Block, Marker, Reference, Span

BLANK = "\x00"
"""Stands for every character that is not looked at. Finders may rely on it being neither a word nor a space."""

_TICKS = re.compile(r"`+")
NOISE = re.compile(r"\[cite_(?:start|end)\]")
"""Marks of assistants that say where a cited stretch begins; the mark that cites comes behind it."""
QUOTE_MARK = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")
"""The mark that Markdown puts before every further line of a quotation."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?(?!sup\b)[a-zA-Z][a-zA-Z0-9-]{0,20}(?:\s[^<>]{0,2000})?/?>")
_STRUCK = re.compile(
    r"(?<!~)~~(?=[^\s~])[^~\x00]{1,2000}?~~(?!~)|<(?P<tag>del|s|strike)>.{1,2000}?</(?P=tag)>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTED = re.compile(r"\A</?[a-zA-Z][\w-]*(?:\s|/?>)")
_MATH = re.compile(r"\$\$.{1,4000}?\$\$|(?<![\\$\w])\$(?=[^\s$])[^$\n]{0,300}?[^\s$\\]\$(?![\d$])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class View:
    """The text as a finder gets it: ``text`` has the length of the report, ``BLANK`` where nothing may be found.

    ``blocks`` are in order; ``references`` are the entries that the report lists.
    """

    source: str
    text: str
    blocks: Sequence[Block]
    references: Sequence[Reference]

    def without(self, spans: Iterable[tuple[int, int]]) -> View:
        """The same view with further stretches blanked."""
        return View(self.source, blanked(self.text, spans), self.blocks, self.references)

    def knowing(self, references: Sequence[Reference]) -> View:
        """The same view with further works that the report names."""
        return View(self.source, self.text, self.blocks, [*self.references, *references])


def marker_text(view: View, start: int, end: int) -> str:
    """The marker as written."""
    return view.source[start:end]


def view_of(text: str, blocks: Sequence[Block], references: Sequence[Reference]) -> View:
    """Everything but prose, list items, cells and quotes blanked, and in those: code, comments, tags, math."""
    pieces: list[str] = []
    at = 0
    for block in blocks:
        if not block.kind.citable or block.start < at:
            continue
        pieces.append(BLANK * (block.start - at))
        body = text[block.start : block.end]
        pieces.append(blanked(body, _unread(body)))
        at = block.end
    pieces.append(BLANK * (len(text) - at))
    return View(text, "".join(pieces), blocks, references)


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with the given stretches (any order, overlap allowed) replaced by ``BLANK``."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        start = max(start, at)
        pieces.append(text[at:start])
        pieces.append(BLANK * (end - start))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _unread(body: str) -> list[tuple[int, int]]:
    spans = code_spans(body) if "`" in body else []
    if "<" in body:
        spans += [match.span() for match in _COMMENT.finditer(body)]
        spans += [match.span() for match in _TAG.finditer(body) if _ATTRIBUTED.match(match.group())]
    spans += struck(body)
    if "[cite_" in body:
        spans += [match.span() for match in NOISE.finditer(body)]
    if "$" in body:
        spans += [match.span() for match in _MATH.finditer(body)]
    return spans


def struck(body: str) -> list[tuple[int, int]]:
    """Stretches of words that were struck out: their author took them back."""
    return [match.span() for match in _STRUCK.finditer(body)] if "~~" in body or "<" in body else []


def code_spans(body: str) -> list[tuple[int, int]]:
    """Stretches between runs of backticks of the same length (CommonMark 6.1), in linear time."""
    runs = [match.span() for match in _TICKS.finditer(body)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        same = later[end - start]
        while same and same[-1] <= index:
            same.pop()
        if same:
            closing = same[-1]
            spans.append((start, runs[closing][1]))
            index = closing + 1
        else:
            index += 1
    return spans


def spans_of(markers: Iterable[Marker]) -> list[tuple[int, int]]:
    """Offsets of markers."""
    return [(marker.start, marker.end) for marker in markers]


def trimmed(text: str, start: int, end: int) -> Span | None:
    """``[start, end)`` without blanks at its ends; None when nothing is left."""
    piece = text[start:end]
    bare = piece.strip()
    if not bare:
        return None
    begin = start + len(piece) - len(piece.lstrip())
    return Span(begin, begin + len(bare))
