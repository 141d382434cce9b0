"""Letters and small Roman numbers that number the entries of a list: ``a``, ``iv``."""

from __future__ import annotations

import re

LETTERS = re.compile(r"[a-zA-Z]|[ivxl]{2,7}")
"""One letter, or what may be a small Roman number."""
_TENS = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx")
_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = [tens + ones for tens in _TENS for ones in _ONES][1:]


def roman(number: int) -> str:
    """A number from 1 to 89 as a small Roman one; empty for any other."""
    return _ROMAN[number - 1] if 0 < number <= len(_ROMAN) else ""


def expanded(written: str) -> list[str]:
    """``ii–iv`` as ii, iii, iv; anything else as it is written."""
    ends = re.split(r"\s?[\u2010-\u2014-]\s?", written)
    if len(ends) != 2 or not set(ends) <= set(_ROMAN):
        return [written]
    return _ROMAN[_ROMAN.index(ends[0]) : _ROMAN.index(ends[1]) + 1] or ends
