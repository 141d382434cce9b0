"""The context of an answer: of the passages that were found, the strips that bear on the question, judged one by one.

Decompose, then recompose (Yan et al. 2024, SPEC 4), as ``core.retrieve.refine`` does without reading anything; here
each strip is encoded, which costs a fraction of a second and tells far better what answers. On the golden questions of
the demo a third of the tokens goes and every sentence that answers stays (docs/decisions/0013-answers.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from core.answer.draft import Score
from core.records import Passage, Refinement, Strip
from core.text.sentences import sentence_spans

SHORT = 60
"""Characters under which a sentence is no strip of its own."""
SHIFT = 1.1
"""Added to the log odds of a sentence's relevance: what enters a context is decided more generously than what is
quoted. Above 0.5 stands then what may bear on the question."""
_CHARS_PER_TOKEN = 4


def narrowed(
    question: str, passages: Sequence[tuple[Passage, float]], score: Score, *, least: float, budget: int
) -> Refinement:
    """The strips with a relevance above ``least``, best first, ties in the order given, within ``budget`` tokens; text
    that several passages share is taken once. Nothing when no strip reaches it.

    Args:
        passages: what was found, best first, each with how well it was found (1 for the best).
    """
    cuts = [(passage, found, start, end) for passage, found in passages for start, end in _cuts(passage)]
    texts = [(_text(passage, start, end), found) for passage, found, start, end in cuts]
    held: dict[str, list[tuple[int, int]]] = {}
    strips: list[Strip] = []
    dropped = 0
    for (passage, _, start, end), (text, _), value in zip(cuts, texts, score(question, texts), strict=True):
        if _is_held(held.setdefault(passage.document_id, []), start, end):
            continue
        relevance = shifted(value)
        if relevance > least:
            tokens = -(-len(text) // _CHARS_PER_TOKEN)
            strips.append(Strip(passage.id, passage.document_id, start, end, text, round(relevance, 4), tokens))
        else:
            dropped += 1
    return _within(strips, budget, dropped)


def shifted(relevance: float) -> float:
    """Relevance of a strip from that of its sentence."""
    bounded = min(max(relevance, 1e-9), 1 - 1e-9)
    return 1 / (1 + exp(-(log(bounded / (1 - bounded)) + SHIFT)))


def _within(strips: Sequence[Strip], budget: int, dropped: int) -> Refinement:
    kept: list[Strip] = []
    tokens = 0
    for strip in sorted(strips, key=lambda strip: -strip.relevance):
        if tokens + strip.tokens <= budget:
            kept.append(strip)
            tokens += strip.tokens
    return Refinement(tuple(kept), tokens, dropped, len(strips) - len(kept))


def _cuts(passage: Passage) -> list[tuple[int, int]]:
    """Sentences of a passage in the document, short ones with the one before."""
    spans: list[tuple[int, int]] = []
    for a, b in sentence_spans(passage.text):
        start, end = passage.start + a, passage.start + b
        if spans and (spans[-1][1] - spans[-1][0] < SHORT or end - start < SHORT // 2):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _text(passage: Passage, start: int, end: int) -> str:
    return passage.text[start - passage.start : end - passage.start]


def _is_held(held: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether most of a cut stands in an earlier one of its document (passages overlap); else it is held from now."""
    if 2 * max((min(b, end) - max(a, start) for a, b in held), default=0) > end - start:
        return True
    held.append((start, end))
    return False
