"""A closer look: the larger model judges the nearest sentences one by one.

A sentence has to say the claim by itself, or together with the sentences that it leans on. Several sentences judged
together are taken for support more often than they are it (docs/decisions/0018-two-looks.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.ports.store import Entailer
from core.verify.judged import Judged, judge_windows
from core.verify.sentences import CitedSource
from core.verify.windows import window, with_what_it_leans_on

LOOKED_AT = 8
"""Sentences that are looked at closely."""


@dataclass(frozen=True, slots=True)
class Closely:
    """The sentences that were looked at, in the order of their ranking; at least one."""

    judged: tuple[Judged, ...]

    @property
    def best(self) -> Judged:
        """The sentence that supports the claim most."""
        return max(self.judged, key=lambda view: view.judgement.supports)

    @property
    def against(self) -> Judged:
        """The sentence that contradicts the claim most."""
        return max(self.judged, key=lambda view: view.judgement.contradicts)


def closely(claim: str, source: CitedSource, units: Sequence[int], closer: Entailer) -> Closely:
    """The claim beside each of the first ``LOOKED_AT`` of ``units``.

    Raises:
        ModelError: the larger model cannot be had.
    """
    windows = [window(source, with_what_it_leans_on(source, at)) for at in units[:LOOKED_AT]]
    return Closely(tuple(judge_windows(claim, windows, closer, source.abbreviations)))
