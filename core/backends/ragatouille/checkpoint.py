"""The checkpoint of the engine: a ColBERT model in Stanford's form, as a folder."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.backends.files import ModelFiles, is_folder, named_folder
from core.backends.ragatouille.needs import check_compiler, check_extra
from core.backends.sentence_transformers.lazy_model import RECIPE
from core.errors import ExtraMissing, ModelDamaged, ModelError, ModelNotFound
from core.ports.engines import LateCheck
from core.settings.values import Models

HUB = ("colbert-ir/colbertv2.0", "answerdotai/answerai-colbert-small-v1")
"""Checkpoints that are known to be in Stanford's form; any other must be a local folder."""
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_KNOWN = (
    "Set models.late_checkpoint (on the Settings page, or in workbench.toml) to the folder of a ColBERT checkpoint, or "
    f"to {' or '.join(HUB)}"
)
_FILES = ["*.json", "*.txt", "*.safetensors", "pytorch_model.bin", "artifact.metadata"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint found. ``fingerprint`` equals that of the encoder that is loaded from the same files."""

    folder: Path
    files: ModelFiles
    name: str
    fingerprint: str


def find_checkpoint(name: str, *, allow_downloads: bool) -> Checkpoint:
    """A local folder, the hub's cache, or the hub, in this order. Raises ModelNotFound (nothing by this name, or not in
    Stanford's form; the message says what to name instead), ModelDamaged (its description cannot be read) or
    ExtraMissing (a download is allowed but the hub's client is not installed)."""
    if not name.strip():
        raise ModelNotFound(f"No checkpoint is named for RAGatouille. {_KNOWN}.")
    folder = named_folder(name)
    if not is_folder(folder):
        folder = _from_hub(name, allow_downloads)
    folder = folder.resolve()
    _check_form(folder, name)
    files = ModelFiles(folder, None, folder / "tokenizer.json")
    shown = name if name in HUB else folder.name
    return Checkpoint(folder, files, shown, f"{shown}@{files.content_hash()[:16]}-r{RECIPE}")


def shown_name(name: str) -> str:
    """The name of a checkpoint, without looking for it."""
    return name if name in HUB or not name else named_folder(name).name


def check_here(name: str, *, allow_downloads: bool) -> None:
    """True when a checkpoint is on this machine, or would be fetched at its first use. Nothing is fetched here. Raises
    ModelNotFound, ModelDamaged, ExtraMissing: see ``find_checkpoint``."""
    try:
        find_checkpoint(name, allow_downloads=False)
    except ModelNotFound:
        if name not in HUB or not allow_downloads:
            raise


def check_late_engine(models: Models) -> LateCheck:
    """Whether RAGatouille can be used on this machine with these settings. Nothing is fetched or loaded."""
    try:
        check_extra()
        check_compiler()
        check_here(models.checkpoint, allow_downloads=models.allow_downloads)
    except ModelError as error:
        return LateCheck(shown_name(models.checkpoint), str(error))
    return LateCheck(shown_name(models.checkpoint), "")


def _from_hub(name: str, allow_downloads: bool) -> Path:
    if name not in HUB:
        raise ModelNotFound(
            f"RAGatouille cannot use {name!r}: it is neither a folder nor a known checkpoint. {_KNOWN}."
        )
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise ExtraMissing("Checkpoints of the hub need its client: pip install '.[ragatouille]'") from error
    try:
        cached = Path(snapshot_download(name, local_files_only=True, allow_patterns=_FILES))
    except (OSError, ValueError):  # none, or half of one
        cached = None
    if cached is not None and (_whole(cached) or not allow_downloads):
        return cached
    if not allow_downloads:
        raise ModelNotFound(
            f"The checkpoint {name} is not on this machine, and downloads are off. {_KNOWN} (this one with "
            "models.allow_downloads = true)."
        )
    try:
        return Path(snapshot_download(name, allow_patterns=_FILES))
    except Exception as error:  # the client lets through what its HTTP library raises, and what odd answers lead to
        reason = next(iter(str(error).strip().splitlines()), "")[:300] or type(error).__name__
        raise ModelNotFound(f"The checkpoint {name} could not be downloaded: {reason} {_KNOWN}.") from error


def _whole(folder: Path) -> bool:
    """True when a download into the hub's cache came to its end: the next one goes on with one that did not."""
    wanted = (("config.json",), ("artifact.metadata",), _WEIGHTS, ("tokenizer.json", "vocab.txt"))
    return all(any((folder / name).is_file() for name in names) for names in wanted)


def _check_form(folder: Path, name: str) -> None:
    config, metadata = _read(folder / "config.json"), _read(folder / "artifact.metadata")
    architectures = config.get("architectures") if config else None
    if metadata is None or config is None or not isinstance(architectures, list) or "HF_ColBERT" not in architectures:
        raise ModelNotFound(
            f"{name} holds no ColBERT checkpoint in Stanford's form (artifact.metadata, and HF_ColBERT in "
            "config.json), which RAGatouille needs. Name such a folder as models.late_checkpoint, or use the exact "
            "engine."
        )
    if config.get("auto_map"):
        # colbert-ai loads every checkpoint with trust_remote_code.
        raise ModelDamaged(f"{name} brings code of its own (auto_map in config.json), which is never run here.")
    if not any((folder / file).is_file() for file in _WEIGHTS):
        raise ModelDamaged(f"{name} has no weights (model.safetensors or pytorch_model.bin). Fetch it again.")
    weights = folder / _WEIGHTS[0]
    if weights.is_file() and not _whole_file(weights):
        raise ModelDamaged(
            f"The weights of {name} are cut short or damaged: {weights.name} is not as long as it says of itself. "
            "Fetch it again."
        )


def _whole_file(path: Path) -> bool:
    """True when a file of safetensors has the length that its header says: eight bytes (the header's own length), the
    header in JSON, and the tensors up to the last offset (https://github.com/huggingface/safetensors#format). Its
    reader would say so at the first text only."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            header: Any = json.loads(stream.read(length)) if length <= size else None
        ends = [tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"]
        return bool(8 + length + max(ends, default=0) == size)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _read(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ModelDamaged(f"{path} is not JSON: {error}. Fetch the checkpoint again.") from error
    except OSError as error:
        raise ModelDamaged(f"{path} cannot be read: {error.strerror}. Fetch the checkpoint again.") from error
    return value if isinstance(value, dict) else None
