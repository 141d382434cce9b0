"""The one tokenizer of all keyword engines: FTS5, rank-bm25, highlighting, coverage.

Recipe, that of bm25s and the BEIR tables (Lu 2024, "BM25S"): NFKC, lower case, words of two or more
letters and digits, Lucene's 33 English stop words out, Snowball English stems (Porter 2). Beside it:
accents and letters with strokes are folded ("cafe" finds "café", "lodz" finds "Łódź"), a single Greek letter is a word
(the β of IL-1β), and runs of scripts that are written without spaces (Han,
Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Burmese) give overlapping character pairs; a letter
with ++ or # behind it (C++, C#) is a word.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import Stemmer

INDEX_STOP_WORDS: frozenset[str] = frozenset(
    """a an and are as at be but by for if in into is it no not of on or such that the their then there these they
    this to was will with""".split()  # noqa: SIM905 - reads as words
)
"""Lucene's English stop words: what the keyword index leaves out."""

STOP_WORDS: frozenset[str] = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing down during each few for from further had has have having he her here hers him his
    how i if in into is it its itself just me more most my no nor not of off on once only or other our out over own
    same she should so some such than that the their them then there these they this those through to too under until
    up very was we were what when where which while who whom why will with would you your""".split()  # noqa: SIM905
)
"""English function words: what does not count as content of a question."""

_UNSPACED = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\U00020000-\U0002fa1f"
)
# Signs that stand inside a word though Python's \w leaves them out: combining accents, Hebrew points, Arabic
# vowel signs, the vowel signs of the Indic scripts (whose blocks hold one punctuation pair), soft hyphens, joiners.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670\u00ad\u200c\u200d"
_INNER = _MARKS + "\u0900-\u0963\u0966-\u0dff"
_LETTER_AND_SIGNS = r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)"
_WORD = re.compile(rf"{_LETTER_AND_SIGNS}|[{_UNSPACED}]+|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_INNER}])*")
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
_FOLDED_AWAY = re.compile(f"[{_MARKS}]+")
# Letters that Unicode does not take apart: with strokes, joined ones, and those that Lucene's normalizers for Arabic
# and Persian unify (final and Persian forms, the sign that stretches a word).
_FOLDED = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
    "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "",
})  # fmt: skip
_GREEK = re.compile("[\u03b1-\u03c9]")
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Term:
    """One index term and where it stands: ``start``/``end`` are offsets into the given text."""

    stem: str
    start: int
    end: int


def _stem(word: str) -> str:
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:  # PyStemmer objects are not safe to share between threads
        stemmer = _local.stemmer = Stemmer.Stemmer("english")
    return str(stemmer.stemWord(word))


def fold(word: str) -> str:
    """Lower case without accents, compatibility forms unified: ``Ｃafé`` and ``cafe`` are one word."""
    if word.isascii():
        return word.lower()
    return _FOLDED_AWAY.sub("", unicodedata.normalize("NFKD", word).casefold()).translate(_FOLDED)


def terms(text: str) -> Iterator[Term]:
    """Index terms of ``text`` in order, with their offsets."""
    for match in _WORD.finditer(text):
        start, end = match.span()
        if _UNSPACED_RUN.fullmatch(match.group()):
            for at in range(start, max(start + 1, end - 1)):
                pair = text[at : min(end, at + 2)]
                yield Term(unicodedata.normalize("NFKC", pair), at, at + len(pair))
        else:
            word = fold(match.group())
            if (len(word) > 1 and word not in INDEX_STOP_WORDS) or _GREEK.fullmatch(word):
                yield Term(_stem(word), start, end)


def index_terms(text: str) -> list[str]:
    """Stems of ``text`` in order, repeats kept."""
    return [term.stem for term in terms(text)]


def stored_terms(text: str) -> list[str]:
    """What an index keeps of ``text``: its terms, and the last sign of each run that is written without spaces. Every
    sign then begins a term, so that a query of one sign is found as the beginning of terms (``is_sign``)."""
    ends = (match.group()[-1] for match in _UNSPACED_RUN.finditer(text) if len(match.group()) > 1)
    return [*index_terms(text), *(unicodedata.normalize("NFKC", sign) for sign in ends)]


def is_sign(term: str) -> bool:
    """Whether a term is a single sign of a script that is written without spaces."""
    return len(term) == 1 and _UNSPACED_RUN.fullmatch(term) is not None


def telling_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that say something; empty where none does."""
    return frozenset(term.stem for term in terms(text) if fold(text[term.start : term.end]) not in STOP_WORDS)


def names_by_a_letter(text: str) -> bool:
    """Whether a single letter or digit may be what ``text`` is about ("What is R?"): the keyword index leaves these
    out, so they can be looked for by meaning only. "a" and "I" are function words."""
    return any(
        len(word) == 1 and (word.isdigit() or fold(word) not in INDEX_STOP_WORDS | STOP_WORDS) and not index_terms(word)
        for word in _WORD.findall(text)
    )
