"""Markdown to blocks with exact offsets; the text itself is never changed.

Block structure is markdown-it's (CommonMark with tables); its lines are mapped back to offsets. Lines that it
drops (definitions, nesting beyond its limit) are taken up again, so that every visible character lies in a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.audit.report_model import Block, BlockKind

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:[^\r\n]*\r?\n){1,4000}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_NOTE = re.compile(r" {0,3}\[\^([^\]\s^]{1,60})\^?\]:")
_LINK_DEFINITION = re.compile(r" {0,3}\[(?!\^)([^\]\[\n]{1,200})\]:[ \t]*<?[^\s<>]+")
_LEAD = re.compile(r"(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*")
_HEADING_MARK = re.compile(r"[ \t>]*#{1,6}[ \t]*")
_MAX_NESTING = 40
_STRUCTURE = frozenset({"paragraph_open", "heading_open", "fence", "code_block", "html_block", "table_open"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A footnote definition (``[^key]: ...``) or a link definition (``[key]: url``)."""

    key: str
    start: int
    end: int
    note: bool


@dataclass(slots=True)
class Outline:
    """Blocks of a text, in order, and the definitions among them (those have no block)."""

    blocks: list[Block] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    front_matter: tuple[int, int] | None = None


def markdown_outline(text: str) -> Outline:
    """Blocks and definitions of a Markdown text. Never fails: what cannot be read as Markdown is prose."""
    lines = [match.span() for match in _LINE.finditer(text) if match.group()]
    outline = Outline()
    shown = [text[start:end] for start, end in lines]
    _take_front_matter(text, lines, shown, outline)
    _take_definitions(text, lines, shown, outline)
    covered = [False] * len(lines)
    walker = _Walker(text, lines, covered)
    walker.walk(_parse("".join(shown)))
    blocks = [*walker.blocks, *_forgotten(text, lines, shown, covered)]
    blocks.sort(key=lambda block: block.start)
    outline.blocks.extend(blocks)
    return outline


def _parse(text: str) -> list[Token]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _MAX_NESTING}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.parse(text)


def _blank(line: str) -> str:
    return "\n" if line.endswith(("\n", "\r")) else ""


def _take_front_matter(text: str, lines: list[tuple[int, int]], shown: list[str], outline: Outline) -> None:
    match = _FRONT_MATTER.match(text)
    if not match:
        return
    outline.front_matter = match.span()
    outline.blocks.append(Block(BlockKind.FRONT_MATTER, 0, len(match.group().rstrip()), 0))
    for at, (start, _) in enumerate(lines):
        if start >= match.end():
            break
        shown[at] = _blank(shown[at])


def _take_definitions(text: str, lines: list[tuple[int, int]], shown: list[str], outline: Outline) -> None:
    """Footnote definitions go on over indented or plain lines up to a blank line; link definitions are one line."""
    fence: str | None = None
    at = 0
    while at < len(shown):
        line = shown[at]
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and (fence is None or mark == fence):
            fence = mark if fence is None else None
        note = None if fence else _NOTE.match(line)
        link = None if fence or note else _LINK_DEFINITION.match(line)
        if not note and not link:
            at += 1
            continue
        last = at
        while note and last + 1 < len(shown) and _goes_on(shown, last + 1):
            last += 1
        start = lines[at][0] + len(line) - len(line.lstrip())
        end = lines[at][0] + len(text[lines[at][0] : lines[last][1]].rstrip())
        definition = note or link
        assert definition is not None
        outline.definitions.append(Definition(definition[1], start, end, note is not None))
        for index in range(at, last + 1):
            shown[index] = _blank(shown[index])
        at = last + 1


def _goes_on(shown: list[str], at: int) -> bool:
    line = shown[at]
    if not line.strip():  # an indented paragraph after a blank line still belongs to the note
        return at + 1 < len(shown) and shown[at + 1].startswith("    ") and bool(shown[at + 1].strip())
    return not (_NOTE.match(line) or _LINK_DEFINITION.match(line) or line.lstrip().startswith(("#", "---", "***")))


