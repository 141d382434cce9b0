"""Quotes: words in quotation marks must stand in the evidence word for word.

Tolerated: other quotation marks, dashes, spaces; upper or lower case; punctuation at the borders; an omission that
is marked (``…``, ``[...]``, ``...``); an insertion in square brackets, which may also replace words or, within a word,
letters ("[W]e", "tree[s]"). A quotation of one or two words must stand there too where the claim says that somebody
says it ("calls it"); else such marks may only keep a word at a distance.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from rapidfuzz.distance import Opcodes
from rapidfuzz.distance.Indel import distance, opcodes
from rapidfuzz.fuzz import partial_ratio_alignment

from core.text.terms import STOP_WORDS, fold
from core.verify.checks.outcomes import CheckResult, Span, failed, not_applicable, passed
from core.verify.checks.text import Word, flat, words

NAME = "quotes"
_DOUBLE = r"\"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"
_QUOTE = re.compile(
    rf"(?<!\w)[{_DOUBLE}](?!\s)([^{_DOUBLE}]+)(?<!\s)[{_DOUBLE}](?!\w)"
    r"|(?<!\w)[\u2018'](?!\s)((?:[^\u2018\u2019'\n]|(?<=\w)[\u2019'](?=\w))+)(?<!\s)[\u2019'](?!\w)"
)
_GAP = re.compile(
    r"\[\s*(?:\.\s*\.\s*\.|\u2026)\s*\]|\(\s*(?:\.\s*\.\s*\.|\u2026)\s*\)|\u2026|\.\s?\.\s?\.+|"
    r"(?<![^\W\d_])\[[^\[\]]*+\](?![^\W\d_])|\[\w*+[^\w\[\]][^\[\]]*+\]|\[\d+\]"
)
_BRACKETED = re.compile(r"\[[^\]]*\]")
_SAYS = (
    r"(?:call(?:s|ed|ing)?|describ(?:es?|ed|ing)|term(?:s|ed)|label(?:l?ed|s)?|dub(?:s|bed)|brand(?:s|ed)|says?|said|writes?|"
    r"wrote|written|characteri[sz](?:es?|ed)|depict(?:s|ed)|deem(?:s|ed)|declar(?:es?|ed)|conclud(?:es?|ed)|warn(?:s|ed)|"
    r"admit(?:s|ted)|prais(?:es?|ed)|dismiss(?:es|ed)|rat(?:es?|ed)|stat(?:es?|ed)|refer(?:s|red) to|in the words of)"
)
_SAID_BEFORE = re.compile(rf"\b{_SAYS}\b[^.;!?\"]{{0,60}}\Z", re.IGNORECASE)
_SAID_AFTER = re.compile(rf",? (?:(?:according to)\b|(?:[\w.]+ ){{0,3}}{_SAYS}\b)", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:so-called|the (?:words?|terms?|names?|letters?|phrases?|variables?)|known as|titled|entitled) \Z",
    re.IGNORECASE,
)
"""What stands in front of words that are spoken of, not quoted."""
_NEAR = 70.0
"""Least similarity (rapidfuzz, 0 to 100) of a quote to a stretch of the evidence; below it the quote is missing."""
_SHORT = 3
_WINDOW_SLACK = 30
_LONGER = 3
_COMPARED = 40
"""Words of a long quote that are compared: enough to show a difference, few enough to stay fast."""
_SHOWN = 24


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of quoted words without a marked gap; ``bare`` are they without the letters in square brackets."""

    words: tuple[Word, ...]
    bare: tuple[Word, ...]


