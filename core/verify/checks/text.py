"""Text as all checks read it: typographic variants made equal without moving any offset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.text.terms import STOP_WORDS, fold, terms

_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v"
_FLAT = str.maketrans(
    {**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_DASHES, "-")}
    | dict.fromkeys(_SPACES, " ")
)
_RAISED_POINT = re.compile(r"(?<=\d)\u00b7(?=\d)")
"""The decimal point of some journals: "11·9 million"."""
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
    """One form for quotation marks, dashes and spaces; the same length as ``text``, so offsets stay true."""
    return _RAISED_POINT.sub(".", text.translate(_FLAT))


def words(text: str) -> tuple[Word, ...]:
    """Words of ``text`` in order; hyphenated words come apart, apostrophes and inner full stops stay inside."""
    return tuple(Word(m.group(), fold(m.group()), *m.span()) for m in _WORD.finditer(flat(text)))


def content_stems(text: str) -> frozenset[str]:
    """Stems of ``text`` without function words: what two sentences share if they speak of one thing."""
    return frozenset(stems(text))


def stems(text: str) -> tuple[str, ...]:
    """As ``content_stems``, in order; past forms of common irregular verbs count as their base."""
    found = ((term.stem, fold(text[term.start : term.end])) for term in terms(text))
    return tuple(_BASES.get(word, stem) for stem, word in found if word not in STOP_WORDS)


def cut(text: str, start: int, end: int) -> str:
    """The words of a span for an explanation, on one line."""
    return " ".join(text[start:end].split())
