"""Numbers in brackets: ``[1]``, ``[1, 3]``, ``[2–5, 9]``, ``[1]–[3]``, ``[2, pp. 3–4; 3]``, ``[see 1]``, ``【1】``,
``(refs. 1, 2)``; ``[[1]](#note-1)``; the marks of assistants: ``[cite: 1]``, ``【1†source】``, ``citeturn0search1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.audit.links import links
from core.audit.report_model import Marker, Reference, ReferenceKind, Style, Target
from core.audit.view import View, marker_text
from core.text.letter_numbers import LETTERS

_DASH = r"[\u2010-\u2014-]"
_NUMBER = rf"\d{{1,4}}(?!\d)(?:\s?{_DASH}\s?\d{{1,4}}(?!\d))?"
LOCATOR = (
    r"(?:,?\s?(?:(?:pp?|pages?|ch|chap(?:ter)?|cap|kap|sec(?:tion)?s?|tab(?:le)?|fig(?:ure)?s?|abb|para|eqs?|app(?:endix)?|vol"
    rf"|lines?|art|no|[LS])\.?|\u00a7+)\s?[\w.]{{1,12}}(?:\s?{_DASH}\s?[\w.]{{1,8}})?(?:\s?ff?\.)?|:\s?\d{{1,4}}(?:{_DASH}\d{{1,4}})?)"
)
_LEAD = (
    r"(?:(?:see(?: also)?|cf|e\.g|also|as in|cited?|citations?|sources?|refs?|references?|quellen?|siehe|vgl"
    r"|voir|notes?|fn"
    r"|nos?)\b[.:,]*\s?|#)"
)
_SEPARATOR = r"\s?(?:[,;\uff0c\uff1b\u3001]\s?(?:(?:and|und|&)\s)?|(?:and|und|&)\s)"
_ITEM = re.compile(rf"(?P<number>{_NUMBER}){LOCATOR}?", re.IGNORECASE)
_LIST = rf"\s?{_LEAD}{{0,2}}{_NUMBER}{LOCATOR}?(?:{_SEPARATOR}{_LEAD}?{_NUMBER}{LOCATOR}?){{0,60}}\s?"
_NUMBERS = re.compile(
    rf"(?<![!\\])\[(?P<list>{_LIST})\](?:\s?{_DASH}\s?\[(?P<last>\d{{1,4}})\])?(?!\()|[\u3010\uff3b](?P<wide>{_LIST})[\u3011\uff3d]"
    rf"|\((?:refs?|references?)\b\.?\s?(?P<round>{_LIST})\)|(?<![!\\])[\u3010\[](?P<dagger>\d{{1,4}})\u2020[^\u3011\]\n\x00]{{0,60}}[\u3011\]]",
    re.IGNORECASE,
)
_ESCAPED = re.compile(rf"\\\[(?P<list>{_LIST})\\\]", re.IGNORECASE)
_KEYS = re.compile(
    r"[\ue200-\ue2ff]*(?:file)?cite[\ue200-\ue2ff]*(?:turn\d+[a-z]+\d+[\ue200-\ue2ff]*){1,20}|[\u3010\[]\d+:\d+\u2020[^\u3011\]\n\x00]{0,60}[\u3011\]]"
    r"|:contentReference\[oaicite:\d+\](?:\{[^{}\n]{0,40}\})?"
)
_KEY = re.compile(r"turn\d+[a-z]+\d+|\d+:\d+(?=\u2020)|oaicite:\d+")
_NOTE_PLACE = re.compile(r"#_?(?:cite|fn|ftn|edn|footnote|endnote|note|ref|bib|cit|source)", re.IGNORECASE)
_PART = re.compile(rf"(\d{{1,4}})(?:\s?{_DASH}\s?(\d{{1,4}}))?")
_WIDEST = 200
_YEARS = range(1600, 2101)


def find(view: View) -> list[Marker]:
    """Bracketed numbers; years are none unless a reference has that number, and ``[0]`` likewise. ``\\[1\\]`` is one
    only in a report that writes the numbers of its list so."""
    listed = {reference.number for reference in view.references if reference.number is not None}
    found = list(_NUMBERS.finditer(view.text))
    if _list_is_escaped(view.references):
        found += _ESCAPED.finditer(view.text)
    markers: list[Marker] = []
    for match in found:
        numbers = _numbers(match)
        if any((number in _YEARS or number == 0) and number not in listed for number in numbers):
            continue
        markers.append(_marker(view, *match.span(), [Target(number=number) for number in numbers]))
    for match in _KEYS.finditer(view.text):
        markers.append(_marker(view, *match.span(), [Target(key=key) for key in _KEY.findall(match.group())]))
    return sorted(markers, key=lambda marker: marker.start)


def find_anchored(view: View) -> list[Marker]:
    """Numbers that lead to a note of the report: ``[[18]](#cite_note-18)``, also with the address of the page itself
    in front where the list has the number; and letters that do, where the list has the letter."""
    listed = {reference.number for reference in view.references if reference.number is not None}
    keys = {reference.key for reference in view.references if reference.kind is ReferenceKind.KEYED}
    markers: list[Marker] = []
    for link in links(view.text):
        label = view.source[link.label_start : link.label_end].strip("[]^\\ ")
        if link.image:
            continue
        if LETTERS.fullmatch(label) and link.target.startswith("#") and label in keys:
            markers.append(_marker(view, link.start, link.end, [Target(key=label)]))
        if not re.fullmatch(_NUMBER, label):
            continue
        numbers = expand(label)
        if link.target.startswith("#") or (_NOTE_PLACE.search(link.target) and listed.issuperset(numbers)):
            markers.append(_marker(view, link.start, link.end, [Target(number=number) for number in numbers]))
    return sorted(markers, key=lambda marker: marker.start)


def _marker(view: View, start: int, end: int, targets: Iterable[Target]) -> Marker:
    return Marker(Style.NUMERIC, start, end, marker_text(view, start, end), tuple(targets))


def _list_is_escaped(references: Iterable[Reference]) -> bool:
    return any(reference.number is not None and "\\[" in reference.text[:6] for reference in references)


def _numbers(match: re.Match[str]) -> list[int]:
    groups = match.groupdict()
    if groups.get("dagger"):
        return [int(groups["dagger"])]
    listed = match["list"] or groups.get("wide") or groups.get("round") or ""
    numbers = [number for item in _ITEM.finditer(listed) for number in expand(item["number"])]
    if groups.get("last"):
        numbers = [*numbers[:-1], *expand(f"{numbers[-1]}-{groups['last']}")]
    return list(dict.fromkeys(numbers))


def expand(listed: str) -> list[int]:
    """``"2-4, 7"`` as 2, 3, 4, 7, each once; a range that runs backwards or too far counts as its two ends."""
    return list(dict.fromkeys(_expanded(listed)))


def _expanded(listed: str) -> Iterator[int]:
    for part in _PART.finditer(listed):
        first = int(part[1])
        last = int(part[2]) if part[2] else first
        yield from range(first, last + 1) if first <= last <= first + _WIDEST else (first, last)
