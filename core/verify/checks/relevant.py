"""Which sentences of the evidence speak of the claim: a long passage also holds negations of other things."""

from __future__ import annotations

from collections.abc import Sequence

from core.text.sentences import sentence_spans
from core.verify.checks.outcomes import Span
from core.verify.checks.text import content_stems

_SHARE = 0.5
_BESIDE = 40


def relevant_spans(claim: str, evidence: str, share: float = _SHARE) -> list[Span]:
    """Sentences of ``evidence`` that share words with ``claim``: at least ``share`` times as many as the best."""
    wanted = content_stems(claim)
    scored = [(len(wanted & content_stems(evidence[a:b])), (a, b)) for a, b in sentence_spans(evidence)]
    best = max((score for score, _ in scored), default=0)
    return [span for score, span in scored if score and score >= share * best] or [span for _, span in scored]


def coverage(claim: str, evidence: str, without: Sequence[Span] = ()) -> float:
    """Share of the content stems of ``claim``, the spans ``without`` left out, that the evidence has; 0 to 1.

    1 where nothing else is left of the claim. What differs is worth a veto only where the two speak of one thing.
    """
    rest, at = [], 0
    for start, end in sorted(without):
        rest.append(claim[at:start])
        at = max(at, end)
    wanted = content_stems(" ".join([*rest, claim[at:]]))
    return len(wanted & content_stems(evidence)) / len(wanted) if wanted else 1.0


def alongside(claim: str, mine: Sequence[Span], evidence: str, theirs: Sequence[Span]) -> bool:
    """Whether a content word stands beside both a span of the claim and one of the evidence: they fill one place."""
    beside = frozenset().union(*(_around(claim, span) for span in mine))
    return any(beside & _around(evidence, span) for span in theirs)


def _around(text: str, span: Span) -> frozenset[str]:
    start, end = span
    left, right = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    left = left if start <= _BESIDE else left.partition(" ")[2]
    right = right if end + _BESIDE >= len(text) else right.rpartition(" ")[0]
    return content_stems(left) | content_stems(right)
