"""The workbench's own verifier as the judge of evidence: a BERT cross-encoder in int8, shipped in ``core/weights``. It
reads ``[CLS] claim [SEP] evidence [SEP]`` and gives three logits; softmax((logits + bias) / temperature) are the
probabilities (temperature scaling: Guo et al. 2017). What it was trained on is in docs/model_card_verifier.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles, sha256, verify
from core.backends.onnx.session import OnnxTransformer
from core.backends.windows import windows
from core.errors import ModelDamaged
from core.records import Combination
from core.text.hashing import hex_digest
from core.text.sentences import sentence_spans

SHIPPED = Path(__file__).resolve().parents[2] / "weights"
NAME = "workbench-verifier"
RECIPE = 1
CLAIM_LIMIT = 160
"""Tokens of a claim that are read at once."""
CLAIM_MOST = 4 * CLAIM_LIMIT
"""A longer text is no single claim (about 450 words): nothing is said of it."""

_LEAST_ROOM = 96
_NEUTRAL = (0.0, 0.0, 1.0)
_REMEDY = "Reinstall the workbench, or make it again: training/verifier/README.md."

Ids = Sequence[int]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The values in ``verifier.json``: for making probabilities of logits, and the limit of tokens read at once.
    ``bias``: added to the logits in the order supports, contradicts, neutral; ``max_tokens``: of claim and evidence
    with special tokens, as in training; ``sha256``: of the graph and of the tokenizer; ``combination``: how the
    probabilities go together with shared words over a source, where that was fitted."""

    temperature: float
    bias: tuple[float, float, float]
    max_tokens: int
    sha256: dict[str, str]
    combination: Combination | None = None

    @classmethod
    def read(cls, path: Path) -> Calibration:
        """Raises ModelDamaged where the file is missing or not as the export wrote it."""
        try:
            values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            supports, contradicts, neutral = (float(value) for value in values["bias"])
            pinned = {str(name): str(digest) for name, digest in values["sha256"].items()}
            put_together = values.get("combination")
            calibration = cls(
                float(values["temperature"]), (supports, contradicts, neutral), int(values["max_tokens"]), pinned,
                None if put_together is None else _combination(put_together),
            )  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelDamaged(f"The verifier's description {path} cannot be read: {error!r}. {_REMEDY}") from error
        if calibration.temperature <= 0 or calibration.max_tokens < CLAIM_LIMIT + _LEAST_ROOM:
            raise ModelDamaged(f"The verifier's description {path} holds impossible values: {calibration}. {_REMEDY}")
        return calibration

    def probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """(3,) logits to (3,) probabilities."""
        scaled = (logits.astype(np.float64) + np.array(self.bias)) / self.temperature
        grown = np.exp(scaled - scaled.max())
        return np.asarray(grown / grown.sum(), dtype=np.float32)


def _combination(values: dict[str, Any]) -> Combination:
    return Combination(**{name: float(values[name]) for name in ("bias", "support", "words", "names")})


