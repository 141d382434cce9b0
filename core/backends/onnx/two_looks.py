"""The two shipped verifiers as one entailer: the small one looks at every window, the large one at what decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.backends.onnx.entailer import OnnxEntailer
from core.records import Combination


class TwoLooks:
    """``ports.ScreeningEntailer`` and ``ports.CombiningEntailer``. The large model is read at its first pair."""

    def __init__(self, small: OnnxEntailer, large: OnnxEntailer) -> None:
        self._small = small
        self._large = large

    @property
    def fingerprint(self) -> str:
        """Both fingerprints."""
        return f"{self._small.fingerprint}+{self._large.fingerprint}"

    @property
    def combination(self) -> Combination | None:
        """Weights for the small model alone."""
        return self._small.combination

    @property
    def closer(self) -> OnnxEntailer:
        """The large model, with weights for what both say."""
        return self._large

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Of the small model, see ``ports.Entailer.judge``."""
        return self._small.judge(pairs)
