"""MaxSim and int8 token matrices, against numbers worked out by hand and against the plain formula."""

from __future__ import annotations

import numpy as np
import pytest

from core.records import Passage, QuantizedTokens, TokenMatrix, Vector
from core.retrieve.late_interaction import dequantize, explain, maxsim, quantize, rank


def matrix(vectors: Vector) -> TokenMatrix:
    return TokenMatrix(vectors, np.zeros((len(vectors), 2), dtype=np.int32))


def test_quantize_uses_the_whole_range() -> None:
    tokens = quantize(matrix(np.array([[0.5, -1.0], [0.0, 0.25]], dtype=np.float32)))
    assert tokens.codes.tolist() == [[64, -127], [0, 32]]
    assert tokens.scale == pytest.approx(1 / 127)


def test_no_component_is_off_by_more_than_half_a_step() -> None:
    vectors = np.random.default_rng(1).standard_normal((50, 16)).astype(np.float32)
    tokens = quantize(matrix(vectors))
    assert np.abs(dequantize(tokens) - vectors).max() <= tokens.scale / 2 + 1e-6


def test_empty_and_zero_matrices_quantize() -> None:
    assert quantize(matrix(np.zeros((0, 4), dtype=np.float32))).codes.shape == (0, 4)
    assert dequantize(quantize(matrix(np.zeros((2, 4), dtype=np.float32)))).tolist() == [[0.0] * 4] * 2


def test_a_broken_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        quantize(matrix(np.array([[np.nan]], dtype=np.float32)))


def test_maxsim_takes_the_best_word_for_each_query_word() -> None:
    query = np.array([[1, 0], [0, 1]], dtype=np.float32)
    first = QuantizedTokens(np.array([[100, 0], [50, 50]], dtype=np.int8), 0.01)
    second = QuantizedTokens(np.array([[0, 100]], dtype=np.int8), 0.01)
    # First passage: max(1, .5) + max(0, .5) = 1.5; second: 0 + 1.
    assert maxsim([query], [first, second]).tolist() == [[pytest.approx(1.5), pytest.approx(1.0)]]


def test_maxsim_equals_the_plain_formula() -> None:
    random = np.random.default_rng(7)
    queries = [random.standard_normal((n, 8)).astype(np.float32) for n in (3, 1, 6)]
    passages = [quantize(matrix(random.standard_normal((n, 8)).astype(np.float32))) for n in (5, 1, 12, 2)]
    plain = [[(query @ dequantize(tokens).T).max(axis=1).sum() for tokens in passages] for query in queries]
    np.testing.assert_allclose(maxsim(queries, passages), plain, rtol=1e-4)


def test_a_passage_or_query_without_tokens_scores_nothing_and_disturbs_nobody() -> None:
    query = np.ones((1, 2), dtype=np.float32)
    none = QuantizedTokens(np.zeros((0, 2), dtype=np.int8), 1.0)
    one = QuantizedTokens(np.ones((1, 2), dtype=np.int8), 1.0)
    empty = np.zeros((0, 2), dtype=np.float32)
    assert maxsim([query, empty], [none, one, none]).tolist() == [[0, 2, 0], [0, 0, 0]]
    assert maxsim([query], []).shape == (1, 0)
    assert maxsim([], [one]).shape == (0, 1)


def test_rank_breaks_ties_by_passage_id() -> None:
    assert [hit.passage_id for hit in rank({9: 1.0, 2: 1.0, 5: 2.0}, depth=2)] == [5, 2]


def test_explain_merges_pieces_and_gives_offsets_into_document_and_context(encoder) -> None:  # type: ignore[no-untyped-def]
    text = "The seasonal performance was good."
    document = "Preface. " + text
    passage = Passage("d", 0, 9, len(document), text, context="Heat pumps", id=1)
    matches = {match.query_word: match for match in explain("the performance of pumps", passage, encoder)}
    assert list(matches) == ["performance", "pumps"]  # function words are left out
    performance, pumps = matches["performance"], matches["pumps"]
    assert document[performance.start : performance.end] == performance.word == "performance"
    assert performance.similarity == pytest.approx(1.0, abs=1e-5)
    assert not performance.in_context
    assert pumps.in_context
    assert passage.context[pumps.start : pumps.end] == pumps.word == "pumps"
    assert "the performance of pumps"[pumps.query_start : pumps.query_end] == "pumps"


def test_explain_of_function_words_alone_shows_them(encoder) -> None:  # type: ignore[no-untyped-def]
    passage = Passage("d", 0, 0, 9, "to be now", id=1)
    assert [match.word for match in explain("to be", passage, encoder)] == ["to", "be"]


def test_explain_of_a_passage_without_words_is_empty(encoder) -> None:  # type: ignore[no-untyped-def]
    assert explain("heat", Passage("d", 0, 0, 3, "...", id=1), encoder) == []
