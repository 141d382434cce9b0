"""Decompose, then recompose: of what was found, the strips that bear on the question (Yan et al. 2024).

A strip is a sentence, or several where they are short; its offsets are exact in the stored text. Its relevance is a
logistic regression on the question's words in it and on the nearness of question and passage, fitted on SciFact's
training claims (rationale sentences among all of the ten abstracts found for each) and on TREC-QA's training questions.
A false drop counted eight times a false keep there, so that above 0.5 stands nearly everything that bears on the
question (docs/decisions/0014-crag.md). It encodes nothing: the passage's vector is stored, and a forward pass for each
strip would cost more time than the whole step may take.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from core.records import Passage, Refinement, Strip, Vector
from core.retrieve.crag import Background, content_stems, relative
from core.settings.values import Crag
from core.text.sentences import sentence_spans
from core.text.terms import index_terms

WITH_VECTOR = (-3.62, 7.34, 8.02)
"""Intercept; weights of the strip's coverage and of the passage's nearness."""
WORDS_ONLY = (-1.16, 10.3, 4.7)
"""Intercept; weights of the strip's coverage and of the best neighbour's, where the passage or the question has no
vector."""
SHORT = 60
"""Characters under which a sentence is no strip of its own."""
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class _Cut:
    passage: Passage
    start: int
    end: int
    stems: frozenset[str]


def refine(
    question: str,
    passages: Sequence[Passage],
    nearness: Mapping[int, float],
    settings: Crag,
    *,
    all_kept: bool = False,
    own: Collection[str] = (),
) -> Refinement:
    """The strips with relevance above ``strip_relevance``, best first, ties in the order of the passages, within the
    budget of tokens; text that several passages share is taken once.

    Args:
        passages: what was found, best first.
        nearness: cosine of question and passage relative to the background, by passage id, for those that are encoded.
        all_kept: keep strips of any relevance: nothing better was to be had, and nothing found may be lost.
        own: the documents that are left room, as in ``within``.
    """
    wanted = content_stems(question)
    strips: list[Strip] = []
    dropped = 0
    seen: dict[str, list[tuple[int, int]]] = {}
    for passage in passages:
        cuts = _cuts(passage)
        for cut, relevance in zip(cuts, _relevances(cuts, wanted, nearness.get(passage.id)), strict=True):
            if _is_covered(seen.setdefault(passage.document_id, []), cut):
                continue
            if relevance > settings.strip_relevance or all_kept:
                strips.append(_strip(cut, relevance))
            else:
                dropped += 1
    return within(strips, settings.token_budget, dropped, own)


def whole(passages: Sequence[Passage], budget: int) -> Refinement:
    """Every passage as one strip, unjudged (relevance 1), in the order given, within the budget."""
    strips = [_strip(_Cut(passage, passage.start, passage.end, frozenset()), 1.0) for passage in passages]
    return within(strips, budget, 0)


def within(strips: Sequence[Strip], budget: int, dropped: int, own: Collection[str] = ()) -> Refinement:
    """Best first, each that still fits into the budget of tokens. Strips of other documents leave those of ``own`` half
    of it, as far as these need it: long pages of the web must not push out what the project has."""
    needed = sum(strip.tokens for strip in strips if strip.document_id in own)
    room = budget - min(needed, budget // 2)
    chosen: list[Strip] = []
    tokens = 0
    for strip in sorted(strips, key=lambda strip: -strip.relevance):
        others = strip.tokens if strip.document_id not in own else 0
        if tokens + strip.tokens <= budget and others <= room:
            chosen.append(strip)
            tokens += strip.tokens
            room -= others
    return Refinement(tuple(chosen), tokens, dropped, len(strips) - len(chosen))


def nearness(question: Vector | None, vectors: Mapping[int, Vector], background: Background) -> dict[int, float]:
    """Cosine of the question's unit vector and each passage's, relative to what any passage has; none without a vector
    of the question."""
    if question is None:
        return {}
    return {key: relative(float(np.dot(question, vector)), background.question) for key, vector in vectors.items()}


def _cuts(passage: Passage) -> list[_Cut]:
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(passage.text):
        if spans and (spans[-1][1] - spans[-1][0] < SHORT or end - start < SHORT // 2):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [
        _Cut(passage, passage.start + start, passage.start + end, frozenset(index_terms(passage.text[start:end])))
        for start, end in spans
    ]


def _relevances(cuts: Sequence[_Cut], wanted: frozenset[str], near: float | None) -> list[float]:
    shares = [len(wanted & cut.stems) / len(wanted) if wanted else 0.0 for cut in cuts]
    relevances = []
    for at, share in enumerate(shares):
        if near is None:
            beside = max([*shares[max(0, at - 1) : at], *shares[at + 1 : at + 2]], default=0.0)
            bias, own, next_to = WORDS_ONLY
            logit = bias + own * share + next_to * beside
        else:
            bias, own, meaning = WITH_VECTOR
            logit = bias + own * share + meaning * near
        relevances.append(1 / (1 + exp(-max(-60.0, min(60.0, logit)))))
    return relevances


def _is_covered(covered: list[tuple[int, int]], cut: _Cut) -> bool:
    """Whether most of a cut stands in an earlier one of its document (passages overlap); else it is added to them."""
    shared = max((min(end, cut.end) - max(start, cut.start) for start, end in covered), default=0)
    if 2 * shared > cut.end - cut.start:
        return True
    covered.append((cut.start, cut.end))
    return False


def _strip(cut: _Cut, relevance: float) -> Strip:
    passage = cut.passage
    text = passage.text[cut.start - passage.start : cut.end - passage.start]
    tokens = -(-len(text) // CHARS_PER_TOKEN)
    return Strip(passage.id, passage.document_id, cut.start, cut.end, text, relevance, tokens)
