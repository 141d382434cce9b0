"""Abbreviations that a text defines: "cerebrospinal fluid (CSF)".

The rule of Schwartz and Hearst (2003): the letters of the short form stand in the long form in their order, the first
one at the beginning of a word. Own code, for no package of it is maintained.
"""

from __future__ import annotations

import re

_BRACKET = re.compile(r"(?<![\w'-])(?P<before>(?:[\w'-]+ ){1,8})\((?P<inside>[^()\n]{2,80})\)")
_SHORT = re.compile(r"[A-Z][\w-]{1,8}")
_LEAST_CAPITALS = 2
_MORE_WORDS = 2


def abbreviations(text: str) -> dict[str, str]:
    """The long form of each abbreviation that ``text`` defines; the first definition counts."""
    defined: dict[str, str] = {}
    for match in _BRACKET.finditer(text):
        before, inside = match["before"].split(), match["inside"].strip()
        if _is_short(inside):
            short, long = inside, _long_form(inside, before)
        else:  # "CSF (cerebrospinal fluid)"
            short, words = before[-1], inside.split()
            long = _long_form(short, words) if _is_short(short) else ""
            long = long if long == inside else ""
        if long:
            defined.setdefault(short, long)
    return defined


def _is_short(word: str) -> bool:
    return _SHORT.fullmatch(word) is not None and sum(map(str.isupper, word)) >= _LEAST_CAPITALS


def _long_form(short: str, words: list[str]) -> str:
    """The last of the words that spell ``short``, as few as can; "" where they do not."""
    letters = [char.lower() for char in short.removesuffix("s") if char.isalnum()]
    for count in range(1, min(len(words), len(letters) + _MORE_WORDS) + 1):
        long = " ".join(words[-count:])
        if len(long) > len(short) and long[0].lower() == letters[0] and _spells(letters, long.lower()):
            return long
    return ""


def _spells(letters: list[str], long: str) -> bool:
    """True where the letters stand in ``long`` in their order."""
    rest = iter(long)
    return all(letter in rest for letter in letters)
