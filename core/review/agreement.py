"""The agreement of two people: percent agreement and Cohen's kappa with its interval."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from core.labels import DecisionKind
from core.records import Agreement
from core.review.recalibrate import Z, wilson
from core.text.words import count_words

_FEW = 30
_TOO_FEW = 10
"""Items below which the large-sample interval of kappa means nothing."""


def agreement(first: str, second: str, pairs: Sequence[tuple[DecisionKind, DecisionKind]]) -> Agreement:
    """Agreement of two people over items that both decided. Kappa after Cohen (1960): (p_o - p_e) / (1 - p_e) with p_e
    from the marginals. Its standard error is the large-sample one of Fleiss, Cohen & Everitt (1969), eq. 13; the
    interval is cut to [-1, 1]; below 10 items there is none. Where all agree that error is 0; the lower end is then
    kappa at the lower end of Wilson's interval of p_o (1927), p_e held fixed. Where both always decided the same one
    kind, p_e is 1 and kappa does not exist."""
    table = Counter(pairs)
    n = len(pairs)
    if not n:
        return Agreement(first, second, 0, 0.0, None, None, None, {}, "They have decided on no item in common.")
    agreed = sum(count for (kind, other), count in table.items() if kind is other) / n
    rows, columns = Counter(kind for kind, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(rows[kind] * columns[kind] for kind in rows) / n**2
    if expected >= 1.0:
        note = "Both decided the same on every item, in one way only: kappa does not exist then."
        return Agreement(first, second, n, agreed, None, None, None, dict(table), note)
    kappa = (agreed - expected) / (1 - expected)
    if n < _TOO_FEW:
        note = f"Over {count_words(n, 'item')} only: so few allow no interval."
        return Agreement(first, second, n, agreed, kappa, None, None, dict(table), note)
    error = math.sqrt(_variance(table, rows, columns, n, agreed, expected))
    note = f"Over {n} items only; the interval is rough." if n < _FEW else ""
    low, high = max(-1.0, kappa - Z * error), min(1.0, kappa + Z * error)
    if agreed == 1.0:  # the formula's error is 0 then, as if n items could show that two people never differ
        low = max(-1.0, (wilson(n, n)[0] - expected) / (1 - expected))
    return Agreement(first, second, n, agreed, kappa, low, high, dict(table), note)


def _variance(
    table: Mapping[tuple[DecisionKind, DecisionKind], int],
    rows: Mapping[DecisionKind, int],
    columns: Mapping[DecisionKind, int],
    n: int,
    agreed: float,
    expected: float,
) -> float:
    """Fleiss, Cohen & Everitt (1969), eq. 13."""
    kinds = sorted({*rows, *columns})
    p = {kind: rows.get(kind, 0) / n for kind in kinds}
    q = {kind: columns.get(kind, 0) / n for kind in kinds}
    same = sum(
        table.get((kind, kind), 0) / n * ((1 - expected) - (p[kind] + q[kind]) * (1 - agreed)) ** 2 for kind in kinds
    )
    other = (1 - agreed) ** 2 * sum(
        table.get((kind, two), 0) / n * (q[kind] + p[two]) ** 2 for kind in kinds for two in kinds if kind is not two
    )
    rest = (agreed * expected - 2 * expected + agreed) ** 2
    return max(0.0, (same + other - rest) / (n * (1 - expected) ** 4))


def agreements(decided: Sequence[Mapping[str, DecisionKind]]) -> list[Agreement]:
    """Agreement of each two people who decided on an item in common. ``decided``: for each item the decisions by
    person."""
    people = sorted({name for by_person in decided for name in by_person})
    pairs_of_people = []
    for first, second in combinations(people, 2):
        pairs = [
            (by_person[first], by_person[second]) for by_person in decided if first in by_person and second in by_person
        ]
        if pairs:
            pairs_of_people.append(agreement(first, second, pairs))
    return pairs_of_people