class OnnxEntailer:
    """``ports.Entailer``. Files are checked when it is made, the session opens at the first pair. A pair's
    probabilities do not depend on the other pairs. Safe to share between threads. Raises ModelDamaged: a file is
    missing or differs from its pinned SHA-256."""

    def __init__(self, folder: Path = SHIPPED, *, threads: int = 0) -> None:
        described = folder / "verifier.json"
        self._calibration = Calibration.read(described)
        verify(folder, self._calibration.sha256, f"Model {NAME}", _REMEDY)
        files = ModelFiles(folder, folder / "verifier.onnx", folder / "verifier_tokenizer.json")
        self._model = OnnxTransformer(files, threads)
        recipe = {"model": files.content_hash(), "description": sha256(described), "recipe": RECIPE}
        self._fingerprint = f"{NAME}@{hex_digest(json.dumps(recipe, sort_keys=True))[:16]}"

    @property
    def fingerprint(self) -> str:
        """Name and a hash over weights, tokenizer, calibration and recipe."""
        return self._fingerprint

    @property
    def combination(self) -> Combination | None:
        """Weights of ``core.verify.combine`` that were fitted for these weights; None where none were."""
        return self._calibration.combination

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """(n, 3) probabilities of ``(claim, evidence)``: supports, contradicts, neutral. A claim or evidence without a
        readable token is neutral (0, 0, 1). Evidence that does not fit beside the claim is judged in overlapping
        windows of whole sentences, and the window that is least neutral speaks for all. A claim of more than 160 tokens
        is judged in parts (``whole_claim``); one of more than 640 is neutral, since it is no single claim."""
        if not pairs:
            return np.zeros((0, 3), dtype=np.float32)
        return np.asarray(self._model.map(lambda pair: self._judge(*pair), list(pairs)), dtype=np.float32)

    def _judge(self, claim: str, evidence: str) -> NDArray[np.float32]:
        unknown = self._model.open()[1].token_to_id("[UNK]")
        claim_ids = self._model.tokenize(claim).ids
        read = self._model.tokenize(evidence)
        unreadable = all(i == unknown for i in claim_ids) or all(i == unknown for i in read.ids)
        if unreadable or len(claim_ids) > CLAIM_MOST:
            return np.array(_NEUTRAL, dtype=np.float32)
        parts = [claim_ids[a:b] for a, b in windows(len(claim_ids), CLAIM_LIMIT)]
        room = self._calibration.max_tokens - max(map(len, parts)) - 3
        spans = sentence_windows(_sentence_ends(evidence, read.offsets), room)
        probabilities = np.stack([self._best(part, [read.ids[a:b] for a, b in spans]) for part in parts])
        return whole_claim(probabilities)

    def _best(self, claim: Ids, windows_of_evidence: Sequence[Ids]) -> NDArray[np.float32]:
        start, end = self._model.special_ids()
        head = [start, *claim, end]
        judged = []
        for ids in windows_of_evidence:
            tail = [*ids, end]
            logits = self._model.run(head + tail, [0] * len(head) + [1] * len(tail))
            judged.append(self._calibration.probabilities(logits))
        return min(judged, key=lambda probabilities: float(probabilities[2]))


def whole_claim(parts: NDArray[np.float32]) -> NDArray[np.float32]:
    """(3,) of a claim from the (n, 3) of its parts: supported as far as its least supported part, contradicted as far
    as its most contradicted one."""
    if len(parts) == 1:
        return np.asarray(parts[0])
    supports, contradicts = parts[:, 0].min(), parts[:, 1].max()
    joined = np.array([supports, contradicts, max(0.0, 1 - supports - contradicts)])
    return np.asarray(joined / joined.sum(), dtype=np.float32)


def _sentence_ends(text: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """For each sentence with tokens, the number of tokens up to its end."""
    ends: list[int] = []
    at = 0
    for _, stop in sentence_spans(text):
        while at < len(offsets) and offsets[at][0] < stop:
            at += 1
        if at > (ends[-1] if ends else 0):
            ends.append(at)
    if not ends or ends[-1] < len(offsets):
        ends.append(len(offsets))
    return ends


def sentence_windows(ends: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Half-open token spans of at most ``limit`` that cover everything. A span takes as many whole sentences as fit;
    the next one begins with the last sentence of the one before where two sentences fit. A sentence longer than
    ``limit`` is cut into even parts. ``ends`` are the running token counts at the ends of the sentences. >>>
    sentence_windows([4, 8, 12], 8), sentence_windows([5], 8), sentence_windows([3, 13], 6) ([(0, 8), (4, 12)], [(0,
    5)], [(0, 3), (3, 8), (8, 13)])"""
    starts = [0, *ends[:-1]]
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(ends):
        last = first
        if ends[first] - starts[first] > limit:
            whole = windows(ends[first] - starts[first], limit)
            spans += [(starts[first] + a, starts[first] + b) for a, b in whole]
            first += 1
            continue
        while last + 1 < len(ends) and ends[last + 1] - starts[first] <= limit:
            last += 1
        spans.append((starts[first], ends[last]))
        if last + 1 == len(ends):
            break
        shared = last > first and ends[last + 1] - starts[last] <= limit
        first = last if shared else last + 1
    return spans
