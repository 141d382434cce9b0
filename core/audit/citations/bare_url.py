"""Addresses that stand in the text as they are, with or without angle brackets."""

from __future__ import annotations

import re

from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text
from core.text.urls import SICI

ADDRESS = (
    rf"(?:{SICI}|(?!\]\(|\]\[|[,;]https?://)[^\s<>\"`{{}}|\\^\x00\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\u201c\u201d])+"
)
_URL = re.compile(rf"(?<![\w/@.\-])(?:https?://|www\.(?=[\w-]+\.)){ADDRESS}", re.IGNORECASE)
_TRAILING = ".,;:!?'*_~\u2019\u00bb"
_BRACKETS = {")": "(", "]": "["}


def find(view: View) -> list[Marker]:
    """Web addresses; punctuation of the sentence after them is not theirs."""
    markers: list[Marker] = []
    for match in _URL.finditer(view.text):
        url = without_tail(match.group())
        if len(url) < 10:
            continue
        start, end = match.start(), match.start() + len(url)
        full = url if "://" in url else f"https://{url}"
        markers.append(Marker(Style.BARE_URL, start, end, marker_text(view, start, end), (Target(url=full),)))
    return markers


def without_tail(url: str) -> str:
    """The address without the punctuation after it; a closing bracket stays if it was opened inside."""
    counts = {sign: url.count(sign) for sign in "()[]"}
    end = len(url)
    while end:
        last = url[end - 1]
        opening = _BRACKETS.get(last)
        if opening and counts[last] > counts[opening]:
            counts[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return url[:end]
