"""Fewer questions to the model without another result: each pair is judged once, and the views of a source alone give
an upper bound on its support."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports.store import Entailer
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from core.verify.windows import VIEWS

REMEMBERED = 4000
"""Pairs whose probabilities are remembered: those of about 200 verdicts."""


class _Wrapper:
    """An entailer around another one, with the fingerprint and the combination of that one."""

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the inner entailer."""
        return self._entailer.fingerprint

    @property
    def combination(self) -> Any:
        """The combination of the inner entailer, or None (``ports.CombiningEntailer``)."""
        return getattr(self._entailer, "combination", None)


class Remembering(_Wrapper):
    """An entailer that judges each pair once; the result of a pair does not depend on the other pairs. Meant for one
    thread at a time."""

    def __init__(self, entailer: Entailer) -> None:
        super().__init__(entailer)
        self._answers: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See ``ports.Entailer.judge``."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._answers]
        if fresh:
            self._answers.update(zip(fresh, self._entailer.judge(fresh), strict=True))
        answers = [self._answers[pair] for pair in pairs]
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return np.array(answers, dtype=np.float32).reshape(-1, 3)


class WindowsOnly(_Wrapper):
    """An entailer that judges the first pairs only, which are those of the windows. All later pairs are neutral: they
    would show where the evidence is, and decide nothing."""

    def __init__(self, entailer: Entailer) -> None:
        super().__init__(entailer)
        self._judged = False

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See ``ports.Entailer.judge``."""
        if self._judged:
            return np.array([(0.0, 0.0, 1.0)] * len(pairs), dtype=np.float32).reshape(-1, 3)
        self._judged = True
        return self._entailer.judge(pairs)


def support_at_most(
    claim: str, source: CitedSource, entailer: Entailer, settings: Verification, *, context: str = ""
) -> float:
    """An upper bound on the support of ``judge_in_source``, 0 to 1, for less than half of its pairs.

    The views of a source decide its support (``core.verify.windows``), and only they are judged here. The other
    windows, the deciding sentence and the supported part only show where the evidence is, or can lower the support.

    Raises:
        ModelError: the entailer cannot be had.
    """
    views = sum(size <= settings.window_sentences for size in VIEWS) + (settings.window_sentences not in VIEWS)
    few = settings.model_copy(update={"windows": max(1, min(settings.windows, views))})
    return judge_in_source(claim, source, WindowsOnly(entailer), few, context=context).supports
