"""Comparisons read from the other end: "iron is heavier than wood" and "wood is lighter than iron" say the same."""

from __future__ import annotations

from core.records import Parse
from core.verify.aligned import lexicon
from core.verify.aligned.align import Alignment

_COMPARATIVES = frozenset({"JJR", "RBR"})


def is_converse(pair: Alignment) -> bool:
    """Whether both texts compare with one "than", by opposite words, and what stands before it in the one stands behind
    it in the other."""
    here, there = _than(pair.claim), _than(pair.sentence)
    if here is None or there is None:
        return False
    sides = [(mine < here, theirs < there) for mine, theirs in pair.pairs.items()]
    crossed = (True, False) in sides and (False, True) in sides
    return crossed and any(
        lexicon.opposite(mine.lemma, theirs.lemma)
        for mine in pair.claim
        for theirs in pair.sentence
        if mine.tag in _COMPARATIVES and theirs.tag in _COMPARATIVES
    )


def _than(parse: Parse) -> int | None:
    places = [at for at, word in enumerate(parse) if word.text.lower() == "than"]
    return places[0] if len(places) == 1 else None
