"""Bounds of a number: "at least", "up to", "nearly", and their like in front of it or behind."""

from __future__ import annotations

import re

_AT_LEAST = (
    r"at (?:the )?least|no (?:less|fewer|lower) than|a (?:minimum|floor) of|minimum|not (?:less|fewer|lower) than|"
    r"not (?:under|below)|as (?:few|little|low) as|\u2265|>="
)
_MORE = (
    r"(?:more|greater|higher|larger|longer|older|further|better) than|over|above|exceed(?:s|ed|ing)?|"
    r"upwards? of|in excess of|>|surpass(?:es|ed|ing)?|topp(?:ed|ing)|past|beyond"
)
_UP_TO = r"up to|as (?:many|much|high|long|far|large|late) as"
_AT_MOST = (
    r"at (?:the )?most|no (?:more|greater|higher|longer|larger|older) than|not (?:more|greater|higher|longer) than|"
    r"(?:not|never|cannot|n't)(?: to)? exceed(?:s|ed|ing)?|not (?:over|above)|a (?:maximum|cap|limit|ceiling) of|"
    r"maximum|(?:capped|limited) (?:at|to)|\u2264|<="
)
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger) than|under|below|(?:falls?|fell) short of|<"
_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|close to|some|circa|ca?\.|~|\u2248|"
    r"an estimated|estimated(?: at)?|more or less"
)
_A_LITTLE = r"(?:just|slightly|a (?:little|bit)|marginally|a shade)"
_NEARLY = rf"nearly|almost|not quite|approaching|nearing|{_A_LITTLE} (?:under|below|less than|short of)"
_JUST_OVER = rf"{_A_LITTLE} (?:over|above|more than)"
_LEAD = r"(?:[ ](?:a|an|the|its|age|ages|of|to|the age of|total|average|by))*[ ]?\Z"
_BOUNDS = [
    (name, re.compile(rf"(?:^|(?<=[\W_]))(?:{words}){_LEAD}", re.IGNORECASE))
    for name, words in (
        ("nearly", _NEARLY), ("just over", _JUST_OVER), ("about", _ABOUT), ("up to", _UP_TO), ("max", _AT_MOST),
        ("min", _AT_LEAST), ("more", _MORE), ("less", _LESS),
    )
]  # fmt: skip
"""A bound and what stands in front of a number that has it; the first that fits counts: "no more than" before
"more than"."""
_MIN_AFTER = re.compile(
    r"(?:-plus\b|[ ]?\+|(?: [a-z]+)? (?:(?:or|and) (?:more|above|over|older|higher|greater|upwards?)\b|"
    r"at (?:the )?least\b(?! \S*\d)))",
    re.IGNORECASE,
)
_MAX_AFTER = re.compile(
    r"(?: [a-z]+)? (?:(?:or|and) (?:less|fewer|below|under|younger|lower)\b|at (?:the )?most\b(?! \S*\d))",
    re.IGNORECASE,
)
HEDGES = frozenset({"about", "nearly", "just over"})
"""Bounds of a number that is near the one that is meant."""
_SIDES = {"up to": -1, "max": -1, "less": -1, "nearly": -1, "min": 1, "more": 1, "just over": 1}
_WORDS = {
    "min": "at least ", "more": "more than ", "max": "at most ", "less": "less than ", "up to": "up to ",
    "nearly": "nearly ", "just over": "just over ",
}  # fmt: skip
_LOOK = 60
_NOBODY = re.compile(r"\b(?:nobody|no one|none|never|no|nor)\b[^.,;:!?]*\Z", re.IGNORECASE)
_DENIED = {"more": "max", "less": "min"}
""""Nobody is held for more than three days" says that three days are the most."""


def bound_of(text: str, start: int, end: int) -> str:
    """The bound of the number in ``start``..``end``: one of ``_BOUNDS``, or ""."""
    before = text[max(0, start - _LOOK) : start]
    for name, pattern in _BOUNDS:
        if match := pattern.search(before):
            return _DENIED[name] if name in _DENIED and _NOBODY.search(before[: match.start()]) else name
    if _MIN_AFTER.match(text, end):
        return "min"
    return "max" if _MAX_AFTER.match(text, end) else ""


def opposite(first: str, second: str) -> bool:
    """True for bounds of which one lies above the number and the other below: "at least", "up to"."""
    return _SIDES.get(first, 0) * _SIDES.get(second, 0) < 0


def in_words(bound: str) -> str:
    """A bound as explanations write it in front of its number."""
    return _WORDS.get(bound, "")
