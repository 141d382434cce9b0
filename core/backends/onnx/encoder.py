"""A BERT-like sentence encoder as ONNX whose one forward pass gives the dense vector and the token vectors. Before it
the map from its token states to the vectors that late interaction stores: ``core/weights/late_projection.npz`` is made
by ``training/late_projection/train.py``, and docs/decisions/0004-late-interaction.md has what was measured."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles, sha256
from core.backends.onnx.session import OnnxTransformer
from core.backends.windows import windows
from core.errors import ModelDamaged
from core.records import TokenMatrix, Vector
from core.text.hashing import hex_digest
from core.text.terms import STOP_WORDS

SHIPPED = Path(__file__).resolve().parents[2] / "weights" / "late_projection.npz"
SHIPPED_SHA256 = "59a51723383ecbee1c462db60858d52fa773f72238ae48a80879e53ba863d29a"

_ROWS = 4


@dataclass(frozen=True, slots=True)
class Projection:
    """Token vector = unit(unit(state) @ weight + bias): the mean state out, then the strongest directions of the rest.
    ``weight``: (hidden, dim) float32; ``bias``: (dim,) float32; ``fingerprint``: hash of the file; ``model_sha256``: of
    the ONNX graph that it was made from and is only good for."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    fingerprint: str
    model_sha256: str

    @property
    def dim(self) -> int:
        """Size of a token vector."""
        return int(self.weight.shape[1])

    def __call__(self, units: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, hidden) states of unit length to (n, dim), not yet of unit length. Four rows at a time: OpenBLAS takes
        larger products to threads of its own, which wait in a busy loop and cost the encoder's workers half their
        throughput."""
        rows = len(units)
        padded = np.zeros((-(-rows // _ROWS) * _ROWS, units.shape[1]), dtype=np.float32)
        padded[:rows] = units
        product = np.matmul(padded.reshape(-1, _ROWS, units.shape[1]), self.weight)
        return np.asarray(product.reshape(-1, self.dim)[:rows] + self.bias, dtype=np.float32)


def load_shipped(path: Path = SHIPPED, expected: str | None = None) -> Projection:
    """The projection that comes with the workbench. Raises ModelDamaged: the file is missing, differs from its pinned
    hash, or is not a projection."""
    pinned = SHIPPED_SHA256 if expected is None else expected
    if not path.is_file() or sha256(path) != pinned:
        raise ModelDamaged(f"{path} is missing or lacks the pinned SHA-256 {pinned[:12]}…. Reinstall the workbench.")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as data:
            meta = json.loads(bytes(data["meta"]).decode())
            weight, bias = data["weight"].astype(np.float32), data["bias"].astype(np.float32)
    except (ValueError, KeyError, OSError) as error:
        raise ModelDamaged(f"{path} is not a projection: {error}. Reinstall the workbench.") from error
    return Projection(weight, bias, pinned, str(meta["model_sha256"]))


if TYPE_CHECKING:
    from tokenizers import Encoding

RECIPE = 2  # raise it whenever the same text would get other vectors
LIMIT = 510  # the model's 512 positions less [CLS] and [SEP]
_WORD = re.compile(r"[^\W_]")


class OnnxJointEncoder:
    """Dense = state of [CLS], unit length. Tokens = states of the words' tokens, projected, unit length.

    [CLS], [SEP], tokens without a letter or digit, and English function words (``core.text.terms.STOP_WORDS``) give no
    token vector, unless a text has no other: a quarter to a third fewer vectors at equal quality.
    A text of more than 510 tokens is read in windows of even size: its token vectors are those of all windows, its
    dense vector is the mean of theirs, brought to unit length. Nothing is truncated. A text's vectors do not depend
    on what it is encoded with. A query is encoded as a passage is: the instruction that bge was trained with measured
    worse on claims (docs/decisions/0004).

    Raises (at the first text): ModelDamaged when the files cannot be read.
    """

    def __init__(
        self,
        files: ModelFiles,
        name: str,
        *,
        projection: Projection | None = None,
        threads: int = 0,
    ) -> None:
        self._model = OnnxTransformer(files, threads)
        self._projection = projection
        self._dims: tuple[int, int] | None = None
        recipe = {
            "model": files.content_hash(),
            "projection": projection.fingerprint if projection else None,
            "recipe": RECIPE,
            "limit": LIMIT,
        }
        digest = hex_digest(json.dumps(recipe, sort_keys=True))
        self._fingerprint = f"{name}@{digest[:16]}"

    @property
    def fingerprint(self) -> str:
        """Name and a hash over weights, tokenizer, projection and recipe."""
        return self._fingerprint

    @property
    def dim(self) -> int:
        """Size of a dense vector."""
        return self._sizes()[0]

    @property
    def late_dim(self) -> int:
        """Size of a token vector."""
        return self._sizes()[1]

    def _sizes(self) -> tuple[int, int]:
        if self._dims is None:
            hidden = self._projection.weight.shape[0] if self._projection else self._states([]).shape[1]
            self._dims = hidden, self._projection.dim if self._projection else hidden
        return self._dims

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        return self._stack(self._model.map(self._dense, texts))

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of queries; spans are offsets into each text."""
        return self.encode_passage_tokens(texts)

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of passages; spans are offsets into each text."""
        return self._model.map(lambda text: self._both(text)[1], texts)

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self.encode_passages_jointly(texts)

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        pairs = self._model.map(self._both, texts)
        return self._stack([dense for dense, _ in pairs]), [tokens for _, tokens in pairs]

    def _stack(self, rows: Sequence[Vector]) -> Vector:
        return np.stack(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def _states(self, ids: Sequence[int]) -> NDArray[np.float32]:
        start, end = self._model.special_ids()
        return self._model.run([start, *ids, end])

    def _dense(self, text: str) -> Vector:
        ids = self._model.tokenize(text).ids
        return _mean_unit([self._states(ids[a:b])[0] for a, b in windows(len(ids), LIMIT)])

    def _both(self, text: str) -> tuple[Vector, TokenMatrix]:
        encoding = self._model.tokenize(text)
        states = [self._states(encoding.ids[a:b]) for a, b in windows(len(encoding.ids), LIMIT)]
        dense = _mean_unit([window[0] for window in states])
        tokens = np.concatenate([window[1:-1] for window in states])
        return dense, self._tokens(text, encoding, tokens)

    def _tokens(self, text: str, encoding: Encoding, states: NDArray[np.float32]) -> TokenMatrix:
        spans = np.asarray(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        mask = _telling(text, encoding.tokens, spans)
        units = _unit_rows(states[mask])
        return TokenMatrix(_unit_rows(self._projection(units)) if self._projection else units, spans[mask])


def _telling(text: str, tokens: Sequence[str], spans: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mask of the tokens that get a vector; where no token tells anything, the less telling ones get it."""
    size = len(tokens)
    worded = np.fromiter((_WORD.search(text, a, b) is not None for a, b in spans.tolist()), bool, size)
    following = [*tokens[1:], ""]
    function = np.fromiter(
        (token in STOP_WORDS and not after.startswith("##") for token, after in zip(tokens, following, strict=True)),
        bool,
        size,
    )
    for mask in (worded & ~function, worded):
        if mask.any():
            return mask
    return np.ones(size, dtype=np.bool_)


def _unit_rows(rows: NDArray[np.float32]) -> Vector:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), dtype=np.float32)


def _mean_unit(rows: Sequence[NDArray[np.float32]]) -> Vector:
    units = _unit_rows(np.stack(rows))
    first: Vector = (units if len(units) == 1 else _unit_rows(units.mean(axis=0, keepdims=True)))[0]
    return first
