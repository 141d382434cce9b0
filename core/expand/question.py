"""A question as it is expanded, and the parts that all its variants share."""

import re
from collections.abc import Collection, Iterable

from core.errors import QueryError
from core.labels import QueryKind
from core.records import Variant
from core.text.terms import fold

MAX_QUESTION_CHARS = 2000
"""The longest text that a search takes (``core.retrieve.search``); a longer one is refused."""
WEB_CHARS = 300
"""The longest web query: providers refuse more than about 400 characters."""

_WORD = re.compile(r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)|\w+")
_AGAIN = re.compile(r"(?<!\S)(\S+)(?: \1(?!\S))+")
_TIMES = re.compile(r"(?<!\S)(\S+) \u00d7(\d{1,2})(?!\S)")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]+")


def checked_question(question: str) -> str:
    """The question on one line, without control characters. Raises QueryError: it is empty, or has over 2,000
    characters."""
    text = one_line(question)
    if not text:
        raise QueryError("The question is empty. Type a question or a few words.")
    if len(text) > MAX_QUESTION_CHARS:
        raise QueryError(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION_CHARS:,} can be searched. "
            f"Shorten it: it begins {text[:60]!r}."
        )
    return text


def one_line(text: str) -> str:
    """White space as single spaces, control characters and halves of surrogate pairs left out."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut at a word border where one is there."""
    if len(text) <= limit:
        return text
    head = text[: limit + 1]
    space = head.rfind(" ")
    return (head[:space] if space > 0 else head[:limit]).rstrip()


def same(text: str) -> tuple[str, ...]:
    """The key by which two texts are the same query: their words, folded, in order. For a text without words (emoji),
    its characters."""
    return tuple(fold(word) for word in _WORD.findall(text)) or tuple(text.split())


def counted(text: str) -> str:
    """The text as people read it: a word that stands several times in a row stands once, with its count (``plumes
    \u00d73``)."""
    return _AGAIN.sub(lambda run: f"{run[1]} \u00d7{len(run[0].split())}", text)


def repeated(text: str) -> str:
    """The inverse of ``counted``: the text as the index reads it, where repeats carry weight."""
    return _TIMES.sub(lambda word: " ".join([word[1]] * max(1, int(word[2]))), text)


def original(question: str) -> Variant:
    return Variant("original", QueryKind.ORIGINAL, question, cut(question, WEB_CHARS), why="the question itself")


def manual(text: str, others: Iterable[Variant]) -> Variant:
    """A variant that a person adds, with a key that none of the ``others`` has (QueryError as for a question)."""
    clean = checked_question(text)
    key = free_key(QueryKind.MANUAL, {other.key for other in others})
    return Variant(key, QueryKind.MANUAL, clean, cut(clean, WEB_CHARS), why="added by hand", edited=True)


def free_key(kind: QueryKind, taken: Collection[str]) -> str:
    """A key of this kind that is not taken: ``manual-1``, ``manual-2``…"""
    return next(key for at in range(1, len(taken) + 2) if (key := f"{kind.value}-{at}") not in taken)


def distinct(question: str, variants: Iterable[Variant]) -> list[Variant]:
    """The variants without those that say the same words as the question or as an earlier one."""
    seen = {same(question)}
    different = []
    for variant in variants:
        words = same(variant.text)
        if words and words not in seen:
            seen.add(words)
            different.append(variant)
    return different
