"""Hyphens at the ends of lines: whether one divides a word or belongs to a compound ("long-term")."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from core.text.terms import STOP_WORDS

LINKING = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou"})
"""Words behind a hyphen that was left hanging on purpose: "pre- and postwar"."""
_SECOND = frozenset(
    """adjusted based being blind blown bound built controlled defined dependent driven effective established fed
    friendly funded grown handed held income intensive known led level lived looking made making minded needed oriented
    paid priced quality ranging reaching related resolution reviewed rich risk run scale shaped speaking specific
    standing supported term tested tolerant treated year""".split()  # noqa: SIM905
)
"""Second parts of compounds that are rarely written as one word."""
_PREFIXES = frozenset(
    """ab anti arch auto be bi co com con cor counter de dis down em en ex extra fore hyper il im in infra inter intra
    ir mal mega micro mid mini mis mono multi non out over para per poly post pre pro pseudo re semi sub super tele
    through trans tri ultra un under uni up with""".split()  # noqa: SIM905
)
"""First parts that make one word with what follows."""
WITHIN_COMPOUND = re.compile(rf"(?<=[^\W\d_]-)\n[ \t>]*(?=(?!(?:{'|'.join(sorted(LINKING))})\b)[^\W\d_])")
"""A line end behind the hyphen of a word."""
_BROKEN = re.compile(r"(?<![\w-])(?P<first>[^\W\d_][\w-]*?)-\n[ \t]*(?P<second>[^\W\d_]\w*)")


def keeps_hyphen(first: str, second: str, words: Collection[str]) -> bool:
    """The hyphen between two parts of a word broken at a line end: True where it stays.

    Args:
        first, second: the parts in lower case; ``first`` may have hyphens of its own.
        words: lower-case words of the document, which decide where they have the word in one form alone.
    """
    if first + second in words or f"{first}-{second}" in words:
        return first + second not in words
    last = first.rpartition("-")[2]
    if len(last) == 1 or ("-" in first and last in STOP_WORDS):
        return True
    return second in _SECOND and len(last) > 2 and last not in _PREFIXES


def on_one_line(text: str) -> str:
    """The lines of ``text`` as one: no blank behind the hyphen of a word, one behind any other line."""
    return WITHIN_COMPOUND.sub("", text).replace("\n", " ")


def with_whole_words(text: str) -> str:
    """``text`` with the words put together that a line end divides, in the form that the text has elsewhere."""
    if "-\n" not in text:
        return text
    known = vocabulary(text.splitlines())

    def whole(match: re.Match[str]) -> str:
        first, second = match["first"], match["second"]
        if second.lower() in LINKING:
            return match.group()
        keeps = second[0].isupper() or keeps_hyphen(first.lower(), second.lower(), known)
        return f"{first}-{second}" if keeps else f"{first}{second}"

    return _BROKEN.sub(whole, text)


def vocabulary(lines: Iterable[str]) -> set[str]:
    """The lower-case words of ``lines``, of four letters or more."""
    return {word.lower() for line in lines for word in re.findall(r"[\w-]{4,}", line)}
