"""Late interaction: every query word looks for its best answer among a passage's words. Khattab & Zaharia, "ColBERT:
Efficient and Effective Passage Search via Contextualized Late Interaction over BERT", SIGIR 2020. Score = Σ over query
tokens of the largest inner product with a passage token (MaxSim). The arithmetic is in ``core.text.maxsim``; here are
the order of scored passages, and which passage word answered which query word, to be shown to people."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ports.store import LateEncoder
from core.records import Hit, Passage, TokenMatrix, WordMatch
from core.text.maxsim import dequantize, maxsim, quantize
from core.text.terms import STOP_WORDS, fold

__all__ = ["dequantize", "explain", "maxsim", "quantize", "rank"]

_WORD = re.compile(r"\w+(?:(?:[-'’.]|(?<=\d)[,\u202f\u00a0](?=\d{3}))\w+)*")


@dataclass(frozen=True, slots=True)
class _Word:
    """A whole word and the rows of the token matrix that are its pieces."""

    text: str
    start: int
    end: int
    rows: tuple[int, ...]


def rank(scores: Mapping[int, float], depth: int | None = None) -> list[Hit]:
    """Scored passages as hits, best first, ties by passage id."""
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(passage_id, score) for passage_id, score in ordered[:depth]]


def explain(query: str, passage: Passage, encoder: LateEncoder) -> list[WordMatch]:
    """For every content word of the query the passage word that answers it best, in the order of the query. Word pieces
    are merged on both sides. The similarity of two words is the mean over the query word's pieces of the largest inner
    product with a piece of the passage word; it lies in [-1, 1]. Function words are left out unless the query has
    nothing else. The passage is encoded as it was indexed, context included."""
    query_tokens = encoder.encode_query_tokens([query])[0]
    passage_tokens = encoder.encode_passage_tokens([passage.index_text])[0]
    query_words = _content(_words(query, query_tokens))
    passage_words = _words(passage.index_text, passage_tokens)
    if not query_words or not passage_words:
        return []
    similarity = _word_similarities(query_tokens, passage_tokens, query_words, passage_words)
    best = similarity.argmax(axis=1)
    return [
        _match(word, passage_words[int(at)], float(similarity[row, at]), passage)
        for row, (word, at) in enumerate(zip(query_words, best, strict=True))
    ]


def _words(text: str, tokens: TokenMatrix) -> list[_Word]:
    spans = [(int(start), int(end)) for start, end in tokens.spans]
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        rows = tuple(row for row, (a, b) in enumerate(spans) if a < b and a >= start and b <= end)
        if rows:
            words.append(_Word(match.group(), start, end, rows))
    return words


def _content(words: Sequence[_Word]) -> list[_Word]:
    content = [word for word in words if fold(word.text) not in STOP_WORDS]
    return content or list(words)


def _word_similarities(
    query_tokens: TokenMatrix, passage_tokens: TokenMatrix, query_words: Sequence[_Word], passage_words: Sequence[_Word]
) -> NDArray[np.float32]:
    pieces = query_tokens.vectors @ passage_tokens.vectors.T
    columns = np.stack([pieces[:, list(word.rows)].max(axis=1) for word in passage_words], axis=1)
    return np.stack([columns[list(word.rows)].mean(axis=0) for word in query_words])


def _match(word: _Word, answer: _Word, similarity: float, passage: Passage) -> WordMatch:
    lead = len(passage.index_text) - len(passage.text)  # the context and its line break
    in_context = answer.start < lead
    shift = 0 if in_context else passage.start - lead
    return WordMatch(
        query_word=word.text,
        query_start=word.start,
        query_end=word.end,
        word=answer.text,
        start=answer.start + shift,
        end=answer.end + shift,
        similarity=similarity,
        in_context=in_context,
    )