class _Walker:
    """Turns tokens into blocks."""

    def __init__(self, text: str, lines: list[tuple[int, int]], covered: list[bool]) -> None:
        self._text, self._lines, self._covered = text, lines, covered
        self._lists: list[int | None] = []
        self._quotes = 0
        self._row = 0
        self.blocks: list[Block] = []

    def walk(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token.type == "list_item_open":
                self._lists.append(int(token.info[:9]) if token.info.isdecimal() else None)
            elif token.type == "list_item_close":
                self._lists.pop()
            elif token.type in ("blockquote_open", "blockquote_close"):
                self._quotes += token.nesting
            elif token.type == "hr" and token.map:
                self._cover(*token.map)
            elif token.type in _STRUCTURE and token.map:
                self._take(token, *token.map)

    def _cover(self, first: int, last: int) -> None:
        for at in range(first, min(last, len(self._covered))):
            self._covered[at] = True

    def _take(self, token: Token, first: int, last: int) -> None:
        last = min(last, len(self._lines))
        if first >= last:
            return
        self._cover(first, last)
        if token.type == "table_open":
            self._table(first, last)
            return
        lead, end = self._lines[first][0], self._lines[last - 1][1]
        end = lead + len(self._text[lead:end].rstrip())
        kind, level, order = self._kind(token)
        start = self._body_start(token, kind, lead, end)
        if start < end:
            self.blocks.append(Block(kind, start, end, min(start, self._indent(lead)), level, order))

    def _indent(self, lead: int) -> int:
        """Offset at which the list mark begins."""
        while lead < len(self._text) and self._text[lead] in " \t>":
            lead += 1
        return lead

    def _kind(self, token: Token) -> tuple[BlockKind, int, int | None]:
        if token.type in ("fence", "code_block"):
            return BlockKind.CODE, 0, None
        if token.type == "heading_open" and not self._lists:
            return BlockKind.HEADING, int(token.tag[1:]), None
        if self._lists:
            return BlockKind.LIST_ITEM, len(self._lists), self._lists[-1]
        return (BlockKind.QUOTE if self._quotes else BlockKind.PROSE), 0, None

    def _body_start(self, token: Token, kind: BlockKind, lead: int, end: int) -> int:
        if kind is BlockKind.CODE:
            return self._indent(lead)
        mark: re.Match[str] | None = None
        if kind is BlockKind.HEADING:
            mark = _HEADING_MARK.match(self._text, lead, end)
        elif self._lists or self._quotes:
            mark = _LEAD.match(self._text, lead, end)
            if mark and token.type == "heading_open":  # a heading in a list item is text of the item
                mark = _HEADING_MARK.match(self._text, mark.end(), end) or mark
        start = mark.end() if mark else lead
        while start < end and self._text[start].isspace():
            start += 1
        return start

    def _table(self, first: int, last: int) -> None:
        self._row += 1  # the rows of two tables do not follow each other
        for at in range(first, last):
            if at == first + 1:
                continue  # the line of dashes
            self._row += 1
            for column, (start, end) in _cells(self._text, *self._lines[at]):
                self.blocks.append(Block(BlockKind.TABLE_CELL, start, end, start, column, self._row))


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """Cells of one table row with their columns: between pipes that are not escaped, blanks stripped, empty ones left
    out."""
    begin, column = start, 0 if text[start:end].lstrip(" \t>").startswith("|") else 1
    for at in range(start, end + 1):
        if at < end and (text[at] != "|" or text[at - 1 : at] == "\\"):
            continue
        piece = text[begin:at]
        bare = piece.strip(" \t\r\n>")
        if bare:
            left = begin + piece.find(bare)
            yield column, (left, left + len(bare))
        begin, column = at + 1, column + 1


def _forgotten(text: str, lines: list[tuple[int, int]], shown: list[str], covered: list[bool]) -> Iterator[Block]:
    """Prose for the lines that no token covers."""
    for at, (start, end) in enumerate(lines):
        if covered[at] or not shown[at].strip():
            continue
        piece = text[start:end]
        begin = start + len(piece) - len(piece.lstrip())
        yield Block(BlockKind.PROSE, begin, start + len(piece.rstrip()), begin)
