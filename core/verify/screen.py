"""Asking the model less often without losing anything: pairs are asked once, and whether a source can carry a claim
is known from its views alone."""

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
"""Pairs whose answers are remembered: those of some 200 verdicts."""


class _Around:
    """An entailer around another one, with its fingerprint and its combination if it has one."""

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer

    @property
    def fingerprint(self) -> str:
        """That of the entailer."""
        return self._entailer.fingerprint

    @property
    def combination(self) -> Any:
        """That of the entailer, None where it has none (``ports.CombiningEntailer``)."""
        return getattr(self._entailer, "combination", None)


class Remembering(_Around):
    """An entailer that is asked about each pair once; its answers do not depend on what is asked beside them. Meant
    for one thread at a time."""

    def __init__(self, entailer: Entailer) -> None:
        super().__init__(entailer)
        self._known: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As ``ports.Entailer``."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._entailer.judge(fresh), strict=True))
        answers = [self._known[pair] for pair in pairs]
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return np.array(answers, dtype=np.float32).reshape(-1, 3)


class _FirstOnly(_Around):
    """Asks its entailer about the first pairs only, which are those of the windows; all others are neutral."""

    def __init__(self, entailer: Entailer) -> None:
        super().__init__(entailer)
        self._asked = False

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As ``ports.Entailer``."""
        if self._asked:
            return np.array([(0.0, 0.0, 1.0)] * len(pairs), dtype=np.float32).reshape(-1, 3)
        self._asked = True
        return self._entailer.judge(pairs)


def support_at_most(
    claim: str, source: CitedSource, entailer: Entailer, settings: Verification, *, context: str = ""
) -> float:
    """An upper bound on the support of ``judge_in_source``, 0 to 1, for less than half of its pairs.

    What a source says is decided by its views (``core.verify.windows``), which are judged here; the other windows, the
    deciding sentence and the supported part only show where. What can lower the support further is not asked.

    Raises:
        ModelError: the entailer cannot be had.
    """
    views = sum(size <= settings.window_sentences for size in VIEWS) + (settings.window_sentences not in VIEWS)
    few = settings.model_copy(update={"windows": max(1, min(settings.windows, views))})
    return judge_in_source(claim, source, _FirstOnly(entailer), few, context=context).supports
