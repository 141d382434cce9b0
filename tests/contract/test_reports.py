"""Reports: kept whole with their rows, one version after another, gone without a trace of what nobody else needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import BlobMissing, ReportNotFound, StorageError
from core.ports.store import ProjectStore
from tests.contract.builders import FakeClock, add
from tests.contract.judged import REPORT, add_report, make_claim, make_findings, make_report


def test_a_report_comes_back_as_it_was_with_its_rows_in_order(store: ProjectStore, clock: FakeClock) -> None:
    clock.advance(5)
    kept = add_report(store)
    assert kept == replace(make_report(), id=kept.id, family=kept.id, version=1, created=clock(), length=len(REPORT))
    assert store.report(kept.id) == kept
    assert store.reports() == [kept]
    assert store.report_text(kept.id) == REPORT
    rows = store.findings(kept.id)
    assert rows == [
        replace(row, id=stored.id, report_id=kept.id, version=1)
        for row, stored in zip(make_findings(), rows, strict=True)
    ]
    assert [store.finding(row.id) for row in rows] == rows


def test_versions_follow_one_another_and_the_newest_is_listed(store: ProjectStore) -> None:
    first = add_report(store)
    other = add_report(store, "Another report.\n" * 9)
    second = add_report(store, REPORT + "More.", supersedes=first.id)
    third = add_report(store, REPORT + "Even more.", supersedes=first.id)
    assert [(one.family, one.version) for one in (first, second, third)] == [(first.id, at) for at in (1, 2, 3)]
    assert [one.id for one in store.reports()] == [third.id, other.id]
    assert [one.id for one in store.reports(superseded=True)] == [third.id, second.id, other.id, first.id]
    store.delete_report(second.id)
    assert store.report(first.id).superseded_by == third.id
    store.delete_report(third.id)
    assert store.report(first.id).superseded_by is None
    assert [one.id for one in store.reports()] == [other.id, first.id]


def test_a_deleted_report_takes_its_rows_and_frees_its_claims(store: ProjectStore) -> None:
    kept, other = add_report(store), add_report(store, REPORT + "x")
    (row, *_) = store.findings(kept.id)
    (claim,) = store.add_claims([make_claim(report_id=kept.id, start=0, end=11)])
    store.delete_report(kept.id)
    for call in (store.report, store.report_text, store.findings, store.delete_report):
        with pytest.raises(ReportNotFound):
            call(kept.id)
    with pytest.raises(ReportNotFound):
        store.finding(row.id)
    assert len(store.findings(other.id)) == 3
    assert store.claims() == [replace(claim, report_id=None, start=None, end=None, version=2)]


def test_bytes_of_a_report_stay_while_something_needs_them(store: ProjectStore) -> None:
    document = add(store, REPORT)
    first, second = add_report(store), add_report(store)
    store.delete(document.id)
    assert store.blob(first.blob_hash) == REPORT.encode()
    store.delete_report(first.id)
    assert store.blob(second.blob_hash) == REPORT.encode()
    store.delete_report(second.id)
    with pytest.raises(BlobMissing):
        store.blob(second.blob_hash)


def test_a_report_that_does_not_fit_leaves_nothing(store: ProjectStore) -> None:
    report, rows = make_report(), make_findings()
    with pytest.raises(BlobMissing):
        store.add_report(report, REPORT, rows)
    store.put_blob(REPORT.encode())
    with pytest.raises(StorageError):
        store.add_report(report, REPORT + "x", rows)
    with pytest.raises(ReportNotFound):
        store.add_report(report, REPORT, rows, supersedes=4711)
    for wrong in ({"marker": (0, 10_000)}, {"claim": (5, 4)}, {"reference": (-1, 2)}):
        with pytest.raises(StorageError):
            store.add_report(report, REPORT, make_findings(**wrong))
    with pytest.raises(StorageError):
        store.add_report(report, REPORT, [*rows, rows[0]])
    assert store.reports(superseded=True) == []


def test_nothing_about_reports_and_claims_outdates_the_search(store: ProjectStore) -> None:
    document = add(store, "Otters swim in the mill.")
    before = store.generation()
    kept = add_report(store)
    (claim,) = store.add_claims([make_claim()])
    store.put_findings([replace(row, document_id=document.id) for row in store.findings(kept.id)])
    store.put_claims([claim])
    store.delete_claims([claim.id])
    store.delete_report(kept.id)
    assert store.generation() == before


@pytest.mark.parametrize("number", [0, -1, 2**70])
def test_an_id_that_no_row_has_is_not_found(store: ProjectStore, number: int) -> None:
    for call in (store.report, store.report_text, store.findings, store.finding):
        with pytest.raises(ReportNotFound):
            call(number)
