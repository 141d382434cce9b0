"""A tiny seeded ColBERT checkpoint in Stanford's form: quick, and of no use for searching."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path

from core.backends.locate import locate
from tools.ragatouille_checkpoint import METADATA


def tiny(folder: Path, *, without: Collection[str] = ()) -> Path:
    """32 hidden dimensions, and 32 a token: colbert-ai wants a multiple of 32 at 4 bits."""
    import torch
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True)
    torch.manual_seed(0)
    config = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    weights = {f"bert.{name}": value.contiguous() for name, value in BertModel(config).state_dict().items()}
    weights["linear.weight"] = torch.randn(32, 32)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config.to_dict() | {"architectures": ["HF_ColBERT"]}))
    metadata = {name: value for name, value in (METADATA | {"dim": 32}).items() if name not in without}
    (folder / "artifact.metadata").write_text(json.dumps(metadata))
    source = locate("all-MiniLM-L6-v2", allow_downloads=False).files.folder
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(source / name, folder / name)
    return folder
