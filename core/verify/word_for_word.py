"""Whether a sentence states a claim word for word.

A small model doubts sentences that any reader would accept: one more year in the evidence, or a place moved to the
front, and it calls the claim contradicted. Where one sentence has the claim's content words one after the other (a year
may stand between them, one adverbial may have moved to the front) with the same words of grammar, and says nothing
before them, there is nothing left to infer. What may still differ (numbers, dates, names, negation, quantifiers) is
what the deterministic checks read, so these must not object.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.text.terms import STOP_WORDS, fold, terms
from core.verify.checks import run_checks
from core.verify.checks.outcomes import Outcome
from core.verify.checks.text import words

SUPPORT = 0.95
"""Probability that a claim which a sentence states is supported; cautious: of the 112 such claims of natural sets in
training documents that were held out all were (docs/decisions/0009)."""
LEAST = 4
"""Content words that a claim needs: with fewer, the same words are no sign that the same thing is said."""

# fmt: off
TURNING = frozenset({
    "not", "no", "nor", "never", "neither", "none", "nobody", "nothing", "without", "except", "excluding", "apart",
    "only", "few", "little", "rarely", "seldom", "scarcely", "before", "after", "until", "till", "since", "more",
    "less", "fewer", "than", "least", "most", "under", "over", "above", "below", "up", "down", "off", "into", "out",
    "outside", "almost", "nearly", "barely", "hardly", "half", "twice", "double", "against", "unlike", "instead",
    "stop", "stops", "stopped", "prevent", "prevents", "prevented", "avoid", "avoided", "percentage", "point",
    "points", "nicht", "kein", "keine", "keinen", "pas", "ne", "non", "nunca", "не", "没", "不",
})
"""Words that turn what the same other words say: both sides need the same ones."""
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
"""Words by which a sentence does not state what it has the words of; the claim may have them too."""
FACTIVE = frozenset({
    "find", "finds", "found", "show", "shows", "showed", "shown", "confirm", "confirms", "confirmed", "demonstrate",
    "demonstrates", "demonstrated", "observe", "observed", "measure", "measured",
})
"""Verbs before a statement that say that it is so."""

# fmt: on
MOVABLE = frozenset({"in", "at", "on", "during", "within", "across", "throughout", "for", "since", "from"})
"""Prepositions before a part of a sentence that may stand elsewhere in it with the same meaning."""
# fmt: off
LIGHT = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "is", "are", "was", "were", "be", "been", "being", "has",
    "have", "had", "which", "its", "it", "also", "in", "at", "on", "during", "by",
})
# fmt: on
"""Words of grammar that one side may lack; "by" is compared by itself."""
PERSONS = frozenset({"he", "she", "him", "his", "her", "hers", "they", "them", "their", "you", "your"})
"""Who is meant: alike on both sides."""
_UNIT = frozenset({"per", "cent", "percent"})
"""Written as a sign elsewhere; figures with their units are compared by a check."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_FIGURE = re.compile(r"\d+")
_STRUCK = re.compile("~~|[≠❌✗✘]")
"""Signs that take back what the words say."""
_LETTER = re.compile(r"(?<=\s)[A-Z](?!\w)")


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
    """Whether ``sentence`` says ``claim`` word for word. Names after a preposition that it lacks may stand in the
    ``title`` of its source. Never raises on any text."""
    wanted, here = _content(claim), _content(sentence)
    if len(wanted) < LEAST or len(here) < LEAST or not _turn_alike(claim, sentence):
        return False
    places = _places(claim, wanted, here, {stem.stem for stem in _content(title)})
    if places is None:
        return False
    known = [place for place in places if place is not None]
    moved = any(b < a for a, b in pairwise(known))
    if not _in_order(claim, wanted, places) or not _alone(sentence, here, known):
        return False
    span = sentence[here[min(known)].start : here[max(known)].end]
    if not _figures(span) <= _figures(claim) or not _grammar_alike(
        claim[wanted[0].start : wanted[-1].end], span, moved=moved or None in places
    ):
        return False
    evidence = f"{title}: {sentence}" if title else sentence
    return not any(result.veto or result.outcome is Outcome.FAILED for result in run_checks(claim, evidence))


def _content(text: str) -> list[_Stem]:
    found = []
    for term in terms(text):
        written = text[term.start : term.end]
        if fold(written) not in STOP_WORDS | _UNIT:
            found.append(_Stem(term.stem, written[:1].isupper(), term.start, term.end))
    return found


