"""A closer look: a larger model judges the nearest sentences one by one, and both models must say so.

A sentence has to say the claim by itself, or together with the sentences that it leans on. Several sentences judged
together are taken for support more often than they are it (docs/decisions/0018-two-looks.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.ports.store import Entailer
from core.verify.judged import Judged, judge_windows
from core.verify.sentences import CitedSource
from core.verify.windows import window, with_what_it_leans_on

LOOKED_AT = 8
"""Sentences that are looked at closely."""
LIKELY = 0.5
"""Support or contradiction of the first look from which on there is a closer one; and what that must find."""
DOUBTED = 0.45
"""What is left of a support or a contradiction that the closer look does not find: less than even."""


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


def looked_closer(
    look: Callable[[], Closely] | None, supports: float, contradicts: float
) -> tuple[Closely | None, float, float, tuple[str, ...]]:
    """The closer look where the first one is likely to decide (else None), support and contradiction as far as both
    find them, and notes for the user."""
    if look is None or max(supports, contradicts) < LIKELY:
        return None, supports, contradicts, ()
    close = look()
    notes = []
    if supports >= LIKELY and (most := close.best.judgement.supports) < LIKELY:
        notes.append(f"No single sentence says it: the larger model gives the nearest one {most:.2f}.")
        supports = DOUBTED
    if contradicts >= LIKELY and (most := close.against.judgement.contradicts) < LIKELY:
        notes.append(f"No single sentence speaks against it: the larger model gives the strongest one {most:.2f}.")
        contradicts = DOUBTED
    return close, supports, contradicts, tuple(notes)
