"""Which word of a sentence stands for which word of a claim.

Greedy and one to one, best first (after Sultan, Bethard & Sumner 2014, "Back to Basics for Monolingual Alignment"): the
same word before a word of the same meaning, and of equal ones the one whose neighbours correspond as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.records import Parse, Word
from core.verify.aligned import lexicon
from core.verify.aligned.words import has_content, is_noun, stem

SAME_WORD, SAME_MEANING, KIND_OF = 1.0, 0.7, 0.6
"""Weights of a pair: the same word, a word of the same meaning, and a claim's word that names the kind of the other."""
_AROUND = 0.2
"""What corresponding heads and neighbours each add."""


@dataclass(frozen=True)
class Alignment:
    """A claim and a sentence with the pairs of their words: ``pairs[claim word] == sentence word``."""

    claim: Parse
    sentence: Parse
    pairs: dict[int, int]
    same: frozenset[int]
    """Words of the claim that the sentence has as the same word."""

    @cached_property
    def back(self) -> dict[int, int]:
        """``back[sentence word] == claim word``."""
        return {there: here for here, there in self.pairs.items()}

    @cached_property
    def missing(self) -> list[int]:
        """Content words of the claim without a counterpart."""
        return [at for at, word in enumerate(self.claim) if has_content(word) and at not in self.pairs]

    @cached_property
    def extra(self) -> list[int]:
        """Content words of the sentence without a counterpart."""
        return [at for at, word in enumerate(self.sentence) if has_content(word) and at not in self.back]

    @cached_property
    def share(self) -> float:
        """Share of the claim's content words that have a counterpart, 0 to 1; 1 for a claim without any."""
        every = sum(map(has_content, self.claim))
        return 1.0 - len(self.missing) / every if every else 1.0

    def names(self, here: int, there: int) -> bool:
        """Whether the word of the claim corresponds to that of the sentence."""
        return self.pairs.get(here) == there


def likeness(word: Word, other: Word) -> float:
    """How well a word of the claim and one of the sentence correspond by themselves: 0, or one of the weights."""
    if word.lemma == other.lemma or stem(word.text) == stem(other.text):
        return SAME_WORD
    if "PROPN" in (word.pos, other.pos) or "NUM" in (word.pos, other.pos):
        return 0.0
    if lexicon.opposite(word.lemma, other.lemma):
        return 0.0
    if lexicon.same(word.lemma, other.lemma):
        return SAME_MEANING
    if word.pos == other.pos and is_noun(word) and lexicon.broader(word.lemma, other.lemma):
        return KIND_OF
    return 0.0


def align(claim: Parse, sentence: Parse) -> Alignment:
    """The pairs of corresponding content words."""
    mine = [at for at, word in enumerate(claim) if has_content(word)]
    theirs = [at for at, word in enumerate(sentence) if has_content(word)]
    alike = {
        (here, there): value
        for here in mine
        for there in theirs
        if (value := likeness(claim[here], sentence[there])) > 0
    }
    possible: dict[int, set[int]] = {}
    for here, there in alike:
        possible.setdefault(here, set()).add(there)
    scored = sorted(
        alike, key=lambda pair: (-alike[pair] - _context(claim, sentence, pair, possible), pair[0], pair[1])
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for here, there in scored:
        if here not in pairs and there not in taken:
            pairs[here] = there
            taken.add(there)
    same = frozenset(here for here, there in pairs.items() if alike[here, there] == SAME_WORD)
    return Alignment(claim, sentence, pairs, same)


def _context(claim: Parse, sentence: Parse, pair: tuple[int, int], possible: dict[int, set[int]]) -> float:
    """What heads, neighbours and relations add to a pair."""
    here, there = pair
    value = _AROUND * (claim[here].dep == sentence[there].dep)
    head, other = claim[here].head, sentence[there].head
    if other in possible.get(head, ()) or (claim[head].lemma == sentence[other].lemma and head != here):
        value += _AROUND
    for step in (-1, 1):
        if 0 <= here + step < len(claim) and 0 <= there + step < len(sentence):
            value += _AROUND / 2 * (claim[here + step].lemma == sentence[there + step].lemma)
    return value
