"""Reads the small text format in which the PDF and DOCX sources of the demonstration are written.

One block a line: ``! title``, ``@ byline``, ``= author; author`` (else the byline's first part),
``# heading``, ``## heading``, ``| row | of | cells |``, ``[^1]: footnote``, ``~ footer``; every other
line is a paragraph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FOOTNOTE = re.compile(r"\[\^(\d+)\]: (.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of an article. ``kind``: heading1, heading2, paragraph or table; ``rows`` only for tables."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """A title, a byline ``A · B · C``, authors ``A; B``, blocks in reading order, footnotes by number, and a footer."""

    title: str
    byline: str
    authors: str
    blocks: tuple[Block, ...]
    footnotes: dict[str, str]
    footer: str


def read_article(path: Path) -> Article:
    """Read one article.

    Raises:
        ValueError: the title, the byline or the footer is missing.
    """
    title = byline = authors = footer = ""
    blocks: list[Block] = []
    footnotes: dict[str, str] = {}
    for line in filter(None, map(str.strip, path.read_text(encoding="utf-8").splitlines())):
        if line.startswith("! "):
            title = line[2:]
        elif line.startswith("@ "):
            byline = line[2:]
        elif line.startswith("= "):
            authors = line[2:]
        elif line.startswith("~ "):
            footer = line[2:]
        elif note := _FOOTNOTE.fullmatch(line):
            footnotes[note[1]] = note[2]
        else:
            _append(blocks, line)
    if not (title and byline and footer):
        raise ValueError(f"{path.name} needs a title (!), a byline (@) and a footer (~)")
    return Article(title, byline, authors or byline.split(" · ")[0], tuple(blocks), footnotes, footer)


def _append(blocks: list[Block], line: str) -> None:
    if line.startswith("|"):
        row = tuple(cell.strip() for cell in line.strip("|").split("|"))
        if blocks and blocks[-1].kind == "table":
            blocks[-1] = Block("table", rows=(*blocks[-1].rows, row))
        else:
            blocks.append(Block("table", rows=(row,)))
    elif line.startswith("## "):
        blocks.append(Block("heading2", line[3:]))
    elif line.startswith("# "):
        blocks.append(Block("heading1", line[2:]))
    else:
        blocks.append(Block("paragraph", line))
