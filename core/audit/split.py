"""Sentences of a report. Markers are hidden while splitting, then belong to the sentence that they follow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from core.audit.report_model import Block, BlockKind, Marker, Sentence
from core.audit.view import QUOTE_MARK
from core.text.sentences import iter_sentence_spans

_WHOLE = frozenset(
    {BlockKind.HEADING, BlockKind.TABLE_CELL, BlockKind.REFERENCE, BlockKind.CODE, BlockKind.FRONT_MATTER}
)
_LONG = 12
_STOPS = frozenset(".!?\u2026")


def split_sentences(text: str, blocks: Sequence[Block], markers: Sequence[Marker]) -> tuple[Sentence, ...]:
    """Sentences in the order of the text; none crosses the border of a block, none overlap.

    Headings, cells, reference entries, code and front matter are one sentence each. A marker behind a full stop
    lies in the sentence before it, unless what follows goes on in lower case (``[5] shows that ...``).
    """
    starts = [marker.start for marker in markers]
    sentences: list[Sentence] = []
    for index, block in enumerate(blocks):
        if block.kind in _WHOLE:
            sentences.append(Sentence(block.start, block.end, block.kind, index))
            continue
        within = markers[bisect_left(starts, block.start) : bisect_left(starts, block.end)]
        for start, end in _spans(text, block, within):
            sentences.append(Sentence(start, end, block.kind, index))
    return tuple(sentences)


def _spans(text: str, block: Block, markers: Sequence[Marker]) -> list[tuple[int, int]]:
    body = _hidden(text, block, markers)
    spans = [[block.start + start, block.start + end] for start, end in iter_sentence_spans(body)]
    if not spans:
        return [(block.start, block.end)] if markers else []
    at = 0
    for marker in markers:
        while at + 1 < len(spans) and spans[at + 1][0] <= marker.start:
            at += 1
        if marker.start < spans[0][0]:
            spans[0][0] = marker.start
            spans[0][1] = max(spans[0][1], marker.end)
        elif marker.end > spans[at][1]:
            if _goes_on(text, spans, at, marker):
                spans[at + 1][0] = marker.start
            else:
                spans[at][1] = marker.end
    return [(start, end) for start, end in spans]


def _goes_on(text: str, spans: Sequence[list[int]], at: int, marker: Marker) -> bool:
    """True when the sentence after the marker begins with it: it goes on in lower case right behind."""
    if at + 1 >= len(spans) or marker.start < spans[at][1]:
        return False
    following = spans[at + 1][0]
    return following >= marker.end and text[following].islower()


def _hidden(text: str, block: Block, markers: Sequence[Marker]) -> str:
    """The block with markers that follow their claim as blanks, and those inside it (long ones before a stop, too) as
    one word."""
    pieces: list[str] = []
    at = block.start
    for marker in markers:
        pieces.append(text[at : marker.start])
        length = marker.end - marker.start
        before_stop = length >= _LONG and text[marker.end : marker.end + 1] in _STOPS
        # A stop far behind its word, with nothing but blanks between, would not end the sentence.
        word = "Xx" if marker.inside else " w" if before_stop else "  "
        pieces.append(word[0] + word[1] * (length - 1))
        at = marker.end
    pieces.append(text[at : block.end])
    return (
        QUOTE_MARK.sub(lambda mark: " " * len(mark.group()), "".join(pieces))
        if block.kind is BlockKind.QUOTE
        else "".join(pieces)
    )
