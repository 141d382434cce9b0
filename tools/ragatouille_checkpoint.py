"""A ColBERT checkpoint in Stanford's form out of a carried encoder, so that RAGatouille works without any model hub.

    python -m tools.ragatouille_checkpoint FOLDER                            # all-MiniLM-L6-v2: for tests
    python -m tools.ragatouille_checkpoint FOLDER --from bge-small-en-v1.5   # the shipped encoder: to search with

all-MiniLM-L6-v2 gets a seeded orthonormal projection to 128 dimensions: good enough to compare engines.
bge-small-en-v1.5 is the shipped encoder, its int8 weights written out as float32, with the strongest directions of the
shipped projection. Stanford's projection has no bias, so the mean state stays in. Neither was trained as a ColBERT: the
markers of queries and passages, and the [MASK] tokens that fill up a query, are words that it never learnt to use. So
both markers are a full stop, and [MASK] reads as [CLS]; what that gains is in docs/decisions/0015-ragatouille.md.

Needs the extra `ragatouille` (or `neural`); for bge-small-en-v1.5 also the package `onnx`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MINILM, BGE = "all-MiniLM-L6-v2", "bge-small-en-v1.5"
DIM = 128
METADATA = {
    "query_token_id": "[unused0]",
    "doc_token_id": "[unused1]",
    "query_token": "[Q]",
    "doc_token": "[D]",
    "query_maxlen": 32,
    "doc_maxlen": 300,
    "dim": DIM,
    "similarity": "cosine",
    "mask_punctuation": True,
    "attend_to_mask_tokens": False,
    "root": "experiments",
    "experiment": "default",
}
_WORDS, _CLS, _MASK = "embeddings.word_embeddings.weight", 101, 103
_TOKENIZER = ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
_BGE_CONFIG = {
    "model_type": "bert", "vocab_size": 30522, "hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 1536, "max_position_embeddings": 512, "type_vocab_size": 2, "pad_token_id": 0,
    "hidden_act": "gelu", "layer_norm_eps": 1e-12,
}  # fmt: skip
Weights = dict[str, NDArray[np.float32]]


def write_checkpoint(
    folder: Path, *, without: Collection[str] = (), seed: int = 7, start: str = MINILM, dim: int = DIM
) -> Path:
    """Write the checkpoint of ``start`` with ``dim`` dimensions a token into ``folder``; ``without`` names entries of
    its metadata to leave out.

    Raises:
        ValueError: ``start`` is neither of the two, or ``dim`` is no multiple of 32 (which colbert-ai needs to pack
            4 bits a dimension) or more than there are directions.
        ImportError: ``onnx`` is not installed, which bge-small-en-v1.5 needs.
    """
    if dim % 32 or not 0 < dim <= 160:
        raise ValueError(f"a token vector has 32, 64, 96, 128 or 160 dimensions here, not {dim}")
    weights, config, source = _encoder(start)
    metadata = METADATA | {"dim": dim}
    if start == BGE:
        metadata |= {"query_token_id": ".", "doc_token_id": "."}
        weights[_WORDS][_MASK] = weights[_WORDS][_CLS]
    weights = {f"bert.{name}": array for name, array in weights.items()}
    weights["linear.weight"] = _seeded(dim, seed) if start == MINILM else _shipped(dim)
    _save(folder, weights, config | {"architectures": ["HF_ColBERT"]}, source)
    metadata = {name: value for name, value in metadata.items() if name not in without}
    (folder / "artifact.metadata").write_text(json.dumps(metadata), "utf-8")
    return folder


def write_float_encoder(folder: Path) -> Path:
    """Write bge-small-en-v1.5 in float32, as a plain BERT without a projection, to compare the int8 graph with."""
    weights, config, source = _encoder(BGE)
    _save(folder, weights, config | {"architectures": ["BertModel"]}, source)
    return folder


def recipe() -> str:
    """A short hash of how checkpoints are made, for what keeps them: this very file, and the shipped projection."""
    from core.backends.onnx.encoder import SHIPPED_SHA256

    return hashlib.sha256(Path(__file__).read_bytes() + SHIPPED_SHA256.encode()).hexdigest()[:8]


def _encoder(start: str) -> tuple[Weights, dict[str, Any], Path]:
    """Parameters by their names in a BertModel, its configuration, and the folder of its tokenizer."""
    from core.backends.locate import locate

    if start not in (MINILM, BGE):
        raise ValueError(f"no checkpoint is made of {start!r}; known: {MINILM}, {BGE}")
    source = locate(start, allow_downloads=False).files.folder
    if start == MINILM:
        from safetensors.numpy import load_file

        return load_file(source / "model.safetensors"), json.loads((source / "config.json").read_text("utf-8")), source
    from training.verifier.start import dequantised

    return dequantised(source / "model.onnx"), dict(_BGE_CONFIG), source


def _save(folder: Path, weights: Weights, config: dict[str, Any], source: Path) -> None:
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    whole = {name: np.ascontiguousarray(array) for name, array in weights.items()}
    save_file(whole, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    for name in _TOKENIZER:
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)


def _seeded(dim: int, seed: int) -> NDArray[np.float32]:
    import torch

    torch.manual_seed(seed)
    directions, _ = torch.linalg.qr(torch.randn(384, dim))
    return np.asarray(directions.T.contiguous().numpy(), dtype=np.float32)


def _shipped(dim: int) -> NDArray[np.float32]:
    from core.backends.onnx.encoder import load_shipped

    return np.ascontiguousarray(load_shipped().weight[:, :dim].T)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.ragatouille_checkpoint")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="start", choices=[MINILM, BGE], default=MINILM)
    parser.add_argument("--dim", type=int, default=DIM, help="dimensions of a token vector, a multiple of 32")
    options = parser.parse_args()
    print(write_checkpoint(options.folder, start=options.start, dim=options.dim))
