"""Dates as intervals of days, with their place in the text.

A date is ``[first, last]``, both ISO-ordered integers (year x 10000 + month x 100 + day), so that "June 2021" is
20210600..20210699 and "the 1990s" 19900000..19999999. Own code: the libraries for dates either want one date alone
or read words like "may", "sat" and "second" as dates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.verify.checks.text import flat
from core.verify.checks.units import NO_UNIT, unit_after

_NAMES = "january february march april may june july august september october november december".split()  # noqa: SIM905
MONTHS: dict[str, int] = (
    {name: n + 1 for n, name in enumerate(_NAMES)} | {name[:3]: n + 1 for n, name in enumerate(_NAMES)} | {"sept": 9}
)
ORDINALS = {
    word: n + 1
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "  # noqa: SIM905
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first".split()
    )
}
_MONTH = "|".join(sorted((n.capitalize() for n in MONTHS), key=len, reverse=True))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:1\d{3}|20\d{2}|21\d{2})"
_SHORT_YEAR = rf"(?:{_YEAR}|'\d\d)"
_DATE = re.compile(
    rf"""
    (?<![\w$£€¥])(?<!\d[.,])(?<!\b1/)(?:
      (?P<iso>{_YEAR}(?P<isep>[-/.])[01]?\d(?P=isep)[0-3]?\d(?![\w]|[-/.]\d))
    | (?P<slash>\d{{1,2}}(?P<sep>[/-]|\.[ ]?)\d{{1,2}}(?P=sep){_YEAR}(?!\w|[-/.]\d))
    | (?P<short>\d{{1,2}}(?P<dash>[/.])\d{{1,2}}(?P=dash)\d\d(?!\w|[-/.]\d))
    | (?P<d1>{_DAY})(?:[ ]of[ ]|[ -])(?P<m1>{_MONTH})\b\.?(?:(?:,?[ ]|-)(?P<y1>{_SHORT_YEAR}))?(?!\w)
    | (?P<m2>{_MONTH})\b\.?[ ](?P<d2>{_DAY})(?![\d:.,]\d|\w)(?:,?[ ](?P<y2>{_SHORT_YEAR})(?!\w))?
    | (?P<part>(?i:first|second|third|fourth)[ ](?:half|quarter)|[QH][1-4])(?:[ ]of)?[ ](?P<py>{_YEAR})(?!\w)
    | (?P<m3>{_MONTH})\b\.?,?(?:[ ]of[ ]|[ ]|-)(?P<y3>{_SHORT_YEAR})(?!\w)
    | (?P<m5>0?[1-9]|1[0-2])/(?P<y5>{_YEAR})(?!\w|[-/.]\d)
    | (?P<bare>'\d\d)(?![\w'])
    | (?P<decade>1\d{{2}}0(?:[ ]?')?s|20\d0(?:[ ]?')?s|'?[2-9]0'?s)(?!\w)
    | (?P<century>\d{{1,2}}(?:st|nd|rd|th)|{"|".join(sorted(ORDINALS, key=len, reverse=True))})[ -]century
    | (?P<span>{_YEAR}[ ]?[-/][ ]?(?:{_YEAR}|\d{{2}}))(?![\d\w]|[.,/-]\d)
    | (?P<year>{_YEAR})(?![\w%°]|[.,]\d|[ ]?[-/]\d)
    | (?P<m4>{"|".join(n.capitalize() for n in _NAMES)})(?!\w|-)
    )
    """,
    re.VERBOSE,
)
_AFTER_YEAR = re.compile(r"[ -](?:million|billion|thousand|hundred|people|more|other|different|men|women)\b")
_MONTHS, _DAYS, _CENTURY, _YEAR_LONG = 12, 31, 30, 9000
_SIGN = 3
"""Letters of a unit, with the blank before it, that may be something else behind a year: "2020 m"."""
_PLURAL = re.compile(r"[ ](?!was|is|has|as|its|this|his|does|series|across|towards|versus|plus|thus|less|business|"
    r"census|congress"
                     r"|games|olympics|elections?|awards|sales|wins|news|species)([a-z]{3,}s)\b(?<!ss)")  # fmt: skip
_YEAR_LEAD = re.compile(
    r"(?:\b(?:in|since|by|of|from|until|till|to|during|before|after|around|circa|between|and|year|the|early|mid|"
    r"late|for|summer|"
    r"winter|spring|autumn|fall|through|season|mid-|c\.)[ ]?|[(,;/-][ ]?)\Z",
    re.IGNORECASE,
)
_SHORT_LEAD = re.compile(r"\b(?:on|by|until|till|since|from|to|of|before|after|dated?|and|between)[ ]\Z", re.IGNORECASE)
_MONTH_OF_LEAD = re.compile(r"\b(?:in|since|by|until|till|from|to|before|after|during|and)[ ]\Z", re.IGNORECASE)
_NUMERIC = ("iso", "slash", "short", "part", "m5", "bare")
_MONTH_LEAD = re.compile(
    r"\b(?:in|of|since|by|until|during|last|this|next|early|mid|late|from|to|and|before|after)[ -]\Z"
)
_BOUND = re.compile(
    r"\b(?:(?P<since>since|starting in|as of|beginning in)|(?P<before>before|prior to|earlier than|pre)|"
    r"(?P<after>after|following|later than|post)|(?P<by>by)|(?P<until>until|till|up to|through|ending in|to))"
    r"(?:[ -](?:the|early|mid|late|about|around|year|years|end of|start of|beginning of|middle of)){0,4}[ -]?\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date or interval: days ``first``..``last`` inclusive; ``bound`` is "", since, before, after, by or until.

    Month and day alone (``first`` is then below 10000) are dates without a year. ``joined`` is "between" or "from" for
    two dates that make one interval, else ""; ``bracketed`` is True for an interval in brackets. ``either`` are the two
    days that 05/03/2021 may be.
    """

    first: int
    last: int
    bound: str
    start: int
    end: int
    joined: str = ""
    bracketed: bool = False
    either: tuple[int, ...] = ()

    @property
    def ends(self) -> tuple[Dated, ...]:
        """The two ends of a joined interval, each as long as its year or day; else the date itself."""
        if not self.joined:
            return (self,)
        first = self.first + 9999 if self.first % 10000 == 0 else self.first
        last = self.last - 9999 if self.last % 10000 == 9999 else self.last
        return replace(self, last=first, joined=""), replace(self, first=last, joined="")

    @property
    def yearless(self) -> bool:
        """True when only a month, or a month and a day, are given."""
        return self.first < 10000


