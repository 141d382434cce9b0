"""Start weights and the shipped graph against torch: dequantised and quantised models are the same model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra: pip install '.[neural]'")
pytest.importorskip("transformers", reason="needs the extra: pip install '.[neural]'")
pytest.importorskip("onnx", reason="training needs onnx: training/verifier/README.md")

from core.backends.files import ModelFiles  # noqa: E402
from core.backends.onnx.entailer import SHIPPED  # noqa: E402
from core.backends.onnx.reranker import OnnxReranker  # noqa: E402
from training.verifier.average import between  # noqa: E402
from training.verifier.batches import Encoded, tensors  # noqa: E402
from training.verifier.data import NOT_SUPPORTED  # noqa: E402
from training.verifier.export import int8_logits, softmax, to_onnx  # noqa: E402
from training.verifier.objective import is_right, loss_of  # noqa: E402
from training.verifier.start import carried, classifier, dequantised  # noqa: E402

pytestmark = pytest.mark.neural

QUERY = "How many people live in Berlin?"
TEXTS = [
    "Berlin has a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers.",
    "New York City is famous for the Metropolitan Museum of Art.",
    "Berlin is the capital of Germany.",
    "People live in houses.",
    "The population of Paris is 2 million.",
]


def test_the_dequantised_reranker_ranks_as_the_graph_it_came_from() -> None:
    from tokenizers import Tokenizer

    folder = carried("ms-marco-MiniLM-L-12-v2")
    model = classifier("ms-marco-MiniLM-L-12-v2", labels=1).eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    scores = []
    for text in TEXTS:
        read = tokenizer.encode(QUERY, text)
        with torch.no_grad():
            given = {"input_ids": torch.tensor([read.ids]), "token_type_ids": torch.tensor([read.type_ids])}
            scores.append(model(**given).logits.item())
    files = ModelFiles.find(folder)
    assert files is not None
    expected = OnnxReranker(files, "int8").score(QUERY, TEXTS)
    assert list(np.argsort(scores)) == list(np.argsort(expected))
    assert np.corrcoef(scores, expected)[0, 1] > 0.999


@pytest.mark.parametrize(("start", "layers"), [("bge-small-en-v1.5", 12), ("all-MiniLM-L6-v2", 6)])
def test_the_other_starts_load_every_encoder_weight(start: str, layers: int) -> None:
    model = classifier(start)
    assert model.config.num_hidden_layers == layers
    assert model.classifier.weight.shape == (3, 384)
    if start == "bge-small-en-v1.5":
        state = dequantised(carried(start) / "model.onnx")
        assert sum(name.endswith("query.weight") for name in state) == layers


def test_a_quantised_classifier_agrees_with_its_float_model(tmp_path: Path) -> None:
    torch.manual_seed(5)
    model = classifier("all-MiniLM-L6-v2", dropout=0.0).eval()
    rng = np.random.default_rng(5)
    rows = [
        Encoded(rng.integers(1000, 20000, 9).tolist(), rng.integers(1000, 20000, 40).tolist(), 0, "") for _ in range(20)
    ]
    with torch.no_grad():
        plain = np.stack([
            model(**{k: v for k, v in tensors([row], 128).items() if k != "labels"}).logits[0].numpy() for row in rows
        ])  # fmt: skip
    to_onnx(model, tmp_path / "small.onnx")
    small = int8_logits(tmp_path / "small.onnx", [row.ids(128) for row in rows])
    assert np.abs(softmax(plain) - softmax(small)).mean() < 0.03


def test_the_shipped_graph_was_measured_to_agree_with_its_float_model() -> None:
    measured = json.loads((SHIPPED / "verifier.json").read_text())["parity"]
    assert measured["label_agreement"] >= 0.97
    assert measured["mean_abs_difference"] <= 0.03


def test_the_loss_of_a_binary_row_asks_only_that_it_is_not_supported() -> None:
    logits = torch.tensor([[0.0, 5.0, -5.0], [0.0, -5.0, 5.0], [9.0, 0.0, 0.0]])
    labels = torch.full((3,), NOT_SUPPORTED)
    assert is_right(logits, labels).tolist() == [True, True, False]
    one, other = loss_of(logits[:1], labels[:1]).item(), loss_of(logits[1:2], labels[1:2]).item()
    assert one == pytest.approx(other)
    apart = -torch.log(1 - torch.softmax(logits[2], -1)[0]).item()
    assert loss_of(logits[2:], labels[2:]).item() == pytest.approx(apart, rel=1e-4)


def test_the_claim_is_never_cut() -> None:
    pair = Encoded(list(range(1000, 1030)), list(range(2000, 2300)), 0, "")
    ids, head = pair.ids(64)
    assert ids[:head] == [101, *range(1000, 1030), 102]
    assert len(ids) == 64


def test_weights_between_two_models_are_of_neither_and_of_the_same_shape() -> None:
    start = {"layer": torch.tensor([[0.0, 2.0]]), "ids": torch.tensor([0, 1])}
    end = {"layer": torch.tensor([[4.0, 6.0]]), "ids": torch.tensor([0, 1])}
    assert between(start, end, 0.25)["layer"].tolist() == [[1.0, 3.0]]
    assert between(start, end, 0.25)["ids"].dtype == torch.long
    assert between(start, end, 1.0)["layer"].equal(end["layer"])
    with pytest.raises(ValueError, match="between 0"):
        between(start, end, 1.5)
    with pytest.raises(ValueError, match="only one of them"):
        between(start, {"layer": end["layer"]}, 0.5)
