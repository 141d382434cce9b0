"""Substitution: another thing stands in the place of the claim's word ("mice" for "rats", "cardiac" for "hepatic")."""

from __future__ import annotations

from rapidfuzz import fuzz

from core.records import Parse, Word
from core.verify.aligned import lexicon
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.frames import frames
from core.verify.aligned.tables import TABLES
from core.verify.aligned.words import children, is_noun, neighbours, subtree, with_dep

_DEFINITE = ("the", "this", "that", "these", "his", "her", "its")
_LEAST_LETTERS = 3
"""Shorter ones are signs of units, which the checks of quantities compare."""
_SPELLING = 80
"""Likeness in per cent from which on two words are spellings of one (rapidfuzz)."""
_MOSTLY = 0.6
"""Share of the claim's content words with a counterpart from which another word in the same place is another thing."""


def check(pair: Alignment) -> Difference | None:
    """The first noun or quality of the claim in whose place the sentence has an unrelated one, or None."""
    if pair.share < _MOSTLY:
        return None
    for here in pair.missing:
        if not _names(pair.claim[here]):
            continue
        for there in pair.extra:
            if _other_thing(pair, here, there) and _fills(pair, here, there):
                return compared(pair.claim, _shown(pair.claim, here), pair.sentence, _shown(pair.sentence, there))
    return None


def _names(word: Word) -> bool:
    if word.lemma in TABLES["vague"]:
        return False
    return (is_noun(word) or word.pos == "ADJ") and len(word.text) >= _LEAST_LETTERS


def _other_thing(pair: Alignment, here: int, there: int) -> bool:
    mine, other = pair.claim[here], pair.sentence[there]
    if not _names(other) or is_noun(mine) is not is_noun(other) or _initials(pair, here, there):
        return False
    if _has_counterpart(pair, here) and neighbours(pair.claim, here) != neighbours(pair.sentence, there):
        return False
    if _one_name(mine, other) or _described(pair.claim, here, other) or _described(pair.sentence, there, mine):
        return False
    related = (
        lexicon.same(mine.lemma, other.lemma)
        or lexicon.broader(mine.lemma, other.lemma)
        or lexicon.broader(other.lemma, mine.lemma)
    )
    return not related


def _has_counterpart(pair: Alignment, here: int) -> bool:
    """Whether the phrase of the word is named by another of its words ("president Berg" for "Berg")."""
    return any(at in pair.pairs for at in subtree(pair.claim, here) if is_noun(pair.claim[at]) and at != here)


def _one_name(word: Word, other: Word) -> bool:
    """Whether two words are spellings of one: "Revolution", "Revoluution"."""
    return fuzz.ratio(word.lemma, other.lemma) >= _SPELLING


def _described(parse: Parse, at: int, name: Word) -> bool:
    """Whether a word is a description ("the band") that may stand for the name in the other text."""
    definite = any(parse[child].lemma in _DEFINITE for child in children(parse, at))
    return name.pos == "PROPN" and parse[at].pos == "NOUN" and definite


def _initials(pair: Alignment, here: int, there: int) -> bool:
    """Whether one of the words is an abbreviation of the other's phrase."""
    for parse, short, other, long in (
        (pair.claim, here, pair.sentence, there),
        (pair.sentence, there, pair.claim, here),
    ):
        text = parse[short].text
        first = "".join(other[at].text[0] for at in subtree(other, long) if other[at].text[:1].isalnum()).upper()
        if text.isupper() and len(text) > 1 and (text in first or first in text):
            return True
    return False


def _fills(pair: Alignment, here: int, there: int) -> bool:
    """Whether two words stand in the same relation to corresponding words."""
    claim, sentence = pair.claim, pair.sentence
    mine, other = claim[here], sentence[there]
    before, behind = neighbours(claim, here)
    if before and behind and (before, behind) == neighbours(sentence, there):
        return True
    if mine.dep == "pobj" and other.dep == "pobj":
        prep, there_prep = claim[mine.head], sentence[other.head]
        return prep.lemma == there_prep.lemma and pair.names(prep.head, there_prep.head)
    if mine.dep in ("nsubj", "nsubjpass", "dobj"):
        return _one_role(pair, here, there)
    return mine.dep == other.dep and pair.names(mine.head, other.head)


def _one_role(pair: Alignment, here: int, there: int) -> bool:
    """Whether both take the same part in corresponding acts, and nothing of the claim fills that part there."""
    theirs = {frame.verb: frame for frame in frames(pair.sentence)}
    for mine in frames(pair.claim):
        other = theirs.get(pair.pairs.get(mine.verb, -1))
        if other is None:
            continue
        for part, counter in ((mine.agents, other.agents), (mine.patients, other.patients)):
            if here in part and there in counter and not any(at in pair.back for at in counter):
                return True
    return False


def _shown(parse: Parse, at: int) -> list[int]:
    return [at, *with_dep(parse, at, "compound", "amod", "nummod")]
