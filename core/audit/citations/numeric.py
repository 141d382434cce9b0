"""Numbers in square brackets: ``[1]``, ``[1, 3]``, ``[2-5]``, ``[2–5, 9]``."""

from __future__ import annotations

import re

from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_NUMBERS = re.compile(
    r"(?<![!\\])\[(?P<list>\s?\d{1,4}(?:\s?[,;\u2013\u2014\u2012\u2011\u2010\uff0c\u3001-]\s?\d{1,4}){0,60})\s?"
    r"(?:,\s?pp?\.\s?[\d\u2013-]{1,12})?\](?!\()"
)
_PART = re.compile(r"(\d{1,4})(?:\s?[\u2013\u2014\u2012\u2011\u2010-]\s?(\d{1,4}))?")
_WIDEST = 200
_YEARS = range(1600, 2101)


def find(view: View) -> list[Marker]:
    """Bracketed numbers; years are none unless a reference has that number, and ``[0]`` likewise."""
    listed = {reference.number for reference in view.references if reference.number is not None}
    markers: list[Marker] = []
    for match in _NUMBERS.finditer(view.text):
        numbers = expand(match["list"])
        if any((number in _YEARS or number == 0) and number not in listed for number in numbers):
            continue
        start, end = match.span()
        targets = tuple(Target(number=number) for number in numbers)
        markers.append(Marker(Style.NUMERIC, start, end, marker_text(view, start, end), targets))
    return markers


def expand(listed: str) -> list[int]:
    """``"2-4, 7"`` as 2, 3, 4, 7, each once; a range that runs backwards or too far counts as its two ends."""
    numbers: dict[int, None] = {}
    for part in _PART.finditer(listed):
        first = int(part[1])
        last = int(part[2]) if part[2] else first
        whole = range(first, last + 1) if first <= last <= first + _WIDEST else (first, last)
        numbers.update(dict.fromkeys(whole))
    return list(numbers)
