"""Sentences that state a claim word for word.

A small model doubts sentences that any reader would accept: one more year in the evidence, or a place moved to the
front, and it calls the claim contradicted. A sentence states a claim when it has the claim's content words one after
the other, with the same words of grammar and nothing before them. A year may stand between them, and one adverbial may
have moved to the front. Numbers, dates, names, negation and quantifiers may still differ; the deterministic checks
compare these and must pass.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.text.terms import STOP_WORDS, fold, terms
from core.verify.checks import run_checks
from core.verify.checks.outcomes import Outcome
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.checks.text import words

SUPPORT = 0.95
"""Probability that a claim which a sentence states is supported. It is cautious: all of the 112 such claims of natural
sets in held-out training documents were supported (docs/decisions/0009)."""
LEAST = 4
"""Content words that a claim needs; with fewer, equal words are no sign of an equal statement."""

# fmt: off
TURNING = frozenset({
    "not", "no", "nor", "never", "neither", "none", "nobody", "nothing", "without", "except", "excluding", "apart",
    "only", "few", "little", "rarely", "seldom", "scarcely", "before", "after", "until", "till", "since", "more",
    "less", "fewer", "than", "least", "most", "under", "over", "above", "below", "up", "down", "off", "into", "out",
    "outside", "almost", "nearly", "barely", "hardly", "half", "twice", "double", "against", "unlike", "instead",
    "stop", "stops", "stopped", "prevent", "prevents", "prevented", "avoid", "avoided", "percentage", "point",
    "points", "nicht", "kein", "keine", "keinen", "pas", "ne", "non", "nunca", "не", "没", "不",
})
"""Words that turn the meaning of the words beside them: both sides need the same ones."""
UNSURE = frozenset({
    "if", "whether", "unless", "claim", "claims", "claimed", "claiming", "allege", "alleges", "alleged", "allegedly",
    "deny", "denies", "denied", "may", "might", "could", "would", "should", "will", "hypothesis", "hypothesize",
    "hypothesized", "hypothesise", "hypothesised", "propose", "proposes", "proposed", "expect", "expects", "expected",
    "projected", "forecast", "predicted", "myth", "false", "falsely", "wrong", "wrongly", "true", "untrue", "refute",
    "refuted", "rumor", "rumour", "rumored", "rumoured", "supposedly", "reportedly", "suggested", "suggest",
    "suggests", "aim", "aims", "aimed", "intend", "intends", "intended", "attempt", "attempted", "tried", "hope",
    "hopes", "hoped", "question", "questions", "doubt", "doubts", "fail", "fails", "failed", "said", "say", "says",
    "believe", "believes", "believed", "think", "thinks", "thought", "argue", "argues", "argued", "according", "plan",
    "planned", "plans", "seem", "seems", "seemed", "suspected", "acquitted", "formerly", "unlikely", "unclear",
    "convinced", "can", "suppose", "assuming", "provided", "retracted", "disproved", "unproven", "probably", "some",
})
"""Words that make a sentence uncertain: it may have them only where the claim has them too."""
FACTIVE = frozenset({
    "find", "finds", "found", "show", "shows", "showed", "shown", "confirm", "confirms", "confirmed", "demonstrate",
    "demonstrates", "demonstrated", "observe", "observed", "measure", "measured",
})
"""Verbs in front of a statement that affirm it."""

# fmt: on
MOVABLE = frozenset({"in", "at", "on", "during", "within", "across", "throughout", "for", "since", "from"})
"""Prepositions of a phrase that may move within its sentence with the same meaning."""
# fmt: off
LIGHT = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "is", "are", "was", "were", "be", "been", "being", "has",
    "have", "had", "which", "its", "it", "also", "in", "at", "on", "during", "by",
})
# fmt: on
"""Words of grammar that one side may lack; "by" is compared separately."""
PERSONS = frozenset({"he", "she", "him", "his", "her", "hers", "they", "them", "their", "you", "your"})
"""Words for persons: alike on both sides."""
_UNIT = frozenset({"per", "cent", "percent"})
"""Units that may be written as a sign; a check compares figures with their units."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_FIGURE = re.compile(r"\d+")
_STRUCK = re.compile("~~|[≠❌✗✘]")
"""Signs that take a statement back."""
_LETTER = re.compile(r"(?<=\s)[A-Z](?!\w)")


@dataclass(frozen=True, slots=True)
class _Stem:
    stem: str
    name: bool
    start: int
    end: int


def stated_at(claim: str, sentences: Sequence[str], title: str = "") -> int | None:
    """The index of the first sentence that states the claim, whatever form either has its figures in, or None."""
    return next(
        (
            at
            for at, sentence in enumerate(sentences)
            if states(as_the_evidence_writes(claim, sentence), sentence, title)
        ),
        None,
    )


def states(claim: str, sentence: str, title: str = "") -> bool:
    """True when ``sentence`` states ``claim`` word for word. Names after a preposition that the sentence lacks may
    stand in the ``title`` of its source. Never raises on any text."""
    wanted, here = _content(claim), _content(sentence)
    if len(wanted) < LEAST or len(here) < LEAST or not _turn_alike(claim, sentence):
        return False
    places = _places(claim, wanted, here, {stem.stem for stem in _content(title)})
    if places is None:
        return False
    present = [place for place in places if place is not None]
    moved = any(b < a for a, b in pairwise(present))
    if not _in_order(claim, wanted, places) or not _alone(sentence, here, present):
        return False
    span = sentence[here[min(present)].start : here[max(present)].end]
    moved = moved or None in places
    if not _figures_alike(claim, sentence, span, moved=moved) or not _grammar_alike(
        claim[wanted[0].start : wanted[-1].end], span, moved=moved
    ):
        return False
    evidence = f"{title}: {sentence}" if title else sentence
    return not any(result.veto or result.outcome is Outcome.FAILED for result in run_checks(claim, evidence))


