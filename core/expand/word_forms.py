"""Other forms of a question's words: nouns for verbs, verbs for nouns, the other spelling, singular and plural."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from core.terms import STOP_WORDS, fold

_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_ASKING = frozenset(
    [
        "does",
        "did",
        "may",
        "might",
        "must",
        "shall",
        "cannot",
        "whether",
        "many",
        "much",
        "vs",
        "versus",
        "toward",
        "towards",
        "upon",
        "among",
        "between",
        "per",
        "via",
    ]
)
_LIKE_SINGULAR = ("ss", "us", "is", "ics", "ous")


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((files("core.expand") / "word_forms.toml").read_text("utf-8"))


@cache
def generic() -> frozenset[str]:
    """Words of questions that say little about what is looked for."""
    return frozenset(_data()["generic"]["words"].split())


@cache
def base_verbs() -> frozenset[str]:
    """Verbs that are known, in their base form."""
    return frozenset([*_data()["verbs"], *_data()["plain"]["words"].split()])


@cache
def _counterparts() -> Mapping[str, str]:
    """Every form of a known verb → its noun, every form of a known noun → its verb. By forms and not by stems:
    "effective" has the stem of "effect" and is neither."""
    pairs = [(verb, noun) for verb, noun in _data()["verbs"].items() if noun not in _forms(verb)]
    to_noun = {form: noun for verb, noun in pairs for form in _forms(verb)}
    to_verb = {form: verb for verb, noun in pairs for form in (noun, _plural(noun))}
    return {**to_noun, **to_verb}


def _forms(verb: str) -> tuple[str, ...]:
    """reduce, reduces, reduced, reducing; irregular forms are not known."""
    short = verb[:-1] if verb.endswith("e") else verb
    past = verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else short + "ed"
    return verb, _plural(verb), past, short + "ing"


@cache
def _spellings() -> Mapping[str, str]:
    pairs = _data()["spelling"].items()
    return {**{british: american for american, british in pairs}, **dict(pairs)}


def words_of(text: str) -> list[str]:
    """The words as they stand, hyphenated ones whole."""
    return _WORD.findall(text)


def content_words(text: str) -> list[str]:
    """The words that say what is looked for, each once, in order."""
    kept = [word for word in words_of(text) if fold(word) not in STOP_WORDS and fold(word) not in _ASKING]
    return list({fold(word): word for word in reversed(kept)}.values())[::-1]


def without_generic(words: Sequence[str]) -> list[str]:
    """The words without those that most questions have."""
    return [word for word in words if fold(word) not in generic()]


def reformulated(words: Sequence[str]) -> list[str]:
    """Each verb that is known as its noun and each noun as its verb; the rest as it is."""
    return [_counterparts().get(word.lower(), word) for word in words]


def respelled(text: str) -> str:
    """British spelling for American, and American for British; the same text when no word has another one."""
    return _WORD.sub(lambda found: _respelled(found[0]), text)


def inflected(words: Sequence[str]) -> list[str]:
    """Plural words as singular; where there is none, the last word as plural."""
    singular = [_singular(word) for word in words]
    if singular == list(words) and words and words[-1].isascii() and words[-1].isalpha() and words[-1].islower():
        return [*words[:-1], _plural(words[-1])]
    return singular


def _respelled(word: str) -> str:
    low = word.lower()
    for ending in ("", "s", "ed", "ing"):
        base = low.removesuffix(ending) if ending and low.endswith(ending) else low
        if (ending == "") == (base == low) and base in _spellings():
            other = _spellings()[base] + ending
            return other.capitalize() if word[0].isupper() else other
    return word


def _singular(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.islower() or word.endswith(_LIKE_SINGULAR):
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "sh", "ch")) else "s")
