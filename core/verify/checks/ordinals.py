"""Ordinals: "the second subpoena" is not the first."""

from __future__ import annotations

import re

from core.verify.checks.intervals import ORDINALS
from core.verify.checks.measures import nouns_behind
from core.verify.checks.outcomes import CheckResult, failed
from core.verify.checks.text import cut, flat

_ORDINAL = re.compile(
    rf"\b(?:the|his|her|its|their|our|a|an) (?P<ordinal>{'|'.join(sorted(ORDINALS, key=len, reverse=True))}|"
    r"\d{1,3}(?:st|nd|rd|th))(?= [a-z]+)(?! (?:century|half|quarter|third|time|place|most|largest|of)\b)",
    re.IGNORECASE,
)
_NAME = "numbers"


def other_ordinals(claim: str, evidence: str) -> list[CheckResult]:
    """A failure for each ordinal of the claim whose thing the evidence counts otherwise, and nowhere as the claim."""
    there = _ordinals(evidence)
    results = []
    for value, noun, span in _ordinals(claim):
        others = [(other, where) for other, what, where in there if what == noun]
        if others and all(other != value for other, _ in others) and all(other != value for other, _, _ in there):
            where = others[0][1]
            why = f"“{cut(claim, *span)}” in the claim, “{cut(evidence, *where)}” in the evidence."
            results.append(failed(_NAME, why, (span,), (where,)))
    return results


def _ordinals(text: str) -> list[tuple[int, str, tuple[int, int]]]:
    """The ordinals of ``text``: value, stem of the noun behind, place."""
    even = flat(text)
    given = []
    for match in _ORDINAL.finditer(even):
        written = match["ordinal"].lower()
        nouns = nouns_behind(even, match.end())
        if nouns:
            given.append((ORDINALS.get(written) or int(written[:-2]), nouns[0], match.span("ordinal")))
    return given
