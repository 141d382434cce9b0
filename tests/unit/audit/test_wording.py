"""Words and rows of a citation audit."""

from __future__ import annotations

import pytest

from core.audit import wording as present
from core.labels import Label, Reason, Status
from core.records import AuditSummary, CheckResult, Finding, Judgement, Outcome, SourceVerdict


def finding(identity: int = 1, status: Status | None = Status.PASS, **changes: object) -> Finding:
    values: dict[str, object] = {
        "id": identity,
        "report_id": 1,
        "ordinal": identity,
        "style": "numeric",
        "marker_text": f"[{identity}]",
        "claim_text": "Trees cool the street.",
        "status": status,
    }
    return Finding(**(values | changes))  # type: ignore[arg-type]


def verdict(label: Label, supports: float = 0.5, contradicts: float = 0.1, **changes: object) -> SourceVerdict:
    best = Judgement(0, 5, "Trees", supports, contradicts, 1 - supports - contradicts)
    return SourceVerdict("d1", label, supports, contradicts, best=best, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("status", [*Status, None])
def test_every_status_has_a_sign_an_icon_and_a_word_of_its_own(status: Status | None) -> None:
    words = present.STATUS[status]
    assert words.sign
    assert words.icon
    assert words.help.endswith(".")
    others = [one for key, one in present.STATUS.items() if key is not status]
    assert words.word not in [one.word for one in others]
    assert words.sign not in [one.sign for one in others]


def test_every_reason_has_its_own_plain_words_and_says_what_to_do() -> None:
    words = [present.reason_words(reason) for reason in Reason]
    assert len(set(words)) == len(words)
    assert not any("_" in one for one in words)
    assert all(present.reason_advice(reason).endswith(".") for reason in Reason)


def test_filters_join_and_an_unknown_word_filters_nothing() -> None:
    rows = [
        finding(1, Status.PASS, document_id="d1"),
        finding(2, Status.REVIEW, document_id="d1", reasons=(Reason.PARTIAL,)),
        finding(3, Status.REVIEW, document_id="d2", reasons=(Reason.CONTRADICTED,)),
        finding(4, None),
    ]

    def ids(*filters: object) -> list[int]:
        return [one.id for one in present.chosen(rows, *filters)]  # type: ignore[arg-type]

    assert ids() == [1, 2, 3, 4]
    assert ids([], "d1") == [1, 2]
    assert ids(["Source says the opposite"]) == [3]
    assert ids(["Source says the opposite"], "d1") == []
    assert ids(["<script>"]) == [1, 2, 3, 4]


def test_shares_are_told_in_words_and_only_all_is_called_100() -> None:
    summary = AuditSummary(1, 300, 0, precision=0.998, recall=0.001, check_worthy=900)
    assert present.share_words(summary) == [
        "Of the citations whose source is here, 99 % hold (precision).",
        "Of 900 statements that should have a source, 1 % have a citation that holds (recall).",
    ]
    assert present.share_words(AuditSummary(1, 0, 0)) == []


def test_the_counts_of_a_report_name_only_what_is_there() -> None:
    counts = {Status.PASS: 2, Status.SOURCE_NOT_INDEXED: 1}
    assert present.brief_words(AuditSummary(1, 3, 0, counts)) == "3 citations · 2 pass · 1 source missing"


def test_a_source_that_says_the_opposite_and_a_veto_are_told_apart() -> None:
    assert present.support_words(verdict(Label.CONTRADICTS, 0.1, 0.9)) == "The source speaks against it (0.90 of 1)."
    assert "but a detail differs" in present.support_words(verdict(Label.NEUTRAL, 0.9, vetoed=True))


def test_only_a_missing_source_with_an_address_can_be_fetched() -> None:
    missing = Status.SOURCE_NOT_INDEXED
    assert present.may_be_fetched(finding(status=missing, url="https://a.example/x"))
    assert present.may_be_fetched(finding(status=missing, doi="10.1/x"))
    assert not present.may_be_fetched(finding(status=missing))
    assert not present.may_be_fetched(finding(status=Status.REVIEW, url="https://a.example/x"))


def test_differences_come_first_among_the_checks() -> None:
    checks = [CheckResult(name, outcome, "x") for name, outcome in zip("abcd", reversed(Outcome), strict=True)]
    assert [one.outcome for one in present.ordered_checks(checks)] == [
        Outcome.BROKEN,
        Outcome.FAILED,
        Outcome.PASSED,
        Outcome.NOT_APPLICABLE,
    ]


def test_steps_lead_to_the_neighbours_in_the_table_and_from_outside_to_its_first_row() -> None:
    rows = [finding(7), finding(3), finding(9)]
    assert present.neighbour_ids(rows, 3) == (7, 9)
    assert present.neighbour_ids(rows, 7) == (None, 3)
    assert present.neighbour_ids(rows, 1) == (None, 7)
    assert present.neighbour_ids([], 1) == (None, None)


def test_citations_of_one_sentence_know_one_another() -> None:
    rows = [finding(1, sentence=4), finding(2, sentence=4), finding(3, sentence=5), finding(4)]
    assert [one.id for one in present.siblings(rows, rows[0])] == [2]
    assert present.siblings(rows, rows[3]) == []
