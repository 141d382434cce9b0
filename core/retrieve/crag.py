"""Corrective retrieval: whether what was found is good, bad, or in between.

Yan, Gu, Zhu & Ling, "Corrective Retrieval Augmented Generation", 2024, with three signals in place of their fine-tuned
evaluator. Each is in [0, 1], and each is about the best passages together:

* ``rerank``: the probability that the best of the first passages answers, from the cross-encoder's largest logit;
* ``coverage``: the share of the question's content words that the first three passages have, as whole words (stems):
  "art" is not found in "start";
* ``agreement``: whether the first passages of different documents speak of the same, from the mean cosine of their
  vectors. Sources that answer one question stand near one another; what a bad search brings is near to nothing.

What a cosine means differs from collection to collection: two random sentences of a newspaper have .40, two random
abstracts of aerodynamics .69. So cosines count relative to the ``Background`` of the project. The calibrations are
logistic regressions (Platt 1999) on training queries of SciFact, half of Cranfield's, and training questions of
TREC-QA, each put to its own collection and to another one (docs/decisions/0014-crag.md).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from core.labels import CragClass, QueryKind, Stage
from core.records import CragJudgement, CragSignals, Gate, Passage, ScoredPassage, SearchResult, Vector
from core.settings.values import Crag
from core.text.terms import STOP_WORDS, index_terms, telling_stems

SAMPLE = 64
"""Passages that stand for all."""
_PRIOR = 16
"""Of a small project the sample is the passages found: the usual values count as so many passages beside it."""
_QUESTION, _PAIRS = 0.50, 0.57
"""Means over SciFact, Cranfield and TREC-QA with bge-small-en-v1.5."""


@dataclass(frozen=True, slots=True)
class Background:
    """Mean cosine of the question and any passage, and of any two passages."""

    question: float = _QUESTION
    pairs: float = _PAIRS


NO_BACKGROUND = Background()


def sampled(passage_ids: Sequence[int]) -> list[int]:
    """At most 64 of them, evenly spread: the same for the same project."""
    step = max(1, len(passage_ids) // SAMPLE)
    return list(passage_ids[::step][:SAMPLE])


def background(question: Vector | None, vectors: Mapping[int, Vector]) -> Background:
    """From the unit vectors of a sample of passages; the usual values where there are none."""
    if question is None or not vectors:
        return NO_BACKGROUND
    stacked = np.stack(list(vectors.values())).astype(np.float64)
    count = len(stacked)
    near = float((stacked @ np.asarray(question, np.float64)).mean())
    pairs = count * (count - 1)
    between = ((stacked @ stacked.T).sum() - count) / pairs if pairs else _PAIRS
    return Background(
        (near * count + _QUESTION * _PRIOR) / (count + _PRIOR),
        (float(between) * count + _PAIRS * _PRIOR) / (count + _PRIOR),
    )


def relative(cosine: float, usual: float) -> float:
    """1 for equal vectors, 0 for a cosine as any other has here, below 0 for a smaller one."""
    return (cosine - usual) / max(1e-6, 1 - usual)


MIN_WORDS = 20
"""Fewer words than this say nothing on their own: score 0.0."""

_WORD = re.compile(r"[^\W_]+")


def content_words(text: str) -> set[str]:
    """Distinct lower-case words of ``text`` without stop words."""
    return {word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS}


def content_quality(text: str, question: str | None) -> float:
    """Content quality of a passage for a question, in [0, 1]. Under 20 words (runs between white space): 0.0. Otherwise
    ``min(1, min(0.8, 0.2 + words/200 * 0.6) + min(0.2, 0.2 * overlap))``, where ``overlap`` is the share of the
    question's content words that are words of the passage; 0 without a question."""
    words = len(text.split())
    if words < MIN_WORDS:
        return 0.0
    wanted = content_words(question or "")
    overlap = len(wanted & set(_WORD.findall(text.lower()))) / len(wanted) if wanted else 0.0
    return min(1.0, min(0.8, 0.2 + words / 200 * 0.6) + min(0.2, 0.2 * overlap))


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that say something; of all its words where none does."""
    return telling_stems(text) or frozenset(index_terms(text))


def covered(wanted: frozenset[str], texts: Sequence[str]) -> float:
    """Share of the ``wanted`` stems that the ``texts`` have together, in [0, 1]; 0 when nothing is wanted."""
    if not wanted:
        return 0.0
    stems = {stem for text in texts for stem in index_terms(text)}
    return len(wanted & stems) / len(wanted)


RERANKED = 4
"""Passages whose rerank scores count. The cross-encoder takes about 35 ms for each: four leave room in 300 ms."""
RERANKED_CHARS = 800
"""Of each, from its beginning: a passage of the default size with its title and headings. What is longer would cost its
length in time."""
COVERING, AGREEING = 3, 5
RERANKERS = "ms-marco-"
"""The family whose logits the calibration is for; another model's scores are not used as a probability."""
ENCODERS = "bge-small-en-v1.5"
"""The encoder whose cosines the calibrations are for."""
RERANK = (0.40, -0.33)
AGREEMENT = (14.5, -4.56)
"""Slope and intercept on the logit, and on the mean cosine relative to the background."""


