"""Words of a claim about the source itself, not about its subject: its authors, its publisher, its year, its title.

``SourceNames`` tells when words name the cited source ("the study", "Miller et al."). ``about_the_source`` excuses a
name or a year that the text of the source lacks because it is about the source ("a 2021 study found").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.errors import SourceError
from core.records import CheckResult, Document
from core.text.terms import fold
from core.text.urls import site_of, url_parts
from core.verify.checks import dates, entities, intervals, run_check
from core.verify.checks.names import is_nation

_WORK = r"(?:study|report|paper|article|review|analysis|story|piece|survey|press release|page|post|book|blog)"
_GENERIC = re.compile(
    rf"(?:the|this) (?:{_WORK}|authors?|researchers|newspaper|magazine|journal|website|outlet)", re.IGNORECASE
)
ORGANISATION = (
    "agency|newspaper|paper|magazine|journal|organi[sz]ation|company|council|ministry|institute|commission|department|"
    "office|bureau|team|group|authority|association|foundation|bank|charity|university"
)
"""Who may have written "its report"."""
_WORK_BY = re.compile(
    rf"(?:(?:a|an|the|this) (?:(?P<year>\d{{4}}) )?{_WORK}|reporting|coverage) (?P<way>by|in|from|at|on) "
    r"(?P<persons>.+)",
    re.IGNORECASE,
)
_OWN_WORK = re.compile(rf"(?P<persons>.+)['\u2019]s? (?:{_WORK}|team|group)", re.IGNORECASE)
_IN_OWN_WORK = re.compile(
    rf"in (?:his|her|their|its) (?:\d{{4}} )?(?:{_WORK}|essay|thesis|column),? "
    rf"(?:he|she|they|it|the (?:{ORGANISATION}))",
    re.IGNORECASE,
)
_TITLED = re.compile(
    rf"(?:(?:the|an?|this) {_WORK}(?: (?:at|titled|entitled|called|named|headed|on))?,? )?(?P<title>.+)", re.IGNORECASE
)
_OF_PAPER = re.compile(r"(?P<who>.+?),? (?:of|at|from|for|in|writing (?:in|for)) (?P<paper>.+)")
_PAPERS_OWN = re.compile(r"(?P<paper>.+)['\u2019]s (?P<who>.+)")
_ARTICLE = re.compile(r"\A[Tt]he ")
_KIND = re.compile(rf" (?:{_WORK}|newspaper|magazine|journal|website|site|news site|online)\Z", re.IGNORECASE)
_ONLINE = re.compile(r" (?:online|website|newspaper|magazine)\Z", re.IGNORECASE)
_MARKS = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb*_ "
_YEAR = re.compile(r"(?P<who>.+?),? ?\((?P<year>\d{4})[a-z]?\)")
_OTHERS = re.compile(r",? (?:et al\.?|(?:and|&) (?:colleagues|co-?workers|others|co-?authors))\Z", re.IGNORECASE)
_APART = re.compile(r",? (?:and|&) |, ")
_TITLES = re.compile(r"(?:Dr|Prof|Professor|Mr|Mrs|Ms)\.? ")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST_OF_SITE = 3
_HEAD, _DATE_LINE = 1500, 90
"""Characters of a text in which a date line is looked for, and of such a line."""
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
    source. ``titles`` are those that stand for the work without more words ("the Heat Action Plan"), ``headings`` all.
    ``sites`` are its hosts. ``cited`` is True when the claim cites the source, so that "the study" means it."""

    persons: tuple[tuple[str, ...], ...]
    publisher: tuple[str, ...]
    initials: str
    titles: tuple[tuple[str, ...], ...]
    headings: tuple[tuple[str, ...], ...]
    sites: frozenset[str]
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
        named = document.publisher or ""
        publisher = _words(named)
        initials = "".join(word[0] for word in publisher if word[0].isupper())
        title = " ".join(document.title.split())
        heads = [title, re.split(r":| \d", title)[0]]
        return cls(
            persons=tuple(_folded(author) for author in (*document.authors, *given) if _folded(author)),
            publisher=_folded(_ONLINE.sub("", _ARTICLE.sub("", named))),
            initials=initials if len(initials) > 2 else "",
            titles=tuple(_folded(head) for head in heads if _NAMED_WORK.search(head) and len(_words(head)) > 1),
            headings=tuple(map(_folded, heads)),
            sites=frozenset().union(*map(_hosts, document.urls)),
            years=frozenset(years),
            cited=names is not None,
        )

    def is_source(self, who: str, year: str = "", *, titled: bool = False) -> bool:
        """True when ``who`` names the source and nothing else. ``year`` is a year said beside ("in a 2019 study");
        ``titled`` says that the name may be a title ("as noted in …")."""
        who = who.strip()
        if year and year not in self.years:
            return False
        if _GENERIC.fullmatch(who) or _IN_OWN_WORK.fullmatch(who):
            return self.cited
        if match := _WORK_BY.fullmatch(who):
            named = self._is_named if match["way"].lower() == "by" else self._published
            own = (not match["year"] or match["year"] in self.years) and named(match["persons"])
            if own or not self._has_title(who, titled=True):
                return own
        if (match := _OWN_WORK.fullmatch(who)) and self._is_named(match["persons"]):
            return True
        return self._is_named(who) or self._has_title(who, titled=titled)

    def _is_named(self, who: str) -> bool:
        """True for an author, the publisher, the site, or an author of the publisher ("The Herald's Anna Berg")."""
        if self._wrote(who) or self._published(who):
            return True
        match = _PAPERS_OWN.fullmatch(who) or _OF_PAPER.fullmatch(who)
        return match is not None and self._published(match["paper"]) and self._wrote(match["who"])

    def _published(self, who: str) -> bool:
        whole = _ARTICLE.sub("", who.strip(_MARKS))
        bare = _KIND.sub("", whole)  # "the Herald newspaper"
        if not _folded(bare):
            return False
        named = bare[:1].isupper() and bool({_folded(whole), _folded(bare)} & {self.publisher, *self.titles})
        return named or (bool(self.initials) and bare == self.initials) or self._is_site(bare)

    def _is_site(self, name: str) -> bool:
        """True for the address of the site, or the name that it spells: "Merrin Herald" for merrinherald.example."""
        if "." in name:
            return name.lower().removeprefix("www.") in self.sites
        spelled = "".join(_folded(name))
        named = name[:1].isupper() and len(spelled) >= _LEAST_OF_SITE and not is_nation(spelled)
        return named and spelled in {site.split(".")[0] for site in self.sites}

    def _has_title(self, who: str, *, titled: bool) -> bool:
        match = _TITLED.fullmatch(who)
        if match is None:
            return False
        title = match["title"]
        marked = titled or match.start("title") > 0 or title[:1] in _MARKS
        words = _folded(title.strip(_MARKS))
        return marked and len(words) > 1 and words in self.headings

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


