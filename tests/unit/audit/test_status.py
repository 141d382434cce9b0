"""What a source says becomes a status with its deciding reason and one line that quotes the words that differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.audit.status import Judged, least_of_a_rescue, rule, with_joint_support, with_rescue
from core.audit.stored_text import StoredShare
from core.labels import Label, Reason, Status
from core.records import CheckResult, Finding, Judgement, Outcome, Rescue, SourceVerdict
from core.settings.values import Verification
from tests.unit.audit.test_resolve import document

TEXT = "Preface. Wind speed was 28 per cent lower under the trees. The end."
SETTINGS = Verification()
ALL = 1.0


def verdict(supports: float, contradicts: float = 0.0, *checks: CheckResult, vetoed: bool = False) -> SourceVerdict:
    neutral = max(0.0, ALL - supports - contradicts)
    return SourceVerdict(
        "a", Label.NEUTRAL, supports, contradicts, Judgement(9, 58, TEXT[9:58], supports, contradicts, neutral),
        rationale=(9, 58), checks=checks, vetoed=vetoed, sentences=3,
    )  # fmt: skip


def failed(name: str, *, near: bool = True) -> CheckResult:
    return CheckResult(name, Outcome.FAILED, "38 here, 28 there.", ((0, 2),), ((0, 2),) if near else (), veto=True)


def ruled(
    found: SourceVerdict, share: StoredShare = StoredShare.FULL, settings: Verification = SETTINGS
) -> tuple[Status, tuple[Reason, ...]]:
    ruling = rule(Judged("Wind fell by 38 per cent, and it rained", found, document("a"), TEXT, share), settings)
    assert "\n" not in ruling.explanation
    assert ruling.explanation
    return ruling.status, ruling.reasons


def test_pass_if_and_only_if_support_is_above_the_threshold_and_no_check_vetoes() -> None:
    assert ruled(verdict(0.71)) == (Status.PASS, ())
    assert ruled(verdict(0.70))[0] is Status.REVIEW
    assert ruled(verdict(0.99, 0.0, failed("numbers"), vetoed=True)) == (Status.REVIEW, (Reason.NUMBER_MISMATCH,))
    assert ruled(verdict(0.71), settings=Verification(pass_support=0.8))[0] is Status.REVIEW
    assert ruled(verdict(0.75), share=StoredShare.ABSTRACT) == (Status.PASS, ())


@pytest.mark.parametrize(
    ("found", "reasons"),
    [
        (verdict(0.01, 0.9), (Reason.CONTRADICTED,)),
        (verdict(0.01, 0.9, failed("numbers")), (Reason.NUMBER_MISMATCH, Reason.CONTRADICTED)),
        (
            verdict(0.01, 0.9, failed("quotes"), failed("numbers")),
            (Reason.QUOTE_ALTERED, Reason.NUMBER_MISMATCH, Reason.CONTRADICTED),
        ),
        (verdict(0.01, 0.05, failed("quotes")), (Reason.QUOTE_ALTERED,)),
        (verdict(0.01, 0.05, failed("numbers")), (Reason.NOT_MENTIONED,)),
        (verdict(0.45, 0.3, failed("numbers")), (Reason.NUMBER_MISMATCH,)),
        (verdict(0.45, 0.3, failed("numbers", near=False)), (Reason.LOW_SUPPORT,)),
        (verdict(0.9, 0.0, failed("negation"), vetoed=True), (Reason.CHECK_FAILED,)),
        (verdict(0.2, 0.9, failed("negation"), vetoed=True), (Reason.CONTRADICTED,)),
        (verdict(0.9, 0.0, failed("entities"), vetoed=True), (Reason.CHECK_FAILED,)),
        (verdict(0.9, 0.0, failed("quantifiers"), vetoed=True), (Reason.LOW_SUPPORT,)),
        (verdict(0.45, 0.2), (Reason.LOW_SUPPORT,)),
        (verdict(0.05, 0.05), (Reason.NOT_MENTIONED,)),
        (replace(verdict(0.4), partial=(0, 24)), (Reason.PARTIAL,)),
    ],
)  # fmt: skip
def test_the_deciding_reason_stands_first(found: SourceVerdict, reasons: tuple[Reason, ...]) -> None:
    assert ruled(found) == (Status.REVIEW, reasons)


def test_what_an_abstract_does_not_say_the_full_text_may() -> None:
    assert ruled(verdict(0.05), share=StoredShare.ABSTRACT) == (Status.REVIEW, (Reason.ABSTRACT_ONLY,))
    assert ruled(verdict(0.05, 0.9), share=StoredShare.ABSTRACT) == (Status.REVIEW, (Reason.CONTRADICTED,))


def test_the_line_quotes_what_differs_and_the_words_of_the_source() -> None:
    line = rule(
        Judged("c", verdict(0.9, 0.0, failed("numbers"), vetoed=True), document("a"), TEXT), SETTINGS
    ).explanation
    assert "38 here, 28 there." in line
    assert "28 per cent lower under the trees" in line


def test_a_source_without_text_is_unreadable() -> None:
    empty = SourceVerdict("a", Label.NEUTRAL, 0.0, 0.0)
    assert ruled(empty) == (Status.SOURCE_NOT_INDEXED, (Reason.SOURCE_UNREADABLE,))


def row(reason: Reason, found: SourceVerdict, document_id: str | None = "a") -> Finding:
    return Finding(
        1, 1, 0, "numeric", "[1]", "claim", document_id=document_id, status=Status.REVIEW, reasons=(reason,),
        explanation="Why.", verdict=found,
    )  # fmt: skip


RESCUE = Rescue("b", "Another source", 0, 5, "words", 0.95, "[2]", carries=True)


@pytest.mark.parametrize(
    ("reason", "found", "after"),
    [
        (Reason.NOT_MENTIONED, verdict(0.05), (Reason.WRONG_SOURCE, Reason.NOT_MENTIONED)),
        (Reason.LOW_SUPPORT, verdict(0.4), (Reason.WRONG_SOURCE, Reason.LOW_SUPPORT)),
        (Reason.NUMBER_MISMATCH, verdict(0.4), (Reason.WRONG_SOURCE, Reason.NUMBER_MISMATCH)),
        (Reason.NUMBER_MISMATCH, verdict(0.9, vetoed=True), (Reason.NUMBER_MISMATCH, Reason.WRONG_SOURCE)),
        (Reason.CONTRADICTED, verdict(0.0, 0.9), (Reason.CONTRADICTED, Reason.WRONG_SOURCE)),
        (Reason.PARTIAL, verdict(0.4), (Reason.PARTIAL,)),
        (Reason.ABSTRACT_ONLY, verdict(0.1), (Reason.ABSTRACT_ONLY,)),
    ],
)
def test_another_source_that_carries_the_claim_makes_the_cited_one_the_wrong_one(
    reason: Reason, found: SourceVerdict, after: tuple[Reason, ...]
) -> None:
    changed = with_rescue(row(reason, found), RESCUE, SETTINGS)
    assert (changed.reasons, changed.rescue) == (after, RESCUE)
    assert ("Another source" in changed.explanation) == (Reason.WRONG_SOURCE in after)
    assert with_rescue(row(reason, found), None, SETTINGS) == row(reason, found)


@pytest.mark.parametrize("reason", [Reason.NOT_MENTIONED, Reason.LOW_SUPPORT, Reason.NUMBER_MISMATCH])
def test_a_source_that_only_may_say_it_does_not_make_the_cited_one_the_wrong_one(reason: Reason) -> None:
    likely = replace(RESCUE, supports=SETTINGS.pass_support)
    changed = with_rescue(row(reason, verdict(0.4)), likely, SETTINGS)
    assert changed.reasons == (reason,)
    assert changed.explanation == "Why."
    assert changed.rescue == replace(likely, carries=False)
    lenient = with_rescue(row(reason, verdict(0.4)), likely, Verification(pass_support=0.6))
    assert lenient.reasons == (Reason.WRONG_SOURCE, reason)


@pytest.mark.parametrize(
    ("cited", "least"),
    [
        (None, 0.5),
        (verdict(0.1), 0.5),
        (verdict(0.61), 0.71),
        (verdict(0.69), 0.79),
        (verdict(0.9, vetoed=True), 0.5),  # a check overrules what the cited source seems to say
        (verdict(0.45, 0.5), 0.5),
    ],
)
def test_another_source_is_suggested_only_when_it_is_clearly_better_than_the_cited_one(
    cited: SourceVerdict | None, least: float
) -> None:
    assert least_of_a_rescue(cited, SETTINGS) == pytest.approx(least)


def test_a_missing_or_dangling_reference_keeps_its_reason_beside_a_better_source() -> None:
    dangling = row(Reason.DANGLING_MARKER, verdict(0.0), None)
    assert with_rescue(dangling, RESCUE, SETTINGS).reasons == (Reason.DANGLING_MARKER,)


def test_a_claim_that_several_sources_back_together_is_partial_and_not_wrong() -> None:
    changed = with_joint_support(row(Reason.NOT_MENTIONED, verdict(0.3)), ["[2]"], carried=False)
    assert changed.reasons == (Reason.PARTIAL, Reason.NOT_MENTIONED)
    assert "Together with [2]" in changed.explanation
    carried = with_joint_support(row(Reason.NOT_MENTIONED, verdict(0.1)), ["[2]"], carried=True)
    assert carried.reasons == (Reason.NOT_MENTIONED,)
    assert "[2], cited at the same place, supports it" in carried.explanation
