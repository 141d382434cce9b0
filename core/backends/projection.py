"""The linear map from the encoder's token states to the vectors that late interaction stores.

``core/weights/late_projection.npz`` is made by ``training/late_projection/train.py``; what was measured is in
docs/decisions/0003-late-interaction.md.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends.files import sha256
from core.errors import ModelDamaged

SHIPPED = Path(__file__).resolve().parents[1] / "weights" / "late_projection.npz"
SHIPPED_SHA256 = "3797be7ce0266d6d269c40d693df0dd88f5c9486f2a684da55d2ff0012fdd0da"


@dataclass(frozen=True, slots=True)
class Projection:
    """``weight``: (hidden, dim) float32; ``fingerprint``: hash of the file; ``model_sha256``: of the ONNX graph
    that it was trained on and is only good for."""

    weight: NDArray[np.float32]
    fingerprint: str
    model_sha256: str

    @property
    def dim(self) -> int:
        """Size of a token vector."""
        return int(self.weight.shape[1])


def load_shipped(path: Path = SHIPPED, expected: str | None = None) -> Projection:
    """The projection that comes with the workbench.

    Raises:
        ModelDamaged: the file is missing, differs from its pinned hash, or is not a projection.
    """
    pinned = SHIPPED_SHA256 if expected is None else expected
    if not path.is_file() or sha256(path) != pinned:
        raise ModelDamaged(f"{path} is missing or lacks the pinned SHA-256 {pinned[:12]}…. Reinstall the workbench.")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as data:
            meta = json.loads(bytes(data["meta"]).decode())
            weight = data["weight"].astype(np.float32)
    except (ValueError, KeyError, OSError) as error:
        raise ModelDamaged(f"{path} is not a projection: {error}. Reinstall the workbench.") from error
    return Projection(weight, pinned, str(meta["model_sha256"]))
