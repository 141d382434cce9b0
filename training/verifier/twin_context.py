"""Lines before the evidence that say where it stands (title, publisher, date, section), and claims that speak of them.

The judge reads "Title. Publisher. Date. Section." before a unit. Such a line alone changes nothing; a claim that names
the publisher or the date is supported only where the line names the same; and a name that the title alone has counts as
said. A quarter of all lines are there for nothing, so that a line by itself is no sign.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from training.verifier.data import NOT_SUPPORTED, SUPPORTS, Pair
from training.verifier.units import Unit
from training.verifier.wording import SURNAMES, inside

SAID, TITLED = "twin_said", "twin_titled"
_PLACES = (
    "Northfield", "Alder Bay", "Westbrook", "Harlow", "Kingsport", "Millbrook", "Ostra", "Lindenau", "Port Ellis",
    "Redhill", "Sandholm", "Eastmere", "Varna Valley", "Clayton", "Dunmore", "Fairhaven", "Grenville", "Hollis",
)  # fmt: skip
_PAPERS = ("Courier", "Gazette", "Herald", "Times", "Observer", "Tribune", "Post", "Chronicle", "Daily News")
_OFFICES = (
    "Health Observatory", "Statistics Office", "Department of Transport", "City Council", "Institute of Public Health",
    "Chamber of Commerce", "Environment Agency", "University Press", "Housing Association", "Energy Agency",
)  # fmt: skip
_JOURNALS = (
    "Journal of Applied Botany", "Annals of Clinical Practice", "Urban Climate Letters", "Review of Social Policy",
    "Archives of Internal Studies", "Journal of Regional History", "Transport and Society", "Nutrition Reports",
    "Cell Signals", "Proceedings on Learning", "International Journal of Care", "Materials Today Reports",
)  # fmt: skip
_SECTIONS = ("Results", "Discussion", "Abstract", "Background", "Findings", "Summary", "Conclusions", "Main points",
             "History", "Career", "Overview", "Key figures", "Introduction")  # fmt: skip
_TITLES = (
    "Annual report", "What we know so far", "A closer look", "Notes from the field", "A review of the evidence",
    "Ten years on", "Report of the working group", "Facts and figures", "Questions and answers", "Progress report",
    "A short history", "Briefing paper", "The state of things", "Lessons learnt", "An update",
)  # fmt: skip
_MONTHS = """
    January February March April May June July August September October November December
    """.split()  # noqa: SIM905
_PAGE = re.compile(r"\A([A-Z0-9][^.:]{1,58}): ")
_PRONOUN = re.compile(r"\b(?:He|She|It|They|His|Her|Its|Their|he|she|it|his|her|its)\b")


@dataclass(frozen=True, slots=True)
class Line:
    """What stands before evidence; ``author`` may be empty."""

    title: str
    publisher: str
    month: str
    day: int
    year: int
    section: str
    author: str

    def text(self, rng: random.Random) -> str:
        """The line, with one form of the date; author and section may be left out."""
        date = rng.choice((
            f"{self.day} {self.month} {self.year}", f"{self.month} {self.day}, {self.year}",
            f"{self.month} {self.year}", f"{self.year}-{_MONTHS.index(self.month) + 1:02d}-{self.day:02d}",
        ))  # fmt: skip
        parts = [self.title, self.author, self.publisher, date, self.section if rng.random() < 0.6 else ""]
        return " ".join(f"{part}." for part in parts if part)


def publisher(rng: random.Random) -> str:
    """A publisher that does not exist."""
    kind = rng.random()
    if kind < 0.4:
        return f"{rng.choice(_PLACES)} {rng.choice(_PAPERS)}"
    return f"{rng.choice(_PLACES)} {rng.choice(_OFFICES)}" if kind < 0.7 else rng.choice(_JOURNALS)


def line(rng: random.Random, title: str = "") -> Line:
    """A line drawn at random, with ``title`` where one is given."""
    return Line(
        title or rng.choice(_TITLES), publisher(rng), rng.choice(_MONTHS), rng.randint(1, 28), rng.randint(1995, 2024),
        rng.choice(_SECTIONS), f"{rng.choice('ABCDEFHJKLMPRST')}. {rng.choice(SURNAMES)}" if rng.random() < 0.4 else "",
    )  # fmt: skip


def said(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Unit]:
    """Up to ``count`` units of a supported claim with its source's name or date in front, behind or in brackets, beside
    the same with another name or date."""
    rng = random.Random(f"{seed} said")
    for pair in pairs[:count]:
        told = line(rng)
        text = f"{told.text(rng)} {pair.evidence}"
        how = rng.choice(_WAYS)
        frame = rng.randrange(4)
        true = how(told, pair.claim, frame)
        false = how(_other(told, rng), pair.claim, frame)
        if false != true:
            yield (Pair(true, text, SUPPORTS, SAID, pair.id), Pair(false, text, NOT_SUPPORTED, SAID, pair.id))


def _other(told: Line, rng: random.Random) -> Line:
    return replace(
        line(rng), year=told.year + rng.choice((-9, -6, -4, -3, -2, 2, 3, 4, 6, 9)),
        author=f"K. {rng.choice([name for name in SURNAMES if name not in told.author])}" if told.author else "",
    )  # fmt: skip


def _by_publisher(told: Line, claim: str, frame: int) -> str:
    bare, name = claim.rstrip(" ."), _the(told.publisher)
    return (
        f"According to {name}, {inside(bare)}.", f"{bare}, according to {name}.",
        f"{name[0].upper()}{name[1:]} reported that {inside(bare)}.", f"{bare} ({told.publisher}).",
    )[frame]  # fmt: skip


def _by_date(told: Line, claim: str, frame: int) -> str:
    bare = claim.rstrip(" .")
    return (
        f"A text of {told.year} says that {inside(bare)}.", f"{bare}, as was reported in {told.year}.",
        f"In {told.year} it was reported that {inside(bare)}.", f"{bare} ({told.publisher}, {told.year}).",
    )[frame]  # fmt: skip


def _by_author(told: Line, claim: str, frame: int) -> str:
    bare, name = claim.rstrip(" ."), told.author.partition(" ")[2] or _the(told.publisher)
    return (
        f"{name[0].upper()}{name[1:]} found that {inside(bare)}.", f"{bare}, as {name} reported.",
        f"As {name} wrote, {inside(bare)}.", f"{bare} ({name.removeprefix('the ')}, {told.year}).",
    )[frame]  # fmt: skip


_WAYS: tuple[Callable[[Line, str, int], str], ...] = (_by_publisher, _by_date, _by_author)


def _the(name: str) -> str:
    return name if name in _JOURNALS and "Journal" not in name else f"the {name}"


def titled(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Unit]:
    """Up to ``count`` units where the title alone names whom the claim is about, beside the same under another title.

    ``pairs`` have "Page: sentences" as evidence.
    """
    rng = random.Random(f"{seed} titled")
    pages = sorted({found[1] for pair in pairs if (found := _PAGE.match(pair.evidence))})
    for pair in pairs:
        found = _PAGE.match(pair.evidence)
        rest = _PAGE.sub("", pair.evidence)
        if count <= 0 or found is None or _names(found[1], rest) or not _names(found[1], pair.claim):
            continue
        if pair.label != SUPPORTS or ": " in rest or not _PRONOUN.search(rest):
            continue
        count -= 1
        told = line(rng, re.sub(r" \(.*\)\Z", "", found[1]))
        other = replace(told, title=re.sub(r" \(.*\)\Z", "", rng.choice(pages)))
        if _names(other.title, pair.claim) or other.title == told.title:
            continue
        state = rng.getstate()
        true = f"{told.text(rng)} {rest}"
        rng.setstate(state)
        yield (
            Pair(pair.claim, true, SUPPORTS, TITLED, pair.id),
            Pair(pair.claim, f"{other.text(rng)} {rest}", NOT_SUPPORTED, TITLED, pair.id),
        )


def _names(page: str, text: str) -> bool:
    """Whether ``text`` has a word of the name of the page."""
    return any(word in text for word in re.findall(r"\w{3,}", re.sub(r"\(.*", "", page)))


def lined(units: Sequence[Unit], share: float, seed: int) -> list[Unit]:
    """The units, ``share`` of them with one and the same line before all evidence of the unit: the labels stay."""
    rng = random.Random(f"{seed} lined")
    return [_with_line(unit, line(rng).text(rng)) if rng.random() < share else unit for unit in units]


def _with_line(unit: Unit, text: str) -> Unit:
    return tuple(pair.with_evidence(f"{text} {pair.evidence}") for pair in unit)
