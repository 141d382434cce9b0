"""A report laid out for reading: blocks of coloured pieces, and the paragraph around a claim. Pure functions.

Offsets are code points into the report's text, half-open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from core.audit.report_model import Block, BlockKind, Report
from core.records import Finding, HeatSentence, Span

PART_CHARS = 40_000
"""About as much of a report as a browser paints without a pause; a longer one is shown in parts."""

_AROUND = 300
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)|(?<!\w)\*(?=[^\s*])|(?<=[^\s*])\*(?!\w)")
_SOFT_END = re.compile(r"(?<! {2})(?<!\\)\n(?!\n)(?<!\n\n)")
_LONG_LINK = re.compile(r"\]\(<?https?://(?:www\.)?([^/\s)>]+)/[^\s)]{8,}\)")


@dataclass(frozen=True, slots=True)
class ShadedPiece:
    """A run of the report in one shade; ``findings`` are ids of its rows, ``why`` one line."""

    start: int
    end: int
    shade: str = "plain"
    findings: tuple[int, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class ShadedBlock:
    """A paragraph, heading, list item or row of a table, cut into pieces; ``level`` is that of a heading or item."""

    kind: BlockKind
    level: int
    pieces: tuple[ShadedPiece, ...]

    @property
    def start(self) -> int:
        """Offset of its beginning."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """Offset of its end."""
        return self.pieces[-1].end


def shaded_blocks(report: Report, heat: Sequence[HeatSentence]) -> list[ShadedBlock]:
    """The report as blocks of shaded pieces, in order; the cells of one row of a table make one block.

    Front matter is left out: it is no part of what readers see. What no shade covers is plain.
    """
    sentences = sorted(heat, key=lambda sentence: sentence.start)
    reached = list(
        accumulate((sentence.end for sentence in sentences), max)
    )  # where a block begins among them, by bisection
    shown = [block for block in report.blocks if block.kind is not BlockKind.FRONT_MATTER and block.end > block.start]
    blocks = []
    for _, group in groupby(enumerate(shown), key=lambda pair: _row_of(*pair)):
        members = [block for _, block in group]
        pieces = tuple(
            piece for block in members for piece in _pieces(block, sentences, bisect_right(reached, block.start))
        )
        blocks.append(ShadedBlock(members[0].kind, members[0].level, pieces))
    return blocks


def _row_of(index: int, block: Block) -> tuple[str, int]:
    if block.kind is BlockKind.TABLE_CELL and block.order is not None:
        return "row", block.order
    return "block", index


def _pieces(block: Block, heat: Sequence[HeatSentence], first: int) -> list[ShadedPiece]:
    """``first`` is the number of the first sentence that does not end before the block."""
    pieces, at = [], block.start
    for number in range(first, len(heat)):
        sentence = heat[number]
        if sentence.start >= block.end:
            break
        start, end = max(sentence.start, at), min(sentence.end, block.end)
        if start >= end:
            continue
        if start > at:
            pieces.append(ShadedPiece(at, start))
        pieces.append(ShadedPiece(start, end, sentence.shade, sentence.findings, sentence.why))
        at = end
    if at < block.end:
        pieces.append(ShadedPiece(at, block.end))
    return pieces


def flowing(text: str) -> str:
    """Text of the same length in which a line ends only where two blanks or a backslash ask for it, or a paragraph
    does."""
    return _SOFT_END.sub(" ", text)


def readable(text: str) -> str:
    """Markdown as people read it: no marks of emphasis, of an address its site only, lines as ``flowing`` ends them.
    Other text stays as it is."""
    return _LONG_LINK.sub(r"](\1/…)", flowing(_EMPHASIS.sub("", text)))


def parts(blocks: Sequence[ShadedBlock], size: int = PART_CHARS) -> list[list[ShadedBlock]]:
    """The blocks in parts of about ``size`` characters, cut between blocks; at least one part."""
    cut: list[list[ShadedBlock]] = [[]]
    length = 0
    for block in blocks:
        if cut[-1] and length + block.end - block.start > size:
            cut.append([])
            length = 0
        cut[-1].append(block)
        length += block.end - block.start
    return cut


def part_of(cut: Sequence[Sequence[ShadedBlock]], offset: int | None) -> int:
    """Index of the part that holds ``offset``; 0 without one."""
    if offset is None:
        return 0
    for index, blocks in enumerate(cut):
        if blocks and offset < blocks[-1].end:
            return index
    return max(0, len(cut) - 1)


def paragraph_of(report: Report, finding: Finding) -> Span | None:
    """The paragraph (or row of a table) in which the claim of a citation stands; None where the row has no place."""
    place = finding.claim or finding.marker or finding.reference
    return None if place is None else paragraph_around(report, place)


def paragraph_around(report: Report, place: Span) -> Span:
    """The paragraph (or row of a table) in which a place of the report stands."""
    for index, block in enumerate(report.blocks):
        if block.start <= place[0] < block.end:
            if block.kind is not BlockKind.TABLE_CELL:
                return min(block.start, place[0]), max(block.end, place[1])
            row = [cell for at, cell in enumerate(report.blocks) if _row_of(at, cell) == _row_of(index, block)]
            return min(cell.start for cell in row), max(cell.end for cell in row)
    return max(0, place[0] - _AROUND), min(len(report.text), place[1] + _AROUND)
