"""The ``neural`` extra: sentence-transformers behind the same ports, offline.

Run with an environment that has the extra; in the default, torch-free one, only the message of the missing
extra is tested (tests/unit/backends).
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra: pip install '.[neural]'")
pytest.importorskip("sentence_transformers", reason="needs the extra: pip install '.[neural]'")

from core.backends.locate import locate  # noqa: E402
from core.backends.resolve import load_encoder, load_reranker  # noqa: E402
from core.errors import ModelDamaged, ModelError  # noqa: E402
from core.settings.values import Models  # noqa: E402

pytestmark = pytest.mark.neural

MINILM = "all-MiniLM-L6-v2"
TEXTS = ["Aspirin lowers the risk of stroke, they say.", "The cat sat on the mat."]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def colbert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny seeded ColBERT checkpoint as Stanford's code writes it."""
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("checkpoint") / "tiny-colbert"
    folder.mkdir()
    torch.manual_seed(0)
    config = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    weights = {f"bert.{name}": value.contiguous() for name, value in BertModel(config).state_dict().items()}
    weights["linear.weight"] = torch.randn(16, 32)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config.to_dict() | {"architectures": ["HF_ColBERT"]}))
    metadata = {"query_token_id": "[unused0]", "doc_token_id": "[unused1]", "query_maxlen": 16, "doc_maxlen": 64}
    metadata |= {"mask_punctuation": True, "attend_to_mask_tokens": False, "root": "r", "experiment": "e"}
    (folder / "artifact.metadata").write_text(json.dumps(metadata))
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(locate(MINILM, allow_downloads=False).files.folder / name, folder / name)
    return folder


def by_hand(folder: Path, ids: list[int]) -> np.ndarray[Any, Any]:
    """Token vectors of one sequence by transformers and one matrix product."""
    from safetensors.torch import load_file
    from transformers import BertConfig, BertModel

    weights = load_file(folder / "model.safetensors")
    model = BertModel(BertConfig.from_pretrained(folder)).eval()
    model.load_state_dict({name.removeprefix("bert."): value for name, value in weights.items() if name[:5] == "bert."})
    with torch.no_grad():
        states = model(torch.tensor([ids])).last_hidden_state[0] @ weights["linear.weight"].T
    return torch.nn.functional.normalize(states, dim=-1).numpy()


def test_the_carried_minilm_gives_embeddings_offline() -> None:
    encoder = load_encoder(Models(encoder=MINILM, late=MINILM))
    dense, tokens = encoder.encode_passages_jointly(TEXTS)
    assert dense.shape == (2, 384)
    assert encoder.dim == encoder.late_dim == 384
    assert np.allclose(np.linalg.norm(dense, axis=1), 1, atol=1e-5)
    query = encoder.encode_queries(["Does aspirin prevent strokes?"])[0]
    assert query @ dense[0] > query @ dense[1] + 0.3
    pieces = [TEXTS[1][a:b] for a, b in tokens[1].spans.tolist()]
    assert pieces == ["The", "cat", "sat", "on", "the", "mat"]
    assert np.allclose(np.linalg.norm(tokens[0].vectors, axis=1), 1, atol=1e-5)


def test_the_dense_vector_is_that_of_the_library() -> None:
    from sentence_transformers import SentenceTransformer

    direct = SentenceTransformer(str(locate(MINILM, allow_downloads=False).files.folder), device="cpu").encode(TEXTS)
    assert np.allclose(load_encoder(Models(encoder=MINILM, late=MINILM)).encode_passages(TEXTS), direct, atol=1e-5)


def test_a_long_passage_is_read_to_its_end() -> None:
    encoder = load_encoder(Models(encoder=MINILM, late=MINILM))
    text = "filler words here " * 200 + "zebra"
    (matrix,) = encoder.encode_passage_tokens([text])
    assert matrix.spans[-1].tolist()[1] == len(text)
    assert len(matrix.spans) > 600


