"""Strength: the claim is surer than the sentence, or makes a cause of what goes together."""

from __future__ import annotations

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.tables import TABLES
from core.verify.aligned.words import children, is_verb

_MODALS = frozenset({"may", "might", "could"})
_DOUBTS = TABLES["doubts"]
_CAUSES = TABLES["causes"]
_GOES_WITH = TABLES["goes_with"]
_MOSTLY = 0.6
"""Share of the claim's content words with a counterpart from which a difference of strength counts."""


def check(pair: Alignment) -> Difference | None:
    """The first place where the claim says more surely what the sentence holds possible or together, or None."""
    return _doubt(pair) or _cause(pair)


def _doubt(pair: Alignment) -> Difference | None:
    if any(word.lemma in _MODALS | _DOUBTS or word.tag == "MD" for word in pair.claim):
        return None
    for here, there in sorted(pair.pairs.items()):
        doubt = _doubted(pair.sentence, there)
        if doubt is not None and is_verb(pair.claim[here]) and pair.share >= _MOSTLY:
            return compared(pair.claim, [here], pair.sentence, [doubt, there])
    return None


def _doubted(parse: Parse, at: int) -> int | None:
    """The word that makes a verb a possibility: its own auxiliary or adverb, or that of the clause it depends on."""
    for _ in range(3):
        for child in children(parse, at):
            if parse[child].lemma in _MODALS | _DOUBTS and parse[child].dep in ("aux", "advmod"):
                return child
        word = parse[at]
        if word.dep not in ("ccomp", "xcomp", "conj", "acl") or word.head == at:
            return None
        at = word.head
        if parse[at].lemma in _DOUBTS:
            return at
    return None


def _cause(pair: Alignment) -> Difference | None:
    for here in pair.missing:
        if pair.claim[here].lemma not in _CAUSES or not is_verb(pair.claim[here]):
            continue
        there = next((at for at in pair.extra if pair.sentence[at].lemma in _GOES_WITH), None)
        if there is not None and pair.share >= _MOSTLY:
            return compared(pair.claim, [here], pair.sentence, [there])
    return None
