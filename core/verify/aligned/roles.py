"""Roles: who acts and who is acted upon, what is compared with what, from where to where.

Only where predicate and both participants have counterparts is a difference sure (McCoy, Pavlick & Linzen 2019, "Right
for the Wrong Reasons", has the pairs that models take for equal).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.records import Parse
from core.verify.aligned import lexicon
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.frames import Frame, frames
from core.verify.aligned.tables import TABLES
from core.verify.aligned.words import conjuncts, has_content, is_noun, subtree, with_dep

_MUTUAL = TABLES["mutual"]
"""Verbs whose sides may change places."""


_TURNING = frozenset({"by", "be", "and", "or", "of", "in", "with", "between", ",", ";"})
"""Words between two things that let them change places: of a passive, a list, a phrase."""


def check(pair: Alignment) -> Difference | None:
    """The first exchange of roles, or None."""
    rules = (_exchanged, _comparison, _from_to, _preference, _turned_round)
    return next((result for rule in rules for result in rule(pair)), None)


def _counterpart(pair: Alignment, here: int, row: Sequence[int]) -> bool:
    """Whether a participant of the claim is among some participants of the sentence, by its head or by a word of its
    phrase that stands at the head there."""
    return pair.pairs.get(here) in row


def _exchanged(pair: Alignment) -> Iterator[Difference]:
    theirs = frames(pair.sentence)
    for mine in frames(pair.claim):
        for other in theirs:
            if _same_verb(pair, mine, other) and _turned(pair, mine, other):
                yield compared(pair.claim, _places(mine), pair.sentence, _places(other))


def _same_verb(pair: Alignment, mine: Frame, other: Frame) -> bool:
    word, there = pair.claim[mine.verb], pair.sentence[other.verb]
    if word.lemma in _MUTUAL:
        return False
    return (
        word.lemma == there.lemma
        or lexicon.same(word.lemma, there.lemma)
        or lexicon.broader(word.lemma, there.lemma)
        or lexicon.broader(there.lemma, word.lemma)
    )


def _turned(pair: Alignment, mine: Frame, other: Frame) -> bool:
    """Whether agent and patient have changed places: both, or one where the other is not named."""
    agent_there = [at for at in mine.agents if _counterpart(pair, at, other.patients)]
    patient_there = [at for at in mine.patients if _counterpart(pair, at, other.agents)]
    kept = any(_counterpart(pair, at, other.agents) for at in mine.agents) or any(
        _counterpart(pair, at, other.patients) for at in mine.patients
    )
    if set(other.agents) & set(other.patients):
        return False
    if agent_there and patient_there:
        return True
    if kept:
        return False
    # "Berg was appointed" beside "Berg appointed Lund": a passive has no other reading
    named = any(is_noun(pair.sentence[at]) for at in other.patients)  # "it" may be the agent itself
    return bool(patient_there and mine.passive and not mine.agents and named and not other.passive)


def _places(frame: Frame) -> list[int]:
    return [frame.verb, *frame.agents[:1], *frame.patients[:1]]


def _comparison(pair: Alignment) -> Iterator[Difference]:
    """Sides of a comparison: "A is higher than B" beside "B is higher than A"."""
    theirs = list(_comparisons(pair.sentence))
    for word, left, right in _comparisons(pair.claim):
        for other, before, behind in theirs:
            mine_apart, theirs_apart = _apart(pair.claim, left, right), _apart(pair.sentence, before, behind)
            crossed = _meet(pair, mine_apart[0], theirs_apart[1]) and _meet(pair, mine_apart[1], theirs_apart[0])
            straight = _meet(pair, mine_apart[0], theirs_apart[0]) and _meet(pair, mine_apart[1], theirs_apart[1])
            mine, there = pair.claim[word].lemma, pair.sentence[other].lemma
            alike = mine == there or lexicon.same(mine, there)
            contrary = lexicon.opposite(mine, there)
            if (alike and crossed and not straight) or (contrary and straight):
                yield compared(pair.claim, [word, left, right], pair.sentence, [other, before, behind])


def _comparisons(parse: Parse) -> Iterator[tuple[int, int, int]]:
    """Places of (word that compares, left side, right side) of each "… than …"."""
    for at, word in enumerate(parse):
        if word.lemma != "than":
            continue
        right = with_dep(parse, at, "pobj", "nsubj", "dobj") or [
            other for other in range(at + 1, min(at + 5, len(parse))) if is_noun(parse[other])
        ]
        comparing = next(
            (other for other in range(at - 1, max(-1, at - 12), -1) if parse[other].tag in ("JJR", "RBR")), None
        )
        if comparing is None or not right:
            continue
        left = _beside(parse, comparing, at)
        left = _compared_left(parse, comparing) if left is None else left
        if left is not None and left != right[0]:
            yield _graded(parse, comparing), left, right[0]


def _graded(parse: Parse, comparing: int) -> int:
    """The word that tells in what the sides differ: "effective" of "more effective", else the comparative itself."""
    head = parse[comparing].head
    plain = parse[comparing].lemma in ("more", "much", "many") and parse[head].pos in ("ADJ", "ADV")
    return head if plain else comparing


def _beside(parse: Parse, comparing: int, than: int) -> int | None:
    """The noun between the comparative and "than in …" that stands behind the same preposition: "longer in A than in
    B"; None without one."""
    behind = parse[than + 1].lemma if than + 1 < len(parse) else ""
    preps = [at for at in range(comparing, than) if parse[at].lemma == behind and parse[at].pos == "ADP"]
    objects = with_dep(parse, preps[-1], "pobj") if preps else []
    return objects[0] if objects else None


