"""Finding the lists of references of a report and cutting them into entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.audit.report_model import Block, BlockKind
from core.text.reference_headings import glued_heading_end, is_reference_heading, is_reference_label

_START = re.compile(
    r"[ \t>]*(?:[-*+\u2022][ \t]+)?(?:\*\*|<sup>|\^)?(?:\[\^?(?P<square>\d{1,4})\]|(?P<dotted>\d{1,4})[.)](?=[ \t])"
    r"|(?<=<sup>)(?P<tagged>\d{1,4})(?=</sup>)"
    r"|\((?P<round>\d{1,4})\)|(?P<raised>[\u00b9\u00b2\u00b3\u2070-\u2079]+))(?:\*\*|</sup>|\^)?[:.]?[ \t]*(?=\S)"
)
_LINE = re.compile(r"[^\r\n]+")
_RUN_ON = re.compile(r"\[(\d{1,4})\][ \t]*(?=[^\s\[,;.)])")
_ADDRESS = re.compile(r"https?://|\bwww\.|\bdoi:|\b10\.\d{4,9}/", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d[a-z]?(?!\d)")
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_LABEL_LEVEL = 7
_FEWEST_RUN_ON = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry: its place, its number if it has one, and the number of its list in the report."""

    start: int
    end: int
    number: int | None
    group: int
    bullet: bool = False


@dataclass(slots=True)
class _Open:
    """The list that is being read: the level of its heading and what has been found in it."""

    level: int
    group: int
    blocks: list[int]
    pieces: list[Piece]


def find_entries(text: str, blocks: Sequence[Block]) -> tuple[list[Block], list[Piece]]:
    """Blocks with the entries as blocks of kind REFERENCE, and the entries in the order of the text."""
    reader = _Reader(text, blocks)
    reader.run()
    rest = [block for at, block in enumerate(blocks) if at not in reader.taken]
    entries = [Block(BlockKind.REFERENCE, piece.start, piece.end, piece.start) for piece in reader.pieces]
    merged = sorted([*rest, *reader.remainders, *entries], key=lambda block: (block.start, block.end))
    return merged, sorted(reader.pieces, key=lambda piece: piece.start)


