"""Short ways to say what a check found; the records stand in ``core.records.verify``."""

from __future__ import annotations

from core.records import CheckResult, Outcome, Span

__all__ = ["CheckResult", "Outcome", "Span", "failed", "not_applicable", "passed"]


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
