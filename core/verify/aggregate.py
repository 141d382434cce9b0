"""The label of a source: judged windows and checks put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from core.labels import Label
from core.records import CheckResult, Combination, Judgement, Outcome
from core.settings.values import Verification
from core.verify.about_the_source import about_the_source
from core.verify.checks import entities, quotes, run_check, run_checks
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.claim_label import label_end
from core.verify.combine import combined, features, support_note
from core.verify.windows import Window
from core.verify.word_for_word import SUPPORT

CHECKED = 4
"""Supporting windows that the checks are run on. An error that one of these windows clears is no error."""
NEARLY = 0.05
"""Distance from the largest probability within which windows count as equal; the shortest of them is shown."""
MISSING = frozenset({"numbers", "dates", "entities"})
"""Checks that fail when something of the claim is not in the evidence."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A window with the probabilities that the model gave it."""

    window: Window
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The label of a source and its grounds: the fields of ``SourceVerdict`` that come from windows and checks."""

    label: Label
    supports: float
    contradicts: float
    best: Judged
    against: Judged | None
    checks: tuple[CheckResult, ...]
    vetoed: bool
    notes: tuple[str, ...] = ()


def judgement(window: Window, probabilities: Sequence[float]) -> Judgement:
    """A window with its probabilities, in the order supports, contradicts, neutral."""
    supports, contradicts, neutral = (float(probability) for probability in probabilities)
    spans = window.spans if len(window.spans) > 1 else ()
    return Judgement(window.start, window.end, window.text, supports, contradicts, neutral, spans)


def aggregate(
    claim: str,
    text: str,
    near: str,
    judged: Sequence[Judged],
    settings: Verification,
    *,
    title: str = "",
    authors: Sequence[str] = (),
    published: date | None = None,
    combination: Combination | None = None,
    fact: str = "",
    aside: float = 0.0,
    stated: Judged | None = None,
    nearest: int | None = None,
    beside: Sequence[Callable[[], CheckResult | None]] = (),
    defined: Mapping[str, str] = MappingProxyType({}),
) -> Aggregate:
    """The label of one source, from its judged windows.

    ``supports`` and ``contradicts`` are means over the less neutral half of the views (the same evidence with a little
    more or less around it, docs/decisions/0009). A model with a ``combination`` also counts the words that claim and
    evidence share. Either label needs the threshold of the settings; support also needs that no check vetoes.

    Args:
        text: the whole text of the source; a quote may stand outside the window.
        near: all chosen sentences; a number, a date or a name may stand outside the window.
        judged: at least one view, in the order in which windows were made (ties go to the earlier).
        title, authors, published: of the source. Words of a claim about the source itself are compared with them.
        fact: the part of the claim that the windows were judged against, "" for the whole claim.
        aside: how much the source contradicts the rest of the claim (``core.verify.statement.fact_of``).
        stated: a sentence that states the claim in its own words (``core.verify.word_for_word``). It supports the
            claim unless the model finds the claim contradicted.
        nearest: the unit that ranks first for the claim. Where the source does not decide, the words around it are
            shown and checked.
        beside: comparisons of the claim with single sentences, asked only where the source would support the claim.
        defined: the abbreviations of the source with their long forms.
    """
    supports, contradicts, notes = _probabilities(fact or claim, title, judged, combination, defined)
    if stated is not None and supports < SUPPORT and contradicts < settings.contradiction:
        supports, contradicts = SUPPORT, min(contradicts, 1 - SUPPORT)
        notes = (*notes, f"Support {SUPPORT:.2f}: a sentence of the source has the claim's own words in their order.")
    if aside >= settings.contradiction:
        supports, contradicts = min(supports, 1 - aside), max(contradicts, aside)
    says_so = supports >= settings.pass_support and supports >= contradicts
    against_it = not says_so and contradicts >= settings.contradiction
    checked = _Checks(claim, text, near, " ".join(authors), published)
    supporting, contradicting = _strongest(judged, _supports), _strongest(judged, _contradicts)
    if says_so and stated is not None:
        best, checks = stated, checked.of(stated)
    elif says_so:
        best, checks = _cleared(judged, checked, settings)
    else:
        best = contradicting if against_it else _nearest(judged, nearest)
        checks = checked.of(best)
    if says_so:
        checks = (*checks, *(result for compare in beside if (result := compare()) is not None))
    vetoed = says_so and any(result.veto for result in checks)
    label = Label.SUPPORTS if says_so and not vetoed else Label.CONTRADICTS if against_it else Label.NEUTRAL
    against = _against(best, says_so, supporting, contradicting)
    return Aggregate(label, supports, contradicts, best, against, checks, vetoed, notes)


def _probabilities(
    claim: str,
    title: str,
    judged: Sequence[Judged],
    combination: Combination | None,
    defined: Mapping[str, str],
) -> tuple[float, float, tuple[str, ...]]:
    """The probabilities (supports, contradicts) of the source, and notes for the user."""
    views = sorted((window.judgement for window in judged if window.window.view), key=lambda view: view.neutral)
    views = views[: (len(views) + 1) // 2]
    supports = sum(view.supports for view in views) / len(views)
    contradicts = sum(view.contradicts for view in views) / len(views)
    if combination is None:
        return supports, contradicts, ()
    widest = max((window.window for window in judged if window.window.view), key=lambda window: len(window.units))
    given = features(as_the_evidence_writes(claim, widest.text, defined), widest.text, title, supports)
    supports, contradicts = combined(combination, given, contradicts)
    return supports, contradicts, (support_note(given, supports),)


@dataclass(frozen=True, slots=True)
class _Checks:
    claim: str
    text: str
    near: str
    authors: str
    published: date | None

    def of(self, judged: Judged) -> tuple[CheckResult, ...]:
        """The results for a window. A quote may stand anywhere in the source. A word that the window lacks and another
        chosen sentence has is still shown, but vetoes no more."""
        window = judged.window.text
        return tuple(
            self._elsewhere(window, self._without_label(window, result)) for result in run_checks(self.claim, window)
        )

    def _without_label(self, window: str, result: CheckResult) -> CheckResult:
        """The result for the names of the statement, where one in the label before it fails."""
        named = result.name == entities.NAME and result.outcome is Outcome.FAILED
        end = label_end(self.claim) if named else 0
        if not end or any(start >= end for start, _ in result.claim_spans):
            return result
        statement = " " * end + self.claim[end:]
        return next(other for other in run_checks(statement, window) if other.name == entities.NAME)

    def _elsewhere(self, window: str, result: CheckResult) -> CheckResult:
        if result.outcome is not Outcome.FAILED:
            return result
        if result.name == quotes.NAME:
            whole = run_check(quotes.NAME, self.claim, self.text)
            if whole.outcome is Outcome.PASSED:
                reason = "The source has the quote word for word elsewhere."
                return CheckResult(whole.name, whole.outcome, reason, whole.claim_spans)
        elif result.veto and result.name in MISSING:
            elsewhere = self._has(result.name, f"{window} {self.near}")
            reason = "Other sentences of the source have it." if elsewhere else ""
            reason = reason or about_the_source(self.claim, result, window, self.text, self.authors, self.published)
            if reason:
                reason = f"{result.explanation} {reason}"
                return CheckResult(result.name, result.outcome, reason, result.claim_spans, result.evidence_spans)
        return result

    def _has(self, name: str, evidence: str) -> bool:
        return not run_check(name, self.claim, evidence).veto


def _cleared(
    judged: Sequence[Judged], checked: _Checks, settings: Verification
) -> tuple[Judged, tuple[CheckResult, ...]]:
    """The strongest supporting window that no check vetoes; the strongest of all where each is vetoed."""
    first = _strongest(judged, _supports)
    passing = [
        candidate for candidate in judged if _supports(candidate) >= settings.pass_support and candidate is not first
    ]
    passing.sort(key=lambda candidate: -_supports(candidate))
    first_checks = checked.of(first)
    if any(result.veto for result in first_checks):
        for candidate in passing[: CHECKED - 1]:
            checks = checked.of(candidate)
            if not any(result.veto for result in checks):
                return candidate, checks
    return first, first_checks


def _supports(judged: Judged) -> float:
    return judged.judgement.supports


def _contradicts(judged: Judged) -> float:
    return judged.judgement.contradicts


def _strongest(judged: Sequence[Judged], value: Callable[[Judged], float]) -> Judged:
    """The shortest window whose value is within ``NEARLY`` of the largest."""
    top = max(map(value, judged))
    near = [candidate for candidate in judged if value(candidate) >= top - NEARLY]
    return min(near, key=lambda candidate: (len(candidate.window.units), -value(candidate)))


def _nearest(judged: Sequence[Judged], unit: int | None) -> Judged:
    """The least neutral of the windows around ``unit``, for a source that does not decide. The least neutral window of
    all is too often beside the point when the model is unsure (docs/decisions/0009)."""
    around = [candidate for candidate in judged if unit in candidate.window.units] or judged
    return _strongest(around, lambda candidate: 1 - candidate.judgement.neutral)


def _against(best: Judged, says_so: bool, supporting: Judged, contradicting: Judged) -> Judged | None:
    """The strongest window of the opposite label, if that is its own label; else None."""
    if says_so:
        return contradicting if contradicting.judgement.label is Label.CONTRADICTS else None
    return supporting if supporting is not best and supporting.judgement.label is Label.SUPPORTS else None
