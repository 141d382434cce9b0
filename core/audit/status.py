"""From a source's verdict to the state of a citation: status, reasons (the deciding one first), one line for people.

``PASS`` if and only if the calibrated support is above ``settings.pass_support``, not below the contradiction, and no
check vetoes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.audit.resolve import Resolution
from core.audit.stored_text import StoredShare
from core.labels import Reason, Status
from core.records import CheckResult, Document, Finding, Outcome, Rescue, ReviewPolicy, SourceVerdict
from core.settings.values import Verification
from core.text.faults import fault_words
from core.text.words import short

_REASONS = {
    "quotes": Reason.QUOTE_ALTERED,
    "numbers": Reason.NUMBER_MISMATCH,
    "dates": Reason.NUMBER_MISMATCH,
    "negation": Reason.CONTRADICTED,
    "quantifiers": Reason.LOW_SUPPORT,
    "side_by_side": Reason.CHECK_FAILED,
    "speaker": Reason.CHECK_FAILED,
}
"""Reasons of checks that overrule support. A source that says "most of those asked" where the claim says "most
residents" comes near and says less: that is too little support, and no detail that differs. A "not" on one side only
accuses a claim where the model does not clearly support it; else it is a detail that differs."""
_ORDER = (Reason.QUOTE_ALTERED, Reason.NUMBER_MISMATCH, Reason.CONTRADICTED, Reason.CHECK_FAILED, Reason.LOW_SUPPORT,
          Reason.NOT_CHECKED)  # fmt: skip
RESCUED = frozenset({Reason.NOT_MENTIONED, Reason.LOW_SUPPORT})
"""Reasons that give way to ``wrong_source`` when another stored source supports the claim."""
CLEARLY_BETTER = 0.1
"""By how much the support of another source exceeds that of the cited one before it is suggested in its place."""
LIKELY = 0.5
"""Support from which on a source is suggested: more likely than not, for a person looks at it before citing it."""
_QUOTED = 220
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome of a citation. ``partial`` is a span of the judged claim."""

    status: Status
    reasons: tuple[Reason, ...] = ()
    explanation: str = ""
    partial: tuple[int, int] | None = None


def passes(verdict: SourceVerdict, settings: Verification) -> bool:
    """True when a source carries a claim."""
    return verdict.supports > settings.pass_support and may_pass(verdict)


def may_pass(verdict: SourceVerdict) -> bool:
    """True when support can make a verdict pass: no check speaks against it, and the source does not say the contrary.

    A project may pass from a lower support on than the one it was judged under. Then no veto was called for yet, but
    the checks of the nearest words are there.
    """
    against = verdict.vetoed or any(check.veto for check in verdict.checks)
    return verdict.supports >= verdict.contradicts and not against


def least_of_a_rescue(cited: SourceVerdict | None, settings: Verification) -> float:
    """The support above which another source is suggested: more likely than not, and clearly better than the cited
    one. Support of the cited source that a check or a contradiction overrules is none."""
    likely = min(LIKELY, settings.pass_support)
    if cited is None or cited.vetoed or cited.contradicts > cited.supports:
        return likely
    return max(likely, cited.supports + CLEARLY_BETTER)


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim judged in its source. ``text`` is the stored text of ``document``, ``share`` its share of the source."""

    claim: str
    verdict: SourceVerdict
    document: Document
    text: str
    share: StoredShare = StoredShare.FULL

    @property
    def words(self) -> str:
        """The deciding words of the source, in quotation marks."""
        best, rationale = self.verdict.best, self.verdict.rationale
        if best is None:
            return "(no text)"
        quoted = self.text[rationale[0] : rationale[1]] if rationale is not None else best.text
        return f"\u201c{short(quoted if quoted.strip() else best.text, _QUOTED)}\u201d"


def rule(judged: Judged, settings: Verification) -> Ruling:
    """The state of a citation whose source was found and judged."""
    verdict, document = judged.verdict, judged.document
    if verdict.best is None:
        return Ruling(
            Status.SOURCE_NOT_INDEXED, (Reason.SOURCE_UNREADABLE,),
            f"The stored copy of {_named(document)} holds no text that could be read.",
        )  # fmt: skip
    if passes(verdict, settings):
        return Ruling(Status.PASS, (), f"{_named(document)} says: {judged.words}")
    reasons, why = _against(judged, settings) or _too_little(judged, settings)
    return Ruling(Status.REVIEW, reasons, why, verdict.partial)


def not_stored(resolution: Resolution) -> Ruling:
    """The state of a citation whose source is not among the stored ones, or that fits several of them."""
    reasons = () if resolution.reason is None else (resolution.reason,)
    status = Status.REVIEW if resolution.reason is Reason.AMBIGUOUS_REFERENCE else Status.SOURCE_NOT_INDEXED
    return Ruling(status, reasons, _line(resolution.why))


def self_reference(*, stored: bool) -> Ruling:
    """The state of a citation of the report itself: of its own copy among the stored sources (``stored``), or of a
    source that is not stored and has the report's title."""
    why = (
        "The cited source that is stored is the report itself, which cannot prove itself."
        if stored
        else "The reference has the title of the report itself, and no other source of that title is stored."
    )
    return Ruling(Status.REVIEW, (Reason.SELF_REFERENCE,), why)


