"""Until corrective retrieval is there: one plain search in its place."""

from __future__ import annotations

from collections.abc import Callable

from core.labels import CragAction
from core.model import Attempt, Gate, Gathered, InjectionFlag, Refinement, SearchRequest, SearchResult, Strip


def flags(text: str, where: str = "text") -> tuple[InjectionFlag, ...]:
    """Nothing is flagged."""
    return ()


def gather(
    question: str, request: SearchRequest, *, search: Callable[[SearchRequest], SearchResult], **_: object
) -> Gathered:
    """What a search finds, whole."""
    result = search(request)
    top = max((one.score for one in result.passages), default=0.0)
    strips = tuple(
        Strip(
            one.passage.id, one.document.id, one.passage.start, one.passage.end, one.passage.text,
            max(0.0, min(1.0, one.score)), len(one.passage.text) // 4,
        )
        for one in result.passages
    )  # fmt: skip
    gate = Gate(max(0.0, min(1.0, top)), 0.0, max(0.0, min(1.0, top)), 0.35, top >= 0.35)
    action = CragAction.OFF if strips else CragAction.NOTHING_FOUND
    tokens = sum(one.tokens for one in strips)
    return Gathered(question, (Attempt(result, gate, None),), action, Refinement(strips, tokens), notes=result.notes)
