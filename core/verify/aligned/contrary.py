"""Contraries: the claim has a word where the sentence has its opposite ("promoted", "suppressed")."""

from __future__ import annotations

from core.records import Parse, Word
from core.verify.aligned import lexicon
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.first import ORDER
from core.verify.aligned.scope import denied
from core.verify.aligned.tables import TABLES
from core.verify.aligned.words import has_content, neighbours

_DEGREES = TABLES["degrees"]
_MOSTLY = 0.5
"""Share of the claim's content words with a counterpart from which words in the same relation fill the same place."""


def check(pair: Alignment) -> Difference | None:
    """The first word of the claim in whose place the sentence has its opposite, or None. "A before B" and "B after A"
    say the same: words for the order of events are left to ``first``."""
    mine, theirs = denied(pair.claim), denied(pair.sentence)
    for here, word in enumerate(pair.claim):
        if here in pair.pairs or not _compares(word) or _also_said(pair.sentence, word):
            continue
        for there, other in enumerate(pair.sentence):
            if there in pair.back or not _compares(other) or _also_said(pair.claim, other):
                continue
            if not lexicon.opposite(word.lemma, other.lemma) or {word.lemma, other.lemma} <= ORDER:
                continue
            if ((here in mine) is (there in theirs)) and _same_place(pair, here, there):
                return compared(pair.claim, _shown(pair.claim, here), pair.sentence, _shown(pair.sentence, there))
    return None


def _compares(word: Word) -> bool:
    return has_content(word) or word.lemma in _DEGREES


def _also_said(parse: Parse, word: Word) -> bool:
    return any(other.lemma == word.lemma for other in parse)


def _same_place(pair: Alignment, here: int, there: int) -> bool:
    """Whether two words stand beside corresponding words: head, or what hangs on them."""
    claim, sentence = pair.claim, pair.sentence
    if pair.names(claim[here].head, sentence[there].head):
        return True
    if neighbours(claim, here) == neighbours(sentence, there):
        return True
    mine = _near(claim, here)
    beside = _near(sentence, there)
    if any(pair.pairs.get(at) in beside for at in mine):
        return True
    return claim[here].dep == sentence[there].dep and pair.share >= _MOSTLY


def _near(parse: Parse, at: int) -> set[int]:
    """Head and children, and those one preposition further."""
    row = {other for other, word in enumerate(parse) if word.head == at} | {parse[at].head}
    row |= {other for other, word in enumerate(parse) if word.head in row and parse[word.head].pos in ("ADP", "AUX")}
    return row - {at}


def _shown(parse: Parse, at: int) -> list[int]:
    """The word with its neighbours."""
    return [place for place in range(at - 2, at + 3) if 0 <= place < len(parse) and parse[place].pos != "PUNCT"]
