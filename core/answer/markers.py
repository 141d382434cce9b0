"""Citation markers in an answer: ``[1]``, ``[1, 3]``, ``[2-4]``."""

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
"""Most numbers of a range."""


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers in the markers of ``text``, each once, in order; ranges are written out."""
    numbers: dict[int, None] = {}
    for match in _MARKER.finditer(text):
        numbers.update(dict.fromkeys(_numbers(match[1])))
    return tuple(numbers)


def without_markers(text: str) -> str:
    """The words of ``text`` on one line."""
    return _SPACE.sub(" ", _MARKER.sub("", text)).strip()


def with_known(text: str, citations: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """The text with only the markers of known numbers, each number in its own brackets; and the unknown numbers."""
    unknown: dict[int, None] = {}

    def write(match: re.Match[str]) -> str:
        numbers = list(dict.fromkeys(_numbers(match[1])))
        unknown.update(dict.fromkeys(number for number in numbers if number not in citations))
        markers = "".join(f"[{number}]" for number in numbers if number in citations)
        return f" {markers}" if markers and match.start() else markers

    return _MARKER.sub(write, text), tuple(unknown)


def readable(text: str) -> str:
    """A sentence of a source on one line, without the source's own reference marks: a reader would take them for
    markers of the answer."""
    return _SPACE.sub(" ", _OWN_MARK.sub("", text)).strip()


def claim_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of an answer, each with the markers behind it."""
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
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _MOST:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return numbers