def signals(
    question: str,
    found: Sequence[ScoredPassage],
    vectors: Mapping[int, Vector],
    logits: Sequence[float] | None,
    background: Background = NO_BACKGROUND,
) -> CragSignals:
    """The three signals of a search's result, best passage first. ``vectors``: unit vectors by passage id; those of
    passages not encoded yet are missing. ``logits``: the calibrated cross-encoder's scores of the first passages; None
    where it did not run."""
    wanted = content_stems(question)
    best = [passage.passage for passage in found]
    return CragSignals(
        rerank=logistic(RERANK, max(logits)) if logits else None,
        coverage=covered(wanted, [passage.index_text for passage in best[:COVERING]]) if wanted else None,
        agreement=_agreement(best, vectors, background),
    )


def judge(signals: CragSignals, settings: Crag) -> CragJudgement:
    """The class: the signals' weighted mean against the two thresholds; the weights of missing signals go to those that
    are there. Without any signal nothing is known, which counts as incorrect with confidence 0."""
    weighed = [
        (signals.rerank, settings.weight_rerank),
        (signals.coverage, settings.weight_coverage),
        (signals.agreement, settings.weight_agreement),
    ]
    total = sum(weight for value, weight in weighed if value is not None)
    if total <= 0:
        return CragJudgement(CragClass.INCORRECT, 0.0, signals, (0.0, 0.0, 0.0))
    shares = [weight / total if value is not None else 0.0 for value, weight in weighed]
    confidence = sum((value or 0.0) * share for (value, _), share in zip(weighed, shares, strict=True))
    confidence = min(1.0, max(0.0, confidence))
    return CragJudgement(classify(confidence, settings), confidence, signals, (shares[0], shares[1], shares[2]))


def classify(confidence: float, settings: Crag) -> CragClass:
    """``>= correct`` is correct, ``<= incorrect`` incorrect, else ambiguous."""
    # A mean of floats may miss the threshold it stands on by a last bit.
    if confidence >= settings.correct - 1e-9:
        return CragClass.CORRECT
    return CragClass.INCORRECT if confidence <= settings.incorrect + 1e-9 else CragClass.AMBIGUOUS


def spoken(found: Sequence[ScoredPassage]) -> list[float] | None:
    """The cross-encoder's scores of the first passages where it has spoken on all of them; else None."""
    scores = [[step.score for step in passage.trail if step.stage is Stage.RERANK] for passage in found[:RERANKED]]
    return [steps[-1] for steps in scores] if scores and all(scores) else None


def texts_to_rerank(found: Sequence[ScoredPassage]) -> list[str]:
    """Texts of the first passages as the cross-encoder reads them."""
    return [passage.passage.index_text[:RERANKED_CHARS] for passage in found[:RERANKED]]


def logistic(fitted: tuple[float, float], value: float) -> float:
    """σ(slope · value + intercept)."""
    slope, intercept = fitted
    return 1 / (1 + exp(-max(-60.0, min(60.0, slope * value + intercept))))


def _agreement(passages: Sequence[Passage], vectors: Mapping[int, Vector], background: Background) -> float | None:
    """None with fewer than two documents: one alone agrees with nobody."""
    firsts: dict[str, Vector] = {}
    for passage in passages:
        if passage.id in vectors and len(firsts) < AGREEING:
            firsts.setdefault(passage.document_id, vectors[passage.id])
    if len(firsts) < 2:
        return None
    stacked = np.stack(list(firsts.values())).astype(np.float64)
    cosines = stacked @ stacked.T
    count = len(stacked)
    mean = (cosines.sum() - np.trace(cosines)) / (count * (count - 1))
    return logistic(AGREEMENT, relative(float(mean), background.pairs))


COSINE = (12.6, -5.96)
"""Slope and intercept on a passage's cosine with the question, relative to the background."""
WORDS = (7.67, -3.88)
"""The same on the share of the question's content words in a passage, where there is no such encoder."""
GAP = 0.1
"""Weight of the gap to the next passage beside the top score."""


def gate(result: SearchResult, question: str, threshold: float, background: Background = NO_BACKGROUND) -> Gate:
    """Whether ``confidence`` = top + GAP · gap (at most 1) reaches ``threshold``. A search that found nothing has 0.
    ``top`` and ``gap`` are probabilities that a passage answers, of the best and between it and the next best."""
    values = sorted(_cosines(result, background) or _shares(result.passages, question), reverse=True)
    if not values:
        return Gate(0.0, 0.0, 0.0, threshold, threshold <= 0)
    top = values[0]
    gap = top - values[1] if len(values) > 1 else 0.0
    confidence = min(1.0, top + GAP * gap)
    return Gate(top, gap, confidence, threshold, confidence >= threshold)


def _cosines(result: SearchResult, background: Background) -> list[float]:
    """Of the question itself, whatever other queries brought; none where another encoder made them."""
    ran = result.fingerprint.get(Stage.DENSE.value)
    model = str(ran.get("model") or "") if isinstance(ran, Mapping) else ""
    if not model.startswith(ENCODERS):
        return []
    kinds = [query.kind for query in result.request.queries]
    own = kinds.index(QueryKind.ORIGINAL) if QueryKind.ORIGINAL in kinds else 0
    steps = (step for passage in result.passages for step in passage.trail)
    cosines = (step.score for step in steps if step.stage is Stage.DENSE and step.query == own)
    return [logistic(COSINE, relative(cosine, background.question)) for cosine in cosines]


def _shares(passages: Sequence[ScoredPassage], question: str) -> list[float]:
    wanted = content_stems(question)
    return [logistic(WORDS, covered(wanted, [passage.passage.index_text])) for passage in passages] if wanted else []
