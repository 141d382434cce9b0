"""The claim as a judge is to read it: markers, link targets and Markdown signs taken out, with offsets kept.

Only characters are dropped and blanks joined, so that every character of the result has its place in the report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.audit.links import links
from core.audit.report_model import BlockKind, Marker, Report, Span, Style
from core.audit.view import NOISE, QUOTE_MARK, struck
from core.text.hyphens import WITHIN_COMPOUND

_SIGNS = re.compile(
    r"(?P<escape>\\)[!-/:-@\[-`{-~]|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`+|~~"
    rf"|</?[a-zA-Z][^<>\n]{{0,300}}>|{NOISE.pattern}"
)
_YEAR = re.compile(
    r"(?<!\s)\s*+[(\[\uff08][^()\[\]\uff08\uff09]*+[)\]\uff09]\s*\Z"
    r"|(?:,|(?<!\s))\s*+\(?\b(?:1[6-9]|20)\d\d[a-z]?\)?\s*\Z"
)
_REPORTED = re.compile(
    r"\s*+(?:also|further|later|recently|first|thus|therefore)?+\s*+(?:found|showed|shown|reported|observed|argued|noted"
    r"|concluded|demonstrated|estimated|suggested|stated|claimed|wrote|finds?|shows?|reports?|observes?|argues?|notes?"
    r"|concludes?|demonstrates?|estimates?|suggests?|states?|claims?|writes?)\s++that\s++",
    re.IGNORECASE,
)
_NEEDS_CONTEXT = re.compile(
    r"\A\W*(?:it|its|they|their|them|he|his|she|her|this|that|these|those|such|both|neither|here|there|who|which|and|but"
    r"|however|moreover|in addition|by contrast|as a result|the (?:same|latter|former|team|authors?|study|report|survey"
    r"|paper|effect|gap|difference|figure|rest|number|result)s?)\b"
    r"|\b(?:of (?:them|these|those)\b(?! who\b| asked\b)|that (?:year|summer|month|day|time|period|study|report)\b"
    r"|in (?:these|those|this|that) \w+|the same (?:figure|team|number|share|result|amount|study|period|authors?)s?\b"
    r"|the (?:latter|former)\b)",
    re.IGNORECASE,
)
_BRACKETS = ("()", "[]", "\uff08\uff09")
CONTEXT_SENTENCES = 2
CONTEXT_CHARS = 400


@dataclass(frozen=True, slots=True)
class ClaimText:
    """``text`` to judge; character ``i`` of it stands at ``places[i]`` in the report."""

    text: str
    places: tuple[int, ...]

    def in_report(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """A stretch of ``text`` as offsets into the report; None for an empty or impossible one."""
        start, end = max(0, span[0]), min(len(self.places), span[1])
        return (self.places[start], self.places[end - 1] + 1) if start < end else None


def claim_text(report: Report, claim: Span, markers: Sequence[Marker]) -> ClaimText:
    """``claim`` without its markers; ``markers`` are those of the report that overlap it, in order.

    Of ``Varga et al. (2023) found that trees cool`` only ``trees cool`` is left: who says it is what the citation
    says, and the source does not speak of itself in the third person.
    """
    dropped = _dropped(report.text, claim, markers)
    if report.media_type != "text/plain":
        for mark in QUOTE_MARK.finditer(report.text, claim.start, claim.end):
            dropped.update(range(*mark.span()))
    if len(dropped) == claim.end - claim.start:  # the claim is a linked phrase and nothing else
        dropped = set()
    return _joined(report.text, claim, dropped)


def plain_text(report: Report, start: int, end: int) -> str:
    """Any stretch of the report as it is to be read."""
    inner = [marker for marker in report.markers if marker.start < end and marker.end > start]
    return claim_text(report, Span(start, end), inner).text


def context_of(report: Report, claim: Span, sentence: int | None, text: str) -> str:
    """The text before a claim that cannot be understood alone: the rest of its sentence, and up to two sentences
    before it in the same paragraph. "" for a claim that needs none, so that its judgement does not hang on them."""
    if sentence is None or not (_NEEDS_CONTEXT.search(text) or report.text[claim.start].islower()):
        return ""
    own = report.sentences[sentence]
    first = sentence
    while (
        first > 0
        and sentence - first < CONTEXT_SENTENCES
        and report.sentences[first - 1].block == own.block
        and report.sentences[first - 1].kind is not BlockKind.HEADING
    ):
        first -= 1
    start = report.sentences[first].start
    if claim.start <= start:
        return ""
    return plain_text(report, start, claim.start)[-CONTEXT_CHARS:].strip()


def _dropped(text: str, claim: Span, markers: Sequence[Marker]) -> set[int]:
    out: set[int] = set()
    for marker in markers:
        start, end = max(marker.start, claim.start), min(marker.end, claim.end)
        if marker.style is Style.AUTHOR_YEAR_NARRATIVE:
            out.update(_narrative(text, claim, marker))
        elif marker.inside and marker.style in (Style.INLINE_LINK, Style.REFERENCE_LINK):
            continue  # the label is part of the sentence; the target goes below
        else:
            if (
                text[start - 1 : start] + text[end : end + 1] in _BRACKETS
                and start - 1 >= claim.start
                and end < claim.end
            ):
                start, end = start - 1, end + 1
            out.update(range(start, end))
    body = text[claim.start : claim.end]
    for link in links(body):
        out.update(range(claim.start + link.start, claim.start + link.label_start))
        out.update(range(claim.start + link.label_end, claim.start + link.end))
    for start, end in struck(body):
        out.update(range(claim.start + start, claim.start + end))
    for sign in _SIGNS.finditer(body):
        end = sign.end("escape") if sign["escape"] else sign.end()
        out.update(range(claim.start + sign.start(), claim.start + end))
    return out


def _narrative(text: str, claim: Span, marker: Marker) -> range:
    """The whole attribution when it opens the claim ("Varga et al. (2023) found that"), else the year only."""
    reported = _REPORTED.match(text, marker.end, claim.end)
    if reported and not text[claim.start : marker.start].strip(" *_\n"):
        return range(claim.start, reported.end())
    year = _YEAR.search(text[marker.start : marker.end])
    return range(marker.start + year.start() if year else marker.end, marker.end)


def _joined(text: str, claim: Span, dropped: set[int]) -> ClaimText:
    letters: list[str] = []
    places: list[int] = []
    for at in range(claim.start, claim.end):
        letter = text[at]
        if at in dropped:
            continue
        if letter.isspace():
            if not letters or letters[-1] == " " or WITHIN_COMPOUND.match(text, at):
                continue
            letter = " "
        elif letter in ".,;:!?)" and letters and letters[-1] == " ":  # what a marker left before a stop
            letters.pop()
            places.pop()
        letters.append(letter)
        places.append(at)
    while letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return ClaimText("".join(letters), tuple(places))
