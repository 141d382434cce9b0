"""Words for people about the measures of review: agreement between people, and the trust in the machine. Pure functions
over numbers; shares and probabilities are 0 to 1."""

from core.labels import DecisionKind
from core.records import Agreement, ImportedDecisions, Interval, Reliability
from core.text.words import count_words

_KAPPA = ((0.0, "no better than chance"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
"""Upper bounds of the words of Landis and Koch (1977), "The measurement of observer agreement"."""


def percent_words(share: float) -> str:
    """A share in whole per cent; only all is 100 %, only none is 0 %."""
    value = round(100 * share)
    if value == 100 and share < 1:
        value = 99
    if value == 0 and share > 0:
        value = 1
    return f"{value} %"


def agreement_line(first: str, second: str, n: int, percent: float) -> str:
    """The number of items on which two people agree; ``percent`` is a share, 0 to 1."""
    if not n:
        return f"{first} and {second} have not decided on the same item yet."
    both = f"{first} and {second} both decided on {count_words(n, 'item')}"
    return f"{both} and agree on {round(n * percent):,} ({percent_words(percent)})."


def kappa_words(kappa: float) -> str:
    """Cohen's kappa in a word (Landis and Koch 1977)."""
    return next((word for bound, word in _KAPPA if kappa <= bound), "almost perfect")


def kappa_line(kappa: float | None, low: float | None, high: float | None) -> str:
    """The part of the agreement that is more than chance, with its 95 % interval."""
    if kappa is None:
        return "How much of it is chance cannot be told: both gave the same answer everywhere, or decided too little."
    line = f"Beyond chance: {kappa:.2f} of 1, {kappa_words(kappa)}"
    if low is None or high is None:
        return f"{line}."
    return f"{line} (95 % interval {low:.2f} to {high:.2f})."


def precision_line(interval: Interval) -> str:
    """The share of passes that hold by people's decisions, with a 95 % interval."""
    if interval.share is None:
        return "Nobody has decided yet on a citation that the machine passed."
    return (
        f"Of {count_words(interval.n, 'citation')} that the machine passed and people decided on, "
        f"{interval.k:,} {'holds' if interval.k == 1 else 'hold'}. Of all that it passes, "
        f"{percent_words(interval.share)} are expected to hold (with 95 % confidence between "
        f"{percent_words(interval.low)} and {percent_words(interval.high)})."
    )


def cross_table(pair: Agreement) -> tuple[list[DecisionKind], list[list[int]]]:
    """The kinds that two people used, and how often the first decided (row) while the second decided (column)."""
    used = {kind for both in pair.table for kind in both}
    kinds = [kind for kind in DecisionKind if kind in used]
    return kinds, [[pair.table.get((row, column), 0) for column in kinds] for row in kinds]


def reliability_rows(reliability: Reliability) -> list[dict[str, float]]:
    """The bins that hold decisions, for chart and table: support given, share found, its interval, how many."""
    return [
        {
            "start": bin.start,
            "end": bin.end,
            "predicted": (bin.start + bin.end) / 2 if bin.predicted is None else bin.predicted,
            "share": bin.accepted.share,
            "low": bin.accepted.low,
            "high": bin.accepted.high,
            "n": bin.n,
        }
        for bin in reliability.bins
        if bin.n and bin.accepted.share is not None
    ]


def calibration_line(error: float | None, n: int) -> str:
    """The average error of the machine's chances (expected calibration error, Naeini et al. 2015)."""
    if error is None or not n:
        return ""
    return (
        f"On average the chance that the machine gives is off by {100 * error:.0f} percentage points, "
        f"counted on {count_words(n, 'decision')}."
    )


def preview_line(threshold: float, now: float, to_review: int, to_pass: int) -> str:
    """The changes that another threshold would bring."""
    if not to_review and not to_pass:
        changes = "No citation would change."
    else:
        parts = []
        if to_review:
            parts.append(f"{count_words(to_review, 'citation')} that pass now would go to a person")
        if to_pass:
            parts.append(f"{count_words(to_pass, 'citation')} that wait for a person would pass")
        changes = f"{' and '.join(parts)}."
    return f"A citation would pass from a support of {threshold:.2f} on; now it is {now:.2f}. {changes}"


def imported_words(result: ImportedDecisions) -> str:
    if not result.added and not result.known:
        return "The file holds no decision."
    line = f"{count_words(result.added, 'entry', 'entries')} taken in"
    if result.known:
        line += f", {result.known:,} known already"
    if result.unknown_items:
        line += f"; {result.unknown_items:,} belong to something that is not in this project now"
    return f"{line}."
