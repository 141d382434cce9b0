"""Start weights: a BERT in float from what the carrier packages hold, as a three-way classifier.

``ms-marco-MiniLM-L-12-v2`` and ``bge-small-en-v1.5`` are there as dynamically quantised int8 ONNX graphs
(onnxruntime's ``MatMulInteger`` form): every weight is ``(q - zero point) * scale``, so the float model comes back up
to the rounding of the int8 grid. ``all-MiniLM-L6-v2`` is there as safetensors. ``shipped`` is the verifier that the
product has, read back in the same way with its head; a folder in hub layout can hold a BERT of any width.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import BertConfig, BertForSequenceClassification, BertModel

from core.backends.locate import locate
from training.verifier.errors import StartUnusable

STARTS = ("ms-marco-MiniLM-L-12-v2", "bge-small-en-v1.5", "all-MiniLM-L6-v2")
SHIPPED = "shipped"
WEIGHTS = Path(__file__).resolve().parents[2] / "core" / "weights"
VOCABULARY = 30522
"""Ids of the uncased BERT vocabulary, which all pairs are read with."""
_SIZES = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act", "num_labels",
)  # fmt: skip


def dequantised(path: Path) -> dict[str, NDArray[np.float32]]:
    """Parameters of an int8 BERT graph by their torch names; matrices as torch keeps them (out, in)."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held = {item.name: numpy_helper.to_array(item) for item in graph.initializer}

    def value(name: str) -> NDArray[np.float32]:
        stem = name.removesuffix("_quantized")
        scale, zero = held[f"{stem}_scale"], held[f"{stem}_zero_point"]
        return np.asarray((held[name].astype(np.float32) - zero.astype(np.float32)) * scale, dtype=np.float32)

    found = {name: array for name, array in held.items() if array.dtype == np.float32 and "." in name}
    found = {name: array for name, array in found.items() if name.endswith((".weight", ".bias"))}
    for name in held:
        if name.endswith("embeddings.weight_quantized"):
            found[name.removesuffix("_quantized")] = value(name)
    for node in graph.node:
        if node.op_type in ("MatMulInteger", "MatMul") and node.input[1] in held:
            module = node.name.rsplit("/", 1)[0].strip("/").replace("/", ".")
            matrix = value(node.input[1]) if node.op_type == "MatMulInteger" else held[node.input[1]]
            found[f"{module}.weight"] = matrix.T.copy()
    return found


def carried(name: str) -> Path:
    """Folder of the carrier package that holds the model ``name``."""
    return locate(name, allow_downloads=False).files.folder


def classifier(name: str, labels: int = 3, *, dropout: float = 0.1) -> BertForSequenceClassification:
    """A BERT classifier that starts from ``name``; the head is new unless ``labels`` is 1 and the model has one.

    Raises:
        ValueError: ``name`` is none of ``STARTS``, or parameters are missing.
    """
    if name not in (*STARTS, SHIPPED):
        raise ValueError(f"unknown start {name!r}; known: {', '.join((*STARTS, SHIPPED))}")
    config = BertConfig(
        vocab_size=VOCABULARY, hidden_size=384, num_hidden_layers=6 if name == "all-MiniLM-L6-v2" else 12,
        num_attention_heads=12, intermediate_size=1536, num_labels=labels, hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    state = {key if key.startswith(("bert.", "classifier.")) else f"bert.{key}": x for key, x in _state(name).items()}
    head = state.get("classifier.weight")
    if head is not None and len(head) != labels:
        state = {key: array for key, array in state.items() if not key.startswith("classifier.")}
    missing = model.load_state_dict(
        {key: torch.tensor(array) for key, array in state.items()}, strict=False
    ).missing_keys
    wanting = [key for key in missing if not key.startswith(("classifier.", "bert.pooler."))]
    if wanting or (labels == 1 and missing):
        raise ValueError(f"{name}: no weights found for {missing}")
    return model


def _state(name: str) -> dict[str, NDArray[np.float32]]:
    if name == SHIPPED:
        return {key.removeprefix("model."): x for key, x in dequantised(WEIGHTS / "verifier.onnx").items()}
    folder = carried(name)
    if name == "all-MiniLM-L6-v2":
        from safetensors.numpy import load_file

        return dict(load_file(str(folder / "model.safetensors")))
    return dequantised(folder / "model.onnx")


def from_folder(folder: Path, labels: int = 3, *, dropout: float = 0.1) -> BertForSequenceClassification:
    """A BERT classifier of any size with the encoder of a folder in hub layout (``config.json``, weights); a new head.

    Raises:
        StartUnusable: no such folder, another kind of model, or another vocabulary than the pairs are read with.
    """
    file = folder / "config.json"
    if not file.is_file():
        raise StartUnusable(f"{folder} has no config.json: name a folder in the hub's layout.")
    told = json.loads(file.read_text(encoding="utf-8"))
    if (told.get("model_type"), told.get("vocab_size")) != ("bert", VOCABULARY):
        raise StartUnusable(
            f"{folder} holds a {told.get('model_type')!r} with {told.get('vocab_size')} words; the pairs are read with "
            f"the {VOCABULARY} of uncased BERT: name a BERT of that vocabulary."
        )
    config = BertConfig.from_pretrained(str(folder), num_labels=labels)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
    model = BertForSequenceClassification(config)
    try:
        encoder = BertModel.from_pretrained(str(folder), config=config, local_files_only=True, dtype=torch.float32)
    except (OSError, ValueError, RuntimeError) as error:
        raise StartUnusable(f"The weights in {folder} cannot be read as a BERT: {error}") from error
    model.bert = encoder
    return model


def sizes(model: BertForSequenceClassification) -> dict[str, Any]:
    """What a checkpoint says of its model, so that ``empty`` can build it."""
    return {name: getattr(model.config, name) for name in _SIZES}


def empty(told: dict[str, Any]) -> BertForSequenceClassification:
    """A model of these ``sizes`` without dropout, its weights drawn at random."""
    config = BertConfig(**told, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return BertForSequenceClassification(config)