def other_language(document: Document, languages: tuple[str, str]) -> Ruling:
    """The state of a citation of a source in another language: the models read one language at a time, so whether the
    source says it is not known. ``languages``: of the claim, of the source."""
    ours, theirs = languages
    why = (
        f"The claim is in {ours}, {_named(document)} in {theirs}: the machine cannot tell across languages whether the "
        "source says it. Somebody who reads both should look."
    )
    return Ruling(Status.REVIEW, (Reason.LANGUAGE_DIFFERS,), why)


def not_checked(error: Exception) -> Ruling:
    """The state of a citation on which the program itself failed: nothing is known about it."""
    return Ruling(Status.REVIEW, (Reason.NOT_CHECKED,), f"This citation could not be checked: {fault_words(error)}")


def error_page(document: Document, previous: Document | None) -> Ruling:
    """The state of a citation whose address now answers with an error page instead of the source."""
    before = ""
    if previous is not None:
        before = (
            f" An earlier copy of {previous.fetched:%d %B %Y} with {previous.length:,} characters is kept;"
            " the citation was not judged on it."
        )
    why = f"What is stored under {_named(document)} is an error page of {document.length:,} characters.{before}"
    return Ruling(Status.SOURCE_NOT_INDEXED, (Reason.SOURCE_UNREADABLE,), why)


def with_rescue(row: Finding, rescue: Rescue | None, settings: Verification) -> Finding:
    """The row with another source. A claim that its own source does not carry but another does has the wrong source.
    A source with less support than a citation needs to pass is suggested and proves nothing."""
    if rescue is None:
        return replace(row, rescue=None)
    rescue = replace(rescue, carries=rescue.supports > settings.pass_support)
    reasons = row.reasons
    if rescue.carries and row.status is Status.REVIEW and row.document_id is not None:
        first = reasons[0] if reasons else None
        if first in RESCUED:
            reasons = (Reason.WRONG_SOURCE, *reasons)
        elif first in (Reason.NUMBER_MISMATCH, Reason.CONTRADICTED) and Reason.WRONG_SOURCE not in reasons:
            sure = row.verdict is not None and (row.verdict.vetoed or row.verdict.contradicts >= settings.contradiction)
            reasons = (*reasons, Reason.WRONG_SOURCE) if sure else (Reason.WRONG_SOURCE, *reasons)
    if reasons == row.reasons:
        return replace(row, rescue=rescue)
    other = f"Another stored source says it: \u201c{rescue.title}\u201d."
    return replace(row, rescue=rescue, reasons=reasons, explanation=_line(f"{other} {row.explanation}"))


def with_joint_support(row: Finding, together: Sequence[str], *, carried: bool) -> Finding:
    """The row of a claim with several citations: ``together`` are the labels of the others. ``carried``: one of them
    supports the claim alone; else all of them do so together, and this one is a part, not wrong."""
    names = ", ".join(together)
    if carried:
        note = f"The claim itself holds: {names}, cited at the same place, supports it."
        return replace(row, explanation=_line(f"{row.explanation} {note}"))
    note = f"Together with {names} the cited sources support the claim; this one alone does not say all of it."
    reasons = (Reason.PARTIAL, *(reason for reason in row.reasons if reason is not Reason.PARTIAL))
    return replace(row, reasons=reasons, explanation=_line(f"{note} {row.explanation}"))


