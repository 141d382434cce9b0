"""The likeness of a title in a reference and the title of a stored document: do they name the same work?

Strict on purpose: judging a claim in a wrong source is worse than saying that the source is not there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.audit.names import folded_spellings
from core.text.terms import fold

EXACT = 97.0
"""``fuzz.ratio`` (0 to 100) of folded titles from which they count as the same words."""
NEAR = 90.0
"""Closeness from which on two titles are the same if authors or year agree too."""
DISTINCTIVE = 4
"""Words from which a title alone tells a work apart; shorter ones ("Annual report") need authors or year."""
_WORD = re.compile(r"[^\W_]+")
_MAIN = re.compile(r"\s*(?:[:?!\u2013\u2014\uff1a]|\s-\s)\s*")
_SITE = re.compile(r"\s+[|\u00b7\u2013\u2014-]\s+[^|\u00b7\u2013\u2014]{2,60}\Z")
_ENDING = re.compile(r"\.(?:pdf|docx?|html?|md|txt|xml)\Z", re.IGNORECASE)
_MAIN_WORDS = 3
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_NO_NAMES = frozenset("the of and for in a an & et al eds ed inc ltd staff editors group team department".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Work:
    """A work as a reference or a document describes it. ``authors`` are names or surnames, as written. ``sure``: the
    names and the date are those of the publication, not what a program wrote into a file."""

    title: str
    authors: tuple[str, ...] = ()
    publisher: str | None = None
    year: int | None = None
    raw: str = ""
    sure: bool = True


def words(text: str) -> list[str]:
    """Folded words and numbers of a title."""
    return [fold(word) for word in _WORD.findall(unicodedata.normalize("NFKC", html.unescape(text)))]


def year_of(text: str | None) -> int | None:
    """The year that a date such as ``2020a`` names."""
    match = _YEAR.search(text or "")
    return int(match.group()) if match else None


def agreement(reference: Work, document: Work) -> int:
    """Agreement of a reference with a document: 0 not at all, 1 by a near title with authors or year, 2 by the title
    alone, 3 by title and year where a side names nobody, 4 by title and authors. An exact title of several words is
    refused only where the publication itself gives other names and another year."""
    closeness = _closeness(reference, document)
    if closeness < NEAR:
        return 0
    named, dated = _same_names(reference, document), _same_year(reference, document)
    if named is True:
        return 4 if closeness >= EXACT else 1
    if named is None and dated is True:
        return 3 if closeness >= EXACT else 1
    other_work = document.sure and named is False and dated is False
    return 2 if closeness >= EXACT and _distinctive(reference, document) and not other_work else 0


def same_words(reference: Work, document: Work) -> bool:
    """The comparison of two titles alone: their words are equal. Authors and years do not count."""
    return _closeness(reference, document) >= EXACT


def _distinctive(reference: Work, document: Work) -> bool:
    return min(len(words(reference.title)) or 99, len(words(document.title))) >= DISTINCTIVE


def _closeness(reference: Work, document: Work) -> float:
    """Likeness of the titles, 0 to 100; forms that hold different numbers are not alike. A title that equals the
    other one without its subtitle counts as near, never as exact."""
    ours, theirs = _forms(reference.title), _forms(document.title)
    if any(len(form) >= DISTINCTIVE and _holds(words(reference.raw), form) for form in theirs):
        return 100.0
    best = max((_likeness(our, other) for our in ours for other in theirs), default=0.0)
    if best < NEAR:
        short = [(our, _main(document.title)) for our in ours] + [(_main(reference.title), other) for other in theirs]
        if any(len(main) >= _MAIN_WORDS and _likeness(form, main) >= EXACT for form, main in short):
            return NEAR
    return best


def _likeness(form: list[str], other: list[str]) -> float:
    if _numbers(form) != _numbers(other):
        return 0.0
    return float(fuzz.ratio(" ".join(form), " ".join(other)))


def _forms(title: str) -> list[list[str]]:
    """The title, as it stands, without the name of its site, and without the ending of a file's name."""
    forms = [words(title), words(_SITE.sub("", title)), words(_ENDING.sub("", title))]
    return [form for at, form in enumerate(forms) if form and form not in forms[:at]]


def _main(title: str) -> list[str]:
    """The title before its subtitle."""
    return words(_MAIN.split(_SITE.sub("", title), maxsplit=1)[0])


def _holds(haystack: list[str], needle: list[str]) -> bool:
    first = needle[0]
    size = len(needle)
    return any(haystack[at : at + size] == needle for at, word in enumerate(haystack) if word == first)


def _numbers(form: list[str]) -> list[str]:
    return sorted(word for word in form if any(letter.isdigit() for letter in word))


def _names(work: Work) -> set[str]:
    given = (*work.authors, work.publisher or "")
    named = {word for name in given for spelling in folded_spellings(name) for word in words(spelling)}
    return {word for word in named if len(word) > 2 and word not in _NO_NAMES}


def _same_names(reference: Work, document: Work) -> bool | None:
    """True when an author or publisher is shared; None where either side names nobody."""
    ours, theirs = _names(reference), _names(document)
    if not ours or not theirs:
        return None
    return bool(ours & theirs)


def _same_year(reference: Work, document: Work) -> bool | None:
    """True when the years fit (one apart is the same: online first, then print); None where one is unknown."""
    if reference.year is None or document.year is None:
        return None
    return abs(reference.year - document.year) <= 1
