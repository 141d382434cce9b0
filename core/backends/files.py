"""Model files on disk: their layout, and their SHA-256 taken once a process."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import ModelDamaged

_ONNX = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_TORCH = ("modules.json", "artifact.metadata", "model.safetensors", "pytorch_model.bin")

_lock = threading.Lock()
_hashes: dict[tuple[str, int, int], str] = {}


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The two files that an ONNX model needs; ``onnx`` is None when the folder holds torch weights only."""

    folder: Path
    onnx: Path | None
    tokenizer: Path

    @classmethod
    def find(cls, folder: Path) -> ModelFiles | None:
        """The model files in ``folder``, or None when it is not a model folder."""
        tokenizer = folder / "tokenizer.json"
        onnx = next((folder / name for name in _ONNX if (folder / name).is_file()), None)
        if onnx is not None and tokenizer.is_file():
            return cls(folder, onnx, tokenizer)
        if any((folder / name).is_file() for name in _TORCH):
            return cls(folder, None, tokenizer)
        return None

    def content_hash(self) -> str:
        """SHA-256 over all that decides the model's output: its graph and its tokenizer, or the weights."""
        if self.onnx is not None:
            parts = [self.onnx, self.tokenizer]
        else:
            parts = sorted(path for path in self.folder.rglob("*") if path.is_file() and _decides(path))
        digest = hashlib.sha256()
        for path in parts:
            digest.update(f"{path.relative_to(self.folder).as_posix()}\0{sha256(path)}\n".encode())
        return digest.hexdigest()


def named_folder(name: str) -> Path:
    """The path that the name of a model would be, with a ``~`` resolved where there is such a user."""
    return Path(os.path.expanduser(name))  # Path.expanduser raises where there is none


def is_folder(path: Path) -> bool:
    """True when a folder that may be looked at is there; False also for what can be no path at all."""
    return os.path.isdir(path)  # Path.is_dir raises for a name that is too long or may not be looked at


def _decides(path: Path) -> bool:
    return path.suffix in {".json", ".safetensors", ".bin", ".txt", ".metadata", ".model"}


def sha256(path: Path) -> str:
    """SHA-256 of a file in hex, remembered by path, size and time of change."""
    stat = path.stat()
    key = (str(path), stat.st_size, stat.st_mtime_ns)
    with _lock:
        digest = _hashes.get(key)
    if digest is None:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        with _lock:
            _hashes[key] = digest
    return digest


def verify(folder: Path, pinned: Mapping[str, str], what: str, remedy: str) -> None:
    """Compare files with their pinned hashes. Raises ModelDamaged: a file is missing or differs."""
    for name, expected in pinned.items():
        path = folder / name
        if not path.is_file():
            raise ModelDamaged(f"{what}: the file {path} is missing. {remedy}")
        if sha256(path) != expected:
            raise ModelDamaged(f"{what}: the file {path} does not have the pinned SHA-256 {expected[:12]}…. {remedy}")
