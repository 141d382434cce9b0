"""A ColBERT checkpoint in Stanford's form out of the carried all-MiniLM-L6-v2: for tests and the demonstration.

The projection to 128 dimensions is a seeded orthonormal one without a bias, so that inner products are nearly those of
the 384-d token states. It is no trained ColBERT: good enough to compare engines, not to search with.

Needs the extra `ragatouille` (or `neural`): ``python -m tools.ragatouille_checkpoint FOLDER``.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Collection
from pathlib import Path

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


def write_checkpoint(folder: Path, *, without: Collection[str] = (), seed: int = 7) -> Path:
    """Write the checkpoint into ``folder``; ``without`` names entries of its metadata to leave out."""
    import torch
    from safetensors.torch import load_file, save_file

    from core.backends.locate import locate

    source = locate("all-MiniLM-L6-v2", allow_downloads=False).files.folder
    folder.mkdir(parents=True, exist_ok=True)
    weights = {f"bert.{name}": tensor.contiguous() for name, tensor in load_file(source / "model.safetensors").items()}
    torch.manual_seed(seed)
    directions, _ = torch.linalg.qr(torch.randn(384, DIM))
    weights["linear.weight"] = directions.T.contiguous()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((source / "config.json").read_text("utf-8")) | {"architectures": ["HF_ColBERT"]}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    metadata = {name: value for name, value in METADATA.items() if name not in without}
    (folder / "artifact.metadata").write_text(json.dumps(metadata), "utf-8")
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(source / name, folder / name)
    return folder


if __name__ == "__main__":
    print(write_checkpoint(Path(sys.argv[1])))
