"""Words of a claim about the source itself, not about its subject: its authors, its publisher, its year, its title.

``SourceNames`` tells when words name the cited source ("the study", "Miller et al."). ``about_the_source`` excuses a
name or a year that the text of the source lacks because it is about the source ("a 2021 study found").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.records import CheckResult, Document
from core.text.terms import fold
from core.verify.checks import dates, entities, run_check

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
"""Words of a person's name. A longer name is an organisation or a title, and must be named in full."""
_NOBODY = frozenset(
    """no none nobody few fewer most many more some any all both each every several one two who he she it we they you i
    not never other others another the a an this that these those what which and or of in on at by for to""".split()  # noqa: SIM905
)
"""Words that are no name where a name could stand."""
_NAMED_WORK = re.compile(
    r"\b(?:plan|report|study|review|survey|strategy|assessment|guidelines?|framework|programme|act|audit)\b",
    re.IGNORECASE,
)
_WORKS = (
    "study|studies|trial|paper|report|survey|review|article|analysis|meta-analysis|experiment|investigation|poll|census|"
    "book|dissertation|thesis|evaluation|assessment|audit|publication|preprint"
)
_WORK_AFTER = re.compile(rf"[ -](?:[\w-]+ ){{0,3}}(?:{_WORKS})\b", re.IGNORECASE)
_WORK_BEFORE = re.compile(
    rf"\b(?:(?:{_WORKS})(?: published)?|published(?: online)?) (?:of|from|in|on)[ ]\Z", re.IGNORECASE
)
_AUTHOR_BEFORE = re.compile(r"\b[A-Z][\w'\u2019-]+(?: et al\.?| and (?:colleagues|[A-Z][\w'\u2019-]+))?,? \(\Z")


@dataclass(frozen=True, slots=True)
class SourceNames:
    """The names of a source. ``persons`` and ``titles`` are folded words, one tuple a name; ``years`` are those of the
    source. ``cited`` is True when the claim cites the source, so that "the study" means it."""

    persons: tuple[tuple[str, ...], ...]
    publisher: tuple[str, ...]
    initials: str
    titles: tuple[tuple[str, ...], ...]
    years: frozenset[str]
    cited: bool

    @classmethod
    def of(cls, document: Document, names: Sequence[str] | None) -> SourceNames:
        """The names of a stored source, with the ``names`` (authors, a year) that a report has for it."""
        listed = [name.strip() for name in names or ()]
        given = [name for name in listed if not name[:4].isdigit()]
        years = {name[:4] for name in listed if name[:4].isdigit()}
        if document.published is not None:
            years = {str(document.published.year)}  # the stored year goes before that of the report
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
        """True when ``who`` names the source and nothing else. ``year`` is a year said beside ("in a 2019 study")."""
        who = who.strip()
        if year and year not in self.years:
            return False
        if _GENERIC.fullmatch(who) or _IN_OWN_WORK.fullmatch(who):
            return self.cited
        if match := _WORK_BY.fullmatch(who):
            return (not match["year"] or match["year"] in self.years) and self._wrote(match["persons"])
        if match := _OWN_WORK.fullmatch(who):
            return self._wrote(match["persons"])
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
        """True when ``who`` are authors of the source: each name lies within one author's name, and is in capitals."""
        if match := _YEAR.fullmatch(who):
            if match["year"] not in self.years:
                return False
            who = match["who"]
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


def about_the_source(claim: str, result: CheckResult, window: str, authors: str, published: date | None) -> str:
    """The reason why a name or date that ``result`` missed in ``window`` is no error: it is an author or the year of
    the source. "" where it is neither."""
    if result.name == entities.NAME and authors and not _vetoes(result.name, claim, f"{window} {authors}."):
        return "It is an author of the source."
    if result.name != dates.NAME or published is None or not result.claim_spans:
        return ""
    start, end = result.claim_spans[0]
    of_work = (
        _WORK_AFTER.match(claim, end) or _WORK_BEFORE.search(claim, 0, start) or _AUTHOR_BEFORE.search(claim, 0, start)
    )
    if of_work and not _vetoes(result.name, claim, f"{window} {published:%d %B %Y}."):
        return f"The source is of {published:%d %B %Y}."
    return ""


def _vetoes(name: str, claim: str, evidence: str) -> bool:
    return run_check(name, claim, evidence).veto
