"""Text in the form that all checks read: typographic variants are equal, and no offset moves. Also the words that claim
and evidence share: a long passage also has negations and numbers of other things."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.records import Span
from core.text.sentences import sentence_spans
from core.text.terms import STOP_WORDS, fold, terms

_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v"
_FLAT = str.maketrans(
    {**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_DASHES, "-")}
    | dict.fromkeys(_SPACES, " ")
)
_RAISED_POINT = re.compile(r"(?<=\d)\u00b7(?=\d)(?!10[\^*\u00b2\u00b3\u00b9\u2070-\u207b])")
"""The decimal point of some journals: "11·9 million", not "3·10⁶"."""
_SHARE = 0.5
_BESIDE = 40
_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")
_IRREGULAR = """
win won, write wrote written, make made making, take took taken taking, go went gone,
give gave given giving, come came coming, become became becoming, begin began begun, know knew known,
grow grew grown, see saw seen, get got gotten, find found, hold held, lead led, leave left,
lose lost losing, meet met, pay paid, run ran running, say said, sell sold, send sent, sing sang sung,
speak spoke spoken, spend spent, stand stood, teach taught, tell told, think thought, bring brought,
build built, buy bought, catch caught, choose chose chosen, draw drew drawn, drive drove driven,
eat ate eaten, fall fell fallen, fight fought, fly flew, rise rose risen, show shown, swim swam,
throw threw thrown, wear wore worn, bear born bore, play played, die died dying
"""
_BASES = {
    form: forms[0] for forms in (entry.split() for entry in _IRREGULAR.replace("\n", " ").split(",")) for form in forms
}


@dataclass(frozen=True, slots=True)
class Word:
    """One word: ``text`` as written, ``key`` lower case without accents, offsets into the given text."""

    text: str
    key: str
    start: int
    end: int


@lru_cache(maxsize=4)  # every sentence of a long passage asks for the form of the whole
def flat(text: str) -> str:
    """``text`` with one form of quotation marks, dashes and spaces, at equal length, so that offsets stay true."""
    return _RAISED_POINT.sub(".", text.translate(_FLAT))


@lru_cache(maxsize=256)
def in_latin(key: str) -> str:
    """A folded word with Greek letters written out: "tnfα" is "tnfalpha"."""
    if key.isascii():
        return key
    names = ((char, unicodedata.name(char, "")) for char in key)
    return "".join(
        name.rpartition(" ")[2].lower() if name.startswith("GREEK SMALL LETTER") else char for char, name in names
    )


def words(text: str) -> tuple[Word, ...]:
    """The words of ``text`` in order. Hyphenated words are split; apostrophes and inner full stops are kept."""
    return tuple(Word(m.group(), fold(m.group()), *m.span()) for m in _WORD.finditer(flat(text)))


def content_stems(text: str) -> frozenset[str]:
    """The stems of ``text`` without function words: two sentences about one thing share them."""
    return frozenset(stems(text))


def stems(text: str) -> tuple[str, ...]:
    """The content stems of ``text`` in order; past forms of common irregular verbs count as their base."""
    pairs = ((term.stem, fold(text[term.start : term.end])) for term in terms(text))
    return tuple(_BASES.get(word, stem) for stem, word in pairs if word not in STOP_WORDS)


def cut(text: str, start: int, end: int) -> str:
    """The words of a span for an explanation, on one line."""
    return " ".join(text[start:end].split())


def relevant_spans(claim: str, evidence: str, share: float = _SHARE) -> list[Span]:
    """The sentences of ``evidence`` with at least ``share`` times as many words of ``claim`` as the best has."""
    wanted = content_stems(claim)
    scored = [(len(wanted & content_stems(evidence[a:b])), (a, b)) for a, b in sentence_spans(evidence)]
    best = max((score for score, _ in scored), default=0)
    return [span for score, span in scored if score and score >= share * best] or [span for _, span in scored]


def coverage(claim: str, evidence: str, without: Sequence[Span] = ()) -> float:
    """The share of the content stems of ``claim``, without the spans ``without``, that the evidence has; 0 to 1.

    The share is 1 where nothing is left of the claim. A difference is worth a veto only between two texts about one
    thing.
    """
    rest, at = [], 0
    for start, end in sorted(without):
        rest.append(claim[at:start])
        at = max(at, end)
    wanted = content_stems(" ".join([*rest, claim[at:]]))
    return len(wanted & content_stems(evidence)) / len(wanted) if wanted else 1.0


def alongside(claim: str, mine: Sequence[Span], evidence: str, theirs: Sequence[Span]) -> bool:
    """True when a content word stands beside both a span of the claim and one of the evidence: they fill one place."""
    beside = frozenset().union(*(_around(claim, span) for span in mine))
    return any(beside & _around(evidence, span) for span in theirs)


def _around(text: str, span: Span) -> frozenset[str]:
    start, end = span
    left, right = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    left = left if start <= _BESIDE else left.partition(" ")[2]
    right = right if end + _BESIDE >= len(text) else right.rpartition(" ")[0]
    return content_stems(left) | content_stems(right)
