"""Numbers as written, in digits or words, with their place in the text. No units, no meaning.

Own code, because the libraries for number words either lose the offsets or read ordinals as numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor, isfinite, log10

_ONES = (  # noqa: SIM905
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
SMALL: dict[str, int] = {word: value for value, word in enumerate(_ONES)} | {
    word: 20 + 10 * place for place, word in enumerate(_TENS)
}
SCALES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
    "mn": 1e6, "bn": 1e9, "tn": 1e12, "k": 1e3, "m": 1e6, "b": 1e9,
}  # fmt: skip
_FRACTION_SIGNS = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅛": 0.125}
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
          "tenth": 10, "tenths": 10}  # fmt: skip
_SCALE = r"(?:hundred|thousand|million|billion|trillion|dozen)s?"
_SMALL = "|".join(sorted(SMALL, key=len, reverse=True))
_ORDINAL = r"[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b"
_DIGITS = re.compile(
    rf"""
    (?<![\w.,/]) (?<![A-Za-z]-) (?<!\#) (?<!\d:)
    (?P<sign>(?<![\w)%])[-+])?
    (?: (?P<whole>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d{{1,3}}(?:[ ]\d{{3}})+(?![\d.])|\d+(?:\.\d+)?|\.\d+)
        (?P<part>[½⅓⅔¼¾⅕⅛]|[ ]?\d/\d{{1,2}}(?![\d/]))?
      | (?P<alone>[½⅓⅔¼¾⅕⅛]) )
    (?!\d|[.,]\d|/\d|(?:st|nd|rd|th|D|Q|H)\b|:\d)
    (?:[ -]?(?P<scale>{_SCALE})\b|(?P<abbr>[ ]?(?:mn|bn|tn|[kKMB]|m(?=\b))(?![\w²-])))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RATIO = re.compile(r"(?<![\w.,/-])(\d)/(\d{1,2})(?![\w/]|[.,]\d)")
