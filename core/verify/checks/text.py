"""Text as all checks read it: typographic variants made equal without moving any offset."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.terms import STOP_WORDS, fold, terms

_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v"
_FLAT = str.maketrans(
    {**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_DASHES, "-")}
    | dict.fromkeys(_SPACES, " ")
)
_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")
_GROUPED = re.compile(r"(?<=\d)[,.](?=\d)")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: ``text`` as written, ``key`` lower case without accents, offsets into the given text."""

    text: str
    key: str
    start: int
    end: int


def flat(text: str) -> str:
    """One form for quotation marks, dashes and spaces; the same length as ``text``, so offsets stay true."""
    return text.translate(_FLAT)


def words(text: str) -> tuple[Word, ...]:
    """Words of ``text`` in order; hyphenated words come apart, apostrophes and inner full stops stay inside."""
    return tuple(Word(m.group(), fold(m.group()), *m.span()) for m in _WORD.finditer(flat(text)))


def content_stems(text: str) -> frozenset[str]:
    """Stems of ``text`` without function words: what two sentences share if they speak of one thing."""
    return frozenset(term.stem for term in terms(text) if fold(text[term.start : term.end]) not in STOP_WORDS)


def cut(text: str, start: int, end: int) -> str:
    """The words of a span for an explanation, on one line."""
    return " ".join(text[start:end].split())
