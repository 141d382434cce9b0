"""The shipped encoder as a ColBERT checkpoint: in Stanford's form, and good enough to search with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.backends.ragatouille.checkpoint import find_checkpoint
from core.text.maxsim import maxsim, quantize
from tools.ragatouille_checkpoint import BGE, MINILM, write_checkpoint

pytestmark = pytest.mark.ragatouille
TEXTS = [
    "Street trees shade the pavement and cool the air below a closed canopy.",
    "Heat pumps move heat from cold outdoor air into a house in winter.",
    "White roofs reflect sunlight, so rooms under them stay cooler on hot days.",
    "Mains water in the city comes from two reservoirs in the hills.",
]


def test_the_shipped_encoder_becomes_a_checkpoint_that_finds_what_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="the int8 weights are read with the package onnx")
    from core.backends.sentence_transformers.encoders import load_late_encoder

    found = find_checkpoint(str(write_checkpoint(tmp_path / "made", start=BGE, dim=160)), allow_downloads=False)
    encoder = load_late_encoder(found.files, found.name)
    assert encoder.fingerprint == found.fingerprint
    assert encoder.dim == 160
    passages = [quantize(matrix) for matrix in encoder.encode_passage_tokens(TEXTS)]
    asked = ["do trees cool the air", "how is a house heated in winter", "pale roofs in the sun", "drinking water"]
    queries = encoder.encode_query_tokens(asked)
    assert {len(matrix.vectors) for matrix in queries} == {32}
    scores = maxsim([np.asarray(matrix.vectors) for matrix in queries], passages)
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_the_markers_of_the_shipped_encoder_are_words_that_it_knows_and_those_for_tests_are_stanfords(
    tmp_path: Path,
) -> None:
    pytest.importorskip("onnx", reason="the int8 weights are read with the package onnx")
    markers = {}
    for start in (BGE, MINILM):
        folder = write_checkpoint(tmp_path / start, start=start)
        told = json.loads((folder / "artifact.metadata").read_text("utf-8"))
        markers[start] = told["query_token_id"], told["doc_token_id"]
    assert markers == {BGE: (".", "."), MINILM: ("[unused0]", "[unused1]")}


@pytest.mark.parametrize(("start", "dim"), [("bge-base", 128), (BGE, 100), (BGE, 192)])
def test_what_cannot_be_made_is_refused_with_the_reason(tmp_path: Path, start: str, dim: int) -> None:
    with pytest.raises(ValueError, match=r"no checkpoint is made of|dimensions here, not"):
        write_checkpoint(tmp_path / "none", start=start, dim=dim)
    assert not (tmp_path / "none").exists()
