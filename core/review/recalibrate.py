"""The machine measured by decisions: reliability, how often PASS is right, and the threshold that a precision takes. A
citation that people accepted holds; one that they rejected, gave another source or reworded does not. Rows that passed
are in the queue by lot only, those that did not pass all are; so that the lot does not tilt the figures, each decision
counts for as many rows of its stratum (passed now or not) as there are rows to a decision (Horvitz & Thompson 1952),
and intervals take the effective number of decisions (Kish 1965)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.records import Interval, Reliability, ReliabilityBin, ThresholdPreview
from core.text.words import count_words

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
BINS = 10
LEAST_THRESHOLD, STEP = 0.5, 0.01
"""Thresholds are sought from here up to 0.99: below it the model itself says that support is unlikely."""
FEW = 30


@dataclass(frozen=True, slots=True)
class Judged:
    """A citation with a source that was judged. ``could_pass`` is False where support cannot make it pass (a check
    overrules it, the source says the contrary, or nothing was judged). ``holds``: people's decision, None when they
    did not, disagree, or decided on other evidence."""

    row_id: int
    support: float
    could_pass: bool
    passes: bool
    holds: bool | None = None


def wilson(k: float, n: float, z: float = Z) -> tuple[float, float]:
    """Interval of a share after Wilson (1927), J. Am. Stat. Assoc. 22: (0, 1) without a case."""
    if n <= 0:
        return 0.0, 1.0
    share, square = k / n, z * z
    middle = share + square / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return max(0.0, (middle - spread) / (1 + square / n)), min(1.0, (middle + spread) / (1 + square / n))


def interval(cases: Sequence[tuple[bool, float]]) -> Interval:
    """Share of cases that hold, each with its weight."""
    n, k = len(cases), sum(holds for holds, _ in cases)
    total = sum(weight for _, weight in cases)
    if not n or total <= 0:
        return Interval(k, n, None, 0.0, 1.0)
    share = min(1.0, sum(weight for holds, weight in cases if holds) / total)
    effective = total**2 / sum(weight * weight for _, weight in cases)
    low, high = wilson(share * effective, effective)
    return Interval(k, n, share, low, high)


def weights(rows: Sequence[Judged]) -> dict[bool, float]:
    """Rows to a decision among those that pass now (True) and those that do not; 0 where none is decided."""
    rows_to_decision = {}
    for passed in (True, False):
        among = [row for row in rows if row.passes is passed]
        decided = sum(row.holds is not None for row in among)
        rows_to_decision[passed] = len(among) / decided if decided else 0.0
    return rows_to_decision


def precision_at(rows: Sequence[Judged], threshold: float) -> Interval:
    """The share of rows passing at ``threshold`` that hold. When all that pass now, or all that would newly pass, are
    undecided, nothing can be said (``share`` None)."""
    passing = [row for row in rows if row.could_pass and row.support > threshold]
    weight = weights(passing)
    cases = [(row.holds, weight[row.passes]) for row in passing if row.holds is not None]
    if any(not weight[row.passes] for row in passing):
        return Interval(sum(holds for holds, _ in cases), len(cases), None, 0.0, 1.0)
    return interval(cases)


def reliability(rows: Sequence[Judged], bins: int = BINS) -> Reliability:
    """Reliability curve over equal bins of support, and the expected calibration error: the mean of
    |predicted - accepted| over the bins, each with its share of (weighted) decisions (Naeini et al. 2015)."""
    weight = weights(rows)
    decided = [(row, weight[row.passes]) for row in rows if row.holds is not None]
    whole = sum(each for _, each in decided)
    curve: list[ReliabilityBin] = []
    error = 0.0
    for at in range(bins):
        inside = [(row, each) for row, each in decided if min(bins - 1, int(row.support * bins)) == at]
        mass = sum(each for _, each in inside)
        predicted = sum(row.support * each for row, each in inside) / mass if mass else None
        accepted = interval([(bool(row.holds), each) for row, each in inside])
        if predicted is not None and accepted.share is not None:
            error += mass / whole * abs(predicted - accepted.share)
        curve.append(ReliabilityBin(at / bins, (at + 1) / bins, len(inside), predicted, accepted))
    return Reliability(tuple(curve), len(decided), error if decided else None, _trust(len(decided)))


def preview(
    rows: Sequence[Judged], current: float, threshold: float | None, *, target: float | None = None, why: str = ""
) -> ThresholdPreview:
    """The effect of another threshold."""
    at = current if threshold is None else threshold
    will = {row.row_id: row.could_pass and row.support > at for row in rows}
    return ThresholdPreview(
        target=target, threshold=threshold, current=current, why=why, precision=precision_at(rows, at),
        to_review=tuple(row.row_id for row in rows if row.passes and not will[row.row_id]),
        to_pass=tuple(row.row_id for row in rows if not row.passes and will[row.row_id]),
    )  # fmt: skip


def threshold_for(rows: Sequence[Judged], current: float, target: float) -> ThresholdPreview:
    """The lowest threshold whose precision is at least ``target`` *with its interval's lower end*. The lower end,
    because who demands a precision wants to rely on it: a few lucky decisions do not show it. Even if all decisions
    accept, it takes n ≥ 3.84 t / (1 - t) of them for a target t (35 for 0.90). The threshold is chosen on the decisions
    it is measured on, so its interval is a little too kind; decisions taken afterwards tell."""
    decided = [row for row in rows if row.holds is not None and row.could_pass]
    needed = math.ceil(Z * Z * target / (1 - target)) if target < 1 else None
    if needed is None:
        return preview(
            rows, current, None, target=target, why="No number of decisions shows that PASS is always right."
        )
    best: tuple[float, float] | None = None
    for step in range(round((1 - LEAST_THRESHOLD) / STEP)):
        threshold = round(LEAST_THRESHOLD + step * STEP, 4)
        precision = precision_at(rows, threshold)
        if precision.share is not None and precision.low >= target:
            why = (
                f"At {threshold:.2f}, {precision.k} of {precision.n} decided citations hold; with 95 % confidence that "
                f"is {precision.low:.0%} or more."
            )
            return preview(rows, current, threshold, target=target, why=why)
        if precision.share is not None and (best is None or precision.low > best[1]):
            best = threshold, precision.low
    return preview(rows, current, None, target=target, why=_too_few(len(decided), needed, target, best))


def _too_few(decided: int, needed: int, target: float, best: tuple[float, float] | None) -> str:
    if decided < needed:
        return (
            f"{decided} {'citation that could pass is' if decided == 1 else 'citations that could pass are'} "
            f"decided. To show a precision of {target:.0%} it takes at least "
            f"{needed} that hold. Decide more, spot checks too."
        )
    reached = f" The most that they show is {best[1]:.0%}, at {best[0]:.2f}." if best is not None else ""
    return f"The decisions do not show {target:.0%} at any threshold.{reached} Decide more, or demand less."


def _trust(n: int) -> str:
    if not n:
        return "No citation with a judged source is decided yet."
    if n < FEW:
        return f"Only {count_words(n, 'decision')}: too few to rely on; read it as a first impression."
    return f"From {count_words(n, 'decision')}."
