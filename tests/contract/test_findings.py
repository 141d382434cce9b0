"""Rows of a report: replaced by version, filtered, and judged pairs beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import ReportNotFound, RowMoved, StorageError
from core.labels import Reason, Status
from core.ports.store import ProjectStore
from tests.contract.builders import add
from tests.contract.judged import REPORT, add_report, judged, make_verdict

TEXT = "Otters swim in the tidal mill.\nHerons wait."


def test_a_judged_row_comes_back_with_everything_it_rests_on(store: ProjectStore) -> None:
    document, report = add(store, TEXT), add_report(store)
    rows = [judged(row, document, TEXT) for row in store.findings(report.id)]
    kept = store.put_findings(rows)
    assert kept == [replace(row, version=2) for row in rows]
    assert store.findings(report.id) == kept


def test_a_row_that_moved_is_not_overwritten_and_nothing_else_is_written(store: ProjectStore) -> None:
    report = add_report(store)
    seen = store.findings(report.id)
    store.put_findings([replace(seen[2], explanation="somebody else")], expect_versions=True)
    before = store.findings(report.id)
    with pytest.raises(RowMoved):
        store.put_findings([replace(row, explanation="mine") for row in seen], expect_versions=True)
    assert store.findings(report.id) == before
    kept = store.put_findings([replace(row, explanation="forced") for row in seen])
    assert [row.version for row in kept] == [2, 2, 3]


def test_a_row_that_is_gone_or_belongs_elsewhere_stops_the_whole_write(store: ProjectStore) -> None:
    first, second = add_report(store), add_report(store, REPORT + "x")
    rows = store.findings(first.id)
    for wrong, error in (
        (replace(rows[0], id=4711), ReportNotFound),
        (replace(rows[0], report_id=second.id), StorageError),
        (replace(rows[0], ordinal=9), StorageError),
        (rows[1], StorageError),
    ):
        with pytest.raises(error):
            store.put_findings([rows[1], wrong])
    assert store.findings(first.id) == rows
    assert store.put_findings([]) == []


def test_rows_are_filtered_by_status_and_by_any_of_their_reasons(store: ProjectStore) -> None:
    document, report = add(store, TEXT), add_report(store, rows=5)
    rows = store.findings(report.id)
    outcomes = [
        (Status.PASS, ()),
        (Status.REVIEW, (Reason.NUMBER_MISMATCH, Reason.PARTIAL)),
        (Status.REVIEW, (Reason.PARTIAL,)),
        (Status.SOURCE_NOT_INDEXED, (Reason.LINK_DEAD,)),
    ]
    store.put_findings(
        [
            judged(row, document, TEXT, status=status, reasons=reasons)
            for row, (status, reasons) in zip(rows, outcomes, strict=False)
        ]
    )

    def ordinals(statuses: tuple[Status, ...], reasons: tuple[Reason, ...]) -> list[int]:
        return [row.ordinal for row in store.findings(report.id, statuses=statuses, reasons=reasons)]

    assert ordinals((), ()) == [0, 1, 2, 3, 4]
    assert ordinals((Status.REVIEW, Status.PASS), ()) == [0, 1, 2]
    assert ordinals((), (Reason.PARTIAL, Reason.LINK_DEAD)) == [1, 2, 3]
    assert ordinals((Status.REVIEW,), (Reason.NUMBER_MISMATCH,)) == [1]
    assert ordinals((Status.PASS,), (Reason.PARTIAL,)) == []


def test_a_deleted_document_leaves_rows_as_they_were_and_takes_its_judged_pairs(store: ProjectStore) -> None:
    document, other = add(store, TEXT), add(store, TEXT + " More.")
    report = add_report(store)
    rows = store.put_findings([judged(row, document, TEXT) for row in store.findings(report.id)])
    mine, theirs = make_verdict(document, TEXT), make_verdict(other, TEXT + " More.")
    store.keep_verdicts({"a": mine, "b": theirs})
    assert store.verdicts(["b", "a", "b", "c"]) == {"a": mine, "b": theirs}
    store.delete(document.id)
    assert store.verdicts(["a", "b"]) == {"b": theirs}
    assert store.findings(report.id) == rows
    store.keep_verdicts({"a": mine, "b": replace(theirs, supports=0.5)})
    assert store.verdicts(["a", "b"]) == {"b": replace(theirs, supports=0.5)}
