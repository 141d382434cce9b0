"""Text that fits a cell: tables cut what is too long without a sign, so it is shortened here, with an ellipsis."""

from __future__ import annotations

from unicodedata import east_asian_width

from core.text.words import short

_NARROW = frozenset(" .,:;'|!()[]ijltfrI-’‘“”·")
_PADDING_PX = 18
_CHAR_PX = 7.4
"""Of an average letter in the font of the tables."""


def fit(text: str, width_px: int, lines: int = 1) -> str:
    """``text`` on one line of words, shortened to what ``lines`` lines of a cell of this width hold."""
    line = short(text, len(text) or 1)
    # Words do not break where a line ends: a little of each line but the last stays empty.
    room = (width_px - _PADDING_PX) / _CHAR_PX * (1 if lines == 1 else lines * 0.88)
    used = 0.0
    for at, character in enumerate(line):
        used += _width(character)
        if used > room:
            return line[: max(0, at - 1)].rstrip() + "…"
    return line


def _width(character: str) -> float:
    if east_asian_width(character) in "WF":
        return 2.0
    if character in _NARROW:
        return 0.6
    return 1.3 if character.isupper() or character in "mw%@" else 1.0
