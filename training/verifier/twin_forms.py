"""Figures and dates in another form that says the same (two hours, 120 minutes), and in one that nearly does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from training.verifier.twin_change import OTHER, Change, with_article

SAME = "same"
"""Kind of a change that says the same as before: both crossings are supported."""
_WORDS = dict(enumerate(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    """.split()  # noqa: SIM905
))  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_NUMBERS = {word: number for number, word in _WORDS.items()} | _TENS
_MONTHS = """
    January February March April May June July August September October November December
    """.split()  # noqa: SIM905
_MONTH = "|".join(_MONTHS)
Reform = Callable[[re.Match[str], random.Random], tuple[str, str] | None]
"""A match as the same in another form, and as something else in that form."""


def _spelled(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    number = int(match[1])
    return _WORDS[number], _WORDS[_near(number, 20, rng)]


def _digits(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    number = _NUMBERS[match[1].lower()]
    return str(number), str(_near(number, 99, rng))


def _near(number: int, most: int, rng: random.Random) -> int:
    return rng.choice([n for n in range(max(2, number - 4), min(most, number + 5) + 1) if n != number])


def _day_first(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    day, month, year = int(match["day"]), match["month"], match["year"]
    at = _MONTHS.index(month) + 1
    form = rng.choice((
        lambda d, m: f"{_MONTHS[m - 1]} {d}, {year}", lambda d, m: f"{d} {_MONTHS[m - 1]} {year}",
        lambda d, m: f"{year}-{m:02d}-{d:02d}", lambda d, m: f"{d:02d}.{m:02d}.{year}",
        lambda d, m: f"{d} {_MONTHS[m - 1][:3]} {year}",
    ))  # fmt: skip
    other = (day, at % 12 + 1) if rng.random() < 0.5 else (day % 27 + 1, at)
    same = form(day, at)
    return None if same == match.group() else (same, form(*other))


_SMALLER = {"hour": ("minutes", 60), "day": ("hours", 24), "week": ("days", 7), "year": ("months", 12),
            "decade": ("years", 10), "century": ("years", 100), "minute": ("seconds", 60)}  # fmt: skip


def _finer(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    number = int(match[1]) if match[1].isdigit() else _NUMBERS.get(match[1].lower(), 1)
    unit, times = _SMALLER[match[2]]
    if not 1 <= number <= 12:
        return None
    return f"{number * times} {unit}", f"{_near(number, 20, rng) * times} {unit}"


def _whole(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    value = float(match[1])
    times = {"thousand": 10**3, "million": 10**6, "billion": 10**9}[match[2]]
    if value * times > 10**11:
        return None
    return f"{round(value * times):,}", f"{round(value * times * rng.choice((0.1, 10))):,}"


def _short(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    value = int(match.group().replace(",", ""))
    name, times = ("million", 10**6) if value >= 10**6 else ("thousand", 10**3)
    if value % (times // 10):
        return None
    said = f"{value / times:g} {name}"
    return said, f"{value / times:g} {'thousand' if name == 'million' else 'million'}"


def _share(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    shares = {"50": "half", "25": "a quarter", "75": "three quarters", "20": "one in five", "10": "one in ten",
              "33.3": "a third", "66.7": "two thirds"}  # fmt: skip
    said = shares.get(match[1])
    return said and (f"{said} of", f"{rng.choice([s for s in shares.values() if s != said])} of")


def _percent(match: re.Match[str], rng: random.Random) -> tuple[str, str] | None:
    value = float(match[1])
    other = round(value * (0.6 if value > 70 else rng.choice((0.6, 1.4))), len(match[1].partition(".")[2]))
    return f"{match[1]} {rng.choice(('percent', 'per cent'))}", f"{other:g} percent"


_FORMS: tuple[tuple[str, Reform], ...] = (
    (r"(?<![\w.,/$£€-])([2-9]|1\d|20)(?= [a-z]{3,})"
     r"(?! (?:and|percent|million|billion)\b)", _spelled),
    (r"(?<!ty )(?<!ty-)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)\b"
     r"(?= [a-z])(?! (?:hundred|thousand|million|billion|and a half|or|to|and)\b)", _digits),
    (rf"\b(?P<day>\d\d?) (?P<month>{_MONTH}),? (?P<year>[12]\d\d\d)\b", _day_first),
    (rf"\b(?P<month>{_MONTH}) (?P<day>\d\d?),? (?P<year>[12]\d\d\d)\b", _day_first),
    (r"\b(\d\d?|one|two|three|four|five|six|ten|twelve) (hour|day|week|year|decade|minute)s?\b(?! old|-old)", _finer),
    (r"(?<![\w.,$£€])(\d+(?:\.\d+)?) (thousand|million|billion)\b", _whole),
    (r"(?<![\w.,$£€-])\d{1,3}(?:,\d{3})+(?![\w,.]\d)", _short),
    (r"(?<![\w.,-])(10|20|25|50|75|33\.3|66\.7) ?(?:%|percent|per cent) of\b", _share),
    (r"(?<![\w.,=<>±(-])(\d+(?:\.\d+)?) ?%(?= [a-z])", _percent),
)  # fmt: skip


def forms(sentence: str, seed: int = 7) -> Iterator[Change]:
    """The sentence with one figure or date in another form: the same (``SAME``) and then a different one."""
    rng = random.Random(f"{seed} {sentence}")
    for pattern, reform in _FORMS:
        found = list(re.finditer(pattern, sentence))
        if len(found) != 1:
            continue
        told = reform(found[0], rng)
        if told is None or found[0].group() in told:
            continue
        for said, kind in zip(told, (SAME, OTHER), strict=True):
            text = f"{sentence[: found[0].start()]}{said}{sentence[found[0].end() :]}"
            text = with_article(text, found[0].start(), said)
            yield Change(text[:1].upper() + text[1:], "form", kind, said)