def _compared_left(parse: Parse, comparing: int) -> int | None:
    """The subject of the clause that a comparative stands in."""
    at = comparing
    for _ in range(5):
        if subjects := with_dep(parse, at, "nsubj", "nsubjpass"):
            return subjects[0]
        if parse[at].head == at:
            return None
        at = parse[at].head
    return None


def _apart(parse: Parse, left: int, right: int) -> tuple[set[int], set[int]]:
    """The nouns of both sides of a comparison that the other side lacks: "spring" and "autumn" of "sales in spring" and
    "sales in autumn". The right side goes on to the next verb or sign."""
    ends = (at for at in range(right, len(parse)) if parse[at].pos in ("VERB", "AUX", "PUNCT", "CCONJ"))
    behind = {at for at in range(right, next(ends, len(parse))) if is_noun(parse[at])}
    before = {at for at in subtree(parse, left) if is_noun(parse[at])} - behind
    mine, theirs = ({parse[at].lemma for at in side} for side in (before, behind))
    return {at for at in before if parse[at].lemma not in theirs}, {at for at in behind if parse[at].lemma not in mine}


def _meet(pair: Alignment, mine: set[int], theirs: set[int]) -> bool:
    """Whether a word of the claim has its counterpart, or the same word, among some of the sentence."""
    lemmas = {pair.sentence[at].lemma for at in theirs}
    return any(pair.pairs.get(at) in theirs or pair.claim[at].lemma in lemmas for at in mine)


def _from_to(pair: Alignment) -> Iterator[Difference]:
    """ "From A to B" beside "from B to A"."""
    for first, second in _ways(pair.claim):
        for before, behind in _ways(pair.sentence):
            if _says(pair, first, behind) and _says(pair, second, before) and not _says(pair, first, before):
                yield compared(pair.claim, [first, second], pair.sentence, [before, behind])


def _ways(parse: Parse) -> Iterator[tuple[int, int]]:
    for at, word in enumerate(parse):
        if word.lemma != "from":
            continue
        start = _object_of(parse, at)
        for other in range(at + 1, min(at + 9, len(parse))):
            if parse[other].lemma == "to":
                end = _object_of(parse, other)
                if start is not None and end is not None:
                    yield start, end
                break


def _object_of(parse: Parse, prep: int) -> int | None:
    """The figure or noun that a preposition stands before."""
    objects = with_dep(parse, prep, "pobj", "pcomp")
    if not objects:
        return next(
            (at for at in range(prep + 1, min(prep + 4, len(parse))) if parse[at].pos in ("NUM", "NOUN", "PROPN")), None
        )
    figures = with_dep(parse, objects[0], "nummod")
    return figures[0] if figures else objects[0]


def _says(pair: Alignment, here: int, there: int) -> bool:
    return pair.pairs.get(here) == there or pair.claim[here].lemma == pair.sentence[there].lemma


def _preference(pair: Alignment) -> Iterator[Difference]:
    """ "A rather than B" beside "B rather than A"."""
    for taken, left_out in _preferences(pair.claim):
        for other, without in _preferences(pair.sentence):
            crossed = _says(pair, taken, without) or _says(pair, left_out, other)
            straight = _says(pair, taken, other) or _says(pair, left_out, without)
            if crossed and not straight:
                yield compared(pair.claim, [taken, left_out], pair.sentence, [other, without])


def _preferences(parse: Parse) -> Iterator[tuple[int, int]]:
    """Nouns (taken, left out) of "A rather than B", "A instead of B"; A is a noun before it, or the subject."""
    for at in range(len(parse) - 2):
        if (parse[at].lemma, parse[at + 1].lemma) not in (("rather", "than"), ("instead", "of")):
            continue
        left_out = next((k for k in range(at + 2, min(at + 7, len(parse))) if is_noun(parse[k])), None)
        if left_out is None:
            continue
        row = [k for k in range(at) if is_noun(parse[k]) and k not in conjuncts(parse, left_out)]
        yield from ((k, left_out) for k in row)


def _turned_round(pair: Alignment) -> Iterator[Difference]:
    """Three content words in a row that stand the other way round in the sentence: "wheat outsold barley" beside
    "barley outsold wheat", whatever the parser takes them for. A passive turns them round rightly."""
    mine = [at for at, word in enumerate(pair.claim) if has_content(word)]
    theirs = [at for at, word in enumerate(pair.sentence) if has_content(word)]
    place = {at: order for order, at in enumerate(theirs)}
    for first, middle, last in zip(mine, mine[1:], mine[2:], strict=False):
        there = [place.get(pair.pairs.get(at, -1)) for at in (first, middle, last)]
        if None in there or there != sorted(there, reverse=True) or there[0] - there[2] != 2:  # type: ignore[operator,type-var]
            continue
        before, behind = theirs[there[2]], theirs[there[0]]  # type: ignore[index]
        words = (*pair.claim[first : last + 1], *pair.sentence[before : behind + 1])
        if all(is_noun(pair.claim[at]) for at in (first, last)) and not any(word.lemma in _TURNING for word in words):
            yield compared(pair.claim, [first, last], pair.sentence, [before, behind])
