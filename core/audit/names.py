"""The entries of the reference list that an author–year citation can mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.audit.report_model import Reference

_MANY = 3
_DIGITS = 4
YEAR_WORDS = (
    r"(?:in press|forthcoming|submitted|accepted|under review|in preparation|im Druck|no date"
    r"|n\.\s?d\.|s\.\s?f\.|o\.\s?J\.)"
)
"""What stands for the year of a work that has none."""


_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def folded_name(name: str) -> str:
    """A name without case, accents and punctuation: ``Castro-Díaz`` and ``castro diaz`` are one."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    letters = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join(letters.replace(" s ", " ").split())


def folded_spellings(name: str) -> tuple[str, ...]:
    """The name folded, then folded with its umlauts written out: ``muller`` and ``mueller`` for ``Müller``."""
    written_out = unicodedata.normalize("NFC", name).casefold().translate(_WRITTEN_OUT)
    return tuple(dict.fromkeys((folded_name(name), folded_name(written_out))))


class AuthorYearIndex:
    """Entries by the surname of their first author."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._by_name: dict[str, dict[str, list[Reference]]] = {}
        for reference in references:
            if not reference.authors:
                continue
            for name in _spellings(reference.authors[0]):
                self._by_name.setdefault(name, {}).setdefault((reference.year or "")[:4], []).append(reference)

    def knows(self, name: str) -> bool:
        """True when some entry's first author has this name."""
        return any(spelling in self._by_name for spelling in folded_spellings(name))

    def find(self, authors: Sequence[str], year: str, *, et_al: bool) -> list[Reference]:
        """Entries with this first author and year (``2020`` also finds ``2020a``, ``20`` 2020 and 1920, ``n.d.`` an
        entry without a year), narrowed by the second author and by whether there are more than two."""
        if not authors:
            return []
        entries = self._dated(authors[0], year)
        if len(authors) > 1:
            wanted = [folded_spellings(name) for name in authors[1:]]
            entries = [ref for ref in entries if _has(ref, wanted)]
        if len(entries) > 1:
            sized = [ref for ref in entries if _size_fits(ref, len(authors), et_al=et_al)]
            entries = sized or entries
        return entries

    def _dated(self, author: str, year: str) -> list[Reference]:
        for spelling in folded_spellings(author):
            if entries := self._of(spelling, year):
                return entries
        return []

    def _of(self, spelling: str, year: str) -> list[Reference]:
        by_year = self._by_name.get(spelling, {})
        if is_short_year(year):
            return [
                ref for full, refs in by_year.items() for ref in refs if _same_year(ref.year or "", full[:2] + year)
            ]
        entries = [ref for ref in by_year.get(year[:4], []) if _same_year(ref.year or "", year)]
        if not entries and not year[:1].isdigit():
            entries = list(by_year.get("", ()))
        exact = [ref for ref in entries if ref.year == year]
        return exact or entries


def _spellings(author: str) -> set[str]:
    """The surname, also without particles, and an organisation's first words in brackets (``World Bank (WB)``)."""
    words = author.split()
    names = {*folded_spellings(author)}
    while len(words) > 1 and words[0][:1].islower():
        words = words[1:]
        names.update(folded_spellings(" ".join(words)))
    short = re.search(r"\(([A-Z]{2,10})\)", author)
    if short:
        names |= {folded_name(short[1]), folded_name(author[: short.start()])}
    if len(author.split()) >= 2:
        initials = "".join(word[0] for word in author.split() if word[:1].isupper())
        if len(initials) > 2:
            names.add(initials.casefold())
    return {name for name in names if name}


def is_short_year(year: str) -> bool:
    """The two digits of a year, a letter behind them or not: ``14``, ``14b``."""
    return len(year) < _DIGITS and year[:2].isdecimal()


def _same_year(entry: str, cited: str, digits: int = _DIGITS) -> bool:
    if entry == cited:
        return True
    return entry[:digits] == cited[:digits] and digits in (len(entry), len(cited))


def _has(reference: Reference, wanted: Sequence[tuple[str, ...]]) -> bool:
    names = {spelling for author in reference.authors[1:] for spelling in _spellings(author)}
    return all(not names.isdisjoint(spellings) for spellings in wanted)


def _size_fits(reference: Reference, named: int, *, et_al: bool) -> bool:
    count = len(reference.authors)
    return count >= _MANY or "et al" in reference.text[:300] if et_al else count == named
