"""The heads of a cell of a table: of its row and of its column."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.report_model import Block, BlockKind

_MOST_CELLS = 2000


def row_of(blocks: Sequence[Block], index: int) -> list[Block]:
    """The cells of the row in which the cell ``index`` stands."""
    first = last = index
    while first and _same_row(blocks[first - 1], blocks[index]):
        first -= 1
    while last + 1 < len(blocks) and _same_row(blocks[last + 1], blocks[index]):
        last += 1
    return list(blocks[first : last + 1])


def _same_row(block: Block, cell: Block) -> bool:
    return block.kind is BlockKind.TABLE_CELL and block.order == cell.order


def heads_of(blocks: Sequence[Block], index: int) -> dict[int, Block]:
    """The cells of the first row of the table in which the cell ``index`` stands, by their column; empty for a cell of
    that row itself. The rows of a table count on, and between two tables a number is left out."""
    order = blocks[index].order or 0
    at = index
    while at and index - at < _MOST_CELLS and blocks[at - 1].kind is BlockKind.TABLE_CELL:
        before = blocks[at - 1].order or 0
        if before < order - 1:
            break
        at, order = at - 1, before
    if blocks[at].order == blocks[index].order:
        return {}
    return {cell.level: cell for cell in row_of(blocks, at)}