_WORDED = re.compile(
    rf"\b(?:an?(?=[ ]{_SCALE}\b)|{_SMALL})(?:(?:[ -]|[ ]and[ ])(?:{_SMALL}|{_SCALE}))*\b(?!{_ORDINAL})|\b(?:hundred|"
    rf"thousand|million|billion|dozen)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:(?P<count>an?|one|two|three|four)[ -])?(?P<part>hal(?:f|ves)|thirds?|quarters?|fifths?|tenths?)\b"
    r"(?P<of>[ ]+(?:of|the|an?|its|their|all)\b)?",
    re.IGNORECASE,
)
_SHARE = re.compile(
    rf"\b(?:(?P<few>one|1) in (?:every )?(?P<of>{_SMALL}|\d{{1,3}})|(?P<some>{_SMALL}|\d{{1,3}}) out of (?:every )?"
    rf"(?P<all>{_SMALL}|\d{{1,3}})|(?P<worded>two|three|four|six|seven|eight|nine) in (?P<round>three|four|five|ten))"
    r"\b(?![,.]?\d|-| (?:days?|weeks?|months?|years?|hours?|minutes?)\b)",
    re.IGNORECASE,
)
"""A share in words: "one in five", "three out of four"; not "one in five years"."""
_NO_HALF = re.compile(r"(?:first|second|other|latter|and a)[ ]\Z", re.IGNORECASE)
_PART_SCALE = re.compile(rf"[ ](?:an?[ ])?({_SCALE})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written, without currency and unit.

    ``step`` is the value of one unit in its last written place (1.3 million: 100,000); ``worded`` is True for a number
    in words.
    """

    value: float
    step: float
    start: int
    end: int
    worded: bool = False


def numerals(text: str) -> list[Numeral]:
    """The numbers of ``text`` (in the form of ``flat``) in order, without ordinals."""
    numbers = [*_ratios(text), *_parts(text), *_shares(text)]
    numbers += [n for n in _digits(text) if not _inside(n, numbers)]
    numbers += [n for n in _worded(text) if not _inside(n, numbers)]
    return sorted(numbers, key=lambda n: n.start)


def _inside(number: Numeral, others: list[Numeral]) -> bool:
    return any(number.start < other.end and other.start < number.end for other in others)


def _ratios(text: str) -> list[Numeral]:
    return [
        Numeral(int(m[1]) / int(m[2]), 0.0, *m.span())
        for m in _RATIO.finditer(text)
        if int(m[1]) < int(m[2]) and not text[max(0, m.start() - 3) : m.start()].rstrip()[-1:].isdigit()
    ]


def _digits(text: str) -> list[Numeral]:
    numbers = []
    for match in _DIGITS.finditer(text):
        written = (match["whole"] or "0").replace(",", "").replace(" ", "")
        value, step = float(written), 10.0 ** -len(written.partition(".")[2])
        part = match["part"] or match["alone"]
        if part:
            top, _, bottom = part.strip().partition("/")
            if bottom and not int(bottom):  # a zero of any script
                continue
            value += int(top) / int(bottom) if bottom else _FRACTION_SIGNS[part]
            step = 0.0
        factor, end = _scale(text, match)
        if match["sign"] == "-":
            value = -value
        if isfinite(value * factor):  # larger ones are compared by their digits (``numbers``)
            numbers.append(Numeral(value * factor, step * factor, match.start(), end))
    return numbers


def _scale(text: str, match: re.Match[str]) -> tuple[float, int]:
    """The factor of "million" and its like behind a number; "5 m" is metres, "$5m" and "5M" are millions."""
    if match["scale"]:
        return SCALES[match["scale"].lower().removesuffix("s")], match.end()
    abbreviation = match["abbr"]
    if not abbreviation:
        return 1.0, match.end()
    letter = abbreviation.strip()
    money = re.search(r"[$£€¥₹]\s?\Z", text[max(0, match.start() - 3) : match.start()]) is not None
    spaced = abbreviation != letter
    if letter.lower() in ("mn", "bn", "tn") or (letter in ("k", "K", "M", "B") and not spaced) or money:
        return SCALES[letter.lower()], match.end()
    return 1.0, match.start("abbr")


def _parts(text: str) -> list[Numeral]:
    """The fractions in words ("a half", "two thirds"), not "the second half", "third place", "the third quarter"."""
    numbers = []
    for match in _PART.finditer(text):
        count, part = (match["count"] or "").lower(), match["part"].lower()
        plural = part.endswith("s")
        if part == "half":
            if not (match["of"] or count in ("a", "one")) or _NO_HALF.search(
                text[max(0, match.start() - 10) : match.start()]
            ):
                continue
        elif not count or not (match["of"] or plural) or (count in ("a", "an", "one")) == plural:
            continue
        value = {"": 1, "a": 1, "an": 1}.get(count) or SMALL[count]
        end, factor = match.end("part"), 1.0
        scale = _PART_SCALE.match(text, end)
        if scale:
            factor, end = SCALES[scale[1].lower().removesuffix("s")], scale.end()
        numbers.append(Numeral(value / _PARTS[part] * factor, 0.0, match.start(), end, True))
    return numbers


def _shares(text: str) -> list[Numeral]:
    numbers = []
    for match in _SHARE.finditer(text):
        part, total = (_whole(part) for part in match.groups() if part)
        if 0 < part < total:
            numbers.append(Numeral(part / total, 0.0, *match.span(), True))
    return numbers


def _whole(written: str) -> int:
    return int(written) if written.isdigit() else SMALL[written.lower()]


def _worded(text: str) -> list[Numeral]:
    numbers = []
    for match in _WORDED.finditer(text):
        tokens = [t for t in re.split(r"[ -]+", match.group().lower()) if t != "and"]
        if tokens[0] in ("a", "an"):
            tokens[0] = "one"
        elif tokens == ["one"]:
            continue  # mostly a pronoun
        elif len(tokens) == 1 and tokens[0].removesuffix("s") in SCALES:
            continue  # "million-dollar question", "hundred years' war"
        value, step = _spelled([token if token in SMALL else token.removesuffix("s") for token in tokens])
        if value is not None and isfinite(value):
            numbers.append(Numeral(value, step, *match.span(), True))
    return numbers


def _spelled(tokens: list[str]) -> tuple[float | None, float]:
    """The value of spelled words ("two hundred and five"), and the step of the last."""
    total, current, step = 0.0, 0.0, 1.0
    for token in tokens:
        if token in SMALL:
            value = SMALL[token]
            if current % 100 and not (current % 10 == 0 and value < 10 and current % 100 >= 20):
                return None, 1.0  # "five six": no number
            current += value
            step = 1.0
        else:
            scale = SCALES[token]
            current, step = (current or 1.0) * scale, scale
            if scale >= 1e3:
                total, current = total + current, 0.0
    return total + current, step


def place(value: float) -> float:
    """The place value of the last digit that is not zero: 100 for 1,200."""
    whole = abs(round(value, 9))
    if whole == 0:
        return 1.0
    step = 10.0 ** floor(log10(whole) - 8)
    while step < whole and abs(whole / (step * 10) - round(whole / (step * 10))) < 1e-9:
        step *= 10
    return step
