"""Claims made of two claims, and claims whose names have changed places.

Sentences of reports state several things, and one that the source does not say makes the whole not supported; and a
model that only compares words accepts "France is the capital of Paris".
"""

from __future__ import annotations

import itertools
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.verify.checks.mentions import mentions
from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair, words
from training.verifier.wording import inside

JOINED, SWAPPED = "joined", "swapped"
_VERB = frozenset(("is", "was", "are", "were", "has", "have", "had", "can", "could", "will", "would", "does", "did"))
_BOTH_WAYS = re.compile(
    r"\b(?:and|or|with|both|between|married|marri\w+|met|meets|sister|brother|wife|husband|cousin|twin|similar|same|"
    r"related|near|next|border\w*|opposite|versus|vs|like|equal\w*|close|partner\w*|co-?\w+ed|also|known|called|named|"
    r"not|alongside|together|friend\w*|compet\w*|rival\w*|play\w*|starr\w*|featur\w*)\b|,|-",
    re.IGNORECASE,
)
"""Between two names: what says the same the other way round, or may."""
_ONE_WAY = re.compile(
    r"\b(?:by|of|in|for|from|to|at|against|after|before|over|under|into|\w+ed|won|beat|wrote|bought|"
    r"made|led|built|owns|sold|left|gave|founded)\b"
)


def joined(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Pair]:
    """Up to ``count`` claims made of two about the same evidence: supported if both are, false if one is, and else
    NEUTRAL or NOT_SUPPORTED; half of them supported."""
    rng = random.Random(seed)
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.evidence].append(pair)
    left = {SUPPORTS: count // 2, CONTRADICTS: count // 6, NEUTRAL: count // 6, NOT_SUPPORTED: count // 6}
    texts = sorted(groups)
    rng.shuffle(texts)
    for text in texts:
        several = list({pair.claim: pair for pair in groups[text]}.values())
        rng.shuffle(several)
        for one, other in itertools.islice(itertools.pairwise(several), 4):
            label = _together(one.label, other.label)
            if left[label] > 0 and _apart(one.claim, other.claim) and len(one.claim) + len(other.claim) < 260:
                left[label] -= 1
                yield one.with_claim(join(one.claim, other.claim, rng), label, JOINED)


def _together(one: int, other: int) -> int:
    if CONTRADICTS in (one, other):
        return CONTRADICTS
    return max(one, other)  # SUPPORTS is 0, then NEUTRAL, then NOT_SUPPORTED


def _apart(one: str, other: str) -> bool:
    """Whether two claims say something each: not one in other words."""
    mine, theirs = set(words(one)), set(words(other))
    return len(mine & theirs) < 0.7 * min(len(mine), len(theirs))


def join(one: str, other: str, rng: random.Random) -> str:
    """Two claims as one sentence, the subject once where both begin with the same."""
    first, second = one.rstrip(" .").split(), other.rstrip(" .").split()
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    verb = next((at for at in range(same + 1) if at < len(second) and second[at] in _VERB), None)
    if same and verb:
        return f"{' '.join(first)} and {' '.join(second[verb:])}."
    link = rng.choice((", and ", " and ", "; ", ", while ", ", and "))
    return f"{' '.join(first)}{link}{inside(' '.join(second))}."


def swapped(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Pair]:
    """Up to ``count`` supported claims with two of their names in each other's place: NOT_SUPPORTED."""
    rng = random.Random(seed)
    order = [pair for pair in pairs if pair.label == SUPPORTS]
    rng.shuffle(order)
    for pair in order:
        if count <= 0:
            return
        claim = exchanged(pair.claim, pair.evidence)
        if claim is not None:
            count -= 1
            yield pair.with_claim(claim, NOT_SUPPORTED, SWAPPED)


def exchanged(claim: str, evidence: str) -> str | None:
    """``claim`` with its first two names in each other's place; None where it may then still be true."""
    found = [m for m in mentions(claim, evidence) if m.sure]
    for one, other in itertools.pairwise(found):
        between = claim[one.end : other.start]
        first, second = claim[one.start : one.end], claim[other.start : other.end]
        if first in second or second in first or _BOTH_WAYS.search(between) or not _ONE_WAY.search(between):
            continue
        return f"{claim[: one.start]}{second}{between}{first}{claim[other.end :]}"
    return None
