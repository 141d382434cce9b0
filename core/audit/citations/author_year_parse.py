"""Reading names and years of an author–year citation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from core.audit.names import YEAR_WORDS, AuthorYearIndex
from core.text.places import is_place

YEAR = rf"(?:(?:1[6-9]|20)\d\d[a-z]?(?!\w)|{YEAR_WORDS})"
SHORT_YEAR = r"['\u2019]?\d\d[a-z]?(?![\w%\u2013-])"
_YEARS = r"YEAR(?:\s*[,/&]\s*(?:YEAR|[a-z](?!\w)))*"
YEARS = _YEARS.replace("YEAR", YEAR)
_PIECE = re.compile(
    rf"(?P<who>[^\d]{{1,200}}?)(?:(?P<comma>,)|(?<!\s)\s|\()[\s(]*+"
    rf"(?P<years>{YEARS}|(?P<short>{_YEARS.replace('YEAR', SHORT_YEAR)}))(?![\u2013-]\d)"
    r"(?P<page>[,:]?\s*(?:pp?\.|\u00a7+|chap\.|ch\.|sec\.|fig\.|table|para\.)\s?[\w.\u2013-]{1,12}|:\s?[\d\u2013-]{1,12})?"
    r"(?P<suffix>[,:]?\s+.{2,300})?\s*",
    re.IGNORECASE | re.DOTALL,
)
_ONLY_YEARS = re.compile(rf"\s*(?P<years>{YEARS})\s*")
_LEADING = re.compile(
    r"\s*(?:(?:but|see|also|e\.g\.|i\.e\.|cf\.|compare|for (?:an? )?(?:review|overview|example|instance)"
    r"|as in|after|from"
    r"|(?:as |originally )?(?:reviewed|cited|quoted|discussed|described|reported|shown|noted) (?:in|by)|data from"
    r"|according to|adapted from|based on|following|and|in|by|source:|siehe(?: auch)?|vgl\.|z\.\s?B\.|voir|v\u00e9ase)"
    r"[,:]?\s+)*",
    re.IGNORECASE,
)
_LOWER = re.compile(r"(?:[^\W\d_A-Z][\w'\u2019\-]*[,:]?\s+)")
_ET_AL = re.compile(
    r"[,\s]*\b(?:et\s+al\b\.?|and (?:colleagues|others|coworkers)|& (?:colleagues|others)|u\.\s?a\.)", re.I
)
_JOINT = re.compile(r"(?<!\s)\s*+(?:,?+\s*+(?:&|\\&|\band\b|\bund\b|\bet\b|\by\b)\s*+|,\s*+)")
_PARTICLES = frozenset(
    "van von de der den del della di da dos das du la le ten ter el al bin ibn zu zur af the of for on and".split()  # noqa: SIM905
)
_INITIAL = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,3}|[^\W\d_a-z]{1,2}\b\.?")
NO_NAMES = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec spring summer autumn fall winter figure fig table section chapter appendix version since
    until by in of from to before after between early late mid circa ca about around year years fy q1 q2 q3 q4 est
    estimated projected as age founded born copyright published accessed retrieved updated released draft n s""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_][\w.'\u2019\-\u2010]*")
_NAME = r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|el|al)[ ]){0,3}[^\W\d_a-z][\w.'\u2019\-]{0,40}"
_BETWEEN = r"(?:,[ ]|,?[ ](?:and|&|\\&|und|et)[ ]|[ ])"
_TAIL_NAMES = re.compile(
    rf"(?<!\w)(?P<names>{_NAME}(?:{_BETWEEN}{_NAME}){{0,11}})"
    r"(?P<more>,?[ ]?(?:et al\.?|and (?:colleagues|others)|& others))?(?:['\u2019]s?)?,?[ ]?\Z"
)
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s?\Z")
_CAPITAL = re.compile(r"(?:[a-z]{1,3}[-'\u2019])?[^\W\d_a-z]")  # also "al-Khalili", "d'Angelo"
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Names:
    """Authors of one citation; ``start`` is where they begin in the text they were read from.

    ``strong`` forms are citations whatever the list of references says.
    """

    authors: tuple[str, ...]
    et_al: bool
    start: int
    located: bool = False
    comma: bool = False

    @property
    def strong(self) -> bool:
        """``et al.``, two or more names, or a page."""
        return self.et_al or self.located or len(self.authors) > 1

    @property
    def person(self) -> bool:
        """True for a name that is not that of a country or a large city (``Japan, 2020`` dates something)."""
        return not is_place(self.authors[0])


@dataclass(frozen=True, slots=True)
class Bracket:
    """The citations in a bracket; ``whole`` when it holds nothing else, else ``[start, end)`` within it."""

    cited: tuple[tuple[Names, tuple[str, ...]], ...]
    whole: bool
    start: int
    end: int

    @property
    def strong(self) -> bool:
        """True when some citation of it leaves no doubt."""
        return any(names.strong for names, _ in self.cited)

    @property
    def formal(self) -> bool:
        """True when some name of it is parted from its year by a comma, and is no place."""
        return any(names.comma and names.person for names, _ in self.cited)


def years_of(listed: str) -> tuple[str, ...]:
    """``"2015a, b"`` as 2015a and 2015b; ``"2019, 2020"`` as both; ``"'14"`` as 14."""
    years: list[str] = []
    for part in re.split(r"\s*[,;/&]\s*", " ".join(listed.lower().split())):
        if len(part) == 1 and years and years[-1][:2].isdigit():
            years.append(years[-1].rstrip(ascii_lowercase) + part)
        elif part:
            years.append(part.lstrip("'\u2019"))
    return tuple(years)


def parse_bracket(content: str, index: AuthorYearIndex) -> Bracket | None:
    """The citations in a bracket, separated by semicolons (or a comma after a year).

    Two digits are a year (``Berg 14``) only behind a name that the list knows.
    """
    cited: list[tuple[Names, tuple[str, ...]]] = []
    others = 0
    start, end, at = -1, 0, 0
    for piece in _pieces(content):
        begin = at
        at += len(piece) + 1
        if not piece.strip():
            continue
        read = _piece(piece, cited, index)
        if not read:
            others += 1
            continue
        cited.extend(read)
        start = begin + len(piece) - len(piece.lstrip()) if start < 0 else start
        end = begin + len(piece.rstrip())
    if not cited:
        return None
    return Bracket(tuple(cited), others == 0, start, end)


def _pieces(content: str) -> list[str]:
    """Cut at semicolons, and at commas between a year and a capital (``Frank 2017, Wolf 2019``)."""
    pieces: list[str] = []
    for part in content.split(";"):
        pieces.extend(re.split(r"(?<=\d\d\d\d),(?=\s*[^\W\d_a-z])|(?<=\d\d\d\d[a-z]),(?=\s*[^\W\d_a-z])", part))
    return pieces


def _piece(
    piece: str, before: Sequence[tuple[Names, tuple[str, ...]]], index: AuthorYearIndex
) -> list[tuple[Names, tuple[str, ...]]]:
    """The citation of a piece, and those in the words behind its year (``Berg, 2020, as cited in Lund, 2021``)."""
    again = _ONLY_YEARS.fullmatch(piece)
    if again:
        return [(before[-1][0], years_of(again["years"]))] if before else []
    lead = _LEADING.match(piece)
    match = _PIECE.fullmatch(piece[lead.end() if lead else 0 :])
    if not match:
        return []
    named = _names(match["who"])
    names = named or _names(_without_lower(match["who"]))
    if not names or (match["short"] and not index.knows(names.authors[0])):
        return []
    names = replace(names, located=bool(match["page"]), comma=bool(match["comma"] and named))
    inner = _piece(match["suffix"].lstrip(" ,:"), (), index) if match["suffix"] else []
    return [(names, years_of(match["years"])), *inner]


def _without_lower(who: str) -> str:
    """``who`` without the words in lower case before the first name (``a longer account is in Berg``)."""
    while (word := _LOWER.match(who)) and word.group().strip(" ,:") not in _PARTICLES - {
        "the",
        "of",
        "for",
        "on",
        "and",
    }:
        who = who[word.end() :]
    return who


def _names(who: str) -> Names | None:
    """Names in ``Castro-Diaz, Ecco & Trono`` or ``Chuong et al.`` or an organisation; None if it is none."""
    bare = who.strip(" ,")
    many = _ET_AL.search(bare)
    if many:
        if bare[many.end() :].strip(" .,"):
            return None
        bare = bare[: many.start()].strip(" ,")
    people = [part for part in (piece.strip() for piece in _split(bare)) if part and not _INITIAL.fullmatch(part)]
    if not people or not all(_is_name(person) for person in people):
        whole = [bare] if _is_name(bare) else []
        people = whole
    if not people:
        return None
    return Names(tuple(_surname(person) for person in people), bool(many), 0)


def _split(names: str) -> list[str]:
    return _JOINT.split(names)


def _is_name(person: str) -> bool:
    words = person.split()
    if not words or len(words) > _MOST_WORDS or words[0].lower().strip(".") in NO_NAMES:
        return False
    if not any(_CAPITAL.match(word) for word in words):
        return _unspaced(person)
    return all((_CAPITAL.match(word) and _WORD.match(word)) or word.lower() in _PARTICLES for word in words)


def _unspaced(person: str) -> bool:
    """Names in scripts without capitals (Han, Hangul, kana)."""
    return len(person) <= 12 and all("\u3040" <= c <= "\ud7af" or c == "\u7b49" for c in person)


def _surname(person: str) -> str:
    """The name without initials before or after it; an organisation or a double name stays whole."""
    words = [word for word in person.split() if not re.fullmatch(r"(?:[^\W\d_a-z]\.-?){1,4}", word)]
    return " ".join(words).strip(".,") or person


def parse_names(before: str, index: AuthorYearIndex) -> Names | None:
    """Names at the end of the text before a bracketed year (``In contrast, Frey and Osborne``).

    Capitalised words that begin a sentence are taken off until the first name is one that the list knows; if
    none is, the names are taken as they stand, a single one as its last word.
    """
    match = _TAIL_NAMES.search(before)
    if not match:
        return None
    listed = _POSSESSIVE.sub("", match["names"].rstrip())
    et_al = bool(match["more"])
    starts = [
        word.start() for word in _WORD.finditer(listed) if word.group()[:1].isupper() or word.group() in _PARTICLES
    ]
    best: Names | None = None
    for start in starts:
        names = _names(listed[start:].strip(" ,"))
        if names is None:
            continue
        names = Names(names.authors, et_al or names.et_al, match.start("names") + start)
        if index.knows(names.authors[0]):
            return names
        best = names if best is None or len(names.authors) >= len(best.authors) else best
    if best is None or best.authors[0].split()[0].lower() in NO_NAMES:
        return None
    return best
