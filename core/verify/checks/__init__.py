"""Deterministic checks of a claim against a passage: no model, no network, the same answer every time.

Each check is a pure function ``check(claim, evidence) -> CheckResult`` in its own module. ``run_checks`` runs all of
them, in the order in which they are shown.
"""

from __future__ import annotations

from dataclasses import replace

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


LONGEST = 5_000
"""Characters of a claim that the checks read, quotes apart: a claim is a sentence, and some compare each with each."""


def run_checks(claim: str, evidence: str) -> tuple[CheckResult, ...]:
    """Results of all checks, always one of each, in fixed order. Never raises on any text.

    Of a claim longer than ``LONGEST`` characters only so much is compared (all of its quotes are); the explanation
    says so.
    """
    if len(claim) <= LONGEST:
        return tuple(check(claim, evidence) for check in CHECKS.values())
    head = claim[: claim.rfind(" ", 0, LONGEST) + 1] or claim[:LONGEST]
    note = f" Only the first {len(head):,} characters of the claim were compared."
    return tuple(
        check(claim, evidence)
        if name == quotes.NAME
        else replace(result := check(head, evidence), explanation=result.explanation + note)
        for name, check in CHECKS.items()
    )
