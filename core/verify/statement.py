"""The part of a claim that a source is asked about, without the words around it.

Three kinds of words are taken off, each by rules, because a small model takes them for part of the statement:

* A connective that joins the claim to the sentence before it: "However, …", "In addition, …". Of the supported pairs of
  FEVER-symmetric the model finds .78 supported as they stand, .32 with "For example," in front and .19 with "Overall,"
  (docs/decisions/0009). Words that say more ("as a result", "by contrast", "only") are kept.
* An attribution to the cited source, wherever it stands: "Miller et al. found that …", "…, according to the report",
  "(see The Herald)". The citation itself says so. Of the claims that it supports the model supports less than half once
  "Smith and Jones found that" stands in front (docs/decisions/0009). An attribution to anybody else ("the mayor said
  that …") is kept, because the speaker is then part of the claim. So is every form that this grammar does not know:
  words kept too often cost a person a look, words taken off too often pass a statement that nobody made.
* A comment in front of a fact: "Drought takes much of the benefit away: in August 2022 the difference
  shrank to 0.6 °C." A source is asked for the fact; it must not contradict the comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.records import Document, Span
from core.text.terms import fold
from core.text.verbs import has_finite_verb
from core.verify.about_the_source import ORGANISATION, SourceNames
from core.verify.checks.mentions import mentions
from core.verify.checks.text import content_stems

LEAST_AFTER_CONNECTIVE = 2
"""Content words that have to follow a connective."""
LEAST_OF_STATEMENT = 3
"""Content words of an attributed statement."""
LONGEST_CLAIM = 1500
"""Characters of a claim in which an attribution is looked for."""
LONGEST_COMMENT = 16
"""Words of a comment."""
LEAST_OF_FACT = 4
"""Content words of a fact."""
_JOINS = re.compile(
    r"(?:(?:However|Moreover|Furthermore|Additionally|Also|Besides|Similarly|Likewise|Indeed|Notably|Importantly|"
    r"Interestingly|Specifically|Finally|Overall|Nevertheless|Nonetheless|Still|Meanwhile|In addition|In fact|"
    r"In particular|In short|For example|For instance|Of note),|And|But|Yet) (?=\w)"
)

# fmt: off
_VERBS = (
    r"(?:finds?|found|shows?|showed|shown|reports?|reported|notes?|noted|concludes?|concluded|states?|stated|says?|said|"
    r"writes?|wrote|written|observes?|observed|estimates?|estimated|argues?|argued|claims?|claimed|maintains?|"
    r"maintained|suggests?|suggested|demonstrates?|demonstrated|reveals?|revealed|confirms?|confirmed|adds?|added|"
    r"explains?|explained|indicates?|indicated|documents?|documented|calculates?|calculated|determined|discovered|"
    r"emphasi[sz]es?|emphasi[sz]ed|stress(?:es)?|stressed|highlights?|highlighted|points? out|pointed out)"
)
_IN_ITS = (
    r"(?P<place>(?:In (?:a|an|the|this|their|his|her|its) (?:(?P<year>\d{4}) )?"
    r"(?:study|paper|report|review|article|analysis|blog|book|story|piece|survey|press release),? )?)"
)
# fmt: on
_SURE = r"(?:(?:also|further|clearly|consistently|explicitly) )?"
_AS_SAID = (
    r"(?:according to|per|as (?:reported|noted|shown|described|documented|found|discussed|stated|explained|quoted|"
    r"cited|mentioned|detailed|outlined|told|covered|published) (?:by|in|at|on|to))"
)
_WHERE = r"(?: in (?:(?:its|his|her|their) [a-z]+|(?:[a-z]+ )?(?P<when>\d{4})))?"
_WHO = r"[^;:\n]{2,120}?"
_THAT = re.compile(
    rf"{_IN_ITS}(?P<who>{_WHO}) {_SURE}(?:(?:has|have) )?{_SURE}{_VERBS}{_WHERE} that "
    r"(?!(?:the )?(?:same )?(?:year|month|week|day|time)\b)",
    re.IGNORECASE,
)
_ACCORDING = re.compile(rf"(?P<how>{_AS_SAID}) (?P<who>{_WHO}), ", re.IGNORECASE)
_AS_THEY = re.compile(rf"as (?P<who>{_WHO}) {_VERBS}, ", re.IGNORECASE)
_BY_WHOM = (
    rf"(?P<how>{_AS_SAID}) (?P<to>{{who}})|as (?P<they>{{who}}) {_VERBS}|(?:says|said) (?P<by>{{who}})|"
    rf"(?P<who>{{who}}) {_VERBS}"
)
_TAIL = re.compile(
    rf"(?:, (?:{_BY_WHOM.format(who='[^;:,]{2,120}?')}){_WHERE}| (?P<how2>{_AS_SAID}) (?P<to2>[^;:,]{{2,120}}?)|"
    r" [\u2013\u2014-] (?P<dash>[^;:,]{2,120}?))[ .!]*\Z",
    re.IGNORECASE,
)
_MIDDLE = re.compile(rf", (?:{_BY_WHOM.format(who='[^;:,()]{2,80}?')}),(?= )", re.IGNORECASE)
_BRACKET = re.compile(
    rf" ?[(\[](?:(?:see(?: also)?|sources?|via|cf\.|in|from|reported by|quoted in|{_AS_SAID}):? )?"
    r"(?P<who>[^()\[\]\n;]{2,120}?)(?:, (?P<year>\d{4})[a-z]?)?[)\]]",
    re.IGNORECASE,
)
_NESTED = re.compile(rf"\b{_VERBS} that\b|\baccording to\b", re.IGNORECASE)
_PERSONS = frozenset({"he", "she", "they", "it"})
_OWNER = re.compile(rf"the (?:{ORGANISATION})", re.IGNORECASE)
_LEANS = re.compile(r"(?:it|its|he|his|she|her|they|their|him|them|this|these|those|such)\b", re.IGNORECASE)
_CLEFT = re.compile(r"it (?:is|was) \S.* that ", re.IGNORECASE)
"""A sentence whose "it" stands for nothing: "it is the second summer that kills"."""

_COLON = re.compile(r"(?<!\d):\s+(?=\S)")
_SPECIFIC = re.compile(r"[\d%\"\u201c\u201d\u00ab\u00bb]")
_QUOTE = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]")
_POINTS_BACK = re.compile(r"\b(?:it|its|they|their|them|there|this|these|those|he|she|his|her)\b", re.IGNORECASE)
"""Pronouns of a fact whose noun may stand in the comment alone."""
_SAYS = re.compile(
    r"\b(?:says?|said|writes?|wrote|states?|stated|argues?|argued|adds?|added|warns?|warned|finds?|found|shows?|showed"
    r"|concludes?|concluded|reports?|reported|asks?|asked|following|namely|include[sd]?|are|is|were|was)\Z"
)
"""Words behind which a colon goes on with the same sentence."""


def after_connective(claim: str) -> int:
    """The offset behind a connective at the head of the claim; 0 without one."""
    match = _JOINS.match(claim)
    if match is None or len(content_stems(claim[match.end() :])) < LEAST_AFTER_CONNECTIVE:
        return 0
    return match.end()


@dataclass(frozen=True, slots=True)
class Statement:
    """The words of a claim that are asked about; character ``i`` of ``text`` stands at ``places[i]`` in the claim."""

    text: str
    places: tuple[int, ...]

    def in_claim(self, span: Span) -> Span:
        """A stretch of the text, not empty, as offsets into the claim."""
        return self.places[span[0]], self.places[span[1] - 1] + 1

    def without(self, start: int, end: int) -> Statement:
        """The statement without a stretch of its text."""
        return Statement(self.text[:start] + self.text[end:], self.places[:start] + self.places[end:])


def statement_of(claim: str, document: Document, names: Sequence[str] | None = None) -> Statement:
    """The claim without the words that only name its source: in front, behind, in brackets or between commas.

    Args:
        names: authors and year of the source according to the report that cites it. None where the claim cites no
            source, so that "the study" may be any.
    """
    statement = Statement(claim, tuple(range(len(claim))))
    if len(claim) > LONGEST_CLAIM or re.search(r"\s\s|[^\S ]", claim):
        return statement
    source = SourceNames.of(document, names)
    for pattern in (_BRACKET, _MIDDLE):
        for match in reversed(list(pattern.finditer(statement.text))):
            rest = statement.without(*match.span())
            if source.is_source(*_speaker(match), titled=_names_a_work(match)) and _enough(rest.text):
                statement = rest
    for start, end, who, year, titled in _frames(statement.text):
        if _states(statement.text[start:end]) and source.is_source(who, year, titled=titled):
            return Statement(statement.text[start:end], statement.places[start:end])
    return statement


def attribution_note(claim: str, statement: Statement) -> str:
    """A sentence for the user about the words outside the statement."""
    kept = set(statement.places)
    words = "".join(char if at not in kept else "\0" for at, char in enumerate(claim))
    parts = [part.strip(" ,.!()[]") for part in re.split("\0+", words)]
    left_out = " \u2026 ".join(filter(None, parts))
    return f"Asked without \u201c{left_out}\u201d, which names the source itself."


def _speaker(match: re.Match[str]) -> tuple[str, str]:
    """Who is named, and a year beside the name or ""."""
    more = match.groupdict()
    named = (more.get(key) for key in ("to", "to2", "they", "by", "dash", "who"))
    return next((who for who in named if who), ""), more.get("year") or more.get("when") or ""


def _names_a_work(match: re.Match[str]) -> bool:
    """True where the name may be a title: in brackets, behind "as noted in" or "at"."""
    more = match.groupdict()
    how = more.get("how") or more.get("how2") or ""
    return match.re is _BRACKET or how.lower().endswith((" in", " at", " on"))


def _frames(claim: str) -> Iterator[tuple[int, int, str, str, bool]]:
    """The readings of a claim as an attributed statement, the likeliest first: (start, end, speaker, year or "",
    whether the speaker may be a title)."""
    for pattern in (_THAT, _ACCORDING, _AS_THEY):
        if match := pattern.match(claim):
            more = match.groupdict()
            own = more.get("place") and (more["who"] in _PERSONS or _OWNER.fullmatch(more["who"]))
            who = f"{more['place']}{more['who']}" if own else more["who"]
            yield match.end(), len(claim), who, more.get("year") or more.get("when") or "", _names_a_work(match)
    if match := _TAIL.search(claim):
        yield 0, match.start(), *_speaker(match), _names_a_work(match)


def _enough(statement: str) -> bool:
    return len(content_stems(statement)) >= LEAST_OF_STATEMENT


def _states(statement: str) -> bool:
    """True when a statement can be judged alone: it has enough words, no further attribution, and no pronoun at its
    head whose noun was taken off."""
    if not statement[:1].isalnum() or _NESTED.search(statement):
        return False
    leans = _LEANS.match(statement) and not _CLEFT.match(statement)
    return not leans and _enough(statement) and fold(statement.split()[0]) != "that"


def fact_of(claim: str) -> Span:
    """The span of the fact behind a comment; the whole claim where there is no comment.

    A comment is one short statement without figures, names or quotations of its own. A fact is a statement with a
    figure, a date or a name.
    """
    whole = 0, len(claim)
    colons = list(_COLON.finditer(claim))
    if len(colons) != 1:
        return whole
    comment, fact = claim[: colons[0].start()].strip(), claim[colons[0].end() :]
    general = _SPECIFIC.search(comment) is None and not _SAYS.search(comment) and not mentions(comment, fact)
    if not general or len(comment.split()) > LONGEST_COMMENT or not has_finite_verb(comment):
        return whole
    concrete = any(map(str.isdigit, fact)) or any(mention.sure for mention in mentions(fact, comment))
    if (
        not concrete
        or _QUOTE.search(fact)
        or _POINTS_BACK.search(fact)
        or len(content_stems(fact)) < LEAST_OF_FACT
        or not has_finite_verb(fact)
    ):
        return whole
    return colons[0].end(), len(claim)
