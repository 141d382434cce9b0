"""Citation markers in an answer: ``[1]``, ``[1, 3]``, ``[2-4]``."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.text.sentences import sentence_spans

_MARKER = re.compile(r"[ \t]*\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3}){0,20})\]")
_OWN_MARK = re.compile(
    r"""[ \t]?\[\^?\d{1,4}(?:\s*[,;\u2013-]\s*\d{1,4}){0,20}\]
    | (?<=[a-z][a-z][a-z][a-z.,;:!?)"\u201d\u2019])[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?=[.,;]?(?:\s|\Z))""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s+")
_MOST = 50
"""Numbers that one range may name."""


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers that the markers of ``text`` name, each once, in order; ranges are written out."""
    found: dict[int, None] = {}
    for match in _MARKER.finditer(text):
        found.update(dict.fromkeys(_numbers(match[1])))
    return tuple(found)


def without_markers(text: str) -> str:
    """The words alone, on one line."""
    return _SPACE.sub(" ", _MARKER.sub("", text)).strip()


def with_known(text: str, known: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """The text with markers that lead to a citation only, each number in brackets of its own, and the numbers that
    were left out because there is no passage of that number."""
    unknown: dict[int, None] = {}

    def write(match: re.Match[str]) -> str:
        numbers = list(dict.fromkeys(_numbers(match[1])))
        unknown.update(dict.fromkeys(number for number in numbers if number not in known))
        kept = "".join(f"[{number}]" for number in numbers if number in known)
        return f" {kept}" if kept and match.start() else kept

    return _MARKER.sub(write, text), tuple(unknown)


def readable(text: str) -> str:
    """A source's sentence on one line and without the source's own reference marks, which would be taken for
    markers of the answer."""
    return _SPACE.sub(" ", _OWN_MARK.sub("", text)).strip()


def claim_spans(text: str) -> list[tuple[int, int]]:
    """Sentences of an answer with the markers behind them."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        bare = without_markers(text[start:end])
        if spans and not any(map(str.isalnum, bare)):  # markers that were cut off from their sentence
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _numbers(inner: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[,;]", inner):
        ends = [int(one) for one in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _MOST:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return numbers
