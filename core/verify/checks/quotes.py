"""Verbatim quotes: does what the claim puts in quotation marks stand in the evidence, word for word?

Tolerated: other quotation marks, dashes, spaces; upper or lower case; punctuation at the borders; an omission that
is marked (``…``, ``[...]``, ``...``); an insertion in square brackets, which may also replace words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import Opcodes
from rapidfuzz.distance.Indel import distance, opcodes
from rapidfuzz.fuzz import partial_ratio_alignment

from core.terms import STOP_WORDS
from core.verify.checks.text import Word, flat, words
from core.verify.records import CheckResult, Span, failed, not_applicable, passed

NAME = "quotes"
_DOUBLE = r"\"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"
_QUOTE = re.compile(
    rf"(?<!\w)[{_DOUBLE}](?!\s)([^{_DOUBLE}]+)(?<!\s)[{_DOUBLE}](?!\w)"
    r"|(?<!\w)[\u2018'](?!\s)((?:[^\u2018\u2019'\n]|(?<=\w)[\u2019'](?=\w))+)(?<!\s)[\u2019'](?!\w)"
)
_GAP = re.compile(
    r"\[\s*(?:\.\s*\.\s*\.|\u2026)\s*\]|\(\s*(?:\.\s*\.\s*\.|\u2026)\s*\)|\u2026|\.\s?\.\s?\.+|\[[^\]]*\]"
)
_NEAR = 70.0
"""A quote this similar (rapidfuzz, 0 to 100) to a stretch of the evidence is an altered quote, else a missing one."""
_SHORT = 3
_WINDOW_SLACK = 30
_LONGER = 3


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of quoted words without a marked gap."""

    words: tuple[Word, ...]


def check(claim: str, evidence: str) -> CheckResult:
    """Compare every quote in ``claim`` with ``evidence``."""
    quotes = [span for span in quote_spans(claim) if _pieces(claim, *span)]
    if not quotes:
        return not_applicable(NAME, "The claim quotes nothing.")
    haystack = words(evidence)
    found: list[Span] = []
    for start, end in quotes:
        result = _compare(claim, start, end, evidence, haystack)
        if isinstance(result, CheckResult):
            return result
        found.extend(result)
    many = "The quote stands" if len(quotes) == 1 else f"All {len(quotes)} quotes stand"
    return passed(NAME, f"{many} in the evidence word for word.", tuple(quotes), tuple(found))


def quote_spans(text: str) -> list[Span]:
    """Spans of quoted words, without the marks; single marks count only around two words or more."""
    spans = []
    for match in _QUOTE.finditer(text):
        group = 1 if match[1] is not None else 2
        inner = words(match[group])
        if inner and (group == 1 or len(inner) > 1):
            spans.append(match.span(group))
    return spans


def _compare(claim: str, start: int, end: int, evidence: str, haystack: tuple[Word, ...]) -> CheckResult | list[Span]:
    at = 0
    spans: list[Span] = []
    for piece in _pieces(claim, start, end):
        place = _find([word.key for word in piece.words], haystack, at)
        if place is None:
            return _altered(claim, start, end, evidence, piece)
        last = place + len(piece.words)
        spans.append((haystack[place].start, haystack[last - 1].end))
        at = last
    return spans


def _pieces(claim: str, start: int, end: int) -> list[_Piece]:
    borders = [start]
    for gap in _GAP.finditer(claim, start, end):
        borders += [gap.start(), gap.end()]
    borders.append(end)
    inner = [word for word in words(claim) if start <= word.start and word.end <= end]
    pieces = []
    for left, right in zip(borders[::2], borders[1::2], strict=True):
        run = tuple(word for word in inner if left <= word.start and word.end <= right)
        if run:
            pieces.append(_Piece(run))
    return pieces


def _find(keys: list[str], haystack: tuple[Word, ...], at: int) -> int | None:
    """First place from word ``at`` on where ``keys`` stand; whole words only."""
    size = len(keys)
    for place in range(at, len(haystack) - size + 1):
        if all(haystack[place + offset].key == key for offset, key in enumerate(keys)):
            return place
    return None


def _altered(claim: str, start: int, end: int, evidence: str, piece: _Piece) -> CheckResult:
    first, last = piece.words[0].start, piece.words[-1].end
    quoted = flat(claim[first:last]).lower()
    shown = f"“{' '.join(claim[start:end].split())}”"
    best = partial_ratio_alignment(quoted, flat(evidence).lower()) if evidence else None
    if best is None or best.score < _NEAR:
        sure = len(piece.words) >= _SHORT and not _is_title(piece.words)
        return failed(NAME, f"The quote {shown} is not in the evidence.", ((start, end),), veto=sure)
    near = _nearest(piece.words, words(evidence), best.dest_start, best.dest_end)
    if not near:
        return failed(NAME, f"The quote {shown} is not in the evidence.", ((start, end),))
    differences = _differences(piece.words, near)
    claim_spans = tuple(span for _, span, _ in differences if span) or ((start, end),)
    evidence_spans = tuple(span for _, _, span in differences if span) or ((near[0].start, near[-1].end),)
    text = "; ".join(text for text, _, _ in differences[:_SHORT])
    return failed(NAME, f"The quote {shown} differs from the evidence: {text}.", claim_spans, evidence_spans)


def _is_title(quoted: tuple[Word, ...]) -> bool:
    """A name of a work in quotation marks: that it is missing is for the check of entities to say."""
    return all(word.text[0].isupper() or word.text[0].isdigit() for word in quoted if word.key not in STOP_WORDS)


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


def _diff(one: tuple[Word, ...], other: tuple[Word, ...]) -> Opcodes:
    return opcodes([word.key for word in one], [word.key for word in other])


def _differences(quoted: tuple[Word, ...], near: tuple[Word, ...]) -> list[tuple[str, Span | None, Span | None]]:
    """Runs that differ: a line for people, the span in the claim, the span in the evidence."""
    runs: list[tuple[int, int, int, int]] = []
    for op in _diff(quoted, near):
        if op.tag == "equal":
            continue
        if runs and runs[-1][1] == op.src_start and runs[-1][3] == op.dest_start:
            runs[-1] = (runs[-1][0], op.src_end, runs[-1][2], op.dest_end)
        else:
            runs.append((op.src_start, op.src_end, op.dest_start, op.dest_end))
    found: list[tuple[str, Span | None, Span | None]] = []
    for a, b, c, d in runs:
        mine, theirs = " ".join(w.text for w in quoted[a:b]), " ".join(w.text for w in near[c:d])
        line = (
            f"“{mine}” is not there"
            if not theirs
            else f"“{theirs}” is left out"
            if not mine
            else f"“{mine}” for “{theirs}”"
        )
        found.append((line, _span(quoted[a:b]), _span(near[c:d])))
    return found


def _span(run: tuple[Word, ...]) -> Span | None:
    return (run[0].start, run[-1].end) if run else None
