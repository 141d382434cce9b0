"""Claims: kept once a place, in the order of the report, replaced by version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import ClaimNotFound, ReportNotFound, RowMoved, StorageError
from core.labels import ClaimType
from core.ports.store import ProjectStore
from core.records import Claim
from tests.contract.builders import add
from tests.contract.judged import JUDGED, add_report, make_claim, verdict_on

TEXT = "Otters swim in the tidal mill.\nHerons wait."


def _placed(report_id: int, start: int, end: int) -> Claim:
    return make_claim(report_id=report_id, start=start, end=end, context="Before it.")


def test_claims_come_back_in_the_order_of_the_report_then_of_adding(store: ProjectStore) -> None:
    report = add_report(store)
    typed, late, early = store.add_claims([make_claim("typed"), _placed(report.id, 17, 28), _placed(report.id, 0, 11)])
    assert [one.version for one in (typed, late, early)] == [1, 1, 1]
    assert typed == replace(make_claim("typed"), id=typed.id, version=1)
    assert store.claims(report_id=report.id) == [early, late]
    assert store.claims() == [early, late, typed]
    assert store.claim(late.id) == late
    with pytest.raises(ReportNotFound):
        store.claims(report_id=4711)


def test_a_claim_at_the_same_place_is_kept_once(store: ProjectStore) -> None:
    report = add_report(store)
    first, again = store.add_claims([_placed(report.id, 0, 11), replace(_placed(report.id, 0, 11), text="Other words")])
    assert first == again
    assert store.add_claims([_placed(report.id, 0, 11)]) == [first]
    one, two = store.add_claims([make_claim("typed"), make_claim("typed")])
    assert one.id != two.id


def test_claims_without_a_place_in_their_report_are_refused_together(store: ProjectStore) -> None:
    report = add_report(store)
    with pytest.raises(ReportNotFound):
        store.add_claims([make_claim(), _placed(4711, 0, 1)])
    for start, end in ((0, 10_000), (-1, 3), (None, None), (3, None)):
        with pytest.raises(StorageError):
            store.add_claims([make_claim(), make_claim(report_id=report.id, start=start, end=end)])
    with pytest.raises(StorageError):
        store.add_claims([make_claim(start=1, end=2)])
    assert store.claims() == []


def test_a_verdict_is_kept_with_its_claim_and_a_moved_claim_is_not_overwritten(store: ProjectStore) -> None:
    document = add(store, TEXT)
    claim, other = store.add_claims([make_claim("one"), make_claim("two")])
    decided = replace(claim, verdict=verdict_on(document, TEXT), verified=JUDGED, basis="b")
    (kept,) = store.put_claims([decided], expect_versions=True)
    assert kept == replace(decided, version=2) == store.claim(claim.id)
    with pytest.raises(RowMoved):
        store.put_claims([replace(other, type=ClaimType.C1), decided], expect_versions=True)
    assert store.claim(other.id) == other
    assert [one.version for one in store.put_claims([other, decided])] == [2, 3]


def test_a_claim_keeps_its_place_whatever_is_put(store: ProjectStore) -> None:
    report = add_report(store)
    (claim,) = store.add_claims([_placed(report.id, 0, 11)])
    store.delete_report(report.id)
    (kept,) = store.put_claims([claim])
    assert (kept.report_id, kept.start, kept.end) == (None, None, None)
    assert store.claim(claim.id) == kept


def test_deleted_claims_are_gone_and_unknown_ones_passed_over(store: ProjectStore) -> None:
    claim, other = store.add_claims([make_claim("one"), make_claim("two")])
    store.delete_claims([claim.id, 4711, 2**70])
    assert store.claims() == [other]
    with pytest.raises(ClaimNotFound):
        store.claim(claim.id)
    with pytest.raises(ClaimNotFound):
        store.put_claims([other, claim])
    assert store.claim(other.id) == other
