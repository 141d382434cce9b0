"""The entries of the reference list that an author–year citation can mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.audit.report_model import Reference

_MANY = 3
YEAR_WORDS = (
    r"(?:in press|forthcoming|submitted|accepted|under review|in preparation|im Druck|no date"
    r"|n\.\s?d\.|s\.\s?f\.|o\.\s?J\.)"
)
"""What stands for the year of a work that has none."""


def folded_name(name: str) -> str:
    """A name without case, accents and punctuation: ``Castro-Díaz`` and ``castro diaz`` are one."""
    plain = unicodedata.normalize("NFKD", name.replace("\u00f8", "o").replace("\u00d8", "O").replace("\u00df", "ss"))
    letters = "".join(c if c.isalnum() else " " for c in plain.casefold() if not unicodedata.combining(c))
    return " ".join(letters.replace(" s ", " ").split())


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
        return folded_name(name) in self._by_name

    def find(self, authors: Sequence[str], year: str, *, et_al: bool) -> list[Reference]:
        """Entries with this first author and year (``2020`` also finds ``2020a``, ``n.d.`` an entry without a year),
        narrowed by the second author and by whether there are more than two."""
        if not authors:
            return []
        entries = self._dated(authors[0], year)
        if len(authors) > 1:
            wanted = [folded_name(name) for name in authors[1:]]
            entries = [ref for ref in entries if _has(ref, wanted)]
        if len(entries) > 1:
            sized = [ref for ref in entries if _size_fits(ref, len(authors), et_al=et_al)]
            entries = sized or entries
        return entries

    def _dated(self, author: str, year: str) -> list[Reference]:
        by_year = self._by_name.get(folded_name(author), {})
        entries = [ref for ref in by_year.get(year[:4], []) if _same_year(ref.year or "", year)]
        if not entries and not year[:1].isdigit():
            entries = list(by_year.get("", ()))
        exact = [ref for ref in entries if ref.year == year]
        return exact or entries


def _spellings(author: str) -> set[str]:
    """The surname, also without particles, and an organisation's first words in brackets (``World Bank (WB)``)."""
    whole = folded_name(author)
    words = author.split()
    names = {whole}
    while len(words) > 1 and words[0][:1].islower():
        words = words[1:]
        names.add(folded_name(" ".join(words)))
    short = re.search(r"\(([A-Z]{2,10})\)", author)
    if short:
        names |= {folded_name(short[1]), folded_name(author[: short.start()])}
    if len(author.split()) >= 2:
        initials = "".join(word[0] for word in author.split() if word[:1].isupper())
        if len(initials) > 2:
            names.add(initials.casefold())
    return {name for name in names if name}


def _same_year(entry: str, cited: str) -> bool:
    if entry == cited:
        return True
    return entry[:4] == cited[:4] and (len(entry) == 4 or len(cited) == 4)


def _has(reference: Reference, wanted: Sequence[str]) -> bool:
    names = {spelling for author in reference.authors[1:] for spelling in _spellings(author)}
    return all(name in names for name in wanted)


def _size_fits(reference: Reference, named: int, *, et_al: bool) -> bool:
    count = len(reference.authors)
    return count >= _MANY or "et al" in reference.text[:300] if et_al else count == named
