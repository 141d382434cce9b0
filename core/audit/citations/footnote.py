"""Footnote marks: ``[^1]``, ``[^1_3]``, ``[^note]``, ``[^1^]``; the definitions are read with the blocks."""

from __future__ import annotations

import re

from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_MARK = re.compile(r"(?<!\\)\[\^([^\]\s\[\x00^]{1,60})\^?\]")


def find(view: View) -> list[Marker]:
    """Every footnote mark, whether it is defined or not."""
    return [
        Marker(Style.FOOTNOTE, match.start(), match.end(), marker_text(view, *match.span()), (Target(key=match[1]),))
        for match in _MARK.finditer(view.text)
    ]
