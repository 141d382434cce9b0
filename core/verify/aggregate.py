"""From judged windows to what a source says: the deciding windows, the checks, the label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.labels import Label
from core.records.verify import CheckResult, Judgement, Outcome
from core.settings import Verification
from core.verify.checks import quotes, run_checks
from core.verify.windows import Window

CHECKED = 4
"""Supporting windows that the checks are tried on: an error that one of them clears is no error."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A window and what the model said of it."""

    window: Window
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a source says: the fields of ``SourceVerdict`` that come from windows and checks."""

    label: Label
    supports: float
    contradicts: float
    best: Judged
    against: Judged | None
    checks: tuple[CheckResult, ...]
    vetoed: bool


def judgement(window: Window, probabilities: Sequence[float]) -> Judgement:
    """A window with its probabilities, in the order supports, contradicts, neutral."""
    supports, contradicts, neutral = (float(one) for one in probabilities)
    spans = window.spans if len(window.spans) > 1 else ()
    return Judgement(window.start, window.end, window.text, supports, contradicts, neutral, spans)


def opinion(claim: str, text: str, judged: Sequence[Judged], settings: Verification) -> Opinion:
    """Put the windows of one source together.

    ``supports`` is the largest support of a window, ``contradicts`` the largest contradiction (a maximum over
    passages, as Thorne et al. 2018 and Laban et al. 2022, "SummaC", do); the label needs the threshold of the
    settings, and support the checks' consent.

    Args:
        judged: at least one, in the order in which they were chosen (ties go to the earlier).
        text: the whole text of the source, where a quote may stand outside the window.
    """
    supporting = max(judged, key=lambda one: one.judgement.supports)
    contradicting = max(judged, key=lambda one: one.judgement.contradicts)
    supports, contradicts = supporting.judgement.supports, contradicting.judgement.contradicts
    says_so = supports >= settings.pass_support and supports >= contradicts
    against_it = not says_so and contradicts >= settings.contradiction
    if says_so:
        best, checks = _cleared(claim, text, judged, settings)
    else:
        best = contradicting if against_it else _nearest(judged)
        checks = _checks(claim, text, best)
    vetoed = says_so and any(result.veto for result in checks)
    label = Label.SUPPORTS if says_so and not vetoed else Label.CONTRADICTS if against_it else Label.NEUTRAL
    return Opinion(
        label, supports, contradicts, best, _against(best, says_so, supporting, contradicting), checks, vetoed
    )


def _cleared(
    claim: str, text: str, judged: Sequence[Judged], settings: Verification
) -> tuple[Judged, tuple[CheckResult, ...]]:
    """The supporting window with the strongest support that no check speaks against; else the strongest at all."""
    passing = [one for one in judged if one.judgement.supports >= settings.pass_support]
    passing.sort(key=lambda one: -one.judgement.supports)
    first: tuple[Judged, tuple[CheckResult, ...]] | None = None
    for one in passing[:CHECKED]:
        checks = _checks(claim, text, one)
        if not any(result.veto for result in checks):
            return one, checks
        first = first or (one, checks)
    assert first is not None
    return first


def _checks(claim: str, text: str, one: Judged) -> tuple[CheckResult, ...]:
    return tuple(_quote_elsewhere(claim, text, result) for result in run_checks(claim, one.window.text))


def _quote_elsewhere(claim: str, text: str, result: CheckResult) -> CheckResult:
    """A quote need not stand in the window that decides: anywhere in the source is verbatim."""
    if result.name != quotes.NAME or result.outcome is not Outcome.FAILED:
        return result
    whole = quotes.check(claim, text)
    if whole.outcome is not Outcome.PASSED:
        return result
    return CheckResult(
        whole.name, whole.outcome, "The source has the quote word for word elsewhere.", whole.claim_spans
    )


def _nearest(judged: Sequence[Judged]) -> Judged:
    """Of a source that does not decide: the window that is least neutral."""
    return min(judged, key=lambda one: one.judgement.neutral)


def _against(best: Judged, says_so: bool, supporting: Judged, contradicting: Judged) -> Judged | None:
    """The strongest window of the other opinion, if it holds that opinion more than any other."""
    if says_so:
        return contradicting if contradicting.judgement.label is Label.CONTRADICTS else None
    return supporting if supporting is not best and supporting.judgement.label is Label.SUPPORTS else None
