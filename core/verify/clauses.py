"""Clauses of a claim: parts that can be true or false by themselves.

A clause begins after a comma, a semicolon, a dash, a bracket or a joining word. Clauses are spans; no word is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.records import Span
from core.verify.checks.text import content_stems

LEAST_WORDS = 2
"""Content words that a clause needs to stand alone."""
_JOINT = (
    r"and|but|while|whereas|which|who|whom|whose|where|when|although|though|because|since|so|or|nor|yet|with|without|"
    r"after|before|as|until|unless|despite|including|making|leading|causing|resulting|compared|und|aber|während|obwohl|"
    r"weil|sondern|mais|tandis|tout"
)
_VERBS = "is|are|was|were|has|have|had|will|would|can|could|may|did|does|do"
_VERB = re.compile(rf"\b(?:{_VERBS}|\w{{3,}}ed)\b", re.IGNORECASE)
_BORDER = re.compile(
    rf"(?P<stop>[.!?]\s+(?=[A-Z\u00c0-\u00de\"\u201c])|;\s*|\s[\u2013\u2014-]\s|\u2014|[\u3002\uff1b\uff0c])"
    rf"|(?P<comma>,\s++)(?=(?:{_JOINT})\b)"
    r"|(?P<bare>(?<!\s)\s++)(?=(?:but|while|whereas|although|though|because|even though)\s)"
    rf"|(?P<and>(?<!\s)\s++)(?=and\s+(?:\w+\s+){{0,2}}?(?:{_VERBS}|\w{{3,}}ed)\s)"
    r"|(?P<again>(?:,|(?<!\s))\s++)(?=and\s+(?P<preposition>to|for|of|with|by|from|on|in|at|against|that)\s)",
    re.IGNORECASE,
)


def clauses(claim: str) -> list[Span]:
    """The clauses of ``claim`` in order, without overlap. A clause with too few words joins the one before it."""
    parts: list[Span] = []
    for start, end in _stripped(claim):
        if parts and (_poor(claim, start, end) or _poor(claim, *parts[-1])):
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def _poor(claim: str, start: int, end: int) -> bool:
    return len(content_stems(claim[start:end])) < LEAST_WORDS


def _stripped(claim: str) -> Iterator[Span]:
    at = 0
    for match in _BORDER.finditer(claim):
        if match["and"] and not _VERB.search(claim, at, match.start()):
            continue  # "apples and pears are fruit": one subject
        if match["again"] and not _joined_alike(claim, at, match.start(), match["preposition"]):
            continue  # "rose and in 2019 fell": the phrase does not go on with what an earlier one began
        yield from _bare(claim, at, match.start())
        at = match.end()
    yield from _bare(claim, at, len(claim))


def _joined_alike(claim: str, start: int, end: int, preposition: str) -> bool:
    """True when a phrase with the same preposition stands before: "commits itself to trees and to clean air"."""
    return re.search(rf"\b{preposition}\s", claim[start:end], re.IGNORECASE) is not None


def _bare(claim: str, start: int, end: int) -> Iterator[Span]:
    piece = claim[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
