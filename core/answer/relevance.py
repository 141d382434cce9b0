"""The relevance of sentences to a question, and the strips of passages that are relevant enough to be used.

Relevance is a logistic regression on the cosine of the sentence vectors and late interaction (MaxSim over the
question's tokens, their mean), fitted on 4,619 pairs (80 questions) of TREC-QA train (Wang, Smith & Mitamura 2007); on
its dev set the mean average precision is .839. The search score of the whole passage is added to its log odds. The last
weight and the constant were chosen on the demo and on 25 questions that it cannot answer
(docs/decisions/0013-answers.md): there the best sentence of a question that has an answer reaches .6 and more, of one
that has none at most .33.

Strips are the context of an answer: "decompose, then recompose" (Yan et al. 2024), as ``core.retrieve.refine`` does by
words alone. Here each strip is encoded, which costs a fraction of a second and tells far better which strips answer. On
the golden questions of the demo a third of the tokens goes and every sentence that answers stays.
"""

from collections.abc import Collection, Sequence
from math import exp, log

import numpy as np

from core.answer.draft import Score
from core.errors import ModelError
from core.ports.store import JointEncoder
from core.records import Passage, Refinement, Strip
from core.retrieve.refine import within
from core.text.maxsim import maxsim, quantize
from core.text.sentences import sentence_spans
from core.text.terms import telling_stems

BIAS, DENSE, LATE, PASSAGE = -10.8, 6.37, 10.25, 3.0
SHORT = 60
"""Least characters of a sentence that is a strip of its own."""
SHIFT = 1.1
"""Added to the log odds of a sentence's relevance, because a context is chosen more generously than quotations. A strip
above 0.5 may then bear on the question."""
_CHARS_PER_TOKEN = 4
WORDS_ONLY = (-3.5, 6.07)
"""Bias and weight of the share of words, used without an encoder."""


def content_stems(text: str) -> frozenset[str]:
    """The stems of the content words of ``text``."""
    return telling_stems(text)


def coverage(question: str, sentence: str) -> float:
    """The share of the question's content words (as stems) that the sentence has; 0 for a question without any."""
    wanted = content_stems(question)
    return len(wanted & content_stems(sentence)) / len(wanted) if wanted else 0.0


class Relevance:
    """The scorer of sentences, each encoded once. ``note`` says why no encoder was used, or is ""."""

    def __init__(self, encoder: JointEncoder | None, note: str = "") -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        self.note = note

    def __call__(self, question: str, sentences: Sequence[tuple[str, float]]) -> list[float]:
        """The relevance of each sentence in [0, 1], larger is better. Each sentence comes with the search score of its
        passage, from 0 to 1 for the best passage."""
        if not sentences:
            return []
        texts = [text for text, _ in sentences]
        if self._encoder is not None:
            try:
                self._read(self._encoder, question, texts)
            except ModelError as error:  # a model is read at its first text
                self._encoder, self.note = None, f"Sentences were chosen by words only: {error}"
            else:
                rows = [(*self._known[question, text], score) for text, score in sentences]
                return [_logistic(BIAS + DENSE * d + LATE * t + PASSAGE * score) for d, t, score in rows]
        bias, weight = WORDS_ONLY
        return [_logistic(bias + weight * coverage(question, text) + score) for text, score in sentences]

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


def narrowed(
    question: str,
    passages: Sequence[tuple[Passage, float]],
    score: Score,
    *,
    least: float,
    budget: int,
    own: Collection[str] = (),
) -> Refinement:
    """The strips with a relevance above ``least``, best first, ties in the order given, within ``budget`` tokens. Text
    that several passages share is taken once. ``passages``: the passages found, best first, each with its score as a
    share of the best score. ``own``: the documents that are left room, as in ``within``."""
    cuts = [
        (passage, score_of_search, start, end) for passage, score_of_search in passages for start, end in _cuts(passage)
    ]
    texts = [(_text(passage, start, end), score_of_search) for passage, score_of_search, start, end in cuts]
    ranges: dict[str, list[tuple[int, int]]] = {}
    strips: list[Strip] = []
    dropped = 0
    for (passage, _, start, end), (text, _), value in zip(cuts, texts, score(question, texts), strict=True):
        if _is_taken(ranges.setdefault(passage.document_id, []), start, end):
            continue
        relevance = shifted(value)
        if relevance > least:
            tokens = -(-len(text) // _CHARS_PER_TOKEN)
            strips.append(Strip(passage.id, passage.document_id, start, end, text, round(relevance, 4), tokens))
        else:
            dropped += 1
    return within(strips, budget, dropped, own)


def shifted(relevance: float) -> float:
    """The relevance of a strip, from the relevance of its sentence."""
    bounded = min(max(relevance, 1e-9), 1 - 1e-9)
    return 1 / (1 + exp(-(log(bounded / (1 - bounded)) + SHIFT)))


def _cuts(passage: Passage) -> list[tuple[int, int]]:
    """The spans of the sentences of a passage in the document; a short sentence joins the one before it."""
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


def _is_taken(ranges: list[tuple[int, int]], start: int, end: int) -> bool:
    """True when most of a strip stands in an earlier one of its document (passages overlap); else it is added."""
    if 2 * max((min(b, end) - max(a, start) for a, b in ranges), default=0) > end - start:
        return True
    ranges.append((start, end))
    return False
