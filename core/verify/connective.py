"""Words that join a sentence to the one before it and claim nothing: "However, …", "In addition, …", "For example, …".

A small model takes them for part of what has to be shown: of supported pairs of FEVER-symmetric it finds .78 supported
as they stand, .32 with "For example," in front and .19 with "Overall," (docs/decisions/0009). Words that say more ("as
a result", "by contrast", "only") are kept.
"""

from __future__ import annotations

import re

from core.verify.checks.text import content_stems

LEAST = 2
"""Content words that have to follow."""
_JOINS = re.compile(
    r"(?:(?:However|Moreover|Furthermore|Additionally|Also|Besides|Similarly|Likewise|Indeed|Notably|Importantly|"
    r"Interestingly|Specifically|Finally|Overall|Nevertheless|Nonetheless|Still|Meanwhile|In addition|In fact|"
    r"In particular|In short|For example|For instance|Of note),|And|But|Yet) (?=\w)"
)


def after_connective(claim: str) -> int:
    """Where the claim begins behind such words; 0 where none stand in front of it."""
    found = _JOINS.match(claim)
    if found is None or len(content_stems(claim[found.end() :])) < LEAST:
        return 0
    return found.end()