def dates(text: str) -> list[Dated]:
    """The dates of ``text`` in order; "between 2015 and 2019" and "2015-19" are one interval."""
    even = flat(text)
    intervals: list[Dated] = []
    for match in _DATE.finditer(even):
        interval = _read(even, match)
        if interval is not None:
            bound = _BOUND.search(even, max(0, match.start() - 40), match.start())
            kind = (bound.lastgroup or "") if bound else ""
            years = match["span"] is not None and interval[1] - interval[0] > _YEAR_LONG
            intervals.append(
                Dated(
                    *interval, kind, *match.span(), joined="from" if years else "", either=_either(match["slash"] or "")
                )
            )
    return [
        replace(dated, bracketed=_bracketed(even, dated)) if dated.joined else dated
        for dated in _between(even, intervals)
    ]


def _bracketed(text: str, dated: Dated) -> bool:
    return text.rfind("(", 0, dated.start) > text.rfind(")", 0, dated.start)


def date_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the dates of ``text``."""
    return [(d.start, d.end) for d in dates(text)]


def _between(text: str, intervals: list[Dated]) -> list[Dated]:
    joined: list[Dated] = []
    for this in intervals:
        last = joined[-1] if joined else None
        if last is not None and not last.joined and last.yearless == this.yearless and last.first < this.first:
            middle = text[last.end : this.start].strip().lower()
            before = text[max(0, last.start - 14) : last.start].lower()
            opening = {"and": "between", "to": "from", "until": "from", "through": "from", "till": "from"}.get(middle)
            if middle == "-" or (opening is not None and opening in before):
                joined[-1] = replace(this, first=last.first, start=last.start, bound="", joined=opening or "from")
                continue
        joined.append(this)
    return joined


def _read(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    kind = match.lastgroup
    if any(match[form] for form in _NUMERIC):
        return _in_figures(text, match)
    if match["m1"] or match["m2"]:
        return _day(match["y1"] or match["y2"], match["m1"] or match["m2"], match["d1"] or match["d2"])
    if match["m3"]:
        return _month(_full_year(match["y3"]), MONTHS[match["m3"].lower()])
    if match["decade"]:
        return _decade(match["decade"])
    if match["century"]:
        written = match["century"].lower()
        number = ORDINALS.get(written) or int(written[:-2])
        return (number - 1) * 1000000, (number - 1) * 1000000 + 1009999
    if match["span"]:
        return _span(match["span"])
    if match["year"]:
        year = int(match["year"])
        return (year * 10000, year * 10000 + 9999) if _is_year(text, match) else None
    if kind == "m4" and (match["m4"] not in ("May", "March", "August") or _MONTH_LEAD.search(text, 0, match.start())):
        month = MONTHS[match["m4"].lower()]
        return month * 100, month * 100 + 99
    return None


def _in_figures(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """The date of a form without the name of a month."""
    if match["iso"]:
        year, month, day = (int(part) for part in re.split(r"[-/.]", match["iso"]))
        return _whole_day(year, month, day)
    if match["short"] and not _SHORT_LEAD.search(text, max(0, match.start() - 12), match.start()):
        return None
    if match["slash"] or match["short"]:
        return _slashed(match["slash"] or match["short"])
    if match["part"]:
        return _part_of_year(match["part"].lower(), int(match["py"]))
    if match["m5"] and _MONTH_OF_LEAD.search(text, max(0, match.start() - 12), match.start()):
        return _month(int(match["y5"]), int(match["m5"]))
    if match["m5"]:  # 1/2000 is a share
        return None
    if match["bare"]:
        year = _full_year(match["bare"])
        lead = _YEAR_LEAD.search(text, max(0, match.start() - 12), match.start())
        return (year * 10000, year * 10000 + 9999) if lead else None
    return None


def _is_year(text: str, match: re.Match[str]) -> bool:
    unit, end = unit_after(text, match.end())
    if _AFTER_YEAR.match(text, match.end()) or (unit is not NO_UNIT and end - match.end() > _SIGN):
        return False
    if _YEAR_LEAD.search(text, max(0, match.start() - 12), match.start()):
        return True
    return _PLURAL.match(text, match.end()) is None


def _slashed(written: str) -> tuple[int, int] | None:
    """12/05/2019: with slashes, day and month only where one of them is above 12, else the year alone
    (``Dated.readings`` has both days). With points or hyphens the day stands first."""
    first, second, year = (part.strip() for part in re.split(r"[/.-]", written))
    day, month = int(first), int(second)
    full = _full_year(year)
    if "/" in written and month > _MONTHS >= day:
        day, month = month, day
    if "/" in written and day != month and max(day, month) <= _MONTHS:
        return full * 10000, full * 10000 + 9999
    return _whole_day(full, month, day)


def _either(written: str) -> tuple[int, ...]:
    """The two days that 05/03/2021 may be; none where the form leaves no choice."""
    if "/" not in written:
        return ()
    first, second, year = (int(part) for part in written.split("/"))
    if first == second or not (1 <= min(first, second) <= max(first, second) <= _MONTHS):
        return ()
    return year * 10000 + second * 100 + first, year * 10000 + first * 100 + second


def _whole_day(year: int, month: int, day: int) -> tuple[int, int] | None:
    if not (1 <= month <= _MONTHS and 1 <= day <= _DAYS):
        return None
    return (year * 10000 + month * 100 + day,) * 2


def _part_of_year(part: str, year: int) -> tuple[int, int] | None:
    """The months of "first half" and "Q2"."""
    number = ORDINALS.get(part.split()[0]) or int(part[1:])
    months = 6 if part.startswith("h") or part.endswith("half") else 3
    last = number * months
    return (year * 10000 + (last - months + 1) * 100, year * 10000 + last * 100 + 99) if last <= _MONTHS else None


def _month(year: int, month: int) -> tuple[int, int]:
    return year * 10000 + month * 100, year * 10000 + month * 100 + 99


def _full_year(written: str) -> int:
    """2021 for "2021", "'21" and "21"; two digits above 30 are of the last century."""
    digits = written.lstrip("'")
    return int(digits) if len(digits) == 4 else int(digits) + (1900 if int(digits) > _CENTURY else 2000)


def _day(year: str | None, month: str, day: str) -> tuple[int, int]:
    number = MONTHS[month.lower()] * 100 + int(re.sub(r"\D", "", day))
    if year:
        number += _full_year(year) * 10000
    return number, number


def _decade(written: str) -> tuple[int, int]:
    digits = re.sub(r"\D", "", written)
    year = int(digits) if len(digits) == 4 else 1900 + int(digits)
    length = 99 if len(digits) == 4 and year % 100 == 0 else 9
    return year * 10000, (year + length) * 10000 + 9999


def _span(written: str) -> tuple[int, int] | None:
    begin, finish = re.split(r"[ ]?[-/][ ]?", written)
    first = int(begin)
    last = int(finish) if len(finish) == 4 else first // 100 * 100 + int(finish)
    if first < last:
        return first * 10000, last * 10000 + 9999
    month = int(finish)
    return _month(first, month) if "-" in written and len(finish) == 2 and 1 <= month <= _MONTHS else None
