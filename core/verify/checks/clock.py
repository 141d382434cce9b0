"""Times of day, in minutes after midnight: "2 p.m.", "14:00", "noon", "half past five"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.verify.checks.numerals import SMALL
from core.verify.checks.text import flat

_HOURS = {word: value for word, value in SMALL.items() if 1 <= value <= 12}
_HOUR = rf"(?:{'|'.join(sorted(_HOURS, key=len, reverse=True))}|1[0-2]|0?[1-9])"
_PAST = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_HALF = (
    r"(?:[ ]?(?P<half>[ap])\.?[ ]?m\b\.?|[ ](?:o'clock )?in the (?P<part>morning|afternoon|evening)|"
    r"[ ](?P<night>at night))"
)
_CLOCK = re.compile(
    rf"(?<![\w:.,/$\u00a3\u20ac-])(?:(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?!:?\d|[.,]\d)"
    rf"|(?P<dot>1[0-2]|0?[1-9])\.(?P<dm>[0-5]\d)(?=[ ]?[ap]\.?[ ]?m\b)"
    rf"|(?P<word>noon|midday|midnight)\b"
    rf"|(?P<past>quarter|half|five|ten|twenty(?:-five)?) (?P<way>past|to) (?P<of>{_HOUR})\b"
    rf"|(?P<oclock>{_HOUR})(?=[ ]?[ap]\.?[ ]?m\b| o'clock| in the (?:morning|afternoon|evening)))"
    rf"(?:{_HALF}|[ ]o'clock)?",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(r"\b[A-Z][a-z]+ \Z|\b(?:ratio|odds|score|by|won|lost|mix|scale)(?: of| was| is)? \Z")
_AT = re.compile(r"\b(?:at|by|from|to|until|till|before|after|since|around|about|and|between|is|was) \Z")
_ZONE = re.compile(r"[ ]\(?(?:UTC|GMT|[A-Z]{1,3}[SD]?T)\b")
_DAY = 24 * 60
_NOON = 12 * 60


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day: the minutes after midnight that it may be (two where nothing says which half of the day), and
    its place in the text. ``zone`` is the zone as written, or ""."""

    minutes: frozenset[int]
    zone: str
    start: int
    end: int


def times(text: str) -> list[Time]:
    """The times of day of ``text``, in order."""
    even = flat(text)
    given = []
    for match in _CLOCK.finditer(even):
        if match["h"] and not match["half"] and len(match["h"]) == 1 and _NOT_BEFORE.search(even, 0, match.start()):
            continue  # "John 3:16", "a mix of 3:10"
        if match["past"] and not _AT.search(even, 0, match.start()):
            continue
        zone = _ZONE.match(even, match.end())
        given.append(Time(_minutes(match), zone.group().strip(" (") if zone else "", *match.span()))
    return given


def _minutes(match: re.Match[str]) -> frozenset[int]:
    if match["word"]:
        return frozenset({0 if match["word"].lower() == "midnight" else _NOON})
    if match["past"]:
        past = _PAST[match["past"].lower()] * (1 if match["way"].lower() == "past" else -1)
        at = _hour(match["of"]) * 60 + past
    else:
        at = _hour(match["h"] or match["dot"] or match["oclock"]) * 60 + int(match["m"] or match["dm"] or 0)
    half = _half(match)
    if half:
        return frozenset({at % _NOON + (_NOON if half == "p" else 0)})
    sure = match["h"] is not None and ((len(match["h"]) == 2 and match["h"][0] == "0") or at >= 13 * 60 or at < 60)
    return frozenset({at % _DAY} if sure else {at % _NOON, at % _NOON + _NOON})


def _half(match: re.Match[str]) -> str:
    """The half of the day that is said: "a", "p", or ""."""
    if match["half"]:
        return match["half"].lower()
    if match["part"]:
        return "a" if match["part"].lower() == "morning" else "p"
    return "p" if match["night"] else ""


def _hour(written: str) -> int:
    return _HOURS.get(written.lower()) or int(written)
