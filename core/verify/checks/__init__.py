"""Deterministic checks of a claim against a passage: no model, no network, the same answer every time.

Each check is a pure function ``check(claim, evidence) -> CheckResult`` in its own module. ``run_checks`` runs all of
them, in the order in which they are shown.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from core.text.faults import OWN_FAULTS, fault_words
from core.verify.checks import dates, entities, negation, numbers, quantifiers, quotes
from core.verify.checks.outcomes import CheckResult, Outcome
from core.verify.checks.text import alongside, coverage

log = logging.getLogger(__name__)
CHECKS = {
    quotes.NAME: quotes.check,
    numbers.NAME: numbers.check,
    dates.NAME: dates.check,
    entities.NAME: entities.check,
    negation.NAME: negation.check,
    quantifiers.NAME: quantifiers.check,
}


LONGEST = 5_000
"""Characters of a claim that the checks read, quotes aside. The work of some grows with the square of the length."""
SAME_MATTER = dict.fromkeys(CHECKS, 0.3) | {entities.NAME: 0.2}
"""Least share of the rest of a claim that the evidence must have for a veto; below it a difference is only shown."""


def run_checks(claim: str, evidence: str) -> tuple[CheckResult, ...]:
    """The results of all checks, one of each, in fixed order. Never raises on any text.

    A veto stands only where the evidence has ``SAME_MATTER`` of the other words of the claim (or is empty): a number
    that a window about something else lacks proves nothing. Quoted words must stand there whatever else does. Of a
    claim longer than ``LONGEST`` characters only the beginning is compared (and all of its quotes); the explanation
    says so.
    """
    if len(claim) <= LONGEST:
        return tuple(_sure(run_check(name, claim, evidence), claim, evidence) for name in CHECKS)
    head = claim[: claim.rfind(" ", 0, LONGEST) + 1] or claim[:LONGEST]
    note = f" Only the first {len(head):,} characters of the claim were compared."
    results = []
    for name in CHECKS:
        if name == quotes.NAME:
            results.append(run_check(name, claim, evidence))
            continue
        result = _sure(run_check(name, head, evidence), head, evidence)
        results.append(replace(result, explanation=result.explanation + note))
    return tuple(results)


def run_check(name: str, claim: str, evidence: str) -> CheckResult:
    """The result of one check. One that fails itself on these words vetoes: what was not compared is not supported."""
    try:
        return CHECKS[name](claim, evidence)
    except OWN_FAULTS as error:
        log.warning("the check of %s failed", name, exc_info=True)
        return CheckResult(
            name, Outcome.BROKEN, f"The check of {name} could not be made: {fault_words(error)}", veto=True
        )


def _sure(result: CheckResult, claim: str, evidence: str) -> CheckResult:
    """The result, without its veto where the evidence has too few words of the claim."""
    unsure = result.veto and result.outcome is not Outcome.BROKEN and result.name != quotes.NAME
    if not unsure or not evidence.strip():
        return result
    mine, theirs = result.claim_spans, result.evidence_spans
    same = coverage(claim, evidence, mine) >= SAME_MATTER[result.name] or alongside(claim, mine, evidence, theirs)
    return result if same else replace(result, veto=False)
