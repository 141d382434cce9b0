"""An NLI cross-encoder by name: from a folder and from the hub's cache, labels read from its configuration."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra: pip install '.[neural]'")
pytest.importorskip("sentence_transformers", reason="needs the extra: pip install '.[neural]'")

from core.backends.locate import locate  # noqa: E402
from core.backends.resolve import describe_models, load_entailer  # noqa: E402
from core.errors import ModelError, ModelNotFound  # noqa: E402
from core.settings.values import Models  # noqa: E402

pytestmark = pytest.mark.neural

PAIRS = [("The cat sat.", "A cat sat on the mat."), ("It rained.", "The sun shone all day."), ("Prices rose.", "No.")]
LABELS = {0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def checkpoint(folder: Path, labels: dict[int, str]) -> Path:
    """A tiny seeded NLI model with its tokenizer; position limit 64, so that long evidence must come apart."""
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    config = BertConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=len(labels),
        id2label=labels,
        label2id={label: column for column, label in labels.items()},
        initializer_range=0.5,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    source = locate("all-MiniLM-L6-v2", allow_downloads=False).files.folder
    for name in ("vocab.txt", "tokenizer.json", "special_tokens_map.json"):
        shutil.copyfile(source / name, folder / name)
    held = json.loads((source / "tokenizer_config.json").read_text("utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps(held | {"model_max_length": 64}))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return checkpoint(tmp_path / "tiny-nli", LABELS)


def by_hand(folder: Path, claim: str, evidence: str) -> np.ndarray:  # type: ignore[type-arg]
    """supports, contradicts, neutral, by transformers alone."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        logits = model(**tokenizer(evidence, claim, return_tensors="pt")).logits[0]
    return torch.softmax(logits, dim=-1).numpy()[[1, 0, 2]]


def test_probabilities_are_the_models_in_our_order(folder: Path) -> None:
    told = load_entailer(Models(entailer=str(folder))).judge(PAIRS)
    assert told.shape == (3, 3)
    assert np.allclose(told.sum(axis=1), 1, atol=1e-5)
    for row, (claim, evidence) in zip(told, PAIRS, strict=True):
        assert np.allclose(row, by_hand(folder, claim, evidence), atol=1e-4)


def test_nothing_to_judge_is_neutral_and_odd_text_is_no_error(folder: Path) -> None:
    entailer = load_entailer(Models(entailer=str(folder)))
    told = entailer.judge([("", "Evidence."), ("A claim.", " "), ("A \ud800 claim", "\x00🌳"), ("w " * 500, "e")])
    assert told[:2].tolist() == [[0, 0, 1], [0, 0, 1]]
    assert np.allclose(told.sum(axis=1), 1, atol=1e-5)
    assert entailer.judge([]).shape == (0, 3)


def test_long_evidence_is_judged_to_its_end(folder: Path) -> None:
    entailer = load_entailer(Models(entailer=str(folder)))
    filler = "the sun shone all day " * 40
    assert not np.allclose(
        entailer.judge([("It rained.", filler + "and then it rained in London")]),
        entailer.judge([("It rained.", filler + "zebra zebra zebra zebra zebra")]),
        atol=1e-6,
    )


def test_the_hub_cache_holds_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    snapshot = tmp_path / "hub" / "models--someone--tiny-nli" / "snapshots" / "abc123"
    snapshot.parent.mkdir(parents=True)
    shutil.copytree(folder, snapshot)
    (tmp_path / "hub" / "models--someone--tiny-nli" / "refs").mkdir()
    (tmp_path / "hub" / "models--someone--tiny-nli" / "refs" / "main").write_text("abc123")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    models = Models(entailer="someone/tiny-nli")
    assert np.array_equal(load_entailer(models).judge(PAIRS), load_entailer(Models(entailer=str(folder))).judge(PAIRS))
    told = describe_models(models)[-1]
    assert (told.role, told.source, told.available) == ("entailer", "hub someone/tiny-nli@abc123", True)
    assert told.fingerprint.startswith("someone/tiny-nli@")


def test_a_model_of_other_labels_is_refused(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "stars", {0: "one star", 1: "two stars", 2: "three stars"})
    with pytest.raises(ModelError, match="cannot judge evidence"):
        load_entailer(Models(entailer=str(folder)))


def test_a_model_that_is_nowhere_is_named_with_what_was_tried() -> None:
    with pytest.raises(ModelNotFound, match="nobody/no-judge"):
        load_entailer(Models(entailer="nobody/no-judge"))
