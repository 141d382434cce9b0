"""Raised text in running text: exponents and note numbers must not become digits of the figure before them.

A power is written with a caret behind a figure (``10^6``) and with raised signs behind a letter (``km²``, ``Ca²⁺``). A
note number stands in brackets (``40[3]``), as readers of DOCX and Wikipedia write it. Ordinals stay as they are
(``1st``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from itertools import groupby

_LONGEST = 12
"""Characters of what is raised: longer text is no exponent and no number of a note."""
_SIGNS = str.maketrans("\u2212\u2013\u2010\u2011", "----")
_RAISED_SIGNS = str.maketrans(
    "0123456789+-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b"
)
_SIGNED = re.compile(r"[+-]\d{1,3}(?:[./]\d{1,3})?")
_CHARGE = re.compile(r"\d?[+-]")
_NUMBERS = re.compile(r"\d{1,4}(?:[ ]?[,;-][ ]?\d{1,4})*,?")
_LETTERS = re.compile(r"[a-d](?:[ ]?,[ ]?[a-d])*")
_POWER_OF_TEN = re.compile(r"(?<![\d.,])10\s?\Z")
_EXPONENT = re.compile(r"\d{1,3}(?:\.\d{1,3})?|[nkx]")
_UNIT = re.compile(r"(?:(?<![^\W\d_])(?:[kcmdn\u00b5\u03bc]?m|ft|in|mi|yd|[^\W\d_]))\Z")
"""A unit of length or a single letter (R, x, s): a digit raised behind it is a power."""
_ISOTOPE = re.compile(r"[A-Z][a-z]?(?![a-z])")
_LIGHT = re.compile(r"(?:H|He|Li|Be|B)(?![a-z])")


class Rise(IntEnum):
    """How a piece of text stands: on the line, raised, or raised and known to be the number of a note."""

    NONE = 0
    RAISED = 1
    NOTE = 2


def written(pieces: Iterable[tuple[str, Rise]]) -> str:
    """The running text of ``pieces``; raised ones that follow each other are one."""
    runs = [("".join(text for text, _ in run), rise) for rise, run in groupby(pieces, key=lambda piece: piece[1])]
    out = ""
    for at, (text, rise) in enumerate(runs):
        after = runs[at + 1][0] if at + 1 < len(runs) else ""
        out += in_line(text, out[-40:], after, note=rise is Rise.NOTE) if rise else text
    return out


def in_line(text: str, before: str, after: str = "", *, note: bool = False) -> str:
    """Raised ``text`` as it is written between ``before`` and ``after``.

    ``note``: it is known to be the number of a note, for instance by its link.
    """
    bare = text.strip().translate(_SIGNS)
    if not bare or len(bare) > _LONGEST:
        return text
    before = before.rpartition("\n")[2]
    if note:
        is_mark = _NUMBERS.fullmatch(bare) or (len(bare) == 1 and bare.isalpha())
        return f"[{bare.rstrip(',')}]" if is_mark else text
    if (power := _power(bare, before)) is not None:
        return power
    if _LETTERS.fullmatch(bare):
        return f"[{bare}]" if re.search(r"\d\Z|[^\W\d_]{3}\Z", before) else text
    if not _NUMBERS.fullmatch(bare):
        return text
    return _part_of_a_word(bare, before, after) or _mark(bare, before, after)


def _part_of_a_word(bare: str, before: str, after: str) -> str:
    """The upper number of a fraction, the mass of an isotope; "" for anything else."""
    if after[:1] == "/" or after.lstrip()[:1] == "\u2044":
        return f" {bare}" if before[-1:].isdigit() else bare
    is_isotope = before[-1:].isspace() and _ISOTOPE.match(after) and (len(bare) > 1 or _LIGHT.match(after))
    return bare if is_isotope else ""


def _mark(bare: str, before: str, after: str) -> str:
    """The number of a note; a blank parts it from the words that it stands before."""
    return f"[{bare.rstrip(',')}]" + (" " if not before.strip() and after[:1].isalnum() else "")


def _power(bare: str, before: str) -> str | None:
    """``bare`` as an exponent or a charge, None where it is none."""
    last = before[-1:]
    if _SIGNED.fullmatch(bare) or _CHARGE.fullmatch(bare):
        if last.isdigit():
            return f"^{bare}"
        if last.isalpha() or last in (")", "]"):
            return bare.translate(_RAISED_SIGNS) if bare.strip("+-").isdigit() or len(bare) < 3 else f"^{bare}"
        return None
    if _EXPONENT.fullmatch(bare) and (_POWER_OF_TEN.search(before) or (last.isdigit() and bare.isalpha())):
        return f"^{bare}"
    if bare.isdigit() and len(bare) == 1 and _UNIT.search(before):
        return bare.translate(_RAISED_SIGNS)
    return None
