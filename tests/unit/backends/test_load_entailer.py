"""The judge of evidence by name: the shipped one, or an NLI model, with plain words when it is not there."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from core.backends.files import ModelFiles
from core.backends.onnx.entailer import OnnxEntailer
from core.backends.resolve import describe_models, load_entailer
from core.backends.sentence_transformers.entailer import label_columns
from core.errors import ExtraMissing, ModelError, ModelNotFound
from core.settings.values import Models


def folder_with(tmp_path: Path, labels: dict[str, str]) -> ModelFiles:
    folder = tmp_path / "nli"
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_bytes(b"")
    (folder / "config.json").write_text(json.dumps({"id2label": labels}))
    files = ModelFiles.find(folder)
    assert files is not None
    return files


def test_the_shipped_verifier_is_the_default_and_shared() -> None:
    assert isinstance(load_entailer(Models()), OnnxEntailer)
    assert load_entailer(Models()) is load_entailer(Models())
    told = describe_models(Models())[-1]
    assert (told.name, told.role, told.available) == ("workbench-verifier", "entailer", True)
    assert told.fingerprint == load_entailer(Models()).fingerprint


def test_a_model_that_is_nowhere_is_named_with_every_place_tried() -> None:
    with pytest.raises(ModelNotFound, match=r"nobody/no-judge.*hub's cache.*downloads are off"):
        load_entailer(Models(entailer="nobody/no-judge"))
    told = describe_models(Models(entailer="nobody/no-judge"))[-1]
    assert not told.available
    assert "nobody/no-judge" in str(told.problem)


def test_without_the_extra_an_nli_model_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    files = folder_with(tmp_path, {"0": "entailment", "1": "neutral", "2": "contradiction"})
    with pytest.raises(ExtraMissing, match=r"pip install '\.\[neural\]'"):
        load_entailer(Models(entailer=str(files.folder)))


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        ({"0": "contradiction", "1": "entailment", "2": "neutral"}, (1, 0, 2)),
        ({"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}, (0, 2, 1)),
        ({"0": "SUPPORTS", "1": "REFUTES", "2": "NOT ENOUGH INFO"}, (0, 1, 2)),
    ],
)
def test_the_order_of_labels_is_read_from_the_configuration(
    tmp_path: Path, labels: dict[str, str], columns: tuple[int, ...]
) -> None:
    assert label_columns(folder_with(tmp_path, labels), "nli") == columns


@pytest.mark.parametrize("labels", [{}, {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, {"0": "entailment"}])
def test_a_model_of_other_labels_is_refused_by_name(tmp_path: Path, labels: dict[str, str]) -> None:
    with pytest.raises(ModelError, match="nli cannot judge evidence"):
        label_columns(folder_with(tmp_path, labels), "nli")
