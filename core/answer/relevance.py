"""How far a sentence answers a question.

A logistic regression on the cosine of the sentence vectors and late interaction (MaxSim over the question's tokens,
their mean), fitted on 4,619 pairs (80 questions) of TREC-QA train (Wang, Smith & Mitamura 2007); on its dev set the
mean average precision is .839. To its log odds comes how well the whole passage was found. The last weight and the
constant were chosen on the demo and on 25 questions that it cannot answer (docs/decisions/0013-answers.md): there the
best sentence of a question that has an answer reaches .6 and more, of one that has none at most .33.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np

from core.errors import ModelError
from core.ports.store import JointEncoder
from core.text.maxsim import maxsim, quantize
from core.text.terms import telling_stems

BIAS, DENSE, LATE, PASSAGE = -10.8, 6.37, 10.25, 3.0
WORDS_ONLY = (-3.5, 6.07)
"""Bias and weight of the share of words, where no encoder is there."""


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that say something."""
    return telling_stems(text)


def coverage(question: str, sentence: str) -> float:
    """Share of the question's content words (as stems) that the sentence has; 0 for a question without any."""
    wanted = content_stems(question)
    return len(wanted & content_stems(sentence)) / len(wanted) if wanted else 0.0


class Relevance:
    """Scores sentences, each encoded once. ``note`` says why meaning was not looked at, "" when it was."""

    def __init__(self, encoder: JointEncoder | None, note: str = "") -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        self.note = note

    def __call__(self, question: str, sentences: Sequence[tuple[str, float]]) -> list[float]:
        """Relevance of each sentence in [0, 1], larger is better; beside a sentence stands how well its passage was
        found, from 0 to 1 for the best one."""
        if not sentences:
            return []
        texts = [text for text, _ in sentences]
        if self._encoder is not None:
            try:
                self._read(self._encoder, question, texts)
            except ModelError as error:  # a model is read at its first text
                self._encoder, self.note = None, f"Sentences were chosen by words only: {error}"
            else:
                rows = [(*self._known[question, text], found) for text, found in sentences]
                return [_logistic(BIAS + DENSE * d + LATE * t + PASSAGE * found) for d, t, found in rows]
        bias, weight = WORDS_ONLY
        return [_logistic(bias + weight * coverage(question, text) + found) for text, found in sentences]

    def _read(self, encoder: JointEncoder, question: str, texts: Sequence[str]) -> None:
        fresh = [text for text in dict.fromkeys(texts) if (question, text) not in self._known]
        if fresh:
            values = zip(*_meaning(encoder, question, fresh), strict=True)
            self._known.update({(question, text): pair for text, pair in zip(fresh, values, strict=True)})


def _meaning(encoder: JointEncoder, question: str, sentences: Sequence[str]) -> tuple[list[float], list[float]]:
    vectors, tokens = encoder.encode_queries_jointly([question])
    dense, matrices = encoder.encode_passages_jointly(list(sentences))
    late = maxsim([tokens[0].vectors], [quantize(matrice) for matrice in matrices])[0] / max(1, len(tokens[0].vectors))
    return np.asarray(dense @ vectors[0], np.float64).tolist(), np.asarray(late, np.float64).tolist()


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, value))))
