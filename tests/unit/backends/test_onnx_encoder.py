"""The joint encoder: one pass, two kinds of vectors, the same whatever is encoded beside a text."""

from __future__ import annotations

import numpy as np
import pytest

from core.backends.resolve import load_encoder
from core.backends.windows import windows
from core.ports.store import JointEncoder
from core.settings.values import Models


@pytest.fixture(scope="module")
def encoder() -> JointEncoder:
    return load_encoder(Models())


def test_vectors_have_unit_length_and_the_stated_sizes(encoder: JointEncoder) -> None:
    dense, tokens = encoder.encode_passages_jointly(["Vitamin D helps bones.", "A second, longer text about cats."])
    assert dense.shape == (2, encoder.dim)
    assert dense.dtype == np.float32
    assert np.allclose(np.linalg.norm(dense, axis=1), 1, atol=1e-5)
    for matrix in tokens:
        assert matrix.vectors.shape == (len(matrix.spans), encoder.late_dim)
        assert np.allclose(np.linalg.norm(matrix.vectors, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vectors_in_any_company(encoder: JointEncoder) -> None:
    text = "Aspirin lowers the risk of a second stroke."
    others = ["short", text, "A much longer text. " * 40]
    dense, tokens = encoder.encode_passages_jointly(others)
    alone_dense, alone_tokens = encoder.encode_passages_jointly([text])
    assert np.array_equal(dense[1], alone_dense[0])
    assert np.array_equal(tokens[1].vectors, alone_tokens[0].vectors)
    assert np.array_equal(encoder.encode_passages([text])[0], alone_dense[0])


def test_spans_point_at_the_words_even_after_astral_and_combining_characters(encoder: JointEncoder) -> None:
    text = "😀 café – the naïve 日本 \ud800 Stroke!"
    (matrix,) = encoder.encode_passage_tokens([text])
    pieces = [text[a:b] for a, b in matrix.spans.tolist()]
    assert pieces[0] == "café"
    assert "日" in pieces
    assert pieces[-1] == "Stroke"
    assert not {"!", "the"} & set(pieces)
    assert "–" not in pieces


def test_a_paraphrase_is_nearer_than_another_topic(encoder: JointEncoder) -> None:
    query = encoder.encode_queries(["Does aspirin prevent strokes?"])[0]
    near, far = encoder.encode_passages(["Aspirin lowers the risk of stroke.", "The cat sat on the mat."])
    assert query @ near > query @ far


def test_a_long_text_is_read_to_its_end(encoder: JointEncoder) -> None:
    text = "filler words here " * 400 + "zebra"
    (matrix,) = encoder.encode_passage_tokens([text])
    start, end = matrix.spans[-1].tolist()
    assert text[start:end] == "zebra"[start - len(text) + 5 :]
    assert end == len(text)
    assert np.isclose(np.linalg.norm(encoder.encode_passages([text])[0]), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_text_has_a_dense_vector_and_no_tokens(encoder: JointEncoder, text: str) -> None:
    dense, tokens = encoder.encode_passages_jointly([text])
    assert np.isclose(np.linalg.norm(dense[0]), 1, atol=1e-5)
    assert tokens[0].vectors.shape == (0, encoder.late_dim)
    assert tokens[0].spans.shape == (0, 2)


def test_a_text_of_marks_alone_keeps_its_tokens(encoder: JointEncoder) -> None:
    (matrix,) = encoder.encode_passage_tokens(["?!"])
    assert len(matrix.vectors) == 2


def test_nothing_in_gives_nothing_out(encoder: JointEncoder) -> None:
    dense, tokens = encoder.encode_passages_jointly([])
    assert dense.shape == (0, encoder.dim)
    assert tokens == []


@pytest.mark.parametrize(("length", "limit"), [(0, 10), (1, 10), (10, 10), (11, 10), (1021, 510), (1020, 510)])
def test_windows_cover_everything_once(length: int, limit: int) -> None:
    spans = windows(length, limit)
    assert [at for a, b in spans for at in range(a, b)] == list(range(length))
    assert all(b - a <= limit for a, b in spans)
    assert len(spans) == max(1, -(-length // limit))


def test_function_words_have_no_vector_unless_there_is_nothing_else(encoder: JointEncoder) -> None:
    text = "The theodolite is in the box"
    (matrix,) = encoder.encode_passage_tokens([text])
    pieces = [text[a:b] for a, b in matrix.spans.tolist()]
    assert "".join(pieces) == "theodolitebox"
    (bare,) = encoder.encode_query_tokens(["to be or not to be?"])
    assert len(bare.spans) == 6
