"""The claim that a marker stands for: the sentence or clause before it, or the sentence that it is part of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from core.audit.report_model import BlockKind, Marker, Report, Span
from core.text.verbs import finite_verb_at, has_finite_verb

_BOUNDARY = re.compile(
    r";\s+|[,\u2014\u2013]\s*(?:and|but|while|whereas|whilst|although|though|yet|however)\s+|\uff1b|\uff0c(?=而|但|并)"
)
_LEADING = re.compile(
    r"(?:[\s,;:.)\]\u3001\uff0c\uff1b\uff1a\u3002\uff09\u2014\u2013*_-]|\\)*(?:(?:and|but|or|while|whereas)\b\s*)?"
)
_TRAILING = re.compile(
    r"(?:[ \t]*[(\uff08][^()\uff08\uff09\n]{1,40},(?=\s*\Z))?"
    r"(?:[\s(\[\uff08,;:]|\b(?:see(?: also)?|e\.g\.,?|cf\.)(?=[\s(]*\Z))*\Z",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"[\s(*_>\-]*(?:(?:data )?sources?|quellen?|fuentes?|references?|refs?|citations?|links?|via|from"
    r"|see(?: also)?|(?:read|learn)"
    r" more|more|further reading)(?:\s*:[^\n]{0,80}|\b)[\s*_:]*",
    re.IGNORECASE,
)
"""Words before a citation that only say that a source comes."""
_HEAD = re.compile(r"\A(?:\*\*[^*\n]{1,80}\*\*:?|[^\n]{1,80}:)[ \t]*\r?\n\s*(?=\S)")
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|could|may|might|must|will|would|should|does|do|did|shows?|showed|suggests?"
    r"|suggested|demonstrates?|demonstrated|finds?|found|reports?|reported|provides?|provided|indicates?|indicated"
    r"|argues?|argued|proposes?|proposed|describes?|described|uses?|used|signif(?:y|ies)|remains?|reveals?|revealed"
    r"|induces?|causes?|leads?|led|include[sd]?|makes?|made|offers?|offered|introduced?s?|confirms?|confirmed)\b"
)
_AUXILIARY = r"(?:is|are|was|were|has|have|had|can|could|may|might|must|will|would|should|do|does|did|provides?)\b"
_MARKER = r"(?:[(\[][^()\[\]\n]{1,120}[)\]][ ])?"
_PREDICATE = re.compile(rf"[ \t]+(?:{_VERB}|(?:and|or)[ ](?:[\w'\u2019\-]+[ ]){{1,4}}{_MARKER}{_AUXILIARY})")
_JOINED_NOUN = re.compile(r"\s*(?:and|or)\s+(?!\w+(?:ed|ing)\b|\w{3,}(?<!s)s\s)", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|or)\s", re.IGNORECASE)
_ITEM = re.compile(r"\s*,\s+(?!\w+(?:ed|ing)\b)")
_HAS_VERB = re.compile(rf"\b{_VERB}", re.IGNORECASE)
_PAST = re.compile(r"\b\w{2,}ed\b")
_GOES_ON = re.compile(r"[ ]+[a-z]")
_LONGEST_SUBJECT, _SHORT_SUBJECT, _LONGEST_ITEM, _LONGEST_LISTED = 120, 5, 4, 6
_TAIL = 48
_WORD = re.compile(r"[^\W\d_][\w'\u2019\-]*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCES_BACK = 3
_FAR = 400
"""Beyond so many characters nothing more is learnt about whether a stretch says something."""
_LONGEST_QUOTATION = 3000
_MOST_CELLS = 60
_FEWEST_WORDS = 4
_FEWEST_SIGNS = 8
_PAIRS = {'"': '"', "\u201d": "\u201c", "\u2019": "\u2018", "\u00bb": "\u00ab", "\u300d": "\u300c"}


def claim_spans(report: Report) -> list[tuple[Span | None, int | None]]:
    """For every marker its claim and the index of the sentence that the claim lies in.

    A marker that follows: from the marker before it in the sentence (or the sentence's start) up to it; markers
    with nothing or less than four words between them share or widen the claim of the first. A marker inside its
    sentence: the sentence, up to the clause (``;``, ``, and``, ``, while``) that another marker stands for.
    """
    claims: list[tuple[Span | None, int | None]] = [(None, None)] * len(report.markers)
    at = 0
    for index, sentence in enumerate(report.sentences):
        while at < len(report.markers) and report.markers[at].start < sentence.start:
            at += 1
        first = at
        while at < len(report.markers) and report.markers[at].start < sentence.end:
            at += 1
        if at > first:
            spans = _Sentence(report, index, report.markers[first:at]).claims()
            claims[first:at] = spans
    return claims


class _Sentence:
    """One sentence and its markers."""

    def __init__(self, report: Report, index: int, markers: Sequence[Marker]) -> None:
        self._report, self._index, self._markers = report, index, markers
        self._text = report.text
        self._sentence = report.sentences[index]
        self._group_starts: list[int] = []

    def claims(self) -> list[tuple[Span | None, int | None]]:
        if not self._has_words():
            return self._of_something_else()
        starts, ends = self._clauses()
        self._group_starts = self._groups()
        return [(self._claim(at, starts[at], ends[at]), self._index) for at in range(len(self._markers))]

    def _has_words(self) -> bool:
        at = self._sentence.start
        for marker in self._markers:
            piece = self._text[at : marker.start]
            if _substantive(piece) and not (at == self._sentence.start and _SOURCE.fullmatch(piece)):
                return True
            at = marker.end
        return _substantive(self._text[at : self._sentence.end])

    def _clauses(self) -> tuple[list[int], list[int]]:
        """Starts of the clauses of the markers, and ends of those whose marker stands inside its sentence."""
        start = self._sentence.start
        starts: list[int] = []
        ends = [self._sentence.end] * len(self._markers)
        open_ended: list[int] = []  # markers inside their sentence whose clause may still go on
        for at, marker in enumerate(self._markers):
            before = self._markers[at - 1] if at else None
            if before is not None and not before.inside and not self._shares(before, marker):
                start, open_ended = before.end, []
            elif before is not None and before.inside and (cut := self._boundary(before.end, marker)):
                for earlier in open_ended:
                    ends[earlier] = cut[0]
                start, open_ended = cut[1], []
            if marker.inside:
                open_ended.append(at)
            else:
                for earlier in open_ended:
                    ends[earlier] = marker.start
                open_ended = []
            starts.append(start)
        return starts, ends

    def _groups(self) -> list[int]:
        """For each marker where the group of markers side by side begins that it belongs to."""
        starts: list[int] = []
        for at, marker in enumerate(self._markers):
            before = self._markers[at - 1] if at else None
            joined = before is not None and not before.inside and not marker.inside
            if before is not None and joined:
                between = self._text[before.end : min(before.end + _FAR, marker.start)]
                joined = not _substantive(between)
            starts.append(starts[-1] if joined else marker.start)
        return starts

    def _shares(self, before: Marker, marker: Marker) -> bool:
        """True when too little stands between two markers for a claim of its own."""
        if marker.inside:
            return not _is_clause(self._text[before.end : min(before.end + _FAR, self._sentence.end)])
        piece = self._text[before.end : min(before.end + _FAR, marker.start)]
        if self._sentence.kind is BlockKind.TABLE_CELL:
            return not _is_clause(piece, 1)
        if not _is_clause(piece) or (_JOINED_NOUN.match(piece) and not _HAS_VERB.search(piece)):
            return True
        if _ITEM.match(piece) and len(_WORD.findall(piece)) <= _LONGEST_LISTED and not has_finite_verb(piece):
            return True  # "Canada [2], different scenarios in Australia [3]"
        start = self._sentence.start  # "PubLayNet [6] and DocBank use the format [16]"
        return bool(_AND.match(piece)) and self._within_subject(start, before.start, before)

    def _boundary(self, start: int, marker: Marker) -> tuple[int, int] | None:
        cut = None
        end = self._sentence.end if marker.inside else marker.start
        for match in _BOUNDARY.finditer(self._text, start, marker.start):
            if _is_clause(self._text[match.end() : end], fewest=2) and self._parts_clauses(start, match):
                cut = match.span()
        return cut

    def _parts_clauses(self, start: int, match: re.Match[str]) -> bool:
        """False for a conjunction inside a quotation, and for the last one of a list of names (``limes,"
        " elms, and``)."""
        before = self._text[self._sentence.start : match.start()]
        if before.count('"') % 2 or before.count("\u201c") > before.count("\u201d"):
            return False
        if match.group()[0] != ",":
            return True
        words = self._text[start : match.start()].rpartition(",")
        listed = bool(words[1]) and len(_WORD.findall(words[2])) <= _LONGEST_ITEM and not has_finite_verb(words[2])
        return not listed and has_finite_verb(self._text[match.end() : self._sentence.end])

    def _claim(self, at: int, start: int, end: int) -> Span | None:
        marker = self._markers[at]
        if marker.inside:
            return self._stripped(start, end, to_sentence_end=end == self._sentence.end)
        end = self._group_starts[at]
        if not _substantive(self._text[start : min(start + _FAR, end)]):
            return self._stripped(marker.end, self._sentence.end, to_sentence_end=True)  # "[5] shows that ..."
        if start == self._sentence.start and self._within_subject(start, end, marker):
            return self._stripped(start, self._sentence.end, to_sentence_end=True)  # "PubLayNet [6] is the largest"
        span = self._stripped(start, end, to_sentence_end=False)
        if span and start == self._sentence.start and self._sentence.kind is BlockKind.TABLE_CELL:
            return self._with_row(span)
        return self._quotation(span) if span else None

    def _within_subject(self, start: int, end: int, marker: Marker) -> bool:
        """True when the sentence's verb comes after the marker: what stands before it claims nothing alone."""
        if end - start > _LONGEST_SUBJECT or _HAS_VERB.search(self._text, start, end):
            return False
        if _PREDICATE.match(self._text, marker.end, self._sentence.end) or self._verb_follows(start, end, marker):
            return True
        piece = self._text[start : self._markers[0].start]
        short = len(_WORD.findall(piece)) <= _SHORT_SUBJECT and not _PAST.search(piece)
        return short and bool(_GOES_ON.match(self._text, marker.end, self._sentence.end))

    def _verb_follows(self, start: int, end: int, marker: Marker) -> bool:
        """True when the first verb of the sentence stands right behind the marker."""
        subject = self._text[start:end].rstrip()
        whole = subject + self._text[marker.end : marker.end + _LONGEST_SUBJECT]
        verb = finite_verb_at(whole)
        return verb is not None and verb > len(subject) and not _WORD.search(whole, len(subject), verb)

    def _from_opening(self, span: Span, opening: str, closing: str) -> Span:
        """Back to the sentence in which the quotation opens, at most three before, in the same block."""
        block = self._sentence.block
        at = self._index
        piece = self._text[span.start : span.end]
        odd = piece.count(closing) % 2 if opening == closing else piece.count(closing) > piece.count(opening)
        while odd and span.start == self._report.sentences[at].start and at and self._index - at < _SENTENCES_BACK:
            at -= 1
            before = self._report.sentences[at]
            if before.block != block:
                break
            if opening in self._text[before.start : before.end]:
                return Span(before.start, span.end)
            span = Span(before.start, span.end)
        return Span(max(span.start, self._sentence.start), span.end)

    def _stripped(self, start: int, end: int, *, to_sentence_end: bool) -> Span | None:
        if start > self._sentence.start:
            lead = _LEADING.match(self._text, start, end)
            start = lead.end() if lead else start
        head = _HEAD.match(self._text[start : min(end, start + 120)])
        start += head.end() if head else 0
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
        if opening is None or span.end - span.start > _LONGEST_QUOTATION:
            return span
        span = self._from_opening(span, opening, closing)
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
        named = _SOURCE.fullmatch(self._text, self._sentence.start, self._markers[0].start)
        if all(marker.inside for marker in self._markers) and not same and not named:
            return [(Span(marker.start, marker.end), self._index) for marker in self._markers]
        statement = self._statement(before, below_table=named is not None)
        return [statement] * len(self._markers)

    def _statement(self, before: int, *, below_table: bool) -> tuple[Span | None, int | None]:
        """The sentence ``before`` without the markers at its end; below a table, the one that introduces the table."""
        sentences, markers = self._report.sentences, self._report.markers
        while below_table and before > 0 and sentences[before].kind is BlockKind.TABLE_CELL:
            before -= 1
        if before < 0 or not sentences[before].kind.citable:
            return None, None
        previous = sentences[before]
        end = previous.start + len(self._text[previous.start : previous.end].rstrip())
        at = bisect_left(markers, previous.end, key=_start_of) - 1
        while at >= 0 and markers[at].start > previous.start and markers[at].end == end and not markers[at].inside:
            end = previous.start + len(self._text[previous.start : markers[at].start].rstrip())
            at -= 1
        return Span(previous.start, end), before

    def _with_row(self, span: Span) -> Span:
        """A cell that says too little alone takes the cells before it along, if none of them has a marker."""
        row = self._row(self._sentence.block)
        if row is None or _is_clause(self._text[span.start : span.end]):
            return span
        cited = bisect_left(self._report.markers, row.start, key=_start_of)
        return span if self._report.markers[cited].start < row.end else Span(row.start, span.end)

    def _row(self, index: int) -> Span | None:
        """The cells before this one in its row."""
        blocks = self._report.blocks
        first = index
        while (
            first > max(0, index - _MOST_CELLS)
            and blocks[first - 1].kind is BlockKind.TABLE_CELL
            and blocks[first - 1].order == blocks[index].order
        ):
            first -= 1
        return Span(blocks[first].start, blocks[index - 1].end) if first < index else None


def _start_of(marker: Marker) -> int:
    return marker.start


def _substantive(piece: str) -> bool:
    lead = _LEADING.match(piece)
    rest = piece[lead.end() if lead else 0 :]
    return any(sign.isalnum() for sign in _TRAILING.sub("", rest, count=1)) if len(rest) < 200 else True


def _is_clause(piece: str, fewest: int = _FEWEST_WORDS) -> bool:
    lead = _LEADING.match(piece)
    piece = piece[lead.end() if lead else 0 :]
    if len(_WORD.findall(piece[:400])) >= fewest:
        return True
    return len(_UNSPACED.findall(piece[:100])) >= _FEWEST_SIGNS
