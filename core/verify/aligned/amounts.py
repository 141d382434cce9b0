"""Amounts: how many of a thing, or how often: "all", "most", "some", "few", "no"."""

from __future__ import annotations

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.tables import RANKS
from core.verify.aligned.words import children, neighbours

_FEW, _SOME = 1, 2


def check(pair: Alignment) -> Difference | None:
    """The first amount of the claim that the sentence does not bear, or None."""
    for here, word in enumerate(pair.claim):
        mine = RANKS.get(word.lemma)
        if mine is None:
            continue
        for there, other in enumerate(pair.sentence):
            theirs = RANKS.get(other.lemma)
            if theirs is not None and not _bears(theirs, mine) and _of_the_same(pair, here, there):
                return compared(pair.claim, _shown(pair.claim, here), pair.sentence, _shown(pair.sentence, there))
    return None


def _bears(theirs: int, mine: int) -> bool:
    """Whether an amount of the sentence makes that of the claim true: all are most, most are many, many are some."""
    if theirs == mine:
        return True
    return theirs > mine > _FEW or (theirs, mine) == (_FEW, _SOME)


def _of_the_same(pair: Alignment, here: int, there: int) -> bool:
    """Whether both are amounts of corresponding words."""
    claim, sentence = pair.claim, pair.sentence
    if pair.names(_counted(claim, here), _counted(sentence, there)):
        return True
    before, behind = neighbours(claim, here)
    return bool(before and behind) and (before, behind) == neighbours(sentence, there)


def _counted(parse: Parse, at: int) -> int:
    """What an amount is of: its noun or verb; behind "of" in "most of the trees"."""
    for prep in children(parse, at):
        if parse[prep].lemma == "of":
            return next(iter(children(parse, prep)), at)
    return parse[at].head


def _shown(parse: Parse, at: int) -> list[int]:
    counted = _counted(parse, at)
    return [at, counted] if abs(counted - at) <= 6 else [at]
