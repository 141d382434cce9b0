"""From judged windows to what a source says: the deciding windows, the checks, the label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from core.labels import Label
from core.records import CheckResult, Combination, Judgement, Outcome
from core.settings.values import Verification
from core.verify.about_the_source import of_itself
from core.verify.checks import CHECKS, quotes, run_checks
from core.verify.combine import combined, features, told
from core.verify.windows import Window
from core.verify.word_for_word import SUPPORT

CHECKED = 4
"""Supporting windows that the checks are tried on: an error that one of them clears is no error."""
NEARLY = 0.05
"""Of windows whose probability is this close to the largest, the shortest is shown."""
MISSING = frozenset({"numbers", "dates", "entities"})
"""Checks that say that something of the claim is not in the evidence."""


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
    notes: tuple[str, ...] = ()


def judgement(window: Window, probabilities: Sequence[float]) -> Judgement:
    """A window with its probabilities, in the order supports, contradicts, neutral."""
    supports, contradicts, neutral = (float(probability) for probability in probabilities)
    spans = window.spans if len(window.spans) > 1 else ()
    return Judgement(window.start, window.end, window.text, supports, contradicts, neutral, spans)


def opinion(
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
    asked: str = "",
    aside: float = 0.0,
    stated: Judged | None = None,
    nearest: int | None = None,
) -> Opinion:
    """Put the windows of one source together.

    ``supports`` and ``contradicts`` are means over the less neutral half of the views: the same evidence with a little
    more or less around it (docs/decisions/0009), put together with the words that claim and evidence share where the
    model has a ``combination``. The label needs the threshold of the settings, and support the consent of the checks.

    Args:
        text: the whole text of the source, where a quote may stand outside the window. near: all chosen sentences,
        where a number, a date or a name may stand outside the window. judged: at least one view, in the order in which
        windows were made (ties go to the earlier). title, authors, published: of the source; what a claim says of the
        source itself is found there. asked: the part of the claim that the windows were judged against, where it is not
        the whole. aside: how much the source contradicts the rest of the claim (``core.verify.comment``). stated: a
        sentence that states the claim in its own words (``core.verify.word_for_word``), which speaks for it unless
            the model finds the claim contradicted.
        nearest: the unit that ranks first for the claim. Where the source does not decide, the words that are shown
            and checked are around it.
    """
    supports, contradicts, notes = _said(asked or claim, title, judged, combination)
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
    vetoed = says_so and any(result.veto for result in checks)
    label = Label.SUPPORTS if says_so and not vetoed else Label.CONTRADICTS if against_it else Label.NEUTRAL
    against = _against(best, says_so, supporting, contradicting)
    return Opinion(label, supports, contradicts, best, against, checks, vetoed, notes)


def _said(
    claim: str, title: str, judged: Sequence[Judged], combination: Combination | None
) -> tuple[float, float, tuple[str, ...]]:
    """(supports, contradicts, what to tell people of it)."""
    views = sorted((one.judgement for one in judged if one.window.view), key=lambda one: one.neutral)
    views = views[: (len(views) + 1) // 2]
    supports = sum(view.supports for view in views) / len(views)
    contradicts = sum(view.contradicts for view in views) / len(views)
    if combination is None:
        return supports, contradicts, ()
    widest = max((one.window for one in judged if one.window.view), key=lambda one: len(one.units))
    given = features(claim, widest.text, title, supports)
    supports, contradicts = combined(combination, given, contradicts)
    return supports, contradicts, (told(given, supports),)


@dataclass(frozen=True, slots=True)
class _Checks:
    claim: str
    text: str
    near: str
    authors: str
    published: date | None

    def of(self, one: Judged) -> tuple[CheckResult, ...]:
        """Results for a window. A quote that stands anywhere in the source is verbatim; what is missing in the window
        is not missing when it stands in another chosen sentence: then it is shown and vetoes no more."""
        return tuple(self._elsewhere(one.window.text, result) for result in run_checks(self.claim, one.window.text))

    def _elsewhere(self, window: str, result: CheckResult) -> CheckResult:
        if result.outcome is not Outcome.FAILED:
            return result
        if result.name == quotes.NAME:
            whole = quotes.check(self.claim, self.text)
            if whole.outcome is Outcome.PASSED:
                told = "The source has the quote word for word elsewhere."
                return CheckResult(whole.name, whole.outcome, told, whole.claim_spans)
        elif result.veto and result.name in MISSING:
            told = (
                "" if not self._has(result.name, f"{window} {self.near}") else "Other sentences of the source have it."
            )
            told = told or of_itself(self.claim, result, window, self.authors, self.published)
            if told:
                told = f"{result.explanation} {told}"
                return CheckResult(result.name, result.outcome, told, result.claim_spans, result.evidence_spans)
        return result

    def _has(self, name: str, evidence: str) -> bool:
        return not CHECKS[name](self.claim, evidence).veto


def _cleared(
    judged: Sequence[Judged], checked: _Checks, settings: Verification
) -> tuple[Judged, tuple[CheckResult, ...]]:
    """The shortest of the strongest supporting windows that no check speaks against; else the strongest at all."""
    first = _strongest(judged, _supports)
    passing = [one for one in judged if _supports(one) >= settings.pass_support and one is not first]
    passing.sort(key=lambda one: -_supports(one))
    found = checked.of(first)
    if any(result.veto for result in found):
        for one in passing[: CHECKED - 1]:
            checks = checked.of(one)
            if not any(result.veto for result in checks):
                return one, checks
    return first, found


def _supports(one: Judged) -> float:
    return one.judgement.supports


def _contradicts(one: Judged) -> float:
    return one.judgement.contradicts


def _strongest(judged: Sequence[Judged], value: Callable[[Judged], float]) -> Judged:
    """The shortest window whose value is within ``NEARLY`` of the largest."""
    top = max(map(value, judged))
    near = [one for one in judged if value(one) >= top - NEARLY]
    return min(near, key=lambda one: (len(one.window.units), -value(one)))


def _nearest(judged: Sequence[Judged], unit: int | None) -> Judged:
    """Of a source that does not decide: the least neutral of the windows around ``unit``. What a model that is unsure
    finds least neutral is too often beside the point (docs/decisions/0009)."""
    around = [one for one in judged if unit in one.window.units] or judged
    return _strongest(around, lambda one: 1 - one.judgement.neutral)


def _against(best: Judged, says_so: bool, supporting: Judged, contradicting: Judged) -> Judged | None:
    """The strongest window of the other opinion, if it holds that opinion more than any other."""
    if says_so:
        return contradicting if contradicting.judgement.label is Label.CONTRADICTS else None
    return supporting if supporting is not best and supporting.judgement.label is Label.SUPPORTS else None
