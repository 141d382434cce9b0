"""The claim that a marker stands for: the sentence or clause before it, or the sentence that it is part of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.audit.records import BlockKind, Marker, Report, Span

_BOUNDARY = re.compile(
    r";\s+|[,\u2014\u2013]\s*(?:and|but|while|whereas|whilst|although|though|yet|however)\s+|\uff1b|\uff0c(?=而|但|并)"
)
_LEADING = re.compile(
    r"(?:[\s,;:.)\]\u3001\uff0c\uff1b\uff1a\u3002\uff09\u2014\u2013*_-]|\\)*(?:(?:and|but|or|while|whereas)\b\s*)?"
)
_TRAILING = re.compile(r"(?:[\s(\[\uff08,;:]|\b(?:see(?: also)?|e\.g\.,?|cf\.)(?=[\s(]*\Z))*\Z", re.IGNORECASE)
_TAIL = 24
_WORD = re.compile(r"[^\W\d_][\w'\u2019\-]*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FEWEST_WORDS = 4
_FEWEST_SIGNS = 8
_PAIRS = {'"': '"', "\u201d": "\u201c", "\u2019": "\u2018", "\u00bb": "\u00ab", "\u300d": "\u300c"}


def claim_spans(report: Report) -> list[tuple[Span | None, int | None]]:
    """For every marker its claim and the index of the sentence that the claim lies in.

    A marker that follows: from the marker before it in the sentence (or the sentence's start) up to it; markers
    with nothing or less than four words between them share or widen the claim of the first. A marker inside its
    sentence: the sentence, up to the clause (``;``, ``, and``, ``, while``) that another marker stands for.
    """
    found: list[tuple[Span | None, int | None]] = [(None, None)] * len(report.markers)
    at = 0
    for index, sentence in enumerate(report.sentences):
        while at < len(report.markers) and report.markers[at].start < sentence.start:
            at += 1
        first = at
        while at < len(report.markers) and report.markers[at].start < sentence.end:
            at += 1
        if at > first:
            spans = _Sentence(report, index, report.markers[first:at]).claims()
            found[first:at] = spans
    return found


class _Sentence:
    """One sentence and its markers."""

    def __init__(self, report: Report, index: int, markers: Sequence[Marker]) -> None:
        self._report, self._index, self._markers = report, index, markers
        self._text = report.text
        self._sentence = report.sentences[index]

    def claims(self) -> list[tuple[Span | None, int | None]]:
        if not self._has_words():
            return self._of_something_else()
        starts, ends = self._clauses()
        return [(self._claim(at, starts[at], ends[at]), self._index) for at in range(len(self._markers))]

    def _has_words(self) -> bool:
        at = self._sentence.start
        for marker in self._markers:
            if _substantive(self._text[at : marker.start]):
                return True
            at = marker.end
        return _substantive(self._text[at : self._sentence.end])

    def _clauses(self) -> tuple[list[int], list[int]]:
        """Where the clause of each marker starts, and where that of one inside its sentence ends."""
        start = self._sentence.start
        starts: list[int] = []
        ends = [self._sentence.end] * len(self._markers)
        first = 0  # the first marker whose clause may still go on
        for at, marker in enumerate(self._markers):
            before = self._markers[at - 1] if at else None
            if before is not None and not before.inside and not self._shares(before, marker):
                start, first = before.end, at
            elif before is not None and before.inside and (cut := self._boundary(before.end, marker.start)):
                for earlier in range(first, at):
                    ends[earlier] = min(ends[earlier], cut[0])
                start, first = cut[1], at
            if not marker.inside:
                for earlier in range(first, at):
                    if self._markers[earlier].inside:
                        ends[earlier] = min(ends[earlier], marker.start)
            starts.append(start)
        return starts, ends

    def _shares(self, before: Marker, marker: Marker) -> bool:
        """Whether too little stands between two markers for a claim of its own."""
        if marker.inside:
            return not _is_clause(self._text[before.end : self._sentence.end])
        return not _is_clause(self._text[before.end : marker.start])

    def _boundary(self, start: int, end: int) -> tuple[int, int] | None:
        cut = None
        for match in _BOUNDARY.finditer(self._text, start, end):
            if _is_clause(self._text[match.end() : end], fewest=2):
                cut = match.span()
        return cut

    def _claim(self, at: int, start: int, end: int) -> Span | None:
        marker = self._markers[at]
        if marker.inside:
            return self._stripped(start, end, to_sentence_end=end == self._sentence.end)
        end = marker.start
        back = at
        while (
            back
            and not self._markers[back - 1].inside
            and not _substantive(self._text[self._markers[back - 1].end : end])
        ):
            back -= 1
            end = self._markers[back].start
        if not _substantive(self._text[start:end]):
            return self._stripped(marker.end, self._sentence.end, to_sentence_end=True)  # "[5] shows that ..."
        span = self._stripped(start, end, to_sentence_end=False)
        return self._quotation(span) if span else None

    def _stripped(self, start: int, end: int, *, to_sentence_end: bool) -> Span | None:
        if start > self._sentence.start:
            lead = _LEADING.match(self._text, start, end)
            start = lead.end() if lead else start
        if to_sentence_end:
            end = start + len(self._text[start:end].rstrip())
        else:
            floor = max(start, end - _TAIL)
            tail = _TRAILING.search(self._text[floor:end])
            end = floor + tail.start() if tail else end
        return Span(start, end) if start < end else None

    def _quotation(self, span: Span) -> Span:
        """The quotation alone when a colon announces it and the marker follows it."""
        closing = self._text[span.end - 1]
        opening = _PAIRS.get(closing)
        if opening is None:
            return span
        at = self._text.rfind(opening, span.start, span.end - 1)
        announced = self._text[span.start : at].rstrip() if at > span.start else ""
        return Span(at, span.end) if announced.endswith((":", "\uff1a")) else span

    def _of_something_else(self) -> list[tuple[Span | None, int | None]]:
        """Nothing but markers: the row of a cell, a list item that is a link itself, else the sentence before."""
        block = self._report.blocks[self._sentence.block]
        if block.kind is BlockKind.TABLE_CELL:
            span = self._row(self._sentence.block)
            return [(span, self._index if span else None)] * len(self._markers)
        before = self._index - 1
        previous = self._report.sentences[before] if before >= 0 else None
        same = previous is not None and previous.block == self._sentence.block
        if all(marker.inside for marker in self._markers) and not same:
            return [(Span(marker.start, marker.end), self._index) for marker in self._markers]
        if previous is None or not previous.kind.citable:
            return [(None, None)] * len(self._markers)
        end = previous.start + len(self._text[previous.start : previous.end].rstrip())
        for marker in reversed(self._report.markers):
            if marker.end <= previous.start:
                break
            if not marker.inside and marker.end == end and marker.start > previous.start:
                end = previous.start + len(self._text[previous.start : marker.start].rstrip())
        return [(Span(previous.start, end), before)] * len(self._markers)

    def _row(self, index: int) -> Span | None:
        """The cells before this one in its row."""
        blocks = self._report.blocks
        first = index
        while (
            first and blocks[first - 1].kind is BlockKind.TABLE_CELL and blocks[first - 1].order == blocks[index].order
        ):
            first -= 1
        return Span(blocks[first].start, blocks[index - 1].end) if first < index else None


def _substantive(piece: str) -> bool:
    lead = _LEADING.match(piece)
    rest = piece[lead.end() if lead else 0 :]
    return any(sign.isalnum() for sign in _TRAILING.sub("", rest, count=1)) if len(rest) < 200 else True  # noqa: PLR2004


def _is_clause(piece: str, fewest: int = _FEWEST_WORDS) -> bool:
    if len(_WORD.findall(piece[:400])) >= fewest:
        return True
    return len(_UNSPACED.findall(piece[:100])) >= _FEWEST_SIGNS
