"""Late interaction: every query word looks for its best answer among a passage's words. Khattab & Zaharia, "ColBERT:
Efficient and Effective Passage Search via Contextualized Late Interaction over BERT", SIGIR 2020. Score = Σ over query
tokens of the largest inner product with a passage token (MaxSim). Pure arithmetic that several stages share, so it
stands beside them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.records import QuantizedTokens, TokenMatrix, Vector

_LEVELS = 127


def quantize(tokens: TokenMatrix) -> QuantizedTokens:
    """A token matrix as int8 with one scale: code = round(x / scale), scale = max|x| / 127. The largest error of a
    component is scale / 2. Raises ValueError: not a matrix, or not finite."""
    vectors = tokens.vectors
    if vectors.ndim != 2:
        raise ValueError(f"a token matrix has two dimensions, this one has {vectors.ndim}")
    if not np.isfinite(vectors).all():
        raise ValueError("a token matrix must be finite; the model gave NaN or infinity")
    largest = float(np.abs(vectors).max()) if vectors.size else 0.0
    scale = largest / _LEVELS if largest > 0 else 1.0
    return QuantizedTokens(np.rint(vectors / scale).astype(np.int8), scale)


def dequantize(tokens: QuantizedTokens) -> Vector:
    """The float32 matrix (tokens, dim) that the codes stand for."""
    return tokens.codes.astype(np.float32) * np.float32(tokens.scale)


def maxsim(queries: Sequence[Vector], passages: Sequence[QuantizedTokens]) -> NDArray[np.float32]:
    """MaxSim of every query with every passage, (queries, passages), in one matrix product. ``queries``: token matrices
    (tokens, dim), one a query. ``passages``: quantised token matrices of the same dim. One without tokens scores 0."""
    out = np.zeros((len(queries), len(passages)), dtype=np.float32)
    lengths = np.array([len(tokens.codes) for tokens in passages])
    filled = np.flatnonzero(lengths) if len(passages) else np.array([], dtype=np.intp)
    words = np.array([len(query) for query in queries])
    if not filled.size or not words.any():
        return out
    codes = np.concatenate([passages[row].codes for row in filled]).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
    stacked = np.concatenate([query for query in queries if len(query)]).astype(np.float32)
    similarity = codes @ stacked.T
    best = np.maximum.reduceat(similarity, starts, axis=0)  # (filled passages, all query tokens)
    best *= np.array([passages[row].scale for row in filled], dtype=np.float32)[:, None]
    rows = np.flatnonzero(words)
    edges = np.concatenate([[0], np.cumsum(words[rows])[:-1]])
    out[np.ix_(rows, filled)] = np.add.reduceat(best, edges, axis=1).T
    return out
