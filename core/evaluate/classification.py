"""Agreement of a machine's yes or no with what people decided.

Rows are pairs (machine says it holds, person says it holds), each with a weight: where people looked at some kinds of
rows more often than at others, a decision counts for as many rows as there are to a decision (Horvitz & Thompson 1952).
A measure that has nothing to divide by is None: an unknown is never shown as 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Confusion:
    """Weights: ``holds_holds`` the machine and the person say it holds, ``holds_fails`` the machine alone says so,
    ``fails_holds`` the person alone, ``fails_fails`` neither."""

    holds_holds: float
    holds_fails: float
    fails_holds: float
    fails_fails: float

    @property
    def n(self) -> float:
        """All pairs."""
        return self.holds_holds + self.holds_fails + self.fails_holds + self.fails_fails

    @property
    def agreed(self) -> float:
        """Pairs on which both say the same."""
        return self.holds_holds + self.fails_fails

    def accuracy(self) -> float | None:
        """Share of pairs on which both say the same."""
        return _share(self.agreed, self.n)

    def balanced_accuracy(self) -> float | None:
        """Mean of the shares found right among what holds and among what does not (Brodersen et al. 2010); needs both
        kinds."""
        holds = _share(self.holds_holds, self.holds_holds + self.fails_holds)
        fails = _share(self.fails_fails, self.fails_fails + self.holds_fails)
        return None if holds is None or fails is None else (holds + fails) / 2

    def macro_f1(self) -> float | None:
        """Mean of the F1 of "holds" and of "does not hold", 2 tp / (2 tp + fp + fn) each, over those that people gave;
        needs both kinds."""
        wrong = self.holds_fails + self.fails_holds
        holds = _share(2 * self.holds_holds, 2 * self.holds_holds + wrong)
        fails = _share(2 * self.fails_fails, 2 * self.fails_fails + wrong)
        both = (self.holds_holds + self.fails_holds) and (self.fails_fails + self.holds_fails)
        return None if not both or holds is None or fails is None else (holds + fails) / 2


def confusion(pairs: Iterable[tuple[bool, bool]], weights: Iterable[float] | None = None) -> Confusion:
    """Sum up pairs (machine, person); without weights each counts 1."""
    counts = {(True, True): 0.0, (True, False): 0.0, (False, True): 0.0, (False, False): 0.0}
    rows = list(pairs)
    for pair, weight in zip(rows, weights if weights is not None else [1.0] * len(rows), strict=True):
        counts[pair] += weight
    return Confusion(*counts.values())


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
