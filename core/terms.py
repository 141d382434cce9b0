"""The one tokenizer of all keyword engines: FTS5, rank-bm25, highlighting, coverage.

Recipe: NFKC, lower case, runs of letters and digits, English stop words out, Snowball English stems
(Porter 2). Runs of Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer or Burmese, which are written
without spaces, give overlapping character pairs.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import Stemmer

STOP_WORDS: frozenset[str] = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing down during each few for from further had has have having he her here hers him his
    how i if in into is it its itself just me more most my no nor not of off on once only or other our out over own
    same she should so some such than that the their them then there these they this those through to too under until
    up very was we were what when where which while who whom why will with would you your""".split()
)

_UNSPACED = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\U00020000-\U0002fa1f"
)
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
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


def terms(text: str) -> Iterator[Term]:
    """Index terms of ``text`` in order, with their offsets."""
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = unicodedata.normalize("NFKC", match.group()).lower()
        if _UNSPACED_RUN.fullmatch(match.group()):
            for at in range(start, max(start + 1, end - 1)):
                yield Term(text[at : min(end, at + 2)], at, min(end, at + 2))
        elif word not in STOP_WORDS:
            yield Term(_stem(word), start, end)


def index_terms(text: str) -> list[str]:
    """Stems of ``text`` in order, repeats kept."""
    return [term.stem for term in terms(text)]
