"""Menus of a saved page: runs of short links and nothing else, which cite nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from core.audit.links import Link, links
from core.audit.report_model import Block, BlockKind, Leftover, LeftoverKind

_FEWEST = 5
_MOST_WORDS = 4
_BETWEEN = " \t\n|\u00b7\u2022\u203a\u00bb/,-*_\\"


def menus_of(text: str, blocks: Sequence[Block]) -> list[Leftover]:
    """The links of paragraphs and list items that hold nothing but links of a few words, five or more on end."""
    found: list[Leftover] = []
    for alone, run in groupby(((block, _only_links(text, block)) for block in blocks), key=lambda item: bool(item[1])):
        places = [place for _, own in run for place in own] if alone else []
        if len(places) >= _FEWEST:
            found += [Leftover(LeftoverKind.MENU, start, end) for start, end in places]
    return found


def _only_links(text: str, block: Block) -> list[tuple[int, int]]:
    if block.kind not in (BlockKind.PROSE, BlockKind.LIST_ITEM):
        return []
    body = text[block.start : block.end]
    own = sorted((link for link in links(body) if not link.image), key=lambda link: link.start)
    if not own or any(piece.strip(_BETWEEN) for piece in _between(body, own)):
        return []
    if any(len(body[link.label_start : link.label_end].split()) > _MOST_WORDS for link in own):
        return []
    return [(block.start + link.start, block.start + link.end) for link in own if link.target.startswith("http")]


def _between(body: str, own: Sequence[Link]) -> Iterator[str]:
    at = 0
    for link in own:
        yield body[at : link.start]
        at = max(at, link.end)
    yield body[at:]
