"""What the comparisons ask of parsed words: which carry content, who governs them, what they govern."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from core.records import Parse, Word
from core.text.terms import terms
from core.verify.aligned.tables import TABLES

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_EMPTY = TABLES["empty"]
"""Lemmas without content of their own, or whose part the comparisons of quantity and denial take."""


def has_content(word: Word) -> bool:
    """Whether the word names a thing, an act, a quality or a figure that the other text must have too."""
    return word.pos in _CONTENT and word.lemma not in _EMPTY and any(map(str.isalnum, word.text))


def is_noun(word: Word) -> bool:
    """Whether the word is a common noun or a name."""
    return word.pos in ("NOUN", "PROPN")


def is_verb(word: Word) -> bool:
    """Whether the word is a verb that carries content."""
    return word.pos == "VERB"


@lru_cache(20000)
def stem(text: str) -> str:
    """The stem of one word, as search has it."""
    found = list(terms(text))
    return found[0].stem if len(found) == 1 else text.lower()


def children(parse: Parse, head: int) -> Iterator[int]:
    """The words whose head is the word at ``head``, in order."""
    return (at for at, word in enumerate(parse) if word.head == head and at != head)


def with_dep(parse: Parse, head: int, *deps: str) -> list[int]:
    """The children with one of these relations."""
    return [at for at in children(parse, head) if parse[at].dep in deps]


def conjuncts(parse: Parse, first: int) -> list[int]:
    """A word and all that are joined to it by "and", "or", a comma."""
    row = [first]
    for at in row:
        row += with_dep(parse, at, "conj", "appos")
    return row


def subtree(parse: Parse, head: int) -> list[int]:
    """The word and all that hang on it, in order of the text."""
    row, seen = [head], {head}
    for at in row:
        fresh = [child for child in children(parse, at) if child not in seen]
        seen.update(fresh)
        row += fresh
    return sorted(row)


def neighbours(parse: Parse, at: int) -> tuple[str, str]:
    """The lemmas of the words before and behind, without signs; "" at the ends."""
    before = next((word.lemma for word in reversed(parse[:at]) if word.pos != "PUNCT"), "")
    behind = next((word.lemma for word in parse[at + 1 :] if word.pos != "PUNCT"), "")
    return before, behind