def _content(text: str) -> list[_Stem]:
    stems = []
    for term in terms(text):
        written = text[term.start : term.end]
        if fold(written) not in STOP_WORDS | _UNIT:
            stems.append(_Stem(term.stem, written[:1].isupper(), term.start, term.end))
    return stems


def _places(
    claim: str, wanted: Sequence[_Stem], here: Sequence[_Stem], named: Container[str]
) -> list[int | None] | None:
    """The place in the sentence of each word of the claim, after the word before it where possible. The place is None
    for a name after a preposition that only the title has ("in Port Merrin"). None when a word is missing."""
    where: dict[str, list[int]] = {}
    for place, stem in enumerate(here):
        where.setdefault(stem.stem, []).append(place)
    places_of_claim: list[int | None] = []
    last = -1
    for at, stem in enumerate(wanted):
        places = where.get(stem.stem)
        if places is None:
            between = claim[wanted[at - 1].end : stem.start] if at else ""
            follows = bool(places_of_claim) and places_of_claim[-1] is None and not between.strip()
            if not (stem.name and stem.stem in named and (follows or _before(claim, stem.start) in MOVABLE)):
                return None
            places_of_claim.append(None)
            continue
        last = next((place for place in places if place > last), places[0])
        places_of_claim.append(last)
    return places_of_claim if sum(place is not None for place in places_of_claim) >= LEAST else None


def _in_order(claim: str, wanted: Sequence[_Stem], places: Sequence[int | None]) -> bool:
    """True when the order goes back at most once, to an adverbial at the head of the sentence. Any other change of the
    order changes roles ("effects of sleep on diet")."""
    pairs = [(stem, place) for stem, place in zip(wanted, places, strict=True) if place is not None]
    back = [at for at, ((_, before), (_, after)) in enumerate(pairwise(pairs), 1) if after < before]
    if not back:
        return True
    moved, place = pairs[back[0]]
    first = place == min(place for _, place in pairs)
    return len(back) == 1 and first and _before(claim, moved.start) in MOVABLE


def _alone(sentence: str, here: Sequence[_Stem], places: Sequence[int]) -> bool:
    """True when only years stand between neighbours of the claim, and only years or an affirming verb in front of them.
    The second neighbour may belong to any other word between them; any other word in front may take it back."""
    taken = set(places)
    before = [stem for at, stem in enumerate(here[: min(places)]) if not _year(sentence, stem)]
    if any(sentence[stem.start : stem.end].casefold() not in FACTIVE for stem in before):
        return False
    gaps = (here[at] for a, b in _gaps(places) for at in range(a + 1, b) if at not in taken)
    return all(_year(sentence, gap) for gap in gaps)


def _year(sentence: str, stem: _Stem) -> bool:
    return _YEAR.fullmatch(sentence[stem.start : stem.end]) is not None


def _figures_alike(claim: str, sentence: str, span: str, *, moved: bool) -> bool:
    """True when the sentence has all figures of the claim, in its order unless a part has ``moved``, and its ``span``
    no others. Years aside."""
    mine, theirs = _figures(claim), _figures(sentence)
    if Counter(_figures(span)) - Counter(mine):
        return False
    rest = iter(theirs)
    return not Counter(mine) - Counter(theirs) if moved else all(figure in rest for figure in mine)


def _figures(text: str) -> list[str]:
    """The figures that are no years, in order."""
    return [figure for figure in _FIGURE.findall(text) if not _YEAR.fullmatch(figure)]


def _gaps(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs of neighbouring places with further words between them; around a moved part, the places beside it."""
    left: int | None = None
    for a, b in pairwise(places):
        if b < a:
            left = a
        elif b > a + 1:
            yield (a, b) if left is None else (min(left, b), b)
            left = None


def _grammar_alike(claim: str, span: str, *, moved: bool) -> bool:
    """True when both sides have the same words of grammar, light ones aside, in the same order unless a part has
    ``moved``: "from A to B" is not "to A from B", "he" is not "she"."""
    mine, theirs = ([word for word in _bare(text) if word in STOP_WORDS - LIGHT] for text in (claim, span))
    return sorted(set(mine)) == sorted(set(theirs)) if moved else mine == theirs


def _bare(text: str) -> list[str]:
    return [word.key.removesuffix("'s") for word in words(text)]


def _turn_alike(claim: str, sentence: str) -> bool:
    """True when both sides have the same turning words, persons, agents ("by") and letters ("plan B"), and the sentence
    has no doubt and no question that the claim lacks."""
    mine, theirs = ({word.key for word in words(text)} for text in (claim, sentence))
    if mine & TURNING != theirs & TURNING or ("by" in mine) != ("by" in theirs):
        return False
    if mine & PERSONS != theirs & PERSONS or _STRUCK.search(sentence):
        return False
    if set(_LETTER.findall(claim)) != set(_LETTER.findall(sentence)):
        return False
    return not (theirs & UNSURE) - mine and ("?" in claim or "?" not in sentence)


def _before(text: str, start: int) -> str:
    """The word in front of a place, in lower case, or ""."""
    return (text[:start].split() or [""])[-1].casefold()
