"""What words mean beside each other: the same, broader, opposite.

Data: WordNet 3.1 (Fellbaum 1998), by ``tools.lexicon``. Words are lemmas in lower case; unknown words
have no relation to any other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from core.verify.aligned.tables import TABLES

_FILE = Path(str(resources.files("core"))) / "weights" / "lexicon.tsv.zst"
LEVELS = 7
"""Steps up to a broader sense that still name the same thing: beyond them everything is an "entity"."""
_QUALITY = re.compile(r"(?:able|ible|ive|al|ent|ant|ate|ous|ic|ful|ed|ing|ly|ar|ct|ite|rse|ure)\Z")
_MAKING = re.compile(r"(?:ate|ation|[iy][sz]e|[iy][sz]ation|ify|ification)\Z")
_PREFIXES = {
    **dict.fromkeys(("un", "dis", "non", "non-", "mis"), re.compile("")),
    **dict.fromkeys(("in", "im", "ir", "il"), _QUALITY), "de": _MAKING,
}  # fmt: skip
"""Prefixes that deny what follows, with the endings of the words that they do so before: "inactive", not "inform"."""
_PAIRED = (("hyper", "hypo"), ("over", "under"), ("pre", "post"), ("pro", "anti"), ("up", "down"), ("intra", "extra"))


class _Lexicon:
    def __init__(self) -> None:
        import zstandard

        self.senses: dict[str, str] = {}
        self.broader: dict[str, str] = {}
        self.opposites: defaultdict[str, set[str]] = defaultdict(set)
        text = zstandard.ZstdDecompressor().decompress(_FILE.read_bytes()).decode()
        for line in text.splitlines():
            kind, first, second = line.split("\t")
            if kind == "w":
                self.senses[first] = second
            elif kind == "b":
                self.broader[first] = second
            else:
                self._opposite(first, second)
        self.kinds = {above for senses in self.broader.values() for above in senses.split()}
        for pair in TABLES["opposites"]:
            self._opposite(*pair.split("/"))

    def _opposite(self, first: str, second: str) -> None:
        self.opposites[first].add(second)
        self.opposites[second].add(first)


@cache
def _lexicon() -> _Lexicon:
    return _Lexicon()


def known(word: str) -> bool:
    """Whether the lexicon has the word."""
    return word in _lexicon().senses


def common(word: str) -> bool:
    """Whether a word is no mere name: it may be a verb or an adjective, or some kind of thing has it as its name."""
    return any(sense[0] in "avr" or sense in _lexicon().kinds for sense in _senses(word))


def may_be_verb(word: str) -> bool:
    """Whether the lexicon has the word as a verb, too."""
    return any(sense[0] == "v" for sense in _senses(word))


def _senses(word: str) -> frozenset[str]:
    return frozenset(_lexicon().senses.get(word, "").split())


@lru_cache(20000)
def same(first: str, second: str) -> bool:
    """Whether two words share a frequent sense ("doctor", "physician")."""
    return first == second or bool(_senses(first) & _senses(second))


@lru_cache(20000)
def broader(word: str, than: str) -> bool:
    """Whether ``word`` names a kind that ``than`` is one of ("animal", "mouse"): what is said of the second, the first
    may say."""
    wanted = _senses(word)
    return bool(wanted) and any(wanted & ancestors for ancestors in map(_ancestors, _senses(than)))


def _ancestors(sense: str) -> set[str]:
    found: set[str] = set()
    level = {sense}
    for _ in range(LEVELS):
        level = {above for below in level for above in _lexicon().broader.get(below, "").split()}
        found |= level
    return found


@lru_cache(20000)
def opposite(first: str, second: str) -> bool:
    """Whether two words say the contrary of each other: by the lexicon, or by a prefix ("active", "inactive")."""
    if first == second or same(first, second):
        return False
    if second in _lexicon().opposites[first]:
        return True
    return any(_by_prefix(a, b) for a, b in ((first, second), (second, first)))


def _by_prefix(word: str, bare: str) -> bool:
    denying = (prefix + bare for prefix, ending in _PREFIXES.items() if ending.search(bare))
    if len(bare) > 3 and word not in TABLES["no_denial"] and word in denying:
        return known(bare)
    return any(len(word) > 6 and word.startswith(one) and bare == other + word[len(one) :] for one, other in _PAIRED)
