"""Finding the lists of references of a report and cutting them into entries."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise

from core.audit.entry_lines import (
    ADDRESS,
    START,
    begins_entry,
    is_dated,
    is_entry,
    lines_of,
    number_of,
    without_tags,
)
from core.audit.report_model import Block, BlockKind, Leftover, LeftoverKind
from core.text.letter_numbers import roman
from core.text.reference_headings import glued_heading_end, is_reference_heading, is_reference_label

_RUN_ON = re.compile(r"\[(\d{1,4})\][ \t]*(?=[^\s\[,;.)])")
_CELL_NUMBER = re.compile(r"[*_\\\[]{0,3}(\d{1,4})[\]\\*_.]{0,3}")
_ROMAN = re.compile(r"\(?(?P<key>[ivxl]{1,7})[.)][ \t]+(?=[^\W\d_a-z]|[\"\u201c])")
_HTML_HEADING = re.compile(r"<h([1-6])\b", re.IGNORECASE)
_LABEL_LEVEL = 7
_FEWEST_RUN_ON = 3
_LINES_OF_ENTRY = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry: its place, its number or key if it has one, and the number of its list in the report."""

    start: int
    end: int
    number: int | None
    group: int
    bullet: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """The blocks of a report with its entries as blocks of kind REFERENCE, the entries in order, and the lines of the
    lists that are none."""

    blocks: list[Block]
    pieces: list[Piece]
    leftovers: list[Leftover]


@dataclass(slots=True)
class _Open:
    """The list that is being read: the level of its heading and what has been found in it."""

    level: int
    group: int
    blocks: list[int] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    cells: list[tuple[int, Block]] = field(default_factory=list)


def find_entries(text: str, blocks: Sequence[Block]) -> Entries:
    """The entries of all lists of references."""
    reader = _Reader(text, blocks)
    reader.run()
    rest = [block for at, block in enumerate(blocks) if at not in reader.taken]
    entries = [Block(BlockKind.REFERENCE, piece.start, piece.end, piece.start) for piece in reader.pieces]
    merged = sorted([*rest, *reader.remainders, *entries], key=lambda block: (block.start, block.end))
    return Entries(merged, sorted(reader.pieces, key=lambda piece: piece.start), reader.leftovers)


