"""Whether words name the cited source: its authors, its publisher, its title, or "the study"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.records import Document
from core.text.terms import fold

_WORK = r"(?:study|report|paper|article|review|analysis)"
_GENERIC = re.compile(rf"(?:the|this) (?:{_WORK}|authors?|researchers)", re.IGNORECASE)
_WORK_BY = re.compile(rf"(?:a|an|the|this) (?:(?P<year>\d{{4}}) )?{_WORK} by (?P<persons>.+)", re.IGNORECASE)
_OWN_WORK = re.compile(rf"(?P<persons>.+)['\u2019]s? (?:{_WORK}|team|group)", re.IGNORECASE)
_IN_OWN_WORK = re.compile(
    rf"in (?:his|her|their) (?:{_WORK}|blog|book|essay|thesis|column),? (?:he|she|they)", re.IGNORECASE
)
_YEAR = re.compile(r"(?P<who>.+?),? ?\((?P<year>\d{4})[a-z]?\)")
_OTHERS = re.compile(r",? (?:et al\.?|(?:and|&) (?:colleagues|co-?workers|others|co-?authors))\Z", re.IGNORECASE)
_APART = re.compile(r",? (?:and|&) |, ")
_TITLES = re.compile(r"(?:Dr|Prof|Professor|Mr|Mrs|Ms)\.? ")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_MOST = 3
"""Words of a person's name; of a longer one, an organisation or a title, all words are asked for."""
_NOBODY = frozenset(
    """no none nobody few fewer most many more some any all both each every several one two who he she it we they you i
    not never other others another the a an this that these those what which and or of in on at by for to""".split()  # noqa: SIM905
)
"""Words that say something else when they stand where a name could."""
_NAMED_WORK = re.compile(
    r"\b(?:plan|report|study|review|survey|strategy|assessment|guidelines?|framework|programme|act|audit)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Naming:
    """By what a source is named. ``persons`` are folded words, one tuple a name; ``titles`` folded words; ``years``
    those of the source; ``cited`` tells whether the claim cites it, so that "the study" means it."""

    persons: tuple[tuple[str, ...], ...]
    publisher: tuple[str, ...]
    initials: str
    titles: tuple[tuple[str, ...], ...]
    years: frozenset[str]
    cited: bool

    @classmethod
    def of(cls, document: Document, names: Sequence[str] | None) -> Naming:
        """From what is stored of the source, and ``names`` of the report (authors; a year among them)."""
        given = [name for name in names or () if not name.strip()[:4].isdigit()]
        years = {name.strip()[:4] for name in names or () if name.strip()[:4].isdigit()}
        if document.published is not None:
            years = {str(document.published.year)}  # what is stored of the source decides
        publisher = _words(document.publisher or "")
        initials = "".join(word[0] for word in publisher if word[0].isupper())
        title = " ".join(document.title.split())
        heads = [title, re.split(r":| \d", title)[0]]
        return cls(
            persons=tuple(_folded(author) for author in (*document.authors, *given) if _folded(author)),
            publisher=_folded(document.publisher or ""),
            initials=initials if len(initials) > 2 else "",
            titles=tuple(_folded(head) for head in heads if _NAMED_WORK.search(head) and len(_words(head)) > 1),
            years=frozenset(years),
            cited=names is not None,
        )

    def is_source(self, who: str, year: str = "") -> bool:
        """Whether ``who`` names the source and nothing else; ``year``: said of it beside ("in a 2019 study")."""
        who = who.strip()
        if year and year not in self.years:
            return False
        if _GENERIC.fullmatch(who) or _IN_OWN_WORK.fullmatch(who):
            return self.cited
        if found := _WORK_BY.fullmatch(who):
            return (not found["year"] or found["year"] in self.years) and self._wrote(found["persons"])
        if found := _OWN_WORK.fullmatch(who):
            return self._wrote(found["persons"])
        return self._wrote(who) or self._published(who)

    def _published(self, who: str) -> bool:
        bare = re.sub(r"\A[Tt]he ", "", who)
        words = _folded(bare)
        return bool(words) and (
            (words == self.publisher and bare[:1].isupper())
            or (bool(self.initials) and bare == self.initials)
            or (bare[:1].isupper() and words in self.titles)
        )

    def _wrote(self, who: str) -> bool:
        """Whether these are authors of the source: every name within one author's name, and in capitals."""
        if found := _YEAR.fullmatch(who):
            if found["year"] not in self.years:
                return False
            who = found["who"]
        parts = _APART.split(_OTHERS.sub("", who))
        return all(self._author(_TITLES.sub("", part.strip())) for part in parts)

    def _author(self, name: str) -> bool:
        words = _folded(name)
        if not words or not name[:1].isupper() or set(words) & _NOBODY or max(map(len, words)) < 2:
            return False
        return any(words == person if len(person) > _MOST else set(words) <= set(person) for person in self.persons)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in _words(text))
