"""The label before a statement: "Origin & Definition: …", "Network Effects – …". It names a topic and nobody."""

from __future__ import annotations

import re

from core.text.places import is_place
from core.text.verbs import finite_verb_at
from core.verify.aligned import lexicon
from core.verify.checks.names import is_nation

_LABEL = re.compile(r"\s*(?P<label>[^\W\d_][^:.!?\d\n\"\u201c\u201d]{1,80}?)(?::|\s[\u2013\u2014-])\s+")
_WORD = re.compile(r"[^\W\d_]+")
_LINKS = frozenset({"and", "of", "in", "the", "for", "to", "on", "with"})
_ABSTRACT = re.compile(r"(?:tion|ment|logy|scape|view|ness|ity|ance|ence|ism)\Z")
_MOST_WORDS = 6


def label_end(claim: str) -> int:
    """Where the statement behind a label begins; 0 where the claim has none.

    A label consists of common words. "Berlin: …" and "Karl Berg: …" name what the statement is about, and a verb
    behind the colon ("Karl Berg: designed the line") has its subject before it.
    """
    match = _LABEL.match(claim)
    if match is None:
        return 0
    words = [word.casefold() for word in _WORD.findall(match["label"])]
    topic = len(words) <= _MOST_WORDS and all(word in _LINKS or _is_common(word) for word in words)
    return match.end() if topic and finite_verb_at(claim[match.end() :]) not in (0, None) else 0


def _is_common(word: str) -> bool:
    if is_nation(word) or is_place(word):
        return False
    abstract = _ABSTRACT.search(word) and lexicon.known(word)
    return bool(abstract) or lexicon.common(word) or lexicon.common(word.removesuffix("s"))