class _Reader:
    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._whole, self._blocks = text, blocks
        self._text, self._items = without_tags(text)
        self._item_starts = sorted(self._items)
        self._open: _Open | None = None
        self._groups = 0
        self.taken: set[int] = set()
        self.pieces: list[Piece] = []
        self.remainders: list[Block] = []
        self.leftovers: list[Leftover] = []

    def run(self) -> None:
        loose: list[tuple[int, list[Piece]]] = []
        for at, block in enumerate(self._blocks):
            if block.kind is BlockKind.HEADING:
                self._heading(at, block)
            elif self._label(at, block) or (block.kind is BlockKind.CODE and self._fenced(at, block)):
                continue
            elif self._open is not None and not self._ends(block):
                self._add(at, block)
            else:
                self._loose(at, block, loose)
        self._close()
        self._take_loose(loose)

    def _heading(self, at: int, block: Block) -> None:
        content = self._text[block.start : block.end]
        glued = glued_heading_end(content)
        named = is_reference_heading(content) and at != self._title
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

    @cached_property
    def _title(self) -> int | None:
        """The first heading of a report that has its list under a deeper heading: a title such as "Notes" or "Sources"
        names no list. None without one."""
        headings = [(at, block) for at, block in enumerate(self._blocks) if block.kind is BlockKind.HEADING]
        below = (block for _, block in headings[1:] if block.level > headings[0][1].level)
        listed = any(is_reference_heading(self._text[block.start : block.end]) for block in below)
        return headings[0][0] if listed else None

    def _begin(self, level: int) -> None:
        self._groups += 1
        self._open = _Open(level, self._groups)

    def _label(self, at: int, block: Block) -> bool:
        """A paragraph that is, or begins with, a line such as ``**Sources:**``."""
        if block.kind not in (BlockKind.PROSE, BlockKind.QUOTE):
            return False
        start, end = next(lines_of(self._text, block.start, block.end), (block.start, block.start))
        if not is_reference_label(self._text[start:end]):
            return False
        rest = [*lines_of(self._text, end, block.end)][:_LINES_OF_ENTRY]
        begins = any(is_entry(self._text[rest[0][0] : last]) for _, last in rest)
        if rest and not begins and not START.match(self._text, rest[0][0], block.end):
            return False
        self._close()
        heading = _HTML_HEADING.search(self._whole, block.start, start)
        self._begin(int(heading[1]) if heading else _LABEL_LEVEL)
        self.taken.add(at)
        self.remainders.append(Block(BlockKind.HEADING, start, end, min(block.lead, start), 6))
        if rest:
            self._lines(rest[0][0], block.end)
        return True

    def _fenced(self, at: int, block: Block) -> bool:
        """Takes a block of code for what it shows: entries of the open list, or a list with its own heading. True for
        code that is no list."""
        lines = [*lines_of(self._text, block.start, block.end)]
        lines = [span for span in lines if not self._text.startswith(("```", "~~~"), span[0])]
        labelled = bool(lines) and is_reference_label(self._text[slice(*lines[0])])
        entries = lines[labelled:]
        marked = sum(bool(START.match(self._text, *span)) or is_entry(self._text[slice(*span)]) for span in entries)
        if 2 * marked <= len(entries):
            return True
        if labelled:
            self._close()
            self._begin(_LABEL_LEVEL)
        if self._open is None:
            return False
        self._open.blocks.append(at)
        self._lines(entries[0][0], entries[-1][1])
        return True

    def _line(self, start: int, end: int) -> str:
        left, right = next(lines_of(self._text, start, end), (start, start))
        return self._text[left:right]

    def _ends(self, block: Block) -> bool:
        """True when a paragraph ends the list: one that is no entry, after the items below a mere label."""
        assert self._open is not None
        if self._open.level != _LABEL_LEVEL or block.kind is not BlockKind.PROSE or not self._open.pieces:
            return False
        line = self._line(block.start, block.end)
        if START.match(line) or is_entry(line):
            return False
        self._close()
        return True

    def _add(self, at: int, block: Block) -> None:
        assert self._open is not None
        if block.kind is BlockKind.FRONT_MATTER:
            return
        self._open.blocks.append(at)
        if block.kind is BlockKind.TABLE_CELL:
            self._open.cells.append((at, block))
        elif block.kind is BlockKind.LIST_ITEM:
            self._item(block)
        else:
            self._lines(block.start, block.end)

    def _rows(self) -> None:
        """The rows of tables as entries, each with the number in its first cell; the row of heads is none."""
        assert self._open is not None
        for _, row in groupby(self._open.cells, key=lambda cell: cell[1].order):
            cells = [block for _, block in row]
            first, last = cells[0], cells[-1]
            mark = _CELL_NUMBER.fullmatch(self._text, first.start, first.end)
            if is_dated(self._text[first.start : last.end]) or (mark and len(cells) > 1):
                number = int(mark[1]) if mark else None
                self._open.pieces.append(Piece(first.start, last.end, number, self._open.group, bullet=True))

    def _item(self, block: Block) -> None:
        assert self._open is not None
        pieces = self._open.pieces
        if pieces and (block.level > 1 or block.start < pieces[-1].end):
            pieces[-1] = replace(pieces[-1], end=block.end)
            return
        mark = START.match(self._text, block.start, block.end)
        number = number_of(mark) if mark else block.order
        if block.lead == block.start and pieces and not mark:
            pieces[-1] = replace(pieces[-1], end=block.end)  # a second paragraph of the item before it
            return
        pieces.append(Piece(block.lead, block.end, number, self._open.group, bullet=True, key=_key(mark)))

    def _lines(self, start: int, end: int) -> None:
        """A paragraph: an entry for each line that has a number or reads as the beginning of one, else one entry."""
        assert self._open is not None
        pieces = self._open.pieces
        run_on = _ascending(self._text, start, end)
        if len(run_on) >= _FEWEST_RUN_ON and not any("\n" in self._text[a:b] for a, b in run_on[:-1]):
            self._run_on(start, end)
            return
        lines = [*lines_of(self._text, start, end), (end, end)]
        for at, ((begin, last), following) in enumerate(pairwise(lines)):
            mark = START.match(self._text, begin, last) or self._roman(begin, last)
            item = self._html_item(begin)
            line, after = self._text[begin:last], self._text[slice(*following)]
            if mark or item or not at or begins_entry(line, self._text[pieces[-1].start : pieces[-1].end], after):
                number = number_of(mark) if mark else item[0] if item else None
                pieces.append(Piece(begin, last, number, self._open.group, bullet=bool(item), key=_key(mark)))
            else:
                pieces[-1] = replace(pieces[-1], end=last)

    def _roman(self, begin: int, last: int) -> re.Match[str] | None:
        """The mark of a line that begins with the next small Roman number of the open list (``ii. Lund``)."""
        assert self._open is not None
        mark = _ROMAN.match(self._text, begin, last)
        return mark if mark and mark["key"] == roman(len(self._open.pieces) + 1) else None

    def _html_item(self, begin: int) -> tuple[int | None] | None:
        """The number of the item of an HTML list that begins here, None for no item."""
        at = bisect_right(self._item_starts, begin) - 1
        if at < 0 or self._text[self._item_starts[at] : begin].strip():
            return None
        return (self._items[self._item_starts[at]],)

    def _run_on(self, start: int, end: int) -> None:
        assert self._open is not None
        for left, right in _ascending(self._text, start, end):
            piece = self._text[left:right]
            number = int(piece[1 : piece.index("]")])
            self._open.pieces.append(Piece(left, left + len(piece.rstrip()), number, self._open.group))

    def _loose(self, at: int, block: Block, loose: list[tuple[int, list[Piece]]]) -> None:
        """Lines ``[n] ...`` outside any named list, all with an address, and notes with a raised number: a list
        without a heading."""
        if block.kind not in (BlockKind.PROSE, BlockKind.LIST_ITEM, BlockKind.CODE):
            return
        pieces: list[Piece] = []
        for begin, last in lines_of(self._text, block.start, block.end):
            if self._text.startswith(("```", "~~~"), begin):
                continue
            mark = START.match(self._text, begin, last)
            if not mark or mark["dotted"] or mark["round"] or mark["key"]:
                return
            if not ADDRESS.search(self._text, begin, last) and (mark["square"] or not is_dated(self._text[begin:last])):
                return
            pieces.append(Piece(begin, last, number_of(mark), 0))
        if pieces:
            loose.append((at, pieces))

    def _take_loose(self, loose: list[tuple[int, list[Piece]]]) -> None:
        pieces = [piece for _, found in loose for piece in found]
        if len(pieces) == 1 and not re.search(rf"\[\^?{pieces[0].number}\]", self._text[: pieces[0].start]):
            return
        for at, found in loose:
            self.taken.add(at)
            self.pieces.extend(found)

    def _close(self) -> None:
        """Decide what of the open list are entries: what has a number or key, bullets, and lines that read as one. In a
        list with neither numbers nor bullets a year or an address is enough."""
        if self._open is None:
            return
        self._rows()
        pieces, group = self._open.pieces, self._open
        self._open = None
        numbered = any(piece.number is not None or piece.key for piece in pieces)
        bullets = any(piece.bullet for piece in pieces)
        entries = [piece for piece in pieces if self._is_entry(piece, numbered=numbered, bullets=bullets)]
        self.pieces.extend(entries)
        starts = sorted((piece.start, piece.end) for piece in entries)
        for at in group.blocks:
            block = self._blocks[at]
            rest = _outside(block, starts)
            if rest != [(block.start, block.end)]:
                self.taken.add(at)
                self.remainders.extend(_parts(self._whole, block, rest))
        if entries:
            taken = {piece.start for piece in entries}
            others = [piece for piece in pieces if piece.start not in taken and self._text[piece.start] != "<"]
            self.leftovers += [Leftover(LeftoverKind.ENTRY, piece.start, piece.end) for piece in others]

    def _is_entry(self, piece: Piece, *, numbered: bool, bullets: bool) -> bool:
        words = self._text[piece.start : piece.end]
        if piece.number is not None or piece.key:
            return True
        if piece.bullet:
            return not numbered or is_dated(words)
        return is_entry(words) if numbered or bullets else is_dated(words)


def _key(mark: re.Match[str] | None) -> str | None:
    return mark["key"] if mark else None


def _outside(block: Block, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
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
