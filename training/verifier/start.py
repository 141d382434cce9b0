"""Start weights: a BERT in float from what the carrier packages hold, as a three-way classifier.

``ms-marco-MiniLM-L-12-v2`` and ``bge-small-en-v1.5`` are there as dynamically quantised int8 ONNX graphs
(onnxruntime's ``MatMulInteger`` form): every weight is ``(q - zero point) * scale``, so the float model comes back up
to the rounding of the int8 grid. ``all-MiniLM-L6-v2`` is there as safetensors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import BertConfig, BertForSequenceClassification

from core.backends.locate import locate

STARTS = ("ms-marco-MiniLM-L-12-v2", "bge-small-en-v1.5", "all-MiniLM-L6-v2")


def dequantised(path: Path) -> dict[str, NDArray[np.float32]]:
    """Parameters of an int8 BERT graph by their torch names; matrices as torch keeps them (out, in)."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held = {item.name: numpy_helper.to_array(item) for item in graph.initializer}

    def value(name: str) -> NDArray[np.float32]:
        stem = name.removesuffix("_quantized")
        scale, zero = held[f"{stem}_scale"], held[f"{stem}_zero_point"]
        return ((held[name].astype(np.float32) - zero.astype(np.float32)) * scale).astype(np.float32)

    found = {name: array for name, array in held.items() if array.dtype == np.float32 and "." in name}
    found = {name: array for name, array in found.items() if name.endswith((".weight", ".bias"))}
    for name in held:
        if name.endswith("embeddings.weight_quantized"):
            found[name.removesuffix("_quantized")] = value(name)
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in held:
            module = node.name.rsplit("/", 1)[0].strip("/").replace("/", ".")
            matrix = value(node.input[1])
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
    if name not in STARTS:
        raise ValueError(f"unknown start {name!r}; known: {', '.join(STARTS)}")
    folder = carried(name)
    state: dict[str, NDArray[np.float32]]
    if name == "all-MiniLM-L6-v2":
        from safetensors.numpy import load_file

        state = dict(load_file(str(folder / "model.safetensors")))
        layers = 6
    else:
        state = dequantised(folder / "model.onnx")
        layers = 12
    config = BertConfig(
        vocab_size=30522, hidden_size=384, num_hidden_layers=layers, num_attention_heads=12, intermediate_size=1536,
        num_labels=labels, hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout,
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    state = {key if key.startswith(("bert.", "classifier.")) else f"bert.{key}": array for key, array in state.items()}
    if labels != 1:
        state = {key: array for key, array in state.items() if not key.startswith("classifier.")}
    missing = model.load_state_dict(
        {key: torch.tensor(array) for key, array in state.items()}, strict=False
    ).missing_keys
    wanting = [key for key in missing if not key.startswith(("classifier.", "bert.pooler."))]
    if wanting or (labels == 1 and missing):
        raise ValueError(f"{name}: no weights found for {missing}")
    return model
