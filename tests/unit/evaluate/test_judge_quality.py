"""People's decisions as a measure of the judge, and as judged queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from core.evaluate.judge_quality import DecidedCitations, person_says
from core.labels import DecisionKind, ItemKind, Status
from core.records import Decision, DecisionBasis, Finding, ReportStanding, Standing

AT = datetime(2026, 3, 1, tzinfo=UTC)


def decision(number: int, kind: DecisionKind, **basis: Any) -> Decision:
    held = DecisionBasis(number, 1, f"Claim  {number}.", "", document_id=f"d{number}", **basis)
    return Decision(number, f"citation:{number}", ItemKind.CITATION, kind, "Ada", AT, held)


class Store:
    """Reports and findings as a store would give them."""

    def __init__(self, statuses: Mapping[int, Status | None]) -> None:
        self._findings = [
            Finding(key, 1, ordinal, "numeric", "[1]", "Claim.", status=status)
            for ordinal, (key, status) in enumerate(statuses.items())
        ]

    def reports(self) -> list[Any]:
        return [type("Report", (), {"id": 1, "superseded_by": None})()]

    def findings(self, report_id: int) -> list[Finding]:
        return self._findings


def citations(statuses: Mapping[int, Status | None], decisions: Mapping[int, Standing]) -> DecidedCitations:
    store: Any = Store(statuses)
    return DecidedCitations(store, lambda _: ReportStanding(findings=dict(decisions)))


def stand(number: int, kind: DecisionKind, **basis: Any) -> Standing:
    return Standing(decision(number, kind, **basis))


def test_decisions_count_for_the_rows_that_were_not_looked_at() -> None:
    # Ten rows passed, two of them drawn for a look; two rows did not, both looked at.
    statuses = dict.fromkeys(range(1, 11), Status.PASS) | {11: Status.REVIEW, 12: Status.REVIEW}
    decisions = {
        1: stand(1, DecisionKind.ACCEPT),
        2: stand(2, DecisionKind.REJECT),
        11: stand(11, DecisionKind.WRONG_SOURCE),
        12: stand(12, DecisionKind.ACCEPT),
    }
    found = citations(statuses, decisions).quality()
    assert (found.counts.holds_holds, found.counts.holds_fails) == (1, 1)
    assert (found.counts.fails_holds, found.counts.fails_fails) == (1, 1)
    assert (found.rows, found.decided) == ({True: 10, False: 2}, {True: 2, False: 2})
    # 5 and 5 of the ten, 1 and 1 of the two: 6 of 12 right; of 6 that hold 5 passed, of 6 that do not 1 was held back.
    assert found.accuracy.share == pytest.approx(6 / 12)
    assert found.balanced_accuracy == pytest.approx((5 / 6 + 1 / 6) / 2)
    assert found.macro_f1 == pytest.approx((10 / 16 + 2 / 8) / 2)
    assert found.accuracy.low < 0.5 < found.accuracy.high


def test_without_a_look_at_what_passed_nothing_is_said_of_all() -> None:
    statuses = {1: Status.PASS, 2: Status.REVIEW}
    found = citations(statuses, {2: stand(2, DecisionKind.REJECT)}).quality()
    assert (found.accuracy.share, found.balanced_accuracy, found.macro_f1) == (None, None, None)
    assert found.accuracy.n == 1


def test_nothing_decided_is_no_figure() -> None:
    found = citations({1: Status.PASS}, {}).quality()
    assert found.accuracy.share is None
    assert found.counts.n == 0
    assert citations({1: Status.PASS}, {}).judgements() is None


@pytest.mark.parametrize(
    ("standing", "holds"),
    [
        (stand(1, DecisionKind.ACCEPT), True),
        (stand(1, DecisionKind.REJECT), False),
        (stand(1, DecisionKind.WRONG_SOURCE), False),
        (stand(1, DecisionKind.REWORD), False),
        (stand(1, DecisionKind.POSTPONE), None),
        (replace(stand(1, DecisionKind.ACCEPT), stale="The source changed."), None),
        (Standing(None, (decision(1, DecisionKind.ACCEPT), decision(2, DecisionKind.REJECT))), None),
        (None, None),
    ],
)
def test_only_a_decision_in_force_takes_a_side(standing: Standing | None, holds: bool | None) -> None:
    assert person_says(standing) is holds


def test_what_is_out_of_date_or_disputed_is_counted_as_left_out() -> None:
    decisions = {
        1: replace(stand(1, DecisionKind.ACCEPT), stale="x"),
        2: Standing(None, (decision(2, DecisionKind.ACCEPT), decision(3, DecisionKind.REJECT))),
        3: stand(3, DecisionKind.POSTPONE),
        4: stand(4, DecisionKind.ACCEPT),
    }
    statuses: dict[int, Status | None] = {1: Status.PASS, 2: Status.PASS, 3: Status.PASS, 4: None}
    found = citations(statuses, decisions).quality()
    assert (found.left_out, found.accuracy.n) == (2, 0)


def test_decisions_become_judgements_of_the_passage_that_decided() -> None:
    decisions = {
        1: stand(1, DecisionKind.ACCEPT, start=10, end=90),
        2: stand(2, DecisionKind.REJECT),
        3: stand(3, DecisionKind.POSTPONE),
    }
    judged = citations({1: Status.PASS, 2: Status.REVIEW, 3: Status.REVIEW}, decisions).judgements()
    assert judged is not None
    assert judged.qrels == {"citation:1": {"d1:10-90": 1}, "citation:2": {"d2": 0}}
    assert judged.queries == {"citation:1": "Claim 1.", "citation:2": "Claim 2."}
    assert judged.askable == ("citation:1",)
