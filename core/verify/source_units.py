"""The units of a source in which evidence is looked for: sentences, headings, list items, table rows.

Offsets are code points into the text of the document: ``text[unit.start:unit.end]`` is the unit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.records import Heading
from core.text.sentences import iter_sentence_spans

MAX_WORDS = 60
"""Most words of a unit; a longer one is cut. The models read about twice as much at once."""
MAX_CHARS = 600
_SHORT_LINE = 60
_HASHES = re.compile(r"#{1,6}[ \t]")
_LINE = re.compile(r"\n[ \t]*")
_WORD = re.compile(r"\S+")
_CUT = re.compile(r"[;:,.!?\u2014\u3001\u3002\uff0c\uff1b)]$")
_PRONOUN = re.compile(
    r"[\"'\u201c\u2018(\[]*(?:it|its|he|his|she|her|hers|they|their|theirs|them|this|that|these|those|such|we|our|here|"
    r"both|one|another|others?|however|therefore|thus|moreover|furthermore|also|instead|meanwhile|similarly|but|and|so|"
    r"er|sie|es|diese[rsnm]?|dies|ihr(?:e[rsnm]?)?|sein(?:e[rsnm]?)?|il|elle|ils|elles|ce|cette|ces)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a source. ``leans`` is True when it can hardly be understood without the unit before it: it stands
    under a heading, begins with a pronoun or a linking word, or continues a unit that was cut."""

    start: int
    end: int
    heading: bool = False
    leans: bool = False


def units_of(text: str, headings: Sequence[Heading] = ()) -> list[Unit]:
    """The units of ``text`` in order, without overlap; every character that is no space lies in a unit.

    Sentences end as in ``core.text.sentences``. A heading of the document is a unit of its own. Lines that look like
    lines of a list or a table are separate units. Units of more than 60 words are cut at a comma or the like.
    """
    marked = sorted(
        (heading.start, heading.end) for heading in headings if 0 <= heading.start < heading.end <= len(text)
    )
    units: list[Unit] = []
    under_heading = False
    for start, end, heading in _pieces(text, marked):
        for part, (a, b) in enumerate(_cut(text, start, end)):
            leans = part > 0 or (not heading and (under_heading or bool(_PRONOUN.match(text, a, b))))
            units.append(Unit(a, b, heading, leans and bool(units)))
        under_heading = heading
    return units


def _pieces(text: str, headings: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Sentences and lines, cut where a heading begins or ends, as (start, end, True for a heading)."""
    borders = sorted({place for span in headings for place in span})
    inside = set(headings)
    for start, end in iter_sentence_spans(text):
        first = bisect_left(borders, start + 1)
        last = bisect_left(borders, end)
        places = [start, *borders[first:last], end]
        for a, b in pairwise(places):
            heading = any(h0 <= a and b <= h1 for h0, h1 in _around(headings, a)) if inside else False
            for c, d in [_stripped(text, a, b)] if heading else _lines(text, a, b):
                if c < d:
                    yield c, d, heading or bool(_HASHES.match(text, c, d))


def _around(headings: Sequence[tuple[int, int]], at: int) -> Sequence[tuple[int, int]]:
    place = bisect_left(headings, (at + 1, 0))
    return headings[max(0, place - 1) : place]


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a sentence that are units of their own: a short line without a stop ends there, if a capital, a
    digit or a sign follows. Lines of wrapped prose stay together."""
    begin = start
    for match in _LINE.finditer(text, start, end):
        line_start = text.rfind("\n", start, match.start()) + 1 or start
        following = text[match.end() : match.end() + 1]
        if match.start() - line_start < _SHORT_LINE and not following.islower():
            yield _stripped(text, begin, match.start())
            begin = match.end()
    yield _stripped(text, begin, end)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of at most ``MAX_WORDS`` words and ``MAX_CHARS`` characters, cut after a comma or the like."""
    if end - start <= MAX_WORDS:
        yield start, end
        return
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    first = 0
    while first < len(words):
        last = _last_word(text, words, first)
        yield from _hard(words[first][0], words[last - 1][1])
        first = last


def _last_word(text: str, words: Sequence[tuple[int, int]], first: int) -> int:
    """The index after the last word of the part that begins with word ``first``."""
    limit = first
    while limit < len(words) and limit - first < MAX_WORDS and words[limit][1] - words[first][0] <= MAX_CHARS:
        limit += 1
    if limit == len(words):
        return limit
    limit = max(limit, first + 1)
    for last in range(limit, first + (limit - first) // 2, -1):
        if _CUT.search(text[words[last - 1][0] : words[last - 1][1]]):
            return last
    return limit


def _hard(start: int, end: int) -> Iterator[tuple[int, int]]:
    for at in range(start, end, MAX_CHARS):
        yield at, min(end, at + MAX_CHARS)


def leans_back(text: str) -> bool:
    """True when ``text`` begins with a pronoun or a linking word, so that the text before it is needed."""
    return bool(_PRONOUN.match(text.lstrip()))
