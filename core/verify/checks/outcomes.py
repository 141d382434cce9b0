"""Short constructors of ``CheckResult`` (``core.records``)."""

from __future__ import annotations

from collections.abc import Sequence

from core.records import CheckResult, Outcome, Span

__all__ = ["CheckResult", "Outcome", "Span", "decisive", "failed", "not_applicable", "passed"]


def passed(name: str, why: str, claim: tuple[Span, ...] = (), evidence: tuple[Span, ...] = ()) -> CheckResult:
    """The result of a check without a difference."""
    return CheckResult(name, Outcome.PASSED, _line(why), claim, evidence)


def failed(
    name: str, why: str, claim: tuple[Span, ...] = (), evidence: tuple[Span, ...] = (), *, veto: bool = True
) -> CheckResult:
    """The result of a check with a difference; by default it vetoes ``supports``."""
    return CheckResult(name, Outcome.FAILED, _line(why), claim, evidence, veto)


def not_applicable(name: str, why: str) -> CheckResult:
    """The result of a check without anything to compare."""
    return CheckResult(name, Outcome.NOT_APPLICABLE, _line(why))


def decisive(name: str, results: Sequence[CheckResult], why: str = "") -> CheckResult:
    """The result of a check from those of its items: the first failure with veto, else the first failure, else passed
    with all spans. ``why`` explains a pass; by default the explanations of all items do."""
    for veto in (True, False):
        for result in results:
            if result.outcome is Outcome.FAILED and result.veto is veto:
                return result
    return passed(
        name,
        why or " ".join(dict.fromkeys(result.explanation for result in results)),
        tuple(span for result in results for span in result.claim_spans),
        tuple(span for result in results for span in result.evidence_spans),
    )


def _line(text: str) -> str:
    return " ".join(text.split())