_IN_TITLES = STOP_WORDS | {"v", "vs", "de", "la", "von", "van"}
"""Words that titles write small."""


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the quotes of ``claim``. The work grows with the sum of both lengths."""
    all_words = _whole_words(claim)
    starts = [word.start for word in all_words]
    quotes = [(span, pieces) for span in quote_spans(claim) if (pieces := _pieces(claim, span, all_words, starts))]
    if not quotes:
        return not_applicable(NAME, "The claim quotes nothing.")
    haystack = _Haystack(evidence)
    evidence_spans: list[Span] = []
    for span, pieces in quotes:
        result = _compare(claim, span, pieces, evidence, haystack)
        if isinstance(result, CheckResult):
            return result
        evidence_spans.extend(result)
    many = "The quote stands" if len(quotes) == 1 else f"All {len(quotes)} quotes stand"
    spans = tuple(span for span, _ in quotes)
    return passed(NAME, f"{many} in the evidence word for word.", spans, tuple(evidence_spans))


def quote_spans(text: str) -> list[Span]:
    """The spans of quoted words, without the marks; single marks count around one word only where
    somebody is said to say it."""
    spans = []
    for match in _QUOTE.finditer(text):
        group = 1 if match[1] is not None else 2
        inner = words(match[group])
        if inner and (group == 1 or len(inner) > 1 or _said(text, *match.span(group))):
            spans.append(match.span(group))
    return spans


def _whole_words(text: str) -> tuple[Word, ...]:
    """The words of ``text``; letters in square brackets within a word belong to it: "[W]e", "tree[s]"."""
    joined: list[Word] = []
    for word in words(text):
        last = joined[-1] if joined else None
        if last is not None and text[last.end : word.start] in ("[", "]") and (last.text + word.text).isalpha():
            joined[-1] = Word(last.text + word.text, last.key + word.key, last.start, word.end)
        else:
            joined.append(word)
    return tuple(joined)


def _said(text: str, start: int, end: int) -> bool:
    """True when the text says that somebody says the words between ``start`` and ``end``, which stand in marks."""
    before, after = flat(text[: start - 1]), flat(text[end + 1 :])
    if _NAMED.search(before):
        return False
    return _SAID_BEFORE.search(before) is not None or _SAID_AFTER.match(after) is not None


class _Haystack:
    """The words of the evidence, and their keys in one string, so that one search finds a run of words."""

    def __init__(self, evidence: str) -> None:
        self.words = _whole_words(evidence)
        self._joined = " " + " ".join(word.key for word in self.words) + " "
        self._starts = [m.start() for m in re.finditer(" ", self._joined)]

    def find(self, run: tuple[Word, ...], at: int = 0) -> int | None:
        """The first place from ``at`` on where the keys of ``run`` stand as whole words, or None."""
        if at >= len(self.words):
            return None
        place = self._joined.find(" " + " ".join(word.key for word in run) + " ", self._starts[at])
        return None if place < 0 else bisect_left(self._starts, place)

    def longest_start(self, run: tuple[Word, ...]) -> tuple[int, int]:
        """The number of words from the start of ``run`` that stand in the evidence in a row, and their place."""
        low, high, where = 0, len(run), 0
        while low < high:
            middle = (low + high + 1) // 2
            place = self.find(run[:middle])
            low, high, where = (low, middle - 1, where) if place is None else (middle, high, place)
        return low, where


def _compare(
    claim: str, span: Span, pieces: list[_Piece], evidence: str, haystack: _Haystack
) -> CheckResult | list[Span]:
    at = 0
    spans: list[Span] = []
    for piece in pieces:
        place = haystack.find(piece.words, at)
        if place is None and piece.bare != piece.words:
            place = haystack.find(piece.bare, at)
        if place is None:
            count = sum(len(other.words) for other in pieces)
            sure = not _is_title(piece.words) and (count >= _SHORT or _said(claim, *span))
            if count < _SHORT:
                why = f"The quote “{_short(claim[span[0] : span[1]])}” is not in the evidence."
                return failed(NAME, why, (span,), veto=sure)
            return _altered(claim, *span, evidence, piece, haystack)
        last = place + len(piece.words)
        spans.append((haystack.words[place].start, haystack.words[last - 1].end))
        at = last
    return spans


def _pieces(claim: str, span: Span, all_words: tuple[Word, ...], starts: list[int]) -> list[_Piece]:
    start, end = span
    borders = [start]
    for gap in _GAP.finditer(claim, start, end):
        borders += [gap.start(), gap.end()]
    borders.append(end)
    pieces = []
    for left, right in zip(borders[::2], borders[1::2], strict=True):
        inner = all_words[bisect_left(starts, left) : bisect_left(starts, right)]
        run = tuple(word for word in inner if word.end <= right)
        if run:
            bare = tuple(word for word in (_without_brackets(claim, word) for word in run) if word.key)
            pieces.append(_Piece(run, bare))
    return pieces


def _without_brackets(text: str, word: Word) -> Word:
    written = text[word.start : word.end]
    if "[" not in written and text[word.start - 1 : word.start] != "[" and text[word.end : word.end + 1] != "]":
        return word
    left = _BRACKETED.sub("", text[max(0, word.start - 1) : word.end + 1]).strip("[] ")
    return Word(left, fold("".join(char for char in left if char.isalnum())), word.start, word.end)


def _altered(claim: str, start: int, end: int, evidence: str, piece: _Piece, haystack: _Haystack) -> CheckResult:
    shown = f"“{_short(claim[start:end])}”"
    quoted, near = _nearest_stretch(claim, piece.words, evidence, haystack)
    if not near:
        sure = len(piece.words) >= _SHORT and not _is_title(piece.words)
        return failed(NAME, f"The quote {shown} is not in the evidence.", ((start, end),), veto=sure)
    differences = _differences(quoted, near)
    if not differences:  # the words stand there, before those of an earlier part of the quote
        spans = ((near[0].start, near[-1].end),)
        return failed(
            NAME, f"The parts of the quote {shown} stand in the evidence in another order.", ((start, end),), spans
        )
    claim_spans = tuple(span for _, span, _ in differences if span) or ((start, end),)
    evidence_spans = tuple(span for _, _, span in differences if span) or ((near[0].start, near[-1].end),)
    text = "; ".join(text for text, _, _ in differences[:_SHORT])
    sure = not _is_title(piece.words)  # a title is named, not quoted: it may be given longer or shorter
    return failed(NAME, f"The quote {shown} differs from the evidence: {text}.", claim_spans, evidence_spans, veto=sure)


def _nearest_stretch(
    claim: str, quoted: tuple[Word, ...], evidence: str, haystack: _Haystack
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The part of the quote that differs first, ``_COMPARED`` words at most, and the words in its place."""
    if len(quoted) > _COMPARED:
        length, place = haystack.longest_start(quoted)
        if length >= _COMPARED // 2:
            skip = length - _COMPARED // 4
            near = haystack.words[place + skip : place + skip + _COMPARED]
            return quoted[skip : skip + len(near)], near
        quoted = quoted[:_COMPARED]
    text = flat(claim[quoted[0].start : quoted[-1].end]).lower()
    best = partial_ratio_alignment(text, flat(evidence).lower()) if evidence else None
    if best is None or best.score < _NEAR:
        return quoted, ()
    return quoted, _nearest(quoted, haystack.words, best.dest_start, best.dest_end)


