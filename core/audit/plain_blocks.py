"""Plain text and text out of a PDF to blocks: paragraphs by blank lines, headings where they are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.audit.blocks import Definition, Outline
from core.audit.report_model import Block, BlockKind
from core.records import Heading

_PARAGRAPH = re.compile(r"[^\s](?:[^\n]|\n(?![ \t\r\f]*\n))*")
_ITEM = re.compile(r"(?:[-*\u2022\u2023\u25aa\u25cf\u25e6\u2013]|\(?\d{1,3}[.)])[ \t]+")
_ITEM_LINE = re.compile(r"\n(?=[ \t]*(?:[-*\u2022\u2023\u25aa\u25cf\u25e6]|\d{1,3}[.)])[ \t]+\S)")
_NOTE = re.compile(r"(?m)^ {0,3}\[\^([^\]\s^]{1,60})\^?\]:")
_LONGEST_HEADING = 90


def plain_outline(text: str, headings: Sequence[Heading] = ()) -> Outline:
    """Blocks of a text without marks.

    ``headings`` (of an extraction) are taken as they are. Without any, a line of its own that is short, begins
    with a capital or a number, and has no stop at its end is a heading.
    """
    outline = Outline()
    for start, end in _paragraphs(text, headings):
        heading = next((h for h in _within(headings, start, end)), None)
        if heading is not None:
            outline.blocks.append(Block(BlockKind.HEADING, start, end, start, heading.level))
            continue
        note = _NOTE.match(text, start, end)
        if note:
            outline.definitions.append(Definition(note[1], start, end, note=True))
            continue
        outline.blocks.extend(_blocks(text, start, end, guess=not headings))
    return outline


def _within(headings: Sequence[Heading], start: int, end: int) -> list[Heading]:
    from bisect import bisect_left

    at = bisect_left(headings, start, key=lambda heading: heading.start)
    following = headings[at : at + 1]
    return [heading for heading in following if heading.start < end and heading.end >= end]


def _paragraphs(text: str, headings: Sequence[Heading]) -> list[tuple[int, int]]:
    """Stripped paragraphs; cut at the borders of known headings and before footnote definitions."""
    cuts = sorted(
        {border for heading in headings for border in (heading.start, heading.end)}
        | {match.start() for match in _NOTE.finditer(text)}
    )
    spans: list[tuple[int, int]] = []
    at = 0
    for match in _PARAGRAPH.finditer(text):
        start, end = match.span()
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        pieces = [start]
        while at < len(cuts) and cuts[at] < end:
            pieces.append(cuts[at])
            at += 1
        pieces.append(end)
        for left, right in pairwise(pieces):
            piece = text[left:right]
            if piece.strip():
                begin = left + len(piece) - len(piece.lstrip())
                spans.append((begin, left + len(piece.rstrip())))
    return spans


def _blocks(text: str, start: int, end: int, *, guess: bool) -> list[Block]:
    if guess and _looks_like_heading(text[start:end]):
        return [Block(BlockKind.HEADING, start, end, start, 2)]
    borders = [start, *(match.end() for match in _ITEM_LINE.finditer(text, start, end)), end]
    blocks: list[Block] = []
    for left, right in pairwise(borders):
        piece = text[left:right]
        begin = left + len(piece) - len(piece.lstrip())
        last = left + len(piece.rstrip())
        item = _ITEM.match(text, begin, last)
        if item and len(borders) > 2:
            digits = re.sub(r"\D", "", item.group())
            blocks.append(Block(BlockKind.LIST_ITEM, item.end(), last, begin, 1, int(digits) if digits else None))
        elif begin < last:
            blocks.append(Block(BlockKind.PROSE, begin, last, begin))
    return blocks


def _looks_like_heading(line: str) -> bool:
    if "\n" in line or len(line) > _LONGEST_HEADING or not line[:1].isalnum() or line[:1].islower():
        return False
    return line[-1] not in ".!?;,\u3002\uff01\uff1f\uff1b]" and "://" not in line
