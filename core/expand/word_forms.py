"""Other forms of a question's words: nouns for verbs, verbs for nouns, the other spelling, singular and plural."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from core.text.terms import STOP_WORDS, fold

_WORD = re.compile(r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)|[^\W_]+(?:[-'’.][^\W_]+)*")
"""C++ and C# are words of their own."""
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


_ONE_NUMBER = frozenset(["news", "series", "species", "means", "physics", "always", "across", "plus", "mathematics"])
"""Words that end like plurals and are none: without the end they are no word, or another one."""


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((files("core.expand") / "word_forms.toml").read_text("utf-8"))


@cache
def generic() -> frozenset[str]:
    """Words of questions that say little about what is looked for."""
    return frozenset(_data()["generic"]["words"].split())


@cache
def base_verbs() -> frozenset[str]:
    """The verbs of the data file, in their base form."""
    return frozenset([*_data()["verbs"], *_data()["plain"]["words"].split()])


@cache
def _counterparts() -> Mapping[str, str]:
    """Every form of a known verb → its noun, every form of a known noun → its verb. By forms and not by stems:
    "effective" has the stem of "effect" and is neither."""
    pairs = [(verb, noun) for verb, noun in _data()["verbs"].items() if noun not in _forms(verb)]
    to_noun = {form: noun for verb, noun in pairs for form in _forms(verb)}
    to_verb = {form: verb for verb, noun in pairs for form in (noun, with_s(noun))}
    return {**to_noun, **to_verb}


def _forms(verb: str) -> tuple[str, ...]:
    """The regular forms of a verb: reduce, reduces, reduced, reducing."""
    short = verb[:-1] if verb.endswith("e") else verb
    past = verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else short + "ed"
    return verb, with_s(verb), past, short + "ing"


@cache
def _spellings() -> Mapping[str, str]:
    pairs = _data()["spelling"].items()
    return {**{british: american for american, british in pairs}, **dict(pairs)}


def words_of(text: str) -> list[str]:
    """The words as they stand, hyphenated ones whole."""
    return _WORD.findall(text)


def content_words(text: str) -> list[str]:
    """The words that say what is looked for, each once, in order."""
    words = [word for word in words_of(text) if fold(word) not in STOP_WORDS and fold(word) not in _ASKING]
    return list({fold(word): word for word in reversed(words)}.values())[::-1]


def without_generic(words: Sequence[str]) -> list[str]:
    """The words without those that most questions have."""
    return [word for word in words if fold(word) not in generic()]


def reformulated(words: Sequence[str]) -> list[str]:
    """Each verb that is known as its noun and each noun as its verb; the rest as it is."""
    return [_counterparts().get(word.lower(), word) for word in words]


def what_is_asked(question: str, words: Sequence[str]) -> str:
    """The name of the answer and the content words: "amount of water trees need" for "How much water do trees need?";
    "" for a text that does not begin like a question."""
    names = _data()["asked"]
    begin = [fold(word) for word in words_of(question)[:2]]
    for size in (2, 1):
        named = names.get(" ".join(begin[:size])) if len(begin) >= size else None
        if named:
            second = begin[1] if size == 2 else ""
            rest = [word for at, word in enumerate(words) if at or fold(word) != second]
            return " ".join([named, *rest]) if rest else ""
    return ""


def turned(words: Sequence[str]) -> list[str]:
    """The last word first, as a noun that the others describe often stands there; one word stays."""
    return [words[-1], *words[:-1]] if len(words) > 1 else list(words)


def respelled(text: str) -> str:
    """British spelling for American, and American for British; the same text when no word has another one."""
    return _WORD.sub(lambda match: _respelled(match[0]), text)


def inflected(words: Sequence[str], vocabulary: Collection[str] = ()) -> list[str]:
    """Each word in its other number, where that is a word: in the data file, or in the ``vocabulary``, the words that
    the project's sources use, in lower case."""
    return [_other_number(word, vocabulary) for word in words]


def _other_number(word: str, vocabulary: Collection[str]) -> str:
    if not (word.isascii() and word.isalpha() and word.islower()):
        return word
    for other in (*_singulars(word), *_plurals(word)):
        if other in vocabulary or other in _nouns():
            return other
    return word


def _singulars(word: str) -> tuple[str, ...]:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss") or word in _ONE_NUMBER:
        return ()
    of_y = (word[:-3] + "y",) if word.endswith("ies") else ()
    of_es = (word[:-2],) if word.endswith("es") else ()
    return (*of_y, *of_es, word[:-1])


def _plurals(word: str) -> tuple[str, ...]:
    return () if len(word) < 3 or word.endswith("ss") else (with_s(word),)


@cache
def _nouns() -> frozenset[str]:
    """The nouns of the data file that count, one and many."""
    counted = _data()["countable"]["words"].split()
    return frozenset([*counted, *map(with_s, counted)])


def _respelled(word: str) -> str:
    low = word.lower()
    for ending in ("", "s", "ed", "ing"):
        base = low.removesuffix(ending) if ending and low.endswith(ending) else low
        if (ending == "") == (base == low) and base in _spellings():
            other = _spellings()[base] + ending
            if _spellings()[base].endswith("e") and ending in ("ed", "ing"):  # no "centreed"
                return word
            return other.capitalize() if word[0].isupper() else other
    return word


def with_s(word: str) -> str:
    """A noun's regular plural, a verb's third person: policies, boxes, varies."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "sh", "ch")) else "s")
