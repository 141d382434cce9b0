"""Deterministic checks of a claim against a passage: no model, no network, the same answer every time.

Each check is a pure function ``check(claim, evidence) -> CheckResult`` in its own module. ``run_checks`` runs all of
them, in the order in which they are shown.
"""

from __future__ import annotations

from core.verify.checks import dates, entities, negation, numbers, quantifiers, quotes
from core.verify.records import CheckResult

CHECKS = {
    quotes.NAME: quotes.check,
    numbers.NAME: numbers.check,
    dates.NAME: dates.check,
    entities.NAME: entities.check,
    negation.NAME: negation.check,
    quantifiers.NAME: quantifiers.check,
}


def run_checks(claim: str, evidence: str) -> tuple[CheckResult, ...]:
    """Results of all checks, always one of each, in fixed order. Never raises on any text."""
    return tuple(check(claim, evidence) for check in CHECKS.values())
