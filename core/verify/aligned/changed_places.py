"""Two things that have changed places while the words between them stayed: "A raised the yield, whereas B had no
effect" beside "B raised the yield, whereas A had no effect".

The comparison reads the order of words, not their tree: parsers fail on names of genes and on long lists, and there
such exchanges are common.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, difference
from core.verify.aligned.words import has_content, is_noun

_BETWEEN = 2
"""Shared words between the two, from which on their order tells something."""
_CONTRAST = frozenset({"not", "but", "while", "whereas", "however", "than", ";"})
"""One shared word is enough where one of these stands between the two."""
_EITHER = frozenset({"not", "than"})
"""Between two things that stand next to each other these set the one against the other ("early, but not late")."""
_NEXT = 5
"""Words between two things that stand next to each other."""
_JOINING = frozenset({"VERB", "AUX", "ADP", "PART"})
_MUTUAL = re.compile(
    r"differ|similar|equal|associat|correlat|relate|relation|link|interact|resembl|compar|between|match|same|know|call|alias"
)
"""Stems of words that mean the same in both directions."""


def check(pair: Alignment) -> Difference | None:
    """The first two things that have changed places, or None."""
    order = sorted(pair.same)
    things = [here for here in order if _is_thing(pair.claim, here)]
    for first, second in combinations(things, 2):
        left, right = pair.pairs[second], pair.pairs[first]  # their order in the sentence, if they changed places
        if left >= right or not _alike(pair.claim, first, second) or _other_voice(pair, first, second):
            continue
        between = [pair.pairs[here] for here in order if first < here < second and left < pair.pairs[here] < right]
        if _tells(pair, _longest_rising(between), (first, second), (left, right)):
            return _told(pair, (first, second), (left, right))
    return None


def _is_thing(parse: Parse, place: int) -> bool:
    word = parse[place]
    return has_content(word) and (is_noun(word) or word.pos in ("ADJ", "ADV")) and _single(parse, place)


def _single(parse: Parse, place: int) -> bool:
    """A word that stands once in its text: of two, nobody knows which corresponds to which."""
    return sum(word.lemma == parse[place].lemma for word in parse) == 1


def _alike(parse: Parse, first: int, second: int) -> bool:
    """Two words of one class: nouns of one kind of name, qualities, or words before the same noun."""
    kinds = {parse[place].entity for place in (first, second)} - {""}
    if len(kinds) > 1:
        return False
    if is_noun(parse[first]) is is_noun(parse[second]):
        return True
    return second + 1 < len(parse) and parse[first + 1].lemma == parse[second + 1].lemma


def _longest_rising(places: Sequence[int]) -> int:
    """Length of the longest subsequence in rising order (patience sorting): the words that kept their order."""
    piles: list[int] = []
    for place in places:
        at = bisect_left(piles, place)
        piles[at : at + 1] = [place]
    return len(piles)


def _tells(pair: Alignment, between: int, here: tuple[int, int], there: tuple[int, int]) -> bool:
    """An order that means something: enough words between the two in both texts, none of them mutual, and each of the
    two in the part of the other."""
    mine, theirs = pair.claim[here[0] + 1 : here[1]], pair.sentence[there[0] + 1 : there[1]]
    around = [*mine, *theirs, *pair.claim[max(0, here[0] - 3) : here[0]]]
    if any(_MUTUAL.match(word.lemma.lower()) for word in around):
        return False
    if all(any(word.text.lower() in _EITHER for word in words) and len(words) <= _NEXT for words in (mine, theirs)):
        return True
    if not all(any(word.pos in _JOINING for word in words) for words in (mine, theirs)):
        return False  # a list, whose order tells nothing
    contrast = all(any(word.text.lower() in _CONTRAST for word in words) for words in (mine, theirs))
    if contrast:
        return between >= 1
    slots = _slot(pair.claim, here[0]), _slot(pair.claim, here[1])
    return between >= _BETWEEN and slots == (_slot(pair.sentence, there[0]), _slot(pair.sentence, there[1]))


def _slot(parse: Parse, place: int) -> tuple[str, str]:
    """The part that a word plays: relation and preposition of the phrase that it belongs to."""
    for _ in parse:
        word = parse[place]
        if word.dep not in ("compound", "amod", "nmod", "poss", "conj", "appos", "nummod") or word.head == place:
            break
        place = word.head
    word = parse[place]
    return word.dep, parse[word.head].lemma if word.dep == "pobj" else ""


def _other_voice(pair: Alignment, first: int, second: int) -> bool:
    """A passive text beside an active one: "by" stands before one of the two in one text only."""
    mine = any(_behind_by(pair.claim, place) for place in (first, second))
    theirs = any(_behind_by(pair.sentence, pair.pairs[place]) for place in (first, second))
    return mine is not theirs


def _behind_by(parse: Parse, place: int) -> bool:
    return any(word.text.lower() == "by" for word in parse[max(0, place - 4) : place])


def _told(pair: Alignment, here: tuple[int, int], there: tuple[int, int]) -> Difference:
    claim, sentence = pair.claim, pair.sentence
    return difference(
        f"{claim[here[0]].text} … {claim[here[1]].text}",
        f"{sentence[there[0]].text} … {sentence[there[1]].text}",
        [(claim[place].start, claim[place].end) for place in here],
        [(sentence[place].start, sentence[place].end) for place in there],
    )
