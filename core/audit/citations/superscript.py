"""Raised numbers: ``¹``, ``²,³``, ``<sup>1,2</sup>``, ``^1^``; exponents, isotopes and charges are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from core.audit.citations.numeric import expand
from core.audit.report_model import Leftover, LeftoverKind, Marker, Style, Target
from core.audit.view import View, marker_text

_DIGITS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_CHARGED = re.compile(r"[\u207a\u207b+\u2212]|[\u2013-](?=\S)")
_RAISED = re.compile(
    rf"(?P<sign>\u207b|\u207a)?[{_DIGITS}]+(?:[,\u02d2\u207b\u2013-][ ]?[{_DIGITS}]+)*(?P<charge>\u207a|\u207b)?"
    r"|<sup>\s?(?P<sure>\\?\[\s?)?(?P<tag>\d{1,4}(?:\s?[,;\u2013-](?:\s|&nbsp;|&#160;)?\d{1,4}){0,40})(?:\s?\\?\])?\s?</sup>"
    r"|(?<=\S)\^(?P<hat>\d{1,3}(?:[,\u2013-]\d{1,3}){0,40})\^",
    re.IGNORECASE,
)
_PLAIN = str.maketrans(_DIGITS + "\u207b\u02d2", "0123456789-,")
_UNITS = frozenset(
    """m km cm mm nm dm ft in mi yd ha s kg h e x y z r n l g v w j k pa min sec hr day yr mol sin cos tan log ln
    chi eta mc dr dx dy dt""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_]+\Z")
_NUMBER = re.compile(r"(?:\d[\d.,]*)?\d\Z")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\Z")
_POWER = re.compile(r"(?:[\u00d7*\u00b7x=]\s*|\A|[^\d.,])10{1,3}\Z|[\u00d7*\u00b7=^]\s*[\d.,]+\Z")
_ELEMENT = re.compile(
    r"(?:A[c-z]|B[a-r]?|C[a-u]?|D|E[r-u]|F[er]?|G[ade]|H[efgo]?|I[nr]?|Kr?|L[aiu]|M[gno]|N[abdeip]?|Os?|P[abdmortu]?"
    r"|R[abehnu]|S[bceimnr]?|T[abcehilm]|U|V|W|Xe|Yb?|Z[nr])(?![a-z])"
)
_FORMULA = re.compile(r"\([^()\n]*[=+\u2212*/^\u00d7][^()\n]*\)\Z")
_BEFORE = 40
_FEWEST_DIGITS = 3


class _Kind(Enum):
    SURE = 1
    LIKELY = 2
    DOUBTFUL = 3
    SMALL = 4
    NONE = 5


def find(view: View) -> list[Marker]:
    """Raised numbers that cite. Behind a year or another number of three or more digits they do where the list has
    them, and, but for the year, where the report cites so elsewhere; without an entry only behind words."""
    return [marker for marker, _ in _read(view) if isinstance(marker, Marker)]


def doubtful(view: View) -> Iterator[Leftover]:
    """Raised numbers of the list that may be exponents as well."""
    return (leftover for _, leftover in _read(view) if leftover is not None)


def _read(view: View) -> list[tuple[Marker | None, Leftover | None]]:
    defined = {reference.number for reference in view.references if reference.number is not None}
    found: list[tuple[re.Match[str], list[int], _Kind]] = []
    for match in _RAISED.finditer(view.text):
        numbers = expand((match["tag"] or match["hat"] or match.group().translate(_PLAIN)).strip("\u207a-"))
        kind = _kind(view.text, match, listed=all(number in defined for number in numbers))
        if numbers and 0 not in numbers and kind is not _Kind.NONE:
            found.append((match, numbers, kind))
    habit = any(kind in (_Kind.SURE, _Kind.LIKELY) and numbers[0] in defined for _, numbers, kind in found)
    sure = {_Kind.SURE, _Kind.LIKELY} | ({_Kind.DOUBTFUL} if habit else set())
    return [_result(view, match, numbers, kind in sure) for match, numbers, kind in found]


def _result(view: View, match: re.Match[str], numbers: list[int], cites: bool) -> tuple[Marker | None, Leftover | None]:
    start, end = match.span()
    if not cites:
        return None, Leftover(LeftoverKind.RAISED, start, end)
    targets = tuple(Target(number=number) for number in numbers)
    return Marker(Style.SUPERSCRIPT, start, end, marker_text(view, start, end), targets), None


def _kind(text: str, match: re.Match[str], *, listed: bool) -> _Kind:
    before, after = text[max(0, match.start() - _BEFORE) : match.start()], text[match.end() : match.end() + 3]
    if match["sure"]:
        return _Kind.SURE  # nobody puts an exponent in brackets
    if match["sign"] or match["charge"] or _CHARGED.match(after):
        return _Kind.NONE
    if _ELEMENT.match(after) and not re.search(r"[.,;:!?\"')\]\u201d\u2019]\Z|\w{3}\Z", before):
        return _Kind.NONE
    if _NUMBER.search(before):
        return _behind_number(before, listed=listed)
    return _behind_words(before, after, listed=listed)


def _behind_words(before: str, after: str, *, listed: bool) -> _Kind:
    word = _WORD.search(before)
    if word and (len(word.group()) == 1 or word.group().lower() in _UNITS or after[:1].isalpha()):
        return _Kind.NONE
    if _FORMULA.search(before) or not before.strip("\x00 "):
        return _Kind.NONE
    return _Kind.LIKELY if listed else _Kind.SURE if word or before[-1] in ".,;:!?)\u201d\"'" else _Kind.NONE


def _behind_number(before: str, *, listed: bool) -> _Kind:
    number = _NUMBER.search(before)
    assert number is not None
    if not listed or _POWER.search(before) or re.search(r"[^\W\d_]\Z", before[: number.start()]):
        return _Kind.NONE
    if _YEAR.fullmatch(number.group()):
        return _Kind.LIKELY
    return _Kind.DOUBTFUL if sum(map(str.isdigit, number.group())) >= _FEWEST_DIGITS else _Kind.SMALL
