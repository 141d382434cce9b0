"""The order of a PDF's lines where the order of its content misleads: upside down, row by row, with line numbers.

Columns of prose that were written row by row are told from tables by their words: pieces of sentences that go on in
the next row. A table stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median

from core.acquire.read_pdf_lines import Line

_ROWS = 4
"""Rows side by side that make columns; fewer may be anything."""
_MOST_ROWS = 400
_WORDS, _CHARS = 3, 16
"""A piece of a line of prose has at least so many on average."""
_GOES_ON = 0.4
"""The share of pieces of prose that begin with a small letter, in each column."""
_NUMBERS = 6
_COVERS = 0.75
_PROSE_CHARS = 35


def top_down(lines: Sequence[Line]) -> list[Line]:
    """``lines`` from top to bottom where nearly all stand in the other order."""
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if abs(a.bottom - b.bottom) > 1]
    upward = sum(step < 0 for step in steps)
    return list(reversed(lines)) if len(steps) > 1 and upward >= 0.8 * len(steps) else list(lines)


def without_line_numbers(lines: Sequence[Line]) -> list[Line]:
    """``lines`` without the numbers of the lines in the margin: they rise evenly and stand beside all prose."""
    numbers = [piece for line in lines for piece in (line.parts[:1] or (line,)) if piece.text.isdecimal()]
    numbers = [number for number in numbers if len(number.text) < 5]
    if len(numbers) < _NUMBERS:
        return list(lines)
    numbers.sort(key=lambda number: -number.bottom)
    steps = [int(b.text) - int(a.text) for a, b in pairwise(numbers)]
    (step, times), *_ = Counter(steps).most_common(1)
    texts = [rest for line in lines if (rest := _behind_number(line))]
    edge = max(number.right for number in numbers)
    if (
        step < 1
        or times < 0.9 * len(steps)
        or not texts
        or len(numbers) * step < _COVERS * len(texts)
        or median(len(rest.text) for rest in texts) < _PROSE_CHARS
        or min(rest.left for rest in texts) < edge
    ):
        return list(lines)
    return texts


def _behind_number(line: Line) -> Line | None:
    """What stands behind the number of a line; the line itself where it has none."""
    if line.text.isdecimal() and len(line.text) < 5:
        return None
    if not line.parts or not line.parts[0].text.isdecimal():
        return line
    rest = line.parts[1:]
    return rest[0] if len(rest) == 1 else _joined(rest)


def _joined(parts: Sequence[Line]) -> Line:
    first = parts[0]
    return Line(
        " ".join(part.text for part in parts), first.left, parts[-1].right, min(part.bottom for part in parts),
        max(part.top for part in parts), first.size, first.bold, tuple(parts),
    )  # fmt: skip


def column_by_column(lines: Sequence[Line]) -> list[Line]:
    """``lines`` with columns of prose that stand row by row put one after the other."""
    rows = _rows(lines)
    ordered: list[Line] = []
    at = 0
    while at < len(rows):
        split = _columns(rows, at)
        if split is None:
            ordered += rows[at]
            at += 1
            continue
        left, right, at = split
        ordered += [*left, *column_by_column(right)]
    return ordered


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that follow each other from left to right at one height, together."""
    rows: list[list[Line]] = []
    for line in lines:
        before = rows[-1][-1] if rows else None
        beside = (
            before is not None
            and abs(before.bottom - line.bottom) < 0.3 * line.size
            and line.left > before.right + 0.9 * line.size
        )
        if beside:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _columns(rows: Sequence[Sequence[Line]], start: int) -> tuple[list[Line], list[Line], int] | None:
    """The left and right columns that begin at row ``start``, and the row behind them; None where none begin."""
    pieces = _pieces(rows[start])
    best: tuple[list[Line], list[Line], int] | None = None
    for a, b in pairwise(pieces):
        split = _along(rows, start, a.right, b.left)
        if split is not None and (best is None or split[2] > best[2]):
            best = split
    return best


def _along(
    rows: Sequence[Sequence[Line]], start: int, low: float, high: float
) -> tuple[list[Line], list[Line], int] | None:
    """The columns on both sides of a gutter between ``low`` and ``high``, as far down as it is free."""
    left: list[Line] = []
    right: list[Line] = []
    both, at = 0, start
    while at < min(len(rows), start + _MOST_ROWS):
        pieces = _pieces(rows[at])
        beside = (
            [piece for piece in pieces if piece.right <= high - 2],
            [piece for piece in pieces if piece.left >= low + 2],
        )
        if len(beside[0]) + len(beside[1]) != len(pieces):
            break
        edges = max((p.right for p in beside[0]), default=low), min((p.left for p in beside[1]), default=high)
        if min(high, edges[1]) - max(low, edges[0]) < 0.8 * pieces[0].size:
            break
        low, high = max(low, edges[0]), min(high, edges[1])
        both += bool(beside[0] and beside[1])
        for side, own in zip((left, right), beside, strict=True):
            if own:
                side.append(own[0] if len(own) == 1 else _joined(own))
        at += 1
    return (left, right, at) if both >= _ROWS and _is_prose(left) and _is_prose(right) else None


def _pieces(row: Sequence[Line]) -> list[Line]:
    return [piece for line in row for piece in (line.parts or (line,))]


def _is_prose(lines: Sequence[Line]) -> bool:
    texts = [line.text for line in lines]
    words = " ".join(texts).split()
    figures = sum(any(map(str.isdigit, word)) for word in words)
    return (
        mean(len(text.split()) for text in texts) >= _WORDS
        and mean(map(len, texts)) >= _CHARS
        and figures < 0.2 * len(words)
        and sum(text[:1].islower() for text in texts) >= _GOES_ON * len(texts)
    )