def _hosts(url: str) -> set[str]:
    """The host of an address, and its registrable part; none for an address of another kind."""
    try:
        return {(url_parts(url).hostname or "").removeprefix("www."), site_of(url)}
    except SourceError:
        return set()


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in _words(text))


def about_the_source(
    claim: str, result: CheckResult, window: str, text: str, authors: str, published: date | None
) -> str:
    """The reason why a name or date that ``result`` missed in ``window`` is no error: it is an author or the year of
    the source, as stored or in a date line of its ``text``. "" where it is neither."""
    if result.name == entities.NAME and authors and not _vetoes(result.name, claim, f"{window} {authors}."):
        return "It is an author of the source."
    if result.name != dates.NAME or not result.claim_spans:
        return ""
    start, end = result.claim_spans[0]
    of_work = (
        _WORK_AFTER.match(claim, end) or _WORK_BEFORE.search(claim, 0, start) or _AUTHOR_BEFORE.search(claim, 0, start)
    )
    if published and of_work and not _vetoes(result.name, claim, f"{window} {published:%d %B %Y}."):
        return f"The source is of {published:%d %B %Y}."
    if all(day.yearless for day in intervals.dates(window)):  # a year of the words themselves goes before it
        years = _years_of(text) | ({published.year} if published else set())
        year = next((year for year in sorted(years) if not _vetoes(result.name, claim, f"{window} {year}.")), None)
        return f"The source is of {year}." if year else ""
    return ""


def _years_of(text: str) -> set[int]:
    """The years in the date lines of a text: short lines at its head with a full date."""
    lines = [line for line in text[:_HEAD].splitlines()[:-1] if len(line) <= _DATE_LINE]
    days = (day for line in lines for day in intervals.dates(line))
    return {day.first // 10000 for day in days if not day.yearless and day.first == day.last}


def _vetoes(name: str, claim: str, evidence: str) -> bool:
    return run_check(name, claim, evidence).veto
