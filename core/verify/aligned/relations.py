"""Relations of place, time and company: "before" for "after", "without" for "with"."""

from __future__ import annotations

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.words import with_dep

_CONTRARY = {
    frozenset(row.split())
    for row in ("with without", "before after", "above below", "inside outside", "for against", "over under",
                "until since", "including excluding", "since before", "during after", "during before", "toward away")
}  # fmt: skip


def check(pair: Alignment) -> Difference | None:
    """The first relation that the sentence has the other way round, or None."""
    theirs = _relations(pair.sentence)
    for here, mine in _relations(pair.claim):
        for there, others in theirs:
            contrary = frozenset((pair.claim[here].lemma, pair.sentence[there].lemma)) in _CONTRARY
            if contrary and any(pair.pairs.get(at) in others for at in mine) and _one_head(pair, here, there):
                return compared(pair.claim, [here, *mine], pair.sentence, [there, *others])
    return None


def _relations(parse: Parse) -> list[tuple[int, list[int]]]:
    """Each preposition or conjunction with the heads that it stands before."""
    rows = []
    for at, word in enumerate(parse):
        if word.dep in ("prep", "dative") and (objects := with_dep(parse, at, "pobj", "pcomp")):
            rows.append((at, objects))
        elif word.dep == "mark" and word.head != at:
            rows.append((at, [word.head]))
    return rows


def _one_head(pair: Alignment, here: int, there: int) -> bool:
    """Whether the relations hang on corresponding words."""
    mine, theirs = _governor(pair.claim, here), _governor(pair.sentence, there)
    return pair.names(mine, theirs) or pair.claim[mine].lemma == pair.sentence[theirs].lemma


def _governor(parse: Parse, at: int) -> int:
    head = parse[at].head
    return parse[head].head if parse[at].dep == "mark" else head