class _Reader:
    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text, self._blocks = text, blocks
        self._open: _Open | None = None
        self._groups = 0
        self.taken: set[int] = set()
        self.pieces: list[Piece] = []
        self.remainders: list[Block] = []

    def run(self) -> None:
        loose: list[tuple[int, list[Piece]]] = []
        for at, block in enumerate(self._blocks):
            if block.kind is BlockKind.HEADING:
                self._heading(at, block)
            elif self._label(at, block):
                continue
            elif self._open is not None:
                self._add(at, block)
            else:
                self._loose(at, block, loose)
        self._close()
        self._take_loose(loose)

    def _heading(self, at: int, block: Block) -> None:
        content = self._text[block.start : block.end]
        glued = glued_heading_end(content)
        named = is_reference_heading(content)
        if self._open is not None and (named or block.level <= self._open.level):
            self._close()
        if glued is not None:
            self._begin(block.level)
            self.taken.add(at)
            label_end = block.start + len(content[:glued].rstrip())
            self.remainders.append(replace(block, end=label_end))
            self._run_on(block.start + glued, block.end)
        elif named:
            self._begin(block.level)

    def _begin(self, level: int) -> None:
        self._groups += 1
        self._open = _Open(level, self._groups, [], [])

    def _label(self, at: int, block: Block) -> bool:
        """A paragraph that is, or begins with, a line such as ``**Sources:**``."""
        if block.kind not in (BlockKind.PROSE, BlockKind.QUOTE):
            return False
        first = _LINE.match(self._text, block.start, block.end)
        if not first or not is_reference_label(first.group()):
            return False
        alone = first.end() == block.end
        if not alone and not _START.match(self._text, _skip(self._text, first.end()), block.end):
            return False
        self._close()
        self._begin(_LABEL_LEVEL)
        self.taken.add(at)
        self.remainders.append(Block(BlockKind.HEADING, block.start, first.end(), block.lead, 6))
        if not alone:
            rest = _skip(self._text, first.end())
            self._lines(rest, block.end)
        return True

    def _add(self, at: int, block: Block) -> None:
        assert self._open is not None
        if block.kind in (BlockKind.CODE, BlockKind.TABLE_CELL, BlockKind.FRONT_MATTER):
            return
        self._open.blocks.append(at)
        if block.kind is BlockKind.LIST_ITEM:
            self._item(block)
        else:
            self._lines(block.start, block.end)

    def _item(self, block: Block) -> None:
        assert self._open is not None
        pieces = self._open.pieces
        if pieces and (block.level > 1 or block.start < pieces[-1].end):
            pieces[-1] = replace(pieces[-1], end=block.end)
            return
        mark = _START.match(self._text, block.start, block.end)
        number = _number(mark) if mark else block.order
        if block.lead == block.start and pieces and not mark:
            pieces[-1] = replace(pieces[-1], end=block.end)  # a second paragraph of the item before it
            return
        pieces.append(Piece(block.lead, block.end, number, self._open.group, bullet=True))

    def _lines(self, start: int, end: int) -> None:
        """A paragraph: an entry for each line that begins with a number, else one entry."""
        assert self._open is not None
        pieces = self._open.pieces
        run_on = _ascending(self._text, start, end)
        if len(run_on) >= _FEWEST_RUN_ON and not any("\n" in self._text[a:b] for a, b in run_on[:-1]):
            self._run_on(start, end)
            return
        first = True
        for line in _LINE.finditer(self._text, start, end):
            mark = _START.match(self._text, line.start(), line.end())
            last = line.start() + len(line.group().rstrip())
            begin = line.start() + len(line.group()) - len(line.group().lstrip())
            if last <= begin:
                continue
            if mark:
                pieces.append(Piece(begin, last, _number(mark), self._open.group))
            elif first:
                pieces.append(Piece(begin, last, None, self._open.group))
            else:
                pieces[-1] = replace(pieces[-1], end=last)
            first = False

    def _run_on(self, start: int, end: int) -> None:
        assert self._open is not None
        for left, right in _ascending(self._text, start, end):
            piece = self._text[left:right]
            number = int(piece[1 : piece.index("]")])
            self._open.pieces.append(Piece(left, left + len(piece.rstrip()), number, self._open.group))

    def _loose(self, at: int, block: Block, loose: list[tuple[int, list[Piece]]]) -> None:
        """Lines ``[n] ...`` outside any named list, all with an address: a list without a heading."""
        if block.kind not in (BlockKind.PROSE, BlockKind.LIST_ITEM) or self._text[block.start] != "[":
            return
        pieces: list[Piece] = []
        for line in _LINE.finditer(self._text, block.start, block.end):
            mark = _START.match(self._text, line.start(), line.end())
            if not mark or not mark["square"] or not _ADDRESS.search(line.group()):
                return
            pieces.append(Piece(line.start(), line.start() + len(line.group().rstrip()), _number(mark), 0))
        loose.append((at, pieces))

    def _take_loose(self, loose: list[tuple[int, list[Piece]]]) -> None:
        if sum(len(pieces) for _, pieces in loose) < 2:
            return
        for at, pieces in loose:
            self.taken.add(at)
            self.pieces.extend(pieces)

    def _close(self) -> None:
        """Decide what of the open list are entries: the numbered ones if any, else bullets, else dated lines."""
        if self._open is None:
            return
        pieces, group = self._open.pieces, self._open
        self._open = None
        if any(piece.number is not None for piece in pieces):
            entries = [piece for piece in pieces if piece.number is not None]
        elif any(piece.bullet for piece in pieces):
            entries = [piece for piece in pieces if piece.bullet]
        else:
            entries = [p for p in pieces if _dated(self._text[p.start : p.end])]
        self.pieces.extend(entries)
        starts = sorted((piece.start, piece.end) for piece in entries)
        for at in group.blocks:
            block = self._blocks[at]
            rest = _outside(block, starts)
            if rest != [(block.start, block.end)]:
                self.taken.add(at)
                self.remainders.extend(_parts(self._text, block, rest))


def _outside(block: Block, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    from bisect import bisect_right

    rest: list[tuple[int, int]] = []
    at = block.start
    index = max(0, bisect_right(spans, (block.start, 1 << 62)) - 1)
    for start, end in spans[index:]:
        if start >= block.end:
            break
        if end <= at:
            continue
        if start > at:
            rest.append((at, start))
        at = max(at, end)
    if at < block.end:
        rest.append((at, block.end))
    return rest


def _parts(text: str, block: Block, rest: list[tuple[int, int]]) -> Iterator[Block]:
    for start, end in rest:
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            begin = start + len(piece) - len(piece.lstrip())
            yield replace(block, start=begin, end=begin + len(bare), lead=min(block.lead, begin))


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in "\r\n":
        at += 1
    return at


def _number(mark: re.Match[str]) -> int:
    digits = mark["square"] or mark["dotted"] or mark["tagged"] or mark["round"] or mark["raised"].translate(_RAISED)
    return int(digits[:9])


def _ascending(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches that begin with ``[1]``, then ``[2]`` or a higher number, and so on, in one paragraph."""
    marks = list(_RUN_ON.finditer(text, start, end))
    if not marks or marks[0].start() != start:
        return []
    chosen = [marks[0]]
    for mark in marks[1:]:
        if int(mark[1]) > int(chosen[-1][1]):
            chosen.append(mark)
    borders = [mark.start() for mark in chosen] + [end]
    return list(pairwise(borders))


def _dated(line: str) -> bool:
    return bool(_YEAR.search(line) or _ADDRESS.search(line))
