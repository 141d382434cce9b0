"""The map from the encoder's token states to the vectors that late interaction stores.
``core/weights/late_projection.npz`` is made by ``training/late_projection/train.py``; what was measured is in
docs/decisions/0004-late-interaction.md."""

import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends.files import sha256
from core.errors import ModelDamaged

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
