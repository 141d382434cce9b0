"""A claim that says whose statement it is: "Miller et al. found that trees cool streets", "according to the report, …".

Where the words around a statement only name the cited source, the citation itself says so, and the source is asked for
the statement alone. A small model takes them for part of what has to be shown: of claims of SciFact and FEVER that it
supports it supports less than half once "Smith and Jones found that" stands in front (docs/decisions/0009). Of
anybody else ("the mayor said that …") they are kept, because who said it is then part of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from core.model import Document
from core.records.verify import Span
from core.terms import fold
from core.verify.checks.text import content_stems
from core.verify.verbs import has_finite_verb

LEAST = 3
"""Content words of a statement."""
LONGEST = 12
"""Words that name whose statement it is."""

# fmt: off
_VERBS = (
    "finds|found|shows|showed|shown|reports|reported|notes|noted|concludes|concluded|states|stated|says|said|writes|"
    "wrote|written|observes|observed|estimates|estimated|argues|argued|claims|claimed|maintains|maintained|suggests|"
    "suggested|demonstrates|demonstrated|reveals|revealed|confirms|confirmed|adds|added|explains|explained|indicates|"
    "indicated|documents|documented|calculates|calculated|determines|determined|discovers|discovered|establishes|"
    "established|emphasizes|emphasized|emphasises|emphasised|stresses|stressed|highlights|highlighted|points out|"
    "pointed out|find|show|report|note|conclude|state|say|write|observe|estimate|argue|claim|maintain|suggest|"
    "demonstrate|reveal|confirm|add|explain|indicate|calculate|emphasize|emphasise|stress|highlight|point out"
)
_BARE = "says|said|say|notes|noted|note|states|stated|state|argues|argued|argue|claims|claimed|writes|wrote|adds|added"
"""Verbs behind which "that" is often left out."""
_SURELY = "also|further|then|now|recently|later|clearly|thus|therefore|consistently|explicitly|again|already|first"
_NO_STATEMENT = "that|in|on|at|to|by|for|from|of|about|with|how|why|whether|what|when|where|so|no|nothing|not|little"
"""Words with which no statement begins."""
_WORK = frozenset(
    """study report paper article review survey analysis meta-analysis trial experiment audit evaluation assessment blog
    post book chapter dissertation thesis publication preprint brief briefing memo whitepaper document page dataset
    guideline census poll author authors researcher researchers investigators team research evidence results findings
    data""".split()  # noqa: SIM905
)
"""What stands for a source without a name. Plurals of works ("studies show") are kept: several sources are claimed."""
_LOOSE = frozenset(
    """the a an this that these those their its his her our in of by from on at for with and & et al one new recent
    earlier later latest original cited same colleagues coauthors co-authors group own first lead""".split()  # noqa: SIM905
)
"""Words that may stand beside."""
_PERSONS = frozenset({"he", "she", "they"})
"""Behind a work: "in his blog he adds"."""
# fmt: on
_SUBJECT = rf"(?P<who>(?:[^\s,;:()]+\s+){{1,{LONGEST}}}?)"
_SURE = rf"(?:(?:{_SURELY})\s+)?"
_SAYS_THAT = re.compile(
    rf"{_SUBJECT}{_SURE}(?:(?:has|have|had)\s+)?{_SURE}(?:{_VERBS})\s+(?:clearly\s+)?that\s+", re.IGNORECASE
)
_SAYS = re.compile(rf"{_SUBJECT}{_SURE}(?:{_BARE}):?\s+(?!(?:{_NO_STATEMENT})\b)(?=\S)", re.IGNORECASE)
_ACCORDING = re.compile(
    rf"(?:according to|as (?:reported|noted|stated|shown|described|documented|found|observed) (?:by|in))\s+"
    rf"(?P<who>(?:[^\s,;:()]+\s+){{0,{LONGEST - 1}}}?[^\s,;:()]+),\s+",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    rf",\s+(?:according to\s+(?P<who>[^,;:()]+?)|(?P<who_says>[^,;:()]+?)\s+{_SURE}(?:{_VERBS}))\s*[.!]?\s*\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w&.'\u2019-]+")


def statement_of(claim: str, document: Document, names: str = "") -> Span:
    """The span of the statement; the whole claim where it is nobody's, or somebody else's than the source's.

    Args:
        names: who the claim's report says has written the source (its marker, the authors of its reference).
    """
    known = _names_of(document, names)
    title = [fold(word) for word in _words(document.title)]
    for start, end, who, sure in _frames(claim):
        statement = claim[start:end]
        states = len(content_stems(statement)) >= LEAST and (sure or has_finite_verb(statement))
        if states and (_names_the_source(who, known) or _names_the_title(who, title)):
            return start, end
    return 0, len(claim)


def left_out(claim: str, start: int, end: int) -> str:
    """What people are told of the words outside the statement."""
    words = f"{claim[:start]} {claim[end:]}".strip(" ,.!")
    return f"Asked without \u201c{words}\u201d, which names the source itself."


def _names_of(document: Document, names: str) -> set[str]:
    """Words of authors, publisher and site, the year, and the initials of the publisher."""
    hosts = [urlsplit(url).hostname or "" for url in (*document.urls, document.canonical_url or "")]
    sites = [host.removeprefix("www.").partition(".")[0] for host in hosts]
    year = str(document.published.year) if document.published else ""
    written = " ".join([*document.authors, document.publisher or "", *sites, year, names])
    initials = "".join(word[0] for word in _words(document.publisher or "") if word[0].isupper())
    return {fold(word) for word in [*_words(written), *([initials] if len(initials) > 1 else [])]} - _LOOSE


def _frames(claim: str) -> Iterator[tuple[int, int, str, bool]]:
    """(start, end, whose statement it is, whether the words around it leave no doubt that it is one) of every reading
    of the claim, the likeliest first."""
    for pattern, sure in ((_SAYS_THAT, True), (_ACCORDING, True), (_SAYS, False)):
        if found := pattern.match(claim):
            yield found.end(), len(claim), found["who"], sure
    if found := _AT_THE_END.search(claim):
        yield 0, found.start(), found["who"] or found["who_says"], False


def _names_the_source(who: str, known: set[str]) -> bool:
    """Whether all that ``who`` names is in ``known``, and it names something: a person, a publisher, or a work."""
    named = False
    for place, word in enumerate(_words(who)):
        plain = fold(word).removesuffix("'s").removesuffix("\u2019s")
        if plain in _WORK or (plain in known and not word[:1].islower()):
            named = True
        elif not (plain in _LOOSE or (plain in _PERSONS and place)):
            return False
    return named


def _names_the_title(who: str, title: Sequence[str]) -> bool:
    """Whether ``who`` is the title of the source or its beginning: "the Heat Action Plan"."""
    named = [fold(word) for word in _words(who)]
    named = named[1:] if named[:1] == ["the"] and title[:1] != ["the"] else named
    return len(named) > 1 and list(title[: len(named)]) == named


def _words(text: str) -> list[str]:
    return [word.strip(".\u2019'-") or word for word in _WORD.findall(text)]