def test_minilm_as_a_multi_vector_encoder_gives_its_own_token_states() -> None:
    paired = load_encoder(Models(late=MINILM))
    joint = load_encoder(Models(encoder=MINILM, late=MINILM))
    (late,) = paired.encode_passage_tokens(TEXTS[:1])
    (own,) = joint.encode_passage_tokens(TEXTS[:1])
    worded = [at for at, (a, b) in enumerate(late.spans.tolist()) if b > a]
    assert np.array_equal(late.spans[worded], own.spans)
    assert np.allclose(late.vectors[worded], own.vectors, atol=1e-5)


def test_a_stanford_checkpoint_gives_the_vectors_computed_by_hand(colbert: Path) -> None:
    encoder = load_encoder(Models(late=str(colbert)))
    assert encoder.late_dim == 16
    (passage,) = encoder.encode_passage_tokens(["The cat, again."])
    expected = by_hand(colbert, [101, 2, 1996, 4937, 1010, 2153, 1012, 102])  # [CLS] [unused1] the cat , again . [SEP]
    assert np.allclose(passage.vectors, expected[[0, 1, 2, 3, 5, 7]], atol=1e-5)  # the marks are skipped
    assert [("The cat, again."[a:b]) for a, b in passage.spans.tolist()] == ["", "", "The", "cat", "again", ""]


def test_both_forms_of_a_checkpoint_give_equal_results(colbert: Path, tmp_path: Path) -> None:
    from sentence_transformers import MultiVectorEncoder

    native = tmp_path / "native-colbert"
    MultiVectorEncoder(str(colbert), device="cpu").save(str(native))
    one, two = (load_encoder(Models(late=str(folder))) for folder in (colbert, native))
    for method in ("encode_query_tokens", "encode_passage_tokens"):
        for first, second in zip(getattr(one, method)(TEXTS), getattr(two, method)(TEXTS), strict=True):
            assert np.allclose(first.vectors, second.vectors, atol=1e-6)
            assert np.array_equal(first.spans, second.spans)


def test_a_passage_beyond_the_checkpoint_is_read_in_windows(colbert: Path) -> None:
    text = "filler words here " * 60 + "zebra"
    (matrix,) = load_encoder(Models(late=str(colbert))).encode_passage_tokens([text])
    assert max(b for _, b in matrix.spans.tolist()) == len(text)


def test_a_colbert_checkpoint_cannot_be_the_dense_encoder(colbert: Path) -> None:
    with pytest.raises(ModelError, match=r"models\.late"):
        load_encoder(Models(encoder=str(colbert), late=str(colbert)))


def test_a_cross_encoder_scores_pairs_and_the_best_window(tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path / "tiny-cross-encoder"
    torch.manual_seed(0)
    config = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, num_labels=1)
    BertForSequenceClassification(config).save_pretrained(folder)
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(locate(MINILM, allow_downloads=False).files.folder / name, folder / name)
    scores = load_reranker(Models(reranker=str(folder))).score("cat", [*TEXTS, "word " * 1200])
    assert scores.shape == (3,)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("body", [b"", b"no weights", b"\x08\0\0\0\0\0\0\0{broken}"])
def test_damaged_weights_are_a_damaged_model_and_no_error_of_a_library(
    colbert: Path, tmp_path: Path, body: bytes
) -> None:
    folder = shutil.copytree(colbert, tmp_path / "damaged")
    (folder / "model.safetensors").write_bytes(body)
    encoder = load_encoder(Models(late=str(folder)))
    with pytest.raises(ModelDamaged, match=r"damaged cannot be loaded.*Fetch it again"):
        encoder.encode_passage_tokens(["A text."])


def test_loading_prints_nothing_and_leaves_the_librarys_own_settings(
    colbert: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    from transformers.utils import logging as told

    folder = shutil.copytree(colbert, tmp_path / "quiet")
    encoder = load_encoder(Models(late=str(folder)))
    capfd.readouterr()
    with caplog.at_level("INFO", logger="core.backends.sentence_transformers.lazy_model"):
        encoder.encode_passage_tokens(["A text."])
    assert capfd.readouterr().err == ""
    assert "linear.weight" in caplog.text
    assert told.is_progress_bar_enabled()