def _places(
    claim: str, wanted: Sequence[_Stem], here: Sequence[_Stem], named: Container[str]
) -> list[int | None] | None:
    """Where each word of the claim stands in the sentence, after the one before it where it can; None for a name after
    a preposition that only the title has ("in Port Merrin"). None at all when a word stands nowhere."""
    where: dict[str, list[int]] = {}
    for place, stem in enumerate(here):
        where.setdefault(stem.stem, []).append(place)
    found: list[int | None] = []
    last = -1
    for at, stem in enumerate(wanted):
        places = where.get(stem.stem)
        if places is None:
            between = claim[wanted[at - 1].end : stem.start] if at else ""
            follows = bool(found) and found[-1] is None and not between.strip()
            if not (stem.name and stem.stem in named and (follows or _before(claim, stem.start) in MOVABLE)):
                return None
            found.append(None)
            continue
        last = next((place for place in places if place > last), places[0])
        found.append(last)
    return found if sum(place is not None for place in found) >= LEAST else None


def _in_order(claim: str, wanted: Sequence[_Stem], places: Sequence[int | None]) -> bool:
    """Whether the order goes back at most once, to an adverbial that begins what is said: twice, elsewhere, or
    without a preposition, roles have changed ("effects of sleep on diet")."""
    known = [(stem, place) for stem, place in zip(wanted, places, strict=True) if place is not None]
    back = [at for at, ((_, before), (_, after)) in enumerate(pairwise(known), 1) if after < before]
    if not back:
        return True
    moved, place = known[back[0]]
    first = place == min(place for _, place in known)
    return len(back) == 1 and first and _before(claim, moved.start) in MOVABLE


def _alone(sentence: str, here: Sequence[_Stem], places: Sequence[int]) -> bool:
    """Whether nothing but years stands between neighbours of the claim, and nothing but years, or a verb that says
    that it is so, before them all: another word there may be what the second neighbour belongs to, or take it back."""
    taken = set(places)
    before = [stem for at, stem in enumerate(here[: min(places)]) if not _year(sentence, stem)]
    if any(sentence[one.start : one.end].casefold() not in FACTIVE for one in before):
        return False
    gaps = (here[at] for a, b in _gaps(places) for at in range(a + 1, b) if at not in taken)
    return all(_year(sentence, gap) for gap in gaps)


def _year(sentence: str, one: _Stem) -> bool:
    return _YEAR.fullmatch(sentence[one.start : one.end]) is not None


def _figures(text: str) -> set[str]:
    """Figures that are no years: of a range the sentence says more than the claim."""
    return {one for one in _FIGURE.findall(text) if not _YEAR.fullmatch(one)}


def _gaps(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours of the claim between which the sentence has more; around a part that has moved, those beside it."""
    left: int | None = None
    for a, b in pairwise(places):
        if b < a:
            left = a
        elif b > a + 1:
            yield (a, b) if left is None else (min(left, b), b)
            left = None


def _grammar_alike(claim: str, span: str, *, moved: bool) -> bool:
    """Whether both sides have the same words of grammar but for light ones, in the same order unless a part has
    ``moved``: "from A to B" is not "to A from B", "he" is not "she"."""
    mine, theirs = ([one for one in _bare(text) if one in STOP_WORDS - LIGHT] for text in (claim, span))
    return sorted(set(mine)) == sorted(set(theirs)) if moved else mine == theirs


def _bare(text: str) -> list[str]:
    return [word.key.removesuffix("'s") for word in words(text)]


def _turn_alike(claim: str, sentence: str) -> bool:
    """Whether both sides have the same turning words, persons, agents ("by") and letters ("plan B"), and the sentence
    no doubt and no question that the claim lacks."""
    mine, theirs = ({word.key for word in words(text)} for text in (claim, sentence))
    if mine & TURNING != theirs & TURNING or ("by" in mine) != ("by" in theirs):
        return False
    if mine & PERSONS != theirs & PERSONS or _STRUCK.search(sentence):
        return False
    if set(_LETTER.findall(claim)) != set(_LETTER.findall(sentence)):
        return False
    return not (theirs & UNSURE) - mine and ("?" in claim or "?" not in sentence)


def _before(text: str, start: int) -> str:
    """The word in front of a place, in lower case; "" where there is none."""
    return (text[:start].split() or [""])[-1].casefold()
