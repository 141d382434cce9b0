"""The direction in which a number goes: risen or fallen."""

from __future__ import annotations

import re

_UP = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|increas\w*|grew|grow(?:s|n|ing|th)?|gain(?:s|ed|ing)?|climb\w*|jump\w*|surg\w+|"
    r"soar\w*|"
    r"up(?= (?:by |from |about |around |nearly |almost |over )?[\d$£€¥])|went up|higher|expand\w*|doubl\w+|tripl\w+)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:fall(?:s|en|ing)?|fell|decreas\w*|declin\w*|drop(?:s|ped|ping)?|reduc\w+|shr[aiu]nk\w*|lost|"
    r"down(?= (?:by |from |about |around |nearly |almost |over )?[\d$£€¥])|went down|lower(?:ed|ing|s)?|plung\w*|"
    r"plummet\w*|cut(?:s|ting)?|halv(?:ed|es|ing))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[.;:!?](?:\s|\Z)|,\s(?!(?:an?\s)?(?:increas|decreas|rise\b|fall\b|drop\b|decline|gain\b|up\b|down\b|growth|"
    r"reduction))|\s(?:and|but|while|whereas|although|though|which|who)\s"
)
_DIRECTION_REACH = 60


def direction(text: str, start: int, end: int) -> tuple[int, tuple[int, int]] | None:
    """The direction of the number in ``start``..``end``: (+1 or -1, span of its word); None if unsaid or unclear.

    Only the clause of the number counts, and at most 60 characters to each side.
    """
    left, right = max(0, start - _DIRECTION_REACH), min(len(text), end + _DIRECTION_REACH)
    for border in _CLAUSE_END.finditer(text, left, start):
        left = border.end()
    after = _CLAUSE_END.search(text, end, right)
    right = after.start() + 1 if after else right
    ups = [m.span() for m in _UP.finditer(text, left, right)]
    downs = [m.span() for m in _DOWN.finditer(text, left, right)]
    if bool(ups) == bool(downs):
        return None
    return (1, ups[0]) if ups else (-1, downs[0])