def _against(judged: Judged, settings: Verification) -> tuple[tuple[Reason, ...], str] | None:
    """The reasons against the claim: checks that overrule the model, an altered quotation, a contradiction."""
    contradicted = judged.verdict.contradicts >= settings.contradiction
    checks = _deciding_checks(judged, settings, contradicted=contradicted)
    named = {*checks, Reason.CONTRADICTED} if contradicted else set(checks)
    if not named:
        return None
    reasons = tuple(reason for reason in _ORDER if reason in named)
    if contradicted and reasons[0] in (Reason.CHECK_FAILED, Reason.LOW_SUPPORT, Reason.NOT_CHECKED):
        reasons = (Reason.CONTRADICTED, *(reason for reason in reasons if reason is not Reason.CONTRADICTED))
    lines = list(dict.fromkeys(checks[reason].explanation for reason in reasons if reason in checks))
    if contradicted and not lines:
        return reasons, f"The source speaks against it: {judged.words}"
    return reasons, _line(" ".join([*lines, f"The source says: {judged.words}"]))


def _deciding_checks(judged: Judged, settings: Verification, *, contradicted: bool) -> dict[Reason, CheckResult]:
    """The failed checks that overrule the model, by their reason; of several with one reason the first."""
    verdict = judged.verdict
    failed = [check for check in verdict.checks if check.outcome is Outcome.FAILED and check.veto]
    deciding = [check for check in failed if verdict.vetoed or contradicted or _differs(check, judged, settings)]
    supported = verdict.supports >= settings.pass_support and not contradicted
    reasons = {_reason(check, supported=supported): check for check in reversed(deciding)}
    for check in verdict.checks:
        if check.outcome is Outcome.BROKEN:
            reasons.setdefault(Reason.NOT_CHECKED, check)
    return reasons


def _reason(check: CheckResult, *, supported: bool) -> Reason:
    reason = _REASONS.get(check.name, Reason.CHECK_FAILED)
    return Reason.CHECK_FAILED if reason is Reason.CONTRADICTED and supported else reason


def _differs(check: CheckResult, judged: Judged, settings: Verification) -> bool:
    """True when a check that failed on the deciding words says more than "not mentioned", though the model did not say
    ``supports``: it found the other side of what differs, and the source is about the claim. A figure that stands
    elsewhere in the source only shows that the deciding words are the wrong ones."""
    verdict = judged.verdict
    if not check.evidence_spans:
        return False
    if check.name == "quotes":
        return True
    near = max(verdict.supports, verdict.contradicts) >= settings.mentioned
    if check.name not in ("numbers", "dates"):
        return verdict.contradicts >= settings.contradiction
    figures = [figure for start, end in check.claim_spans for figure in _FIGURE.findall(judged.claim[start:end])]
    return near and not any(
        re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d]|[.,]\d)", judged.text) for figure in figures
    )


def _too_little(judged: Judged, settings: Verification) -> tuple[tuple[Reason, ...], str]:
    """The source neither carries the claim nor speaks against it."""
    verdict, document, claim = judged.verdict, judged.document, judged.claim
    if judged.share is StoredShare.ABSTRACT:
        why = f"Only the abstract of {_named(document)} is stored, and it does not say this; the full text may."
        return (Reason.ABSTRACT_ONLY,), _line(f"{why} Nearest: {judged.words}")
    if verdict.partial is not None:
        start, end = verdict.partial
        part = f" (\u201c{short(claim[start:end], _QUOTED)}\u201d)" if claim[start:end].strip() else ""
        return (Reason.PARTIAL,), _line(f"The source supports a part of it only{part}: {judged.words}")
    if verdict.supports < settings.mentioned:
        read = f"{verdict.sentences} sentences read" if verdict.sentences else "all of it read"
        why = f"Nothing in {_named(document)} speaks of this ({read}). Nearest: {judged.words}"
        return (Reason.NOT_MENTIONED,), _line(why)
    return (Reason.LOW_SUPPORT,), _line(
        f"The source comes near, but says less than the claim (support {verdict.supports:.2f}, "
        f"{settings.pass_support:.2f} needed): {judged.words}"
    )


def _named(document: Document) -> str:
    return f"\u201c{short(document.title, 90)}\u201d"


def _line(text: str) -> str:
    return " ".join(text.split())


def passing(settings: Verification, policy: ReviewPolicy) -> Verification:
    """The settings by which the status of a citation is decided in a project.

    Only statuses depend on a project's threshold. A pair of claim and source is judged under the settings as they are
    (``core.verify.judge``), so a project's threshold can change without judging anything again.
    """
    if policy.threshold is None:
        return settings
    return settings.model_copy(update={"pass_support": policy.threshold})
