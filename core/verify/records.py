"""What a check of a claim against a passage found.

Spans are code points into the text that was given to the check, half-open ``(start, end)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Half-open ``(start, end)`` in code points."""


class Outcome(StrEnum):
    """What a check says. ``NOT_APPLICABLE``: the claim holds nothing that this check looks at."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Outcome of one check.

    Attributes:
        name: the check, as stored and exported: ``quotes``, ``numbers``, ``dates``, ``negation``, ``quantifiers``,
            ``entities``.
        outcome: passed, failed or not applicable.
        explanation: one line for people; says what differs, with the words of both sides.
        claim_spans: the parts of the claim that decided, in order.
        evidence_spans: the parts of the evidence that decided, in order; empty where something is missing there.
        veto: whether this result is sure enough to overrule a model that says ``supports``. Only a failed check
            can veto; a failed check without veto is shown to people and decides nothing.
    """

    name: str
    outcome: Outcome
    explanation: str
    claim_spans: tuple[Span, ...] = ()
    evidence_spans: tuple[Span, ...] = ()
    veto: bool = False

    def __post_init__(self) -> None:
        if self.veto and self.outcome is not Outcome.FAILED:
            raise ValueError(f"check {self.name!r} cannot veto: its outcome is {self.outcome.value}, not failed")
        if "\n" in self.explanation:
            raise ValueError(f"the explanation of check {self.name!r} must be one line")


def passed(name: str, why: str, claim: tuple[Span, ...] = (), evidence: tuple[Span, ...] = ()) -> CheckResult:
    """A check that found nothing wrong."""
    return CheckResult(name, Outcome.PASSED, _line(why), claim, evidence)


def failed(
    name: str, why: str, claim: tuple[Span, ...] = (), evidence: tuple[Span, ...] = (), *, veto: bool = True
) -> CheckResult:
    """A check that found a difference; by default it vetoes ``supports``."""
    return CheckResult(name, Outcome.FAILED, _line(why), claim, evidence, veto)


def not_applicable(name: str, why: str) -> CheckResult:
    """A check with nothing to look at."""
    return CheckResult(name, Outcome.NOT_APPLICABLE, _line(why))


def _line(text: str) -> str:
    return " ".join(text.split())
