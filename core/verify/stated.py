"""Whether a sentence states a claim in the claim's own words.

A small model doubts sentences that any reader would accept: one more year in the evidence, or a place moved to the
front, and it calls the claim contradicted. Where one sentence has every content word of the claim, in its order (one
part may have moved), with the same words that turn a meaning, there is nothing left to infer. What may still differ
(numbers, dates, names, negation, quantifiers) is what the deterministic checks read, so these must not object.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.terms import STOP_WORDS, fold, terms
from core.verify.checks import run_checks
from core.verify.checks.text import words
from core.verify.records import Outcome

SUPPORT = 0.95
"""Probability that a claim which a sentence states is supported: on training documents that were held out (FEVER,
FEVEROUS, FM2, SufficientFacts, Factcheck-GPT, EntailmentBank, SummEdits) 198 of 207 (95 %: .92 to .98)."""
LEAST = 4
"""Content words that a claim needs: with fewer, the same words are no sign that the same thing is said."""
_AROUND = 3
"""Words in front of the first shared one that belong to what is said: "less than 40,000 trees"."""

# fmt: off
TURNING = frozenset({
    "not", "no", "nor", "never", "neither", "without", "except", "only", "before", "after", "until", "till", "since",
    "more", "less", "fewer", "than", "least", "most", "under", "over", "above", "below", "up", "down", "almost",
    "nearly", "barely", "hardly", "half", "twice", "double", "against", "unlike", "instead",
})
"""Words that turn what the same other words say: both sides need the same ones."""
UNSURE = frozenset({
    "if", "whether", "unless", "claim", "claims", "claimed", "claiming", "allege", "alleges", "alleged", "allegedly",
    "deny", "denies", "denied", "may", "might", "could", "would", "should", "hypothesis", "hypothesize",
    "hypothesized", "hypothesise", "hypothesised", "propose", "proposes", "proposed", "expect", "expects", "expected",
    "projected", "forecast", "predicted", "myth", "false", "falsely", "wrong", "wrongly", "refute", "refuted",
    "rumor", "rumour", "rumored", "rumoured", "supposedly", "reportedly", "suggested", "suggests", "aim", "aims",
    "aimed", "intend", "intends", "intended", "attempt", "attempted", "tried", "hope", "hopes", "hoped", "question",
    "questions", "doubt", "doubts", "fail", "fails", "failed",
})
"""Words after which a sentence does not state what follows; the claim may have them too."""

# fmt: on
MOVABLE = frozenset({"in", "at", "on", "during", "within", "across", "throughout", "for", "since", "from"})
"""Prepositions before a part of a sentence that may stand elsewhere in it with the same meaning."""


@dataclass(frozen=True, slots=True)
class _Stem:
    stem: str
    name: bool
    start: int
    end: int


def stated_at(claim: str, sentences: Sequence[str], title: str = "") -> int | None:
    """Index of the first of these sentences that states the claim; None when none does."""
    return next((at for at, sentence in enumerate(sentences) if states(claim, sentence, title)), None)


def states(claim: str, sentence: str, title: str = "") -> bool:
    """Whether ``sentence`` says ``claim`` in the same words. Names that it lacks may stand in the ``title`` of its
    source. Never raises on any text."""
    wanted, here = _content(claim), _content(sentence)
    if len(wanted) < LEAST or len(here) < LEAST:
        return False
    named = {one.stem for one in _content(title)}
    places = _places(wanted, here, named)
    if places is None or not _in_order(claim, wanted, places) or _another_between(wanted, here, places):
        return False
    known = [place for place in places if place is not None]
    if not _turn_alike(claim, sentence, here[min(known)].start, here[max(known)].end):
        return False
    evidence = f"{title}: {sentence}" if title else sentence
    return not any(result.veto or result.outcome is Outcome.FAILED for result in run_checks(claim, evidence))


def _content(text: str) -> list[_Stem]:
    found = []
    for term in terms(text):
        written = text[term.start : term.end]
        if fold(written) not in STOP_WORDS:
            found.append(_Stem(term.stem, written[:1].isupper(), term.start, term.end))
    return found


def _places(wanted: Sequence[_Stem], here: Sequence[_Stem], named: Container[str]) -> list[int | None] | None:
    """Where each word of the claim stands in the sentence, after the one before it where it can; None for a name that
    only the title has. None at all when a word stands nowhere."""
    where: dict[str, list[int]] = {}
    for place, one in enumerate(here):
        where.setdefault(one.stem, []).append(place)
    found: list[int | None] = []
    last = -1
    for one in wanted:
        places = where.get(one.stem)
        if places is None and not (one.name and one.stem in named):
            return None
        found.append(None if places is None else next((place for place in places if place > last), places[0]))
        last = last if found[-1] is None else found[-1]
    return found if sum(place is not None for place in found) >= LEAST else None


def _in_order(claim: str, wanted: Sequence[_Stem], places: Sequence[int | None]) -> bool:
    """Whether the order goes back at most once, and there to an adverbial: twice, or without a preposition, roles have
    changed ("the film that X directed" is not "the film that X stars in")."""
    known = [(one, place) for one, place in zip(wanted, places, strict=True) if place is not None]
    back = [two for (_, before), (two, after) in pairwise(known) if after < before]
    if not back:
        return True
    before = claim[: back[0].start].split()
    return len(back) == 1 and bool(before) and before[-1].casefold() in MOVABLE


def _another_between(wanted: Sequence[_Stem], here: Sequence[_Stem], places: Sequence[int | None]) -> bool:
    """Whether a name that the claim lacks stands between two neighbours of the claim: it may be the one meant there."""
    mine = {one.stem for one in wanted}
    pairs = [(a, b) for a, b in pairwise(places) if a is not None and b is not None and a < b]
    return any(one.name and one.stem not in mine for a, b in pairs for one in here[a + 1 : b])


def _turn_alike(claim: str, sentence: str, start: int, end: int) -> bool:
    """Whether both sides have the same turning words, and the sentence no doubt that the claim lacks."""
    mine = [one.key for one in words(claim)]
    theirs = words(sentence)
    first = next((place for place, one in enumerate(theirs) if one.end > start), 0)
    said = [one.key for one in theirs[max(0, first - _AROUND) :] if one.start < end]
    if {one for one in said if one in TURNING} != {one for one in mine if one in TURNING}:
        return False
    before = {one.key for one in theirs if one.start < end}
    return not (before & UNSURE) - set(mine)
