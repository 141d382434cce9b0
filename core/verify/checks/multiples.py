"""Multiples in words: "doubled", "twice", "twofold", "half as many", "by a factor of four"."""

from __future__ import annotations

import re

from core.verify.checks.numerals import SMALL, Numeral

_FACTORS = {
    "doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0, "quintupl": 5.0, "sextupl": 6.0, "halv": 0.5,
    "twice": 2.0, "thrice": 3.0, "half": 0.5,
}  # fmt: skip
_STEM = "doubl|tripl|trebl|quadrupl|quintupl|sextupl|halv"
_MULTIPLE = re.compile(
    rf"(?<![\w-])(?:(?P<done>{_STEM})(?:ed|ing)(?! (?:down|up|over|back|as an?)\b)"
    rf"|(?:(?:to|will|would|could|may|might|can|must|should|than|nearly|almost) )(?P<do>{_STEM})e"
    rf"|(?P<does>{_STEM})es?(?= (?:the|that|those|its|his|her|their|our|what)\b)"
    r"|(?P<often>twice|thrice)|(?:in )(?P<cut>half)|(?P<share>half)(?= as (?:many|much|\w+ as\b))"
    rf"|(?P<fold>{'|'.join(SMALL)})fold|(?:an?|by) factor of (?P<factor>{'|'.join(SMALL)}|\d+(?:\.\d+)?))(?![\w-])",
    re.IGNORECASE,
)
"""A word that multiplies. "Double" and its like are verbs only behind an auxiliary or before the thing that grows;
"half" cuts ("cut in half") or compares ("half as many")."""
_STEP = 0.2
"""Places of a multiple in words: a price that rose 2.1 times has doubled, one that rose 1.8 times has not."""


def multiples(text: str) -> list[tuple[Numeral, bool]]:
    """The multiples of ``text`` (in the form of ``flat``) in order, without those in digits ("3 times"); each with True
    for a change or comparison, False for what may count how often ("twice")."""
    given = []
    for match in _MULTIPLE.finditer(text):
        kind = match.lastgroup or ""
        word = match[kind].lower()
        value = _FACTORS.get(word) or SMALL.get(word) or float(word)
        given.append(
            (Numeral(float(value), _STEP * min(value, 1), match.start(kind), match.end(), True), kind != "often")
        )
    return given
