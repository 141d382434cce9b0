"""``(ibid., p. 4)`` and ``(Berg, op. cit.)``: the work cited before."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from core.audit.names import folded_name
from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

SAME = r"(?:ibid(?:em)?|id(?:em)?(?=\.)|ebd|ebenda|ib)\b\.?"
AGAIN = r"(?:op\. ?cit|loc\. ?cit|a\. ?a\. ?O|ob\. ?cit)\b\.?"
_IN_TEXT = re.compile(
    rf"\((?:see (?:also )?|cf\. |siehe |vgl\. )?(?:{SAME}|(?P<name>[^\W\d_][\w'\u2019\-]{{1,40}}),? {AGAIN})"
    r"[^()\n\x00]{0,40}\)",
    re.IGNORECASE,
)


def find(view: View, markers: Sequence[Marker]) -> list[Marker]:
    """``(ibid., p. 4)`` and ``(Berg, op. cit.)`` in the text, as further markers of the work cited before; ``markers``
    are in order."""
    found: list[Marker] = []
    for match in _IN_TEXT.finditer(view.text):
        last = bisect_left(markers, match.start(), key=lambda marker: marker.start)
        name = folded_name(match["name"] or "")
        meant = next((m for m in reversed(markers[:last]) if not name or _is_by(m.targets[-1], name)), None)
        if meant is not None:
            style = Style.AUTHOR_YEAR if meant.style is Style.AUTHOR_YEAR_NARRATIVE else meant.style
            text = marker_text(view, *match.span())
            found.append(Marker(style, *match.span(), text, meant.targets[-1:]))
    return found


def _is_by(target: Target, name: str) -> bool:
    return bool(target.authors) and folded_name(target.authors[0]) == name
