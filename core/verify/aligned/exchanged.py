"""Words that have changed their partners: "A was built and B was sold" beside "A was sold and B was built".

Two words of one class (names, figures, verbs, qualities) each stand close to a partner in the tree of the claim, and
each close to the other's partner in the tree of the sentence. Of PAWS-Wiki (Zhang, Baldridge & He 2019), pairs made by
exchanging words, 41 of 100 false ones are told so, and 4 of 100 true ones are too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, difference
from core.verify.aligned.words import has_content, is_noun, is_verb

_CLOSE = 2.0
"""Steps in the tree within which two words are partners. A word without content counts half a step."""
_MARGIN = 2.0
"""Steps by which the partners of the claim must be closer than the exchanged ones, and in the sentence farther."""
_JOINED = 0.5
"""Steps that an "and" between two clauses or things adds."""
_FAR = 12.0
"""Steps between words that no tree joins; longer ways say no more."""

_Pair = tuple[str, str]


@dataclass(frozen=True)
class _Tree:
    """The content words of a parse by their keys, and the steps between every two of them."""

    places: dict[str, int]
    steps: dict[_Pair, float]

    def apart(self, pair: _Pair) -> float:
        return min(self.steps.get(pair, _FAR), _FAR)


def check(pair: Alignment) -> Difference | None:
    """Two words that have exchanged their partners, or None. Words in the same relation ("praised the nurses",
    "criticised the bankers") are shown before others that the exchange moves as well."""
    mine, theirs = _tree(pair.claim), _tree(pair.sentence)
    kinds = {key: _kind(pair.claim, place) for key, place in mine.places.items() if key in theirs.places}
    close = [pair for pair, steps in mine.steps.items() if steps <= _CLOSE and kinds.keys() >= set(pair)]
    shown: tuple[str, str, str] | None = None
    for (first, partner), (second, other) in product(close, close):
        if len({first, partner, second, other}) < 4 or kinds[first] != kinds[second] or kinds[partner] != kinds[other]:
            continue
        straight, crossed = ((first, partner), (second, other)), ((first, other), (second, partner))
        if _closer(mine, straight, crossed) and _closer(theirs, crossed, straight):
            alike = pair.claim[mine.places[first]].dep == pair.claim[mine.places[second]].dep
            if alike or shown is None:
                shown = first, partner, other
            if alike:
                break
    return _told(pair, mine, theirs, shown) if shown else None


def _closer(tree: _Tree, near: tuple[_Pair, _Pair], far: tuple[_Pair, _Pair]) -> bool:
    """The test that the pairs ``near`` are partners in a tree, and closer by the margin than the pairs ``far``."""
    if any(tree.apart(pair) > _CLOSE for pair in near):
        return False
    return sum(map(tree.apart, near)) + _MARGIN <= sum(map(tree.apart, far))


def _kind(parse: Parse, place: int) -> str:
    word = parse[place]
    return "noun" if is_noun(word) else "verb" if is_verb(word) else "figure" if word.pos == "NUM" else "quality"


def _tree(parse: Parse) -> _Tree:
    places: dict[str, int] = {}
    steps: dict[_Pair, float] = {}
    joined: list[list[int]] = [[] for _ in parse]
    for place, word in enumerate(parse):
        if word.head != place:
            joined[place].append(word.head)
            joined[word.head].append(place)
    for start, word in enumerate(parse):
        if not has_content(word):
            continue
        places.setdefault(_key(parse, start), start)
        for place, way in _ways(parse, joined, start):
            pair = _key(parse, start), _key(parse, place)
            if has_content(parse[place]) and pair[0] != pair[1]:
                steps[pair] = min(way, steps.get(pair, _FAR))
    return _Tree(places, steps)


def _ways(parse: Parse, joined: list[list[int]], start: int) -> Iterator[tuple[int, float]]:
    """Every word within reach of ``start``, with the steps to it."""
    reached = {start: 0.0}
    row = [start]
    for place in row:
        for near in joined[place]:
            below = near if parse[near].head == place else place
            way = reached[place] + (1.0 if has_content(parse[near]) else 0.5)
            way += _JOINED * (parse[below].dep == "conj")
            if near not in reached and way < _FAR:
                reached[near] = way
                row.append(near)
                yield near, way


def _key(parse: Parse, place: int) -> str:
    """A word as it is looked for in the other tree; a word that stands several times counts by its nearest place."""
    word = parse[place]
    return word.text.lower() if word.pos == "PROPN" else word.lemma


def _told(pair: Alignment, mine: _Tree, theirs: _Tree, words: tuple[str, str, str]) -> Difference:
    first, partner, other = words
    here = [pair.claim[mine.places[key]] for key in (first, partner)]
    there = [pair.sentence[theirs.places[key]] for key in (first, other)]
    return difference(
        " … ".join(word.text for word in sorted(here, key=lambda word: word.start)),
        " … ".join(word.text for word in sorted(there, key=lambda word: word.start)),
        [(word.start, word.end) for word in here],
        [(word.start, word.end) for word in there],
    )
