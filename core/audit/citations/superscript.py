"""Raised numbers: ``¹``, ``²,³``, ``<sup>1,2</sup>``, ``^1^``."""

from __future__ import annotations

import re

from core.audit.citations.numeric import expand
from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_DIGITS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_RAISED = re.compile(
    rf"[{_DIGITS}]+(?:[,\u02d2\u207b\u2013-][ ]?[{_DIGITS}]+)*"
    r"|<sup>\s?(?:\[\s?)?(?P<tag>\d{1,4}(?:\s?[,\u2013-]\s?\d{1,4}){0,40})(?:\s?\])?\s?</sup>"
    r"|(?<=\S)\^(?P<hat>\d{1,3}(?:[,\u2013-]\d{1,3}){0,40})\^",
    re.IGNORECASE,
)
_PLAIN = str.maketrans(_DIGITS + "\u207b\u02d2", "0123456789-,")
_UNITS = frozenset("m km cm mm nm dm ft in mi yd ha s kg h e x y z r n".split())  # noqa: SIM905
_WORD = re.compile(r"[^\W_]+\Z")


def find(view: View) -> list[Marker]:
    """Raised numbers that some reference has; an exponent (``m²``, ``10⁶``, ``R²``) is none."""
    defined = {reference.number for reference in view.references if reference.number is not None}
    markers: list[Marker] = []
    for match in _RAISED.finditer(view.text):
        listed = match["tag"] or match["hat"] or match.group().translate(_PLAIN)
        numbers = expand(listed)
        if not numbers or not all(number in defined for number in numbers) or _is_exponent(view.text, match):
            continue
        start, end = match.span()
        targets = tuple(Target(number=number) for number in numbers)
        markers.append(Marker(Style.SUPERSCRIPT, start, end, marker_text(view, start, end), targets))
    return markers


def _is_exponent(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 12) : match.start()]
    if before[-1:].isdigit():
        return True
    word = _WORD.search(before)
    return word is not None and (len(word.group()) == 1 or word.group().lower() in _UNITS)
