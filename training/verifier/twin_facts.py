"""Claims of two to four facts about the same evidence, beside the same claim with one of its facts made false."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from training.verifier.composed import join
from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair, words
from training.verifier.units import Unit
from training.verifier.wording import inside

NAME = "twin_facts"
LONGEST = 330
"""Characters of a claim."""


def several(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Unit]:
    """Up to ``count`` units from ``pairs`` about the same evidence: all facts supported, and one of them not.

    The false fact is another claim about the same evidence that is known to be false or not said there.
    """
    rng = random.Random(f"{seed} facts")
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in dict.fromkeys(pairs):
        groups[pair.evidence].append(pair)
    texts = sorted(groups)
    rng.shuffle(texts)
    for text in texts:
        true = [pair for pair in groups[text] if pair.label == SUPPORTS]
        false = [pair for pair in groups[text] if pair.label != SUPPORTS]
        if count <= 0:
            return
        chosen = _apart(rng.sample(true, len(true)), rng.choice((2, 2, 3, 3, 4)))
        if len(chosen) < 2 or not false:
            continue
        wrong = rng.choice(false)
        at = _nearest(wrong, chosen)
        claim = together([pair.claim for pair in chosen], random.Random(f"{seed} {text}"))
        spoilt = [wrong.claim if place == at else pair.claim for place, pair in enumerate(chosen)]
        other = together(spoilt, random.Random(f"{seed} {text}"))
        if len(claim) < LONGEST and len(other) < LONGEST:
            count -= 1
            yield (chosen[0].with_claim(claim, SUPPORTS, NAME), chosen[0].with_claim(other, _spoils(wrong), NAME))


def changed(units: Sequence[Unit], count: int, seed: int) -> Iterator[Unit]:
    """Up to ``count`` units from twins: another supported claim of the same evidence joined to both twins."""
    rng = random.Random(f"{seed} changed")
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if unit[0].label == SUPPORTS and len(unit) > 1 and unit[0].evidence == unit[1].evidence:
            groups[unit[0].evidence].append(unit)
    texts = sorted(text for text in groups if len(groups[text]) > 1)
    rng.shuffle(texts)
    for text in texts[:count]:
        one, other = rng.sample(groups[text], 2)
        true, false, more = one[0], one[1], other[0].claim
        if _same(true.claim, more) or len(true.claim) + len(more) > LONGEST or false.label == SUPPORTS:
            continue
        first = rng.random() < 0.5
        seeded = lambda text=text: random.Random(f"{seed} {text}")  # noqa: E731
        order = lambda claim, first=first, more=more: [claim, more] if first else [more, claim]  # noqa: E731
        yield (
            true.with_claim(together(order(true.claim), seeded()), SUPPORTS, NAME),
            true.with_claim(together(order(false.claim), seeded()), false.label, NAME),
        )


def _spoils(wrong: Pair) -> int:
    return CONTRADICTS if wrong.label == CONTRADICTS else NOT_SUPPORTED if wrong.label == NOT_SUPPORTED else NEUTRAL


def _apart(pairs: Sequence[Pair], most: int) -> list[Pair]:
    chosen: list[Pair] = []
    for pair in pairs:
        if len(chosen) < most and not any(_same(pair.claim, other.claim) for other in chosen):
            chosen.append(pair)
    return chosen


def _same(one: str, other: str) -> bool:
    """Whether two claims say one thing in two wordings, as far as their words tell."""
    mine, theirs = set(words(one)), set(words(other))
    return len(mine & theirs) > 0.75 * min(len(mine), len(theirs))


def _nearest(wrong: Pair, chosen: Sequence[Pair]) -> int:
    """Place of the fact whose words are most like those of the false one: it is the one to be replaced."""
    mine = set(words(wrong.claim))
    return max(range(len(chosen)), key=lambda at: len(mine & set(words(chosen[at].claim))))


def together(claims: Sequence[str], rng: random.Random) -> str:
    """Claims as one text: two joined in one sentence, more as two or three sentences."""
    if len(claims) == 2 and rng.random() < 0.6:
        return join(claims[0], claims[1], rng)
    if len(claims) > 2 and rng.random() < 0.5:
        return f"{join(claims[0], claims[1], rng)} {' '.join(_sentence(claim) for claim in claims[2:])}"
    if len(claims) > 2 and rng.random() < 0.3:
        bare = [claim.rstrip(" .") for claim in claims]
        return f"{', '.join([bare[0], *map(inside, bare[1:-1])])}, and {inside(bare[-1])}."
    return " ".join(_sentence(claim) for claim in claims)


def _sentence(claim: str) -> str:
    return f"{claim[:1].upper()}{claim[1:].rstrip(' .')}."
