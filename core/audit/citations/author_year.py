"""Authors and a year: ``(Varga et al., 2023; Tallis, 2023)``, ``Varga et al. (2023)``, ``[Abara & Quist 2022a, b]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.audit.citations.author_year_parse import Bracket, parse_bracket, parse_names, years_of
from core.audit.names import AuthorYearIndex
from core.audit.report_model import Marker, Reference, ReferenceKind, Style, Target
from core.audit.view import View, marker_text

_BRACKET = re.compile(r"[(\[](?P<in>[^()\[\]\x00]{4,600})[)\]]")
_HAS_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d[a-z]?(?![\d])|\bn\.d\.|\bin press")
_YEARS = r"(?:(?:1[6-9]|20)\d\d[a-z]?|in press|n\.d\.)(?:\s*[,;/&]\s*(?:(?:1[6-9]|20)\d\d[a-z]?|[a-z](?![a-z])))*"
_NARRATIVE = re.compile(
    rf"(?P<open>[(\[])(?P<years>{_YEARS})(?P<page>[,:]\s*(?:pp?\.\s?)?[\d\u2013-]{{1,12}})?[)\]](?!\()"
)
_UNBRACKETED = re.compile(
    r"(?<!\w)(?P<name>[^\W\d_a-z][\w'\u2019\-]{1,40}(?:,? (?:and|&) [^\W\d_a-z][\w'\u2019\-]{1,40})?)"
    r"(?P<more>,? et al\.?)?,? "
    r"(?P<year>(?:1[6-9]|20)\d\d[a-z]?)(?![\w/]|[-\u2013]\d)"
)
_BEFORE = 160


def find(view: View) -> list[Marker]:
    """Author–year citations.

    One that no entry of the report's list matches counts all the same when its form leaves no doubt (``et al.``,
    two names), or when the report cites by author and year elsewhere; ``(Japan, 2020)`` alone does not.
    """
    index = AuthorYearIndex(view.references)
    narrative = _narrative(view, index)
    taken = [(marker.start, marker.end) for marker in narrative]
    bracketed = _bracketed(view.without(taken), index)
    taken += [(marker.start, marker.end) for marker in bracketed]
    plain = _unbracketed(view.without(taken), index)
    return sorted([*narrative, *bracketed, *plain], key=lambda marker: marker.start)


def _narrative(view: View, index: AuthorYearIndex) -> list[Marker]:
    markers: list[Marker] = []
    last = 0
    for match in _NARRATIVE.finditer(view.text):
        floor = max(last, match.start() - _BEFORE)
        names = parse_names(view.text[floor : match.start()], index)
        if names is None:
            continue
        years = years_of(match["years"])
        listed = any(index.find(names.authors, year, et_al=names.et_al) for year in years)
        if not listed and not names.strong:
            continue
        start, end = floor + names.start, match.end()
        targets = tuple(Target(authors=names.authors, et_al=names.et_al, year=year) for year in years)
        text = marker_text(view, start, end)
        markers.append(Marker(Style.AUTHOR_YEAR_NARRATIVE, start, end, text, targets, inside=True))
        last = end
    return markers


def _bracketed(view: View, index: AuthorYearIndex) -> list[Marker]:
    strong: list[Marker] = []
    weak: list[Marker] = []
    matched = False
    for match in _BRACKET.finditer(view.text):
        parsed = parse_bracket(match["in"]) if _HAS_YEAR.search(match["in"]) else None
        if parsed is None:
            continue
        listed = any(
            index.find(names.authors, year, et_al=names.et_al) for names, years in parsed.cited for year in years
        )
        certain = listed or any(names.strong for names, _ in parsed.cited)
        marker = _bracket_marker(view, match, parsed)
        if not certain and "," not in marker.text:
            continue  # "(Lipofectamine 2000)"
        matched = matched or listed
        (strong if certain else weak).append(marker)
    return [*strong, *weak] if matched and _mostly(strong, weak) else strong


def _bracket_marker(view: View, match: re.Match[str], parsed: Bracket) -> Marker:
    """The marker of a bracket: with its signs when it holds nothing else."""
    start, end = match.span()
    if not parsed.whole:
        start, end = match.start("in") + parsed.start, match.start("in") + parsed.end
    targets = tuple(
        Target(authors=names.authors, et_al=names.et_al, year=year) for names, years in parsed.cited for year in years
    )
    return Marker(Style.AUTHOR_YEAR, start, end, marker_text(view, start, end), targets)


def _unbracketed(view: View, index: AuthorYearIndex) -> list[Marker]:
    """``as O'Geen et al., 2010 found``: only where the list has such an entry."""
    markers: list[Marker] = []
    for match in _UNBRACKETED.finditer(view.text):
        joint = re.split(r",? (?:and|&) ", match["name"])
        if not match["more"] and len(joint) == 1:
            continue
        year, et_al = match["year"], bool(match["more"])
        if not index.find(joint, year, et_al=et_al):
            continue
        target = Target(authors=tuple(joint), et_al=et_al, year=year)
        text = marker_text(view, *match.span())
        markers.append(Marker(Style.AUTHOR_YEAR_NARRATIVE, *match.span(), text, (target,), inside=True))
    return markers


def _mostly(strong: list[Marker], weak: list[Marker]) -> bool:
    """True when the report cites by author and year as a habit, so that a single odd one is one too."""
    return len(strong) >= 3 * len(weak)


def named_links(source: str, markers: Sequence[Marker]) -> list[Reference]:
    """Works that the report names beside a linked year (``Liu et al. ([2024](https://...))``), as references whose
    ``id`` is the index of that marker: ``(Liu et al., 2024)`` elsewhere means the same page."""
    nothing = AuthorYearIndex(())
    works: list[Reference] = []
    for at, marker in enumerate(markers):
        label = re.match(r"\(?\[\s*((?:1[6-9]|20)\d\d[a-z]?)\s*\]", marker.text)
        if marker.style is not Style.INLINE_LINK or not label:
            continue
        before = source[max(0, marker.start - _BEFORE) : marker.start]
        names = parse_names(before, nothing)
        if names is None:
            continue
        works.append(Reference(
            at, ReferenceKind.INLINE, marker.text, marker.start, marker.end, "et al" if names.et_al else "",
            url=marker.targets[0].url, authors=names.authors, year=label[1],
        ))  # fmt: skip
    return works


__all__ = ["find", "named_links"]
