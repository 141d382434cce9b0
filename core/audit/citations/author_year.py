"""Authors and a year: ``(Varga et al., 2023; Tallis, 2023)``, ``Varga et al. (2023)``, ``[Abara & Quist 2022a, b]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.audit.citations.author_year_parse import SHORT_YEAR, YEAR, Bracket, parse_bracket, parse_names, years_of
from core.audit.names import AuthorYearIndex
from core.audit.report_model import Marker, Reference, ReferenceKind, Style, Target
from core.audit.view import View, marker_text

_BRACKET = re.compile(r"[(\[](?P<in>[^()\[\]\x00]{4,600})[)\]]")
_HAS_YEAR = re.compile(rf"(?<!\d){YEAR}|(?<=[\s,]){SHORT_YEAR}", re.IGNORECASE)
_YEARS = rf"{YEAR}(?:\s*[,;/&]\s*(?:{YEAR}|[a-z](?![a-z])))*"
_NARRATIVE = re.compile(
    rf"(?P<open>[(\[])(?P<years>{_YEARS}|(?P<short>{SHORT_YEAR}))(?P<page>[,:]\s*(?:pp?\.\s?)?[\d\u2013-]{{1,12}})?[)\]](?!\()"
)
_SAYS = re.compile(
    r"(?:['\u2019]s\b)?,?\s+(?:(?:also|first|later|further|\w+ly)\s+)?(?:argu|f[io]u?nd|show|report|observ|note|conclud|demonstrat"
    r"|estimat|suggest|stat|claim|wr[io]te|propos|describ|examin|analy[sz]|stud|investigat|review|identif|compar"
    r"|measur|defin|warn|consider|discuss|explor|survey|count|document|confirm|contend|assert|maintain"
    r"|point(?:s|ed) out)"
    r"(?:e[sd]?|s|d|ied|ies|ning|t)?\b"
)
_ATTRIBUTED = re.compile(
    r"(?:\b(?:according to|see(?: also)?|following|(?:shown|found|reviewed|described|reported"
    r"|noted|argued|proposed|suggested|discussed|demonstrated|observed|defined) (?:by|in))|\b(?:cf|e\.g)\.,?)\s+\Z",
    re.I,
)
_POSSESSIVE = re.compile(r"['\u2019]s?\s*\Z")
CITED_NEXT = re.compile(r"\s?(?:\[\^?\d|\(\[|\(https?:|[\u00b9\u00b2\u00b3\u2070-\u2079]|<sup>|\u3010)")
_UNBRACKETED = re.compile(
    r"(?<!\w)(?P<name>[^\W\d_a-z][\w'\u2019\-]{1,40}(?:,? (?:and|&) [^\W\d_a-z][\w'\u2019\-]{1,40})?)"
    r"(?P<more>,? et al\.?)?,? "
    r"(?P<year>(?:1[6-9]|20)\d\d[a-z]?)(?![\w/]|[-\u2013]\d)"
)
_WIDE = str.maketrans("\uff08\uff09\uff3b\uff3d\uff0c\uff1b", "()[],;")
_BEFORE = 160
_HABIT = 3


def find(view: View) -> list[Marker]:
    """Author–year citations, whether an entry of the report's list matches them or not.

    Without an entry, a single name counts when a comma parts it from its year or a verb of saying follows
    (``Okafor (2019) argues``), and when it is no place: ``(Japan, 2020)`` is left to ``core.audit.leftovers``.
    """
    index = AuthorYearIndex(view.references)
    view = replace(view, text=view.text.translate(_WIDE))
    narrative = _narrative(view, index)
    taken = [(marker.start, marker.end) for marker in narrative]
    bracketed = _bracketed(view.without(taken), index)
    taken += [(marker.start, marker.end) for marker in bracketed]
    plain = _unbracketed(view.without(taken), index)
    return sorted([*narrative, *bracketed, *plain], key=lambda marker: marker.start)


def _narrative(view: View, index: AuthorYearIndex) -> list[Marker]:
    markers: list[Marker] = []
    numbered = any(reference.number is not None for reference in view.references)
    last = 0
    for match in _NARRATIVE.finditer(view.text):
        floor = max(last, match.start() - _BEFORE)
        names = parse_names(view.text[floor : match.start()], index)
        if names is None:
            continue
        years = years_of(match["years"])
        listed = any(index.find(names.authors, year, et_al=names.et_al) for year in years)
        if match["short"] and not (listed and (match["short"][0] in "'\u2019" or not numbered)):
            continue
        said = _SAYS.match(view.text, match.end()) or _ATTRIBUTED.search(view.text[floor : floor + names.start])
        said = said or _POSSESSIVE.search(view.text, floor + names.start, match.start())
        if not listed and not names.strong and not (said and names.person):
            continue
        start, end = floor + names.start, match.end()
        targets = tuple(Target(authors=names.authors, et_al=names.et_al, year=year) for year in years)
        text = marker_text(view, start, end)
        markers.append(Marker(Style.AUTHOR_YEAR_NARRATIVE, start, end, text, targets, inside=True))
        last = end
    return markers


def _bracketed(view: View, index: AuthorYearIndex) -> list[Marker]:
    markers: list[Marker] = []
    without_comma: list[Marker] = []
    for match in _BRACKET.finditer(view.text):
        parsed = parse_bracket(match["in"], index) if _HAS_YEAR.search(match["in"]) else None
        if parsed is None:
            continue
        # "GraphRAG (Microsoft, 2024) [19]": the bracket says who made it and when, the number behind it cites.
        alone = not CITED_NEXT.match(view.source, match.end())
        if _is_listed(parsed, index) or parsed.strong or (alone and parsed.formal):
            markers.append(_bracket_marker(view, match, parsed))
        elif alone and parsed.whole and all(names.person for names, _ in parsed.cited):
            without_comma.append(_bracket_marker(view, match, parsed))
    # "(Okafor 2019)" cites and "(Lipofectamine 2000)" does not: what a report does as a habit tells them apart.
    habit = any("," not in marker.text for marker in markers) or len(without_comma) >= _HABIT
    return [*markers, *without_comma] if habit else markers


def _is_listed(parsed: Bracket, index: AuthorYearIndex) -> bool:
    return any(index.find(names.authors, year, et_al=names.et_al) for names, years in parsed.cited for year in years)


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
    """``as O'Geen et al., 2010 found``; two names only where the list has such an entry."""
    markers: list[Marker] = []
    for match in _UNBRACKETED.finditer(view.text):
        joint = re.split(r",? (?:and|&) ", match["name"])
        if not match["more"] and len(joint) == 1:
            continue
        year, et_al = match["year"], bool(match["more"])
        if not et_al and not index.find(joint, year, et_al=et_al):
            continue
        target = Target(authors=tuple(joint), et_al=et_al, year=year)
        text = marker_text(view, *match.span())
        markers.append(Marker(Style.AUTHOR_YEAR_NARRATIVE, *match.span(), text, (target,), inside=True))
    return markers


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


__all__ = ["CITED_NEXT", "find", "named_links"]
