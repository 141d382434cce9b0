"""An NLI cross-encoder of the hub as the judge of evidence: the ``neural`` extra. Any three-way model whose
``config.json`` names its labels (``id2label``) in a spelling that ``Label.from_foreign`` knows. Pairs are read as
(premise, hypothesis) = (evidence, claim). Its probabilities are the model's softmax: nobody calibrated them for this
use."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles
from core.backends.sentence_transformers.lazy_model import LazyModel
from core.backends.windows import windows
from core.errors import ModelError
from core.labels import Label

ORDER = (Label.SUPPORTS, Label.CONTRADICTS, Label.NEUTRAL)
_SPECIAL_TOKENS = 4
_CLAIM_SHARE = 0.5


class NliEntailer:
    """``CrossEncoder`` of sentence-transformers behind ``ports.Entailer``; loaded at the first pair. Raises
    ExtraMissing (sentence-transformers is not installed) or ModelError (the model's labels are not those of natural
    language inference)."""

    def __init__(self, files: ModelFiles, name: str, *, threads: int = 0) -> None:
        self._lazy = LazyModel(
            files, name, threads, lambda lib, path: lib.CrossEncoder(path, device="cpu", local_files_only=True)
        )
        self._columns = label_columns(files, name)

    @property
    def fingerprint(self) -> str:
        """Name and content hash."""
        return self._lazy.fingerprint

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """(n, 3) probabilities: supports, contradicts, neutral; an empty claim or empty evidence is neutral. Evidence
        that does not fit beside the claim is judged in parts; the part that is least neutral speaks for all. A claim is
        read up to half of the model's window."""
        out = np.tile(np.array([0, 0, 1], dtype=np.float32), (len(pairs), 1))
        owners: list[int] = []
        parts: list[tuple[str, str]] = []
        model = self._lazy.get() if any(_full(pair) for pair in pairs) else None
        for row, (claim, evidence) in enumerate(pairs):
            if model is not None and _full((claim, evidence)):
                mine = _parts(model, _clean(claim), _clean(evidence))
                owners += [row] * len(mine)
                parts += mine
        if model is None or not parts:
            return out
        raw = np.asarray(model.predict(parts, apply_softmax=True, show_progress_bar=False), dtype=np.float32)
        ordered = raw.reshape(len(parts), -1)[:, list(self._columns)]
        least: dict[int, float] = {}
        for row, probabilities in zip(owners, ordered, strict=True):
            if probabilities[2] < least.get(row, np.inf):
                least[row] = float(probabilities[2])
                out[row] = probabilities
        return out


def label_columns(files: ModelFiles, name: str) -> tuple[int, ...]:
    """Columns of the model's output in the order supports, contradicts, neutral (ModelError)."""
    config = files.folder / "config.json"
    named: Mapping[str, str] = json.loads(config.read_text("utf-8")).get("id2label", {}) if config.is_file() else {}
    columns: dict[Label, int] = {}
    for column, spelling in named.items():
        try:
            columns[Label.from_foreign(str(spelling))] = int(column)
        except ValueError:
            continue
    if len(named) != len(ORDER) or set(columns) != set(ORDER):
        raise ModelError(
            f"The model {name} cannot judge evidence: its labels are {sorted(map(str, named.values()))}, not "
            "entailment, contradiction and neutral. Name an NLI model as models.entailer, or workbench-verifier."
        )
    return tuple(columns[label] for label in ORDER)


def _full(pair: tuple[str, str]) -> bool:
    return bool(pair[0].strip() and pair[1].strip())


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _parts(model: Any, claim: str, evidence: str) -> list[tuple[str, str]]:
    """(premise, hypothesis) pairs that fit the model."""
    room = int(model.max_seq_length or 512) - _SPECIAL_TOKENS
    offsets = _offsets(model.tokenizer, claim)
    limit = int(room * _CLAIM_SHARE)
    if len(offsets) > limit:
        claim, offsets = claim[: offsets[limit - 1][1]], offsets[:limit]
    places = _offsets(model.tokenizer, evidence)
    spans = windows(len(places), max(1, room - len(offsets)))
    if len(spans) == 1:
        return [(evidence, claim)]
    return [(evidence[places[a][0] : places[b - 1][1]], claim) for a, b in spans]


def _offsets(tokenizer: Any, text: str) -> list[tuple[int, int]]:
    encoded = tokenizer(text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False)
    return [(int(a), int(b)) for a, b in encoded["offset_mapping"]]
