"""Which sentences of the evidence speak of the claim: a long passage also holds negations of other things."""

from __future__ import annotations

from core.sentences import sentence_spans
from core.verify.checks.text import content_stems
from core.verify.records import Span

_SHARE = 0.5


def relevant_spans(claim: str, evidence: str, share: float = _SHARE) -> list[Span]:
    """Sentences of ``evidence`` that share words with ``claim``: at least ``share`` times as many as the best."""
    wanted = content_stems(claim)
    scored = [(len(wanted & content_stems(evidence[a:b])), (a, b)) for a, b in sentence_spans(evidence)]
    best = max((score for score, _ in scored), default=0)
    return [span for score, span in scored if score and score >= share * best] or [span for _, span in scored]
