"""What may cite something in a report and became no row, so that nothing is dropped without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from core.audit.citations import superscript
from core.audit.citations.author_year import CITED_NEXT
from core.audit.citations.author_year_parse import NO_NAMES, SHORT_YEAR, YEAR
from core.audit.citations.inline_link import images, other_targets
from core.audit.citations.trailing_digits import announces_number, round_numbers
from core.audit.links import links
from core.audit.report_model import Leftover, LeftoverKind, Marker
from core.audit.view import View, spans_of, struck
from core.text.places import is_place

_MARK = re.compile(
    r"\u3010[^\u3010\u3011\n\x00]{0,60}[\d\u2020][^\u3010\u3011\n\x00]{0,60}\u3011"
    r"|\\\w{0,12}cite\w{0,8}\*?(?:\[[^\[\]\n]{0,80}\]){0,2}\{[^{}\n]{1,200}\}"
    r"|\\?(?<![\w!])\[\^?(?:(?:cit(?:e|ation)|sources?|refs?|references?|footnote|fn|quelle)\b(?!_start)[^\[\]\n\x00]{0,60}"
    r"|(?!(?:1[6-9]|20)\d\d\])\d{1,4}[^\w\s%.,\]]?[a-z]?|[A-Z][A-Za-z+\-]{0,12}\d{1,4}[a-z]?"
    r"|[a-z_]{2,20}:\d{1,4}"
    r"|\d{1,3}[,;:] ?[^\W\d][^\[\]\n\x00]{0,60}"
    r"|(?P<letters>(?!x\\?\])[ivx]{1,5}(?:[,;\u2013-] ?[ivx]{1,5}){0,9})(?!\\?\][\w\-'\u2019])"
    r"|turn\d+[a-z]+\d+)\\?\](?![(:])|\((?:ibid|ebd|op\. ?cit|loc\. ?cit)\b[^()\n\x00]{0,40}\)"
    r"|\((?:[Ss]ources?|[Qq]uellen?):? ?\d{1,3}(?:, ?\d{1,3}){0,20}\)"
)
_NAME = r"(?P<name>[^\W\d_a-z][\w'\u2019\-]+(?: [^\W\d_a-z][\w'\u2019\-]+){0,2})"
_NAME_YEAR = re.compile(
    rf"[(\[](?:[a-z][\w.]*,? ){{0,4}}{_NAME}(?:,? et al\.?)?(?:,\s?{YEAR}[^()\[\]\n\x00]{{0,80}}|\s{YEAR})[)\]]"
    r"|\([^()\n\x00]{2,80}\b(?:personal communication|pers\. comm|unpublished|in litt)[^()\n\x00]{0,60}\)"
    rf"|\([\"\u201c][^()\n\x00]{{3,80}},?[\"\u201d],? {YEAR}\)"
    rf"|\([^\W\d_a-z][^()\[\]\n\x00]{{2,80}} \[[A-Z]{{2,8}}\],? {YEAR}\)"
    rf"|(?<!\w){_NAME.replace('?P<name>', '?P<narrative>')} \((?:1[6-9]|20)\d\d[a-z]?\)"
    rf"|[(\[](?:[a-z][\w.]*,? ){{0,4}}{_NAME.replace('?P<name>', '?P<short>')}(?:,? et al\.?)?"
    rf"(?: ?(?:&|and) {_NAME.replace('?P<name>', '?:')})?,? {SHORT_YEAR}[^()\[\]\n\x00]{{0,80}}[)\]]"
)
_CITES = re.compile(r"\[\^?\d{1,4}[\],;]|\]\(https?:|https?://|\((?:[^()\d]{2,80}), ?(?:1[6-9]|20)\d\d")
_WEB = ("http://", "https://", "#", "mailto:", "tel:")
_SHOWN = 3
_LONGEST = 60


def leftovers_of(view: View, markers: Sequence[Marker], others: Sequence[Leftover] = ()) -> tuple[Leftover, ...]:
    """Everything in the readable text that may cite and lies in no marker, in order; ``others`` are known already."""
    rest = view.without([*spans_of(markers), *images(view), *other_targets(view)])
    found = [*others, *_marks(rest), *_links(view, rest), *_struck(view), *superscript.doubtful(rest)]
    return tuple(sorted(found, key=lambda leftover: (leftover.start, leftover.end)))


def warnings_of(text: str, leftovers: Sequence[Leftover]) -> list[str]:
    """One line for each kind: how many, and the first of them with their lines."""
    lines: list[str] = []
    kinds = list(LeftoverKind)
    for kind, group in groupby(sorted(leftovers, key=lambda item: kinds.index(item.kind)), key=lambda item: item.kind):
        items = list(group)
        shown = "; ".join(
            f"\u201c{' '.join(text[item.start : item.end].split())[:_LONGEST]}\u201d (line"
            f" {text.count(chr(10), 0, item.start) + 1})"
            for item in items[:_SHOWN]
        )
        more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
        lines.append(f"Not understood, so not audited: {len(items)} {kind.split('|')[len(items) > 1]}: {shown}{more}.")
    return lines


def _struck(view: View) -> Iterator[Leftover]:
    for block in view.blocks:
        if not block.kind.citable:
            continue
        for start, end in struck(view.source[block.start : block.end]):
            if _CITES.search(view.source, block.start + start, block.start + end):
                yield Leftover(LeftoverKind.STRUCK, block.start + start, block.start + end)


def _marks(rest: View) -> Iterator[Leftover]:
    for match in _MARK.finditer(rest.text):
        if not (match["letters"] and f"[/{match['letters']}]" in rest.source):  # [i]...[/i] sets in italics
            yield Leftover(LeftoverKind.MARK, *match.span())
    for start, end in round_numbers(rest):
        yield Leftover(LeftoverKind.MARK, start, end)
    for match in _NAME_YEAR.finditer(rest.text):
        name = match["name"] or match["narrative"] or match["short"] or match.group().strip("(")
        first = name.split()[0]
        dates = first.lower() in NO_NAMES or (match["narrative"] and is_place(name))
        numbered = match["short"] and (first.isupper() or announces_number(first))
        if not dates and not numbered and not CITED_NEXT.match(rest.source, match.end()):
            yield Leftover(LeftoverKind.NAME_YEAR, *match.span())


def _links(view: View, rest: View) -> Iterator[Leftover]:
    for link in links(view.text):
        if not link.image and link.target and not link.target.lower().startswith(_WEB) and rest.text[link.start] == "[":
            yield Leftover(LeftoverKind.LINK, link.start, link.end)
