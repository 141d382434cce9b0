"""Scope of a denial: which words are denied. "No evidence of harm" denies the evidence, not the harm."""

from __future__ import annotations

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.tables import TABLES
from core.verify.aligned.words import is_noun, is_verb, with_dep

_NO = frozenset({"no", "neither", "nor", "none"})
_NOBODY = frozenset({"nothing", "nobody", "none", "neither", "nowhere"})
_FAILS = TABLES["fails"]
_LACKS = frozenset({"lack", "miss"})
_ABSENCE = frozenset({"absence", "lack"})
_RAISED = TABLES["raised"]
"""Verbs before which "not" denies what follows: "does not seem to harm" says "seems not to harm"."""
_JOINS = TABLES["goes_with"] | TABLES["causes"] | {"lead", "result", "have"}
"""Verbs whose denial reaches the change that they bring: "not associated with an increased risk"."""
_NOT_ONLY = TABLES["not_only"]


def denied(parse: Parse) -> frozenset[int]:
    """The places of the words that an odd number of denials stands over."""
    count: dict[int, int] = {}
    for at, word in enumerate(parse):
        for place in set(_scope(parse, at)) if _denies(parse, at) else ():
            count[place] = count.get(place, 0) + 1
        del word
    return frozenset(place for place, times in count.items() if times % 2)


def _denies(parse: Parse, at: int) -> bool:
    word = parse[at]
    if at + 1 < len(parse) and parse[at + 1].lemma in _NOT_ONLY and word.dep == "neg":
        return False
    return (
        word.dep == "neg"
        or word.lemma in _NO | _NOBODY | _FAILS | _LACKS | _ABSENCE
        or (word.lemma in ("without", "cannot", "never"))
    )


def _scope(parse: Parse, at: int) -> list[int]:
    """The words that the denying word at ``at`` denies."""
    word = parse[at]
    if word.lemma in _FAILS:
        return with_dep(parse, at, "xcomp")
    if word.lemma in _LACKS and is_verb(word):
        return with_dep(parse, at, "dobj")
    if word.lemma in _ABSENCE and is_noun(word):
        return [noun for prep in with_dep(parse, at, "prep") for noun in with_dep(parse, prep, "pobj")]
    if word.lemma == "without":
        return with_dep(parse, at, "pobj", "pcomp")
    if word.lemma in _NOBODY and word.dep != "det":
        return [word.head]
    return _of_determiner(parse, word.head) if is_noun(parse[word.head]) else _of_verb(parse, word.head)


def _of_determiner(parse: Parse, noun: int) -> list[int]:
    """ "No trees were felled" denies the trees and the felling."""
    word = parse[noun]
    verb = word.head if word.dep in ("nsubj", "nsubjpass", "dobj", "attr") else None
    return [noun, *_changes(parse, noun), *([] if verb is None else [verb])]


def _changes(parse: Parse, noun: int) -> list[int]:
    """ "Increased" of "increased risk": denied with the noun, for it says what the noun would have done."""
    return [at for at in with_dep(parse, noun, "amod") if parse[at].tag in ("VBN", "VBG", "JJR")]


def _of_verb(parse: Parse, verb: int) -> list[int]:
    """ "Does not show" denies the showing; "does not seem to harm" the harming; "is not safe" the safety."""
    if parse[verb].lemma in _RAISED and (below := with_dep(parse, verb, "xcomp", "ccomp", "acomp", "oprd")):
        return below
    if parse[verb].lemma == "be":
        return [verb, *with_dep(parse, verb, "acomp", "attr")]
    if parse[verb].lemma in _JOINS:
        objects = [noun for prep in with_dep(parse, verb, "prep") for noun in with_dep(parse, prep, "pobj")]
        nouns = [*with_dep(parse, verb, "dobj"), *objects]
        return [verb, *(at for noun in nouns for at in _changes(parse, noun))]
    return [verb]


def check(pair: Alignment) -> Difference | None:
    """The first word that one side denies and the other does not, or None."""
    mine, theirs = denied(pair.claim), denied(pair.sentence)
    for here, there in sorted(pair.pairs.items()):
        word = pair.claim[here]
        if (here in mine) is (there in theirs) or here not in pair.same or word.pos == "ADV":
            continue
        if _about_the_same(pair, here, there):
            return compared(pair.claim, _around(pair.claim, here), pair.sentence, _around(pair.sentence, there))
    return None


def _about_the_same(pair: Alignment, here: int, there: int) -> bool:
    """Whether two corresponding words stand beside corresponding words too: the same act by or upon the same thing."""
    around = {at for at, word in enumerate(pair.claim) if word.head == here or at == pair.claim[here].head} - {here}
    beside = {at for at, word in enumerate(pair.sentence) if word.head == there or at == pair.sentence[there].head}
    return any(pair.pairs.get(at) in beside for at in around)


def _around(parse: Parse, at: int) -> list[int]:
    """The word, the words before it that are denied or deny, and its object."""
    row = [at, *(other for other, word in enumerate(parse) if word.head == at and abs(other - at) <= 5)]
    return row
