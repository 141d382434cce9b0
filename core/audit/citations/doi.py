"""DOIs: resolver links, ``doi:10.1234/abc``, and a bare ``10.1234/abc``."""

from __future__ import annotations

import re

from core.audit.citations.bare_url import ADDRESS, without_tail
from core.audit.report_model import Marker, Style, Target
from core.audit.view import View, marker_text

_RESOLVER = r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:[ ]?|doi\.org/)"
_REGISTRANT = r"10\.\d{4,9}(?:\.\d+)*/"
_DOI = re.compile(
    rf"(?<![\w/@.\-])(?:{_RESOLVER}(?P<broken>{_REGISTRANT}[ ](?=[\w.()\-]*\d){ADDRESS})"
    rf"|{_RESOLVER}?(?P<whole>{_REGISTRANT}{ADDRESS}))",
    re.IGNORECASE,
)
"""``broken``: a line break of the page left a blank behind the registrant's slash, where no DOI can end."""


def find(view: View) -> list[Marker]:
    """Every DOI in the text, with the address of its resolver; its own form is lower case."""
    markers: list[Marker] = []
    for match in _DOI.finditer(view.text):
        written = without_tail(match["whole"] or match["broken"])
        start = match.start()
        end = match.start("whole" if match["whole"] else "broken") + len(written)
        name = written.replace(" ", "")
        target = Target(doi=name.lower(), url=f"https://doi.org/{name}")
        markers.append(Marker(Style.DOI, start, end, marker_text(view, start, end), (target,)))
    return markers
