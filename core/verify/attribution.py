"""A claim that says whose statement it is: "Miller et al. found that trees cool streets", "according to the report, …".

Where the words around a statement only name the cited source, the citation itself says so, and the source is asked for
the statement alone. A small model takes them for part of what has to be shown: of claims that it supports it supports
less than half once "Smith and Jones found that" stands in front (docs/decisions/0009). Of anybody else ("the mayor
said that …") they are kept, because who said it is then part of the claim; and so is whatever this grammar does not
know: leaving too much costs a look of a person, leaving too little out passes what nobody said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.records import Document, Span
from core.text.terms import fold
from core.verify.attribution_names import Naming
from core.verify.checks.text import content_stems

LEAST = 3
"""Content words of a statement."""
LONGEST = 1500
"""Characters of a claim that is read."""

# fmt: off
_VERBS = (
    r"(?:finds?|found|shows?|showed|shown|reports?|reported|notes?|noted|concludes?|concluded|states?|stated|says?|said|"
    r"writes?|wrote|written|observes?|observed|estimates?|estimated|argues?|argued|claims?|claimed|maintains?|"
    r"maintained|suggests?|suggested|demonstrates?|demonstrated|reveals?|revealed|confirms?|confirmed|adds?|added|"
    r"explains?|explained|indicates?|indicated|documents?|documented|calculates?|calculated|determined|discovered|"
    r"emphasi[sz]es?|emphasi[sz]ed|stress(?:es)?|stressed|highlights?|highlighted|points? out|pointed out)"
)
_IN_ITS = (
    r"(?P<place>(?:In (?:a|the|this|their|his|her|its) (?:(?P<year>\d{4}) )?"
    r"(?:study|paper|report|review|article|analysis|blog|book),? )?)"
)
# fmt: on
_SURE = r"(?:(?:also|further|clearly|consistently|explicitly) )?"
_THAT = re.compile(
    rf"{_IN_ITS}(?P<who>[^;:\n]{{2,120}}?) {_SURE}(?:(?:has|have) )?{_SURE}{_VERBS} that "
    r"(?!(?:the )?(?:same )?(?:year|month|week|day|time)\b)",
    re.IGNORECASE,
)
_ACCORDING = re.compile(
    r"(?:according to|as (?:reported|noted|shown|described|documented|found) (?:by|in)) "
    r"(?P<who>[^;:\n]{2,120}?), ",
    re.IGNORECASE,
)
_AS_THEY = re.compile(rf"as (?P<who>[^;:\n]{{2,120}}?) {_VERBS}, ", re.IGNORECASE)
_TAIL = re.compile(
    rf"(?:according to (?P<to>.{{2,120}})|(?:says|said) (?P<by>.{{2,120}})|(?P<who>.{{2,120}}?) {_VERBS})"
)
_NESTED = re.compile(rf"\b{_VERBS} that\b|\baccording to\b", re.IGNORECASE)
_PERSONS = frozenset({"he", "she", "they"})
_LEANS = re.compile(r"(?:it|its|he|his|she|her|they|their|him|them|this|these|those|such)\b", re.IGNORECASE)
_CLEFT = re.compile(r"it (?:is|was) \S.* that ", re.IGNORECASE)
"""What "it" begins without standing for anything: "it is the second summer that kills"."""


def statement_of(claim: str, document: Document, names: Sequence[str] | None = None) -> Span:
    """The span of the statement; the whole claim where it is nobody's, or somebody else's than the source's.

    Args:
        names: authors and year of the source as the report that cites it has them; None where no source is cited, so
            that "the study" may be any.
    """
    whole = 0, len(claim)
    if len(claim) > LONGEST or re.search(r"\s\s|[^\S ]", claim):
        return whole
    for start, end, who, year in _frames(claim):
        if _states(claim[start:end]) and Naming.of(document, names).is_source(who, year):
            return start, end
    return whole


def left_out(claim: str, start: int, end: int) -> str:
    """What people are told of the words outside the statement."""
    words = f"{claim[:start]} {claim[end:]}".strip(" ,.!")
    return f"Asked without \u201c{words}\u201d, which names the source itself."


def _frames(claim: str) -> Iterator[tuple[int, int, str, str]]:
    """(start, end, whose statement it is, its year or "") of every reading of the claim, the likeliest first."""
    for pattern in (_THAT, _ACCORDING, _AS_THEY):
        if found := pattern.match(claim):
            more = found.groupdict()
            who = f"{more['place']}{more['who']}" if more["who"] in _PERSONS else more["who"]
            yield found.end(), len(claim), who, more.get("year") or ""
    at = claim.rfind(", ")
    if at > 0 and (found := _TAIL.fullmatch(claim[at + 2 :].rstrip(" .!"))):
        yield 0, at, found["to"] or found["who"] or found["by"], ""


def _states(statement: str) -> bool:
    """Whether words can be judged alone: enough of them, nobody else's statement again, no pronoun at their head whose
    noun was left out."""
    if not statement[:1].isalnum() or _NESTED.search(statement):
        return False
    leans = _LEANS.match(statement) and not _CLEFT.match(statement)
    return not leans and len(content_stems(statement)) >= LEAST and fold(statement.split()[0]) != "that"
