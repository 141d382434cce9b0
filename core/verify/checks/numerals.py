"""Numbers as written, in digits or words, with their place in the text. No units, no meaning.

Own code, because the libraries for number words either lose the offsets or read ordinals as numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor, isfinite, log10

from core.verify.checks.currencies import sign_before

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
    "lakh": 1e5, "crore": 1e7,
    "mn": 1e6, "bn": 1e9, "tn": 1e12, "k": 1e3, "m": 1e6, "b": 1e9,
}  # fmt: skip
_FRACTION_SIGNS = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅛": 0.125}
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
          "tenth": 10, "tenths": 10}  # fmt: skip
_SCALE = r"(?:hundred|thousand|million|billion|trillion|dozen|lakh|crore)s?"
_MEASURE = (
    r"(?:%|\u20ac|\u00b0|(?:per ?cent|million|billion|thousand|k?m|kg|m?g|ha|litres?|tonnes?|euros?|hours?|years)\b)"
)
"""What stands behind a number with a comma for its decimal point: "3,5 million", not "rooms 3,5 and 7"."""
_SMALL = "|".join(sorted(SMALL, key=len, reverse=True))
_ORDINAL = r"[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b"
_DIGITS = re.compile(
    rf"""
    (?<![\w.,/]) (?<![A-Za-z]-) (?<!\#) (?<!\d:)
    (?P<sign>(?<![\w)%])[-+])?
    (?: (?P<whole>\d{{1,3}}(?:[,']\d{{3}})+(?:\.\d+)?|\d{{1,2}}(?:,\d\d)+,\d{{3}}
           |\d{{1,3}}(?:[ ]\d{{3}})+(?![\d.]|[ ](?-i:[A-Z])[a-z])
           |(?P<comma>\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:\.\d{{3}}){{2,}}|\d+,\d{{1,2}}(?=[ ]?{_MEASURE}))
           |\d+(?:\.\d+)?|\.\d+)
        (?P<part>[½⅓⅔¼¾⅕⅛]|[ ]?\d/\d{{1,2}}(?![\d/]))?
      | (?P<alone>[½⅓⅔¼¾⅕⅛]) )
    (?!\d|[.,]\d|/\d|(?:st|nd|rd|th|D|Q|H)\b|:\d)
    (?:[ -]?(?P<scale>{_SCALE})\b|(?P<abbr>[ ]?(?:mn|bn|tn|[kKMB]|m(?=\b))(?![\w²-])))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+")
_RAISED_DIGITS = r"[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,3}"
_POWER = re.compile(
    rf"(?<![\w.,/])(?:(?P<times>\d+(?:\.\d+)?)[ ]?[x\u00d7*\u00b7][ ]?)?10"
    rf"(?:(?:\^|\*\*)[({{]?(?P<power>[-+]?\d{{1,3}})[)}}]?|(?P<raised>{_RAISED_DIGITS})|(?(times)(?P<less>-\d{{1,2}})|(?!)))(?!\d)"
    r"|(?<![\w.,/-])(?P<whole>\d+(?:\.\d+)?)[eE](?P<e>[-+]?\d{1,3})(?!\w)"
)
"""A power of ten: "3.5 \u00d7 10^6", "10\u2076", "1e6"."""
_LARGEST = 300
"""Largest power of ten that is read, and digits of a number: what is larger no computer adds up."""
_MIXED = re.compile(
    rf"\b(?P<whole>{_SMALL}|\d{{1,3}})[ ]and[ ](?P<count>an?|one|three)[ -](?P<part>hal(?:f|ves)|quarters?|thirds?)\b",
    re.IGNORECASE,
)
_RATIO = re.compile(r"(?<![\w.,/-])(\d)/(\d{1,2})(?![\w/]|[.,]\d)")
_WORDED = re.compile(
    rf"\b(?:an?(?=[ ]{_SCALE}\b)|{_SMALL})"
    rf"(?:(?:-|[ ](?!(?:{_SMALL})-[a-z])|[ ]and[ ])(?:{_SMALL}|{_SCALE}))*\b(?!{_ORDINAL})|"
    rf"\b(?:hundred|thousand|million|billion|dozen)\b",
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
_CHANGED_BY = re.compile(r"\b(?:by|than)(?: [a-z]+){0,2} \Z", re.IGNORECASE)
"""What makes "a third" a part where no whole follows: "cut by a third"."""
_PART_SCALE = re.compile(rf"[ ](?:of[ ])?(?:an?[ ])?({_SCALE})\b", re.IGNORECASE)


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
    numbers: list[Numeral] = []
    for read in (_powers, _mixed, _ratios, _parts, _shares, _digits, _worded):
        numbers += [number for number in read(text) if not _inside(number, numbers) and isfinite(number.value)]
    return sorted(numbers, key=lambda n: n.start)


def _inside(number: Numeral, others: list[Numeral]) -> bool:
    return any(number.start < other.end and other.start < number.end for other in others)


def _powers(text: str) -> list[Numeral]:
    numbers = []
    for match in _POWER.finditer(text):
        power = int((match["power"] or match["raised"] or match["less"] or match["e"]).translate(_RAISED))
        written = match["times"] or match["whole"] or "1"
        if abs(power) <= _LARGEST and len(written) < _LARGEST:
            factor = 10.0**power
            numbers.append(Numeral(float(written) * factor, _last_place(written) * factor, *match.span()))
    return numbers


def _mixed(text: str) -> list[Numeral]:
    """Whole numbers with a part in words: "two and a half"."""
    return [
        Numeral(_whole(m["whole"]) + part_of(m["count"], m["part"]), 0.05, *m.span(), True)
        for m in _MIXED.finditer(text)
    ]


def _last_place(written: str) -> float:
    return 10.0 ** -len(written.partition(".")[2])


def _ratios(text: str) -> list[Numeral]:
    return [
        Numeral(int(m[1]) / int(m[2]), 0.0, *m.span())
        for m in _RATIO.finditer(text)
        if int(m[1]) < int(m[2]) and not text[max(0, m.start() - 3) : m.start()].rstrip()[-1:].isdigit()
    ]


def _digits(text: str) -> list[Numeral]:
    numbers = []
    for match in _DIGITS.finditer(text):
        written = match["whole"] or "0"
        if match["comma"]:
            written = written.replace(".", "").replace(",", ".")
        written = re.sub("[,' ]", "", written)
        if len(written) > _LARGEST:
            continue
        value, step = float(written), _last_place(written)
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
    money = sign_before(text, match.start())[0] != ""
    spaced = abbreviation != letter
    if letter.lower() in ("mn", "bn", "tn") or (letter in ("k", "K", "M", "B") and not spaced) or money:
        return SCALES[letter.lower()], match.end()
    return 1.0, match.start("abbr")


def _parts(text: str) -> list[Numeral]:
    """The fractions in words ("a half", "two thirds"), not "the second half", "third place", "the third quarter"."""
    numbers = []
    for match in _PART.finditer(text):
        if not _is_part(text, match):
            continue
        value, end = part_of(match["count"] or "", match["part"]), match.end("part")
        of_a = (match["of"] or "").strip().lower() in ("a", "an")
        step = 0.05 if match["part"].lower() == "half" and of_a else 0.0  # of a thing: no share
        if scale := _PART_SCALE.match(text, end):
            value, step, end = value * SCALES[scale[1].lower().removesuffix("s")], 0.0, scale.end()
        numbers.append(Numeral(value, step, match.start(), end, True))
    return numbers


def _is_part(text: str, match: re.Match[str]) -> bool:
    """True for a fraction; an ordinal ("the third man"), a place ("second half") and a lone "half" are none."""
    count, part = (match["count"] or "").lower(), match["part"].lower()
    before = text[max(0, match.start() - 24) : match.start()]
    if part == "half":
        return bool(match["of"] or count in ("a", "one")) and not _NO_HALF.search(before)
    plural = part.endswith("s")
    if not count or (count in ("a", "an", "one")) == plural:
        return False
    return bool(match["of"] or plural or _CHANGED_BY.search(before))


def part_of(count: str, part: str) -> float:
    """The value of a part in words: ("three", "quarters") is 0.75; ``count`` may be an article or empty."""
    return SMALL.get(count.lower(), 1) / _PARTS[part.lower()]


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
    while step < whole and abs((parts := whole / (step * 10)) - round(parts)) < 1e-9 * max(1.0, parts):
        step *= 10
    return step