def _short(text: str) -> str:
    """A quote as an explanation shows it: on one line, the middle of a long one left out."""
    shown = text.split()
    return " ".join(shown if len(shown) <= _SHOWN else [*shown[: _SHOWN - 5], "…", *shown[-4:]])


def _is_title(quoted: tuple[Word, ...]) -> bool:
    """True for the name of a work in quotation marks: the check of entities looks for names."""
    return all(word.text[0].isupper() or word.text[0].isdigit() for word in quoted if word.key not in _IN_TITLES)


def _nearest(quoted: tuple[Word, ...], haystack: tuple[Word, ...], left: int, right: int) -> tuple[Word, ...]:
    """The run of words about ``left``..``right`` that differs least from the quote; the shortest of equal ones."""
    window = [w for w in haystack if w.end > left - _WINDOW_SLACK and w.start < right + _WINDOW_SLACK]
    keys, size = [word.key for word in quoted], len(quoted)
    best: tuple[int, int, int] | None = None
    for begin in range(len(window)):
        for length in range(max(1, size - _LONGER), min(size + _LONGER, len(window) - begin) + 1):
            away = distance(keys, [word.key for word in window[begin : begin + length]])
            if best is None or away < best[0]:
                best = (away, begin, begin + length)
    return () if best is None else tuple(window[best[1] : best[2]])


def _diff(quoted: tuple[Word, ...], near: tuple[Word, ...]) -> Opcodes:
    return opcodes([word.key for word in quoted], [word.key for word in near])


def _differences(quoted: tuple[Word, ...], near: tuple[Word, ...]) -> list[tuple[str, Span | None, Span | None]]:
    """The runs that differ: a line for the user, the span in the claim, the span in the evidence."""
    runs: list[tuple[int, int, int, int]] = []
    for op in _diff(quoted, near):
        if op.tag == "equal":
            continue
        if runs and runs[-1][1] == op.src_start and runs[-1][3] == op.dest_start:
            runs[-1] = (runs[-1][0], op.src_end, runs[-1][2], op.dest_end)
        else:
            runs.append((op.src_start, op.src_end, op.dest_start, op.dest_end))
    differences: list[tuple[str, Span | None, Span | None]] = []
    for a, b, c, d in runs:
        mine, theirs = " ".join(w.text for w in quoted[a:b]), " ".join(w.text for w in near[c:d])
        line = (
            f"“{mine}” is not there"
            if not theirs
            else f"“{theirs}” is left out"
            if not mine
            else f"“{mine}” for “{theirs}”"
        )
        differences.append((line, _span(quoted[a:b]), _span(near[c:d])))
    return differences


def _span(run: tuple[Word, ...]) -> Span | None:
    return (run[0].start, run[-1].end) if run else None
