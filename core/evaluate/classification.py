"""How well a machine's yes or no agrees with what people decided.

Rows are pairs (machine says it holds, person says it holds). A measure that has nothing to divide by is None: an
unknown is never shown as 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts: ``holds_holds`` the machine and the person say it holds, ``holds_fails`` the machine alone says so,
    ``fails_holds`` the person alone, ``fails_fails`` neither."""

    holds_holds: int
    holds_fails: int
    fails_holds: int
    fails_fails: int

    @property
    def n(self) -> int:
        """All pairs."""
        return self.holds_holds + self.holds_fails + self.fails_holds + self.fails_fails

    @property
    def agreed(self) -> int:
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


def confusion(pairs: Iterable[tuple[bool, bool]]) -> Confusion:
    """Count pairs (machine, person)."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in pairs:
        counts[pair] += 1
    return Confusion(*counts.values())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
