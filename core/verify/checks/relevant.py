"""Which sentences of the evidence speak of the claim at all: a long passage holds negations and quantifiers of others."""

from __future__ import annotations

from core.acquire.sentences import sentence_spans
from core.verify.checks.text import content_stems
from core.verify.records import Span

_SHARE = 0.5


def relevant_spans(claim: str, evidence: str) -> list[Span]:
    """Sentences of ``evidence`` that share at least half as many content words with ``claim`` as the best one does."""
    wanted = content_stems(claim)
    scored = [(len(wanted & content_stems(evidence[a:b])), (a, b)) for a, b in sentence_spans(evidence)]
    best = max((score for score, _ in scored), default=0)
    return [span for score, span in scored if score and score >= _SHARE * best] or [span for _, span in scored]
