"""DOIs: resolver links, ``doi:10.1234/abc``, and a bare ``10.1234/abc``."""

from __future__ import annotations

import re

from core.audit.citations.bare_url import ADDRESS, without_tail
from core.audit.records import Marker, Style, Target
from core.audit.view import View, marker_text

_DOI = re.compile(
    r"(?<![\w/@.\-])(?:https?://(?:dx\.|www\.)?doi\.org/|doi:[ ]?|doi\.org/)?"
    rf"(?P<doi>10\.\d{{4,9}}(?:\.\d+)*/{ADDRESS})",
    re.IGNORECASE,
)


def find(view: View) -> list[Marker]:
    """Every DOI in the text, with the address of its resolver; its own form is lower case."""
    found: list[Marker] = []
    for match in _DOI.finditer(view.text):
        name = without_tail(match["doi"])
        start, end = match.start(), match.start("doi") + len(name)
        target = Target(doi=name.lower(), url=f"https://doi.org/{name}")
        found.append(Marker(Style.DOI, start, end, marker_text(view, start, end), (target,)))
    return found
