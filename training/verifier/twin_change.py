"""Changes: one difference put into a sentence, and what it makes of the label.

A rule reads a sentence and offers changed ones. With the sentence S and the changed one T as evidence and claim, four
pairs follow (``training.verifier.twins``): S says S, T says T, and what the kind tells of the two crossings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

OPPOSITE, OTHER, STRONGER = "opposite", "other", "stronger"
"""T contradicts S and S contradicts T; neither supports the other; T says more than S, so that T supports S."""


@dataclass(frozen=True, slots=True)
class Change:
    """A changed sentence. ``new`` are the words that were put in (empty where words only changed places)."""

    text: str
    rule: str
    kind: str
    new: str = ""


Rule = Callable[[str], Iterator[Change]]
_DENIED = re.compile(
    r"\b(?:not?|never|neither|nor|none|without|cannot|fail\w*|lack\w*|unlikely|un(?:changed|affected|related))\b|n't\b|"
    r"\b(?:differ\w*|similar\w*|comparable|equal\w*|same|whether|if|unclear|unknown)\b",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"\b(?:aim\w*|objectives?|purpose|whether|hypothes\w+|sought|goal|investigated|evaluated|examined|assessed|"
    r"question|(?:were|was) (?:included|randomi[sz]ed|asked|measured|recruited|enrolled|studied|performed|reviewed))\b|"
    r"\A(?:To|In order to|We (?:studied|compared|measured|used|performed|conducted|reviewed))\b|\?",
    re.IGNORECASE,
)


def denied(sentence: str) -> bool:
    """Whether the sentence denies something or speaks of sameness: a reversed word need not make it false there."""
    return bool(_DENIED.search(sentence))


def aims(sentence: str) -> bool:
    """Whether the sentence says what was to be found out or how, and not what was found."""
    return bool(_AIM.search(sentence))


def alike(new: str, old: str) -> str:
    """``new`` with the capital letter of ``old``."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def replaced(sentence: str, table: Mapping[str, str], rule: str, kind: str) -> Iterator[Change]:
    """The sentence with each phrase of ``table`` that stands in it once replaced, one at a time.

    A phrase whose replacement stands there too is left: "from low to high" says the same the other way round.
    """
    pattern, first = _pattern(table)
    if first.isdisjoint(_WORDS.findall(sentence.lower())):
        return  # the long pattern would take a millisecond to say so
    for match in pattern.finditer(sentence):
        old = match.group()
        new = table[old.lower()]
        if old[0].isupper() and match.start():
            continue  # part of a name: "Niagara Falls", "Best Director"
        if _once(old, sentence) and not _there(new, sentence):
            text = f"{sentence[: match.start()]}{alike(new, old)}{sentence[match.end() :]}"
            yield Change(with_article(text, match.start(), new), rule, kind, new)


_WORDS = re.compile(r"[\w-]+")
_PATTERNS: dict[int, tuple[re.Pattern[str], frozenset[str]]] = {}


def _pattern(table: Mapping[str, str]) -> tuple[re.Pattern[str], frozenset[str]]:
    """Pattern of all phrases of a table, and their first words."""
    key = id(table)
    if key not in _PATTERNS:
        longest_first = sorted(table, key=len, reverse=True)
        pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)
        _PATTERNS[key] = pattern, frozenset(_WORDS.findall(phrase)[0] for phrase in table)
    return _PATTERNS[key]


def _once(phrase: str, sentence: str) -> bool:
    return len(re.findall(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE)) == 1


def _there(phrase: str, sentence: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE))


def with_article(text: str, at: int, new: str) -> str:
    """The text with "a" or "an" as the word at ``at`` wants it."""
    match = re.search(r"\b([Aa])n? \Z", text[:at])
    if match is None:
        return text
    wanted = "an" if re.match(r"[aeioAEIO]|8|11|18\b|un(?!i)|u[lmnprst]", new) else "a"
    return f"{text[: match.start()]}{alike(wanted, match[1])} {text[at:]}"
