"""The log of decisions: appended in a chain, refused when something moved, never changed by anything."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from core.errors import ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind
from core.ports.store import ProjectStore
from core.records import Claim, Decision, Finding
from core.records.decision_chain import faults_of
from tests.contract.builders import START
from tests.contract.judged import add_report, make_claim
from tests.contract.reviewed import basis_of, decide, decide_all, take_back

REDO = DecisionKind.REDO


def _rows(store: ProjectStore) -> list[Finding]:
    return store.findings(add_report(store).id)


def _bare(entry: Decision) -> Decision:
    return replace(entry, id=0, previous="", hash="")


def test_entries_come_back_whole_in_one_chain_from_number_one(store: ProjectStore) -> None:
    assert (store.decisions(), store.decision_head()) == ([], (0, ""))
    rows, before = _rows(store), store.generation()
    given = [
        decide(rows[0], DecisionKind.REWORD, rewording="Otters swim\nwell 東京 \x00", reason="too_strong"),
        decide(rows[1], by="bo ½"),
    ]
    first = store.append_decisions(given)
    second = store.append_decisions([take_back(first[0]), decide(rows[0], settles=(1,))])
    log = store.decisions()
    assert log == first + second
    assert [_bare(one) for one in first] == given
    assert [one.id for one in log] == [1, 2, 3, 4]
    assert [one.previous for one in log] == ["", *(one.hash for one in log[:3])]
    assert faults_of(log) == []
    assert store.decision_head() == (4, log[3].hash)
    assert store.generation() == before
    assert store.append_decisions([]) == []


def test_entries_of_one_item_one_person_or_after_one_are_read_alone(store: ProjectStore) -> None:
    rows = _rows(store)
    log = store.append_decisions([decide(rows[0]), decide(rows[1]), decide(rows[0], by="bo")])
    assert store.decisions(item=log[0].item) == [log[0], log[2]]
    assert store.decisions(by="bo") == [log[2]]
    assert store.decisions(item=log[0].item, by="ann") == [log[0]]
    assert store.decisions(after=1) == log[1:]
    assert store.decisions(item="nothing") == store.decisions(after=2**70) == []
    assert store.decisions(after=-1) == log


def test_times_are_kept_as_instants(store: ProjectStore) -> None:
    (row, *_) = _rows(store)
    at = datetime(2026, 3, 1, 1, 30, 0, 7, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    store.append_decisions([decide(row, at=at)])
    assert store.decisions()[0].at == at
    assert store.decisions()[0].at.utcoffset() == timedelta(0)


# ---------------------------------------------------------------- moved


def test_a_decision_on_an_item_that_somebody_else_decided_meanwhile_is_refused(store: ProjectStore) -> None:
    rows = _rows(store)
    (first,) = store.append_decisions([decide(rows[0])], seen={decide(rows[0]).item: 0})
    with pytest.raises(RowMoved, match="ann"):
        store.append_decisions([decide(rows[0], by="bo")], seen={first.item: 0})
    with pytest.raises(RowMoved):
        store.append_decisions([decide(rows[1]), decide(rows[0], by="bo")], seen={first.item: 0, "other": 0})
    assert store.decisions() == [first]
    (second,) = store.append_decisions([decide(rows[0], by="bo")], seen={first.item: first.id})
    assert [one.by for one in store.decisions()] == ["ann", "bo"]
    with pytest.raises(RowMoved):
        store.append_decisions([take_back(second)], seen={first.item: first.id})
    store.append_decisions([take_back(second)])


def test_a_blind_reviewer_is_stopped_by_own_entries_only(store: ProjectStore) -> None:
    (row, *_) = _rows(store)
    (first,) = store.append_decisions([decide(row)])
    (mine,) = store.append_decisions([decide(row, by="bo")], seen={first.item: 0}, seen_by="bo")
    with pytest.raises(RowMoved):
        store.append_decisions([decide(row, by="bo")], seen={first.item: 0}, seen_by="bo")
    store.append_decisions([decide(row, by="bo")], seen={first.item: mine.id}, seen_by="bo")


def test_a_decision_on_a_row_that_was_changed_or_deleted_meanwhile_is_refused(store: ProjectStore) -> None:
    report = add_report(store)
    rows = store.findings(report.id)
    (claim,) = store.add_claims([make_claim(report_id=report.id, start=0, end=11)])
    log = store.append_decisions([decide(rows[0]), decide(claim)])
    store.put_findings([rows[0]])
    store.put_claims([claim])
    for stale in (decide(rows[0]), decide(claim)):
        with pytest.raises(RowMoved, match="changed"):
            store.append_decisions([decide(rows[1]), stale])
    store.append_decisions([decide(store.finding(rows[0].id)), decide(store.claim(claim.id))])
    store.delete_claims([claim.id])
    store.delete_report(report.id)
    for gone in (decide(rows[0]), decide(claim), decide(replace(claim, id=2**60))):
        with pytest.raises(RowMoved, match="not there"):
            store.append_decisions([gone])
    assert store.decisions()[:2] == log
    assert len(store.decisions()) == 4


def test_ids_of_rows_and_claims_are_not_mixed_up(store: ProjectStore) -> None:
    (claim,) = store.add_claims([make_claim()])
    with pytest.raises(RowMoved):
        store.append_decisions([decide(claim, item_kind=ItemKind.CITATION)])
    store.append_decisions([decide(claim)])


def test_decisions_stay_when_report_claim_and_source_are_deleted_and_can_be_taken_back(store: ProjectStore) -> None:
    report = add_report(store)
    (claim,) = store.add_claims([make_claim()])
    log = decide_all(store, [*store.findings(report.id), claim])
    store.delete_report(report.id)
    store.delete_claims([claim.id])
    assert store.decisions() == log
    (undone,) = store.append_decisions([take_back(log[0])], seen={log[0].item: log[0].id})
    (redone,) = store.append_decisions([take_back(undone, REDO)])
    assert (undone.target, redone.target) == (log[0].id, undone.id)
    assert faults_of(store.decisions()) == []


# ---------------------------------------------------------------- impossible

IMPOSSIBLE: list[dict[str, Any]] = [
    {"note": "x" * 20_001},
    {"rewording": "x" * 20_001},
    {"reason": "x" * 201},
    {"item": ""},
    {"item": "x" * 501},
    {"by": ""},
    {"by": " ann"},
    {"by": "x" * 201},
    {"by": "a\nb"},
    {"at": START.replace(tzinfo=None)},
    {"at": datetime(1, 1, 1, tzinfo=UTC)},
    {"target": 1},
    {"kind": DecisionKind.UNDO},
    {"kind": DecisionKind.UNDO, "target": 4711},
    {"kind": DecisionKind.UNDO, "target": 0},
    {"settles": (4711,)},
    {"settles": (1, 1)},
    {"settles": (2,)},
]


@pytest.mark.parametrize("change", IMPOSSIBLE)
def test_an_impossible_entry_is_refused_with_all_others_of_its_call(
    store: ProjectStore, change: dict[str, Any]
) -> None:
    rows = _rows(store)
    log = store.append_decisions([decide(rows[0]), decide(rows[1])])
    with pytest.raises(ReviewError):
        store.append_decisions([decide(rows[1]), decide(rows[0], **change)])
    assert store.decisions() == log


@pytest.mark.parametrize(
    "change",
    [
        {"support": float("nan")},
        {"support": 1.1},
        {"threshold": -0.1},
        {"start": 5, "end": 3},
        {"start": None},
        {"claim_text": "x" * 1_000_001},
        {"report_id": -1},
    ],
)
def test_an_impossible_basis_is_refused(store: ProjectStore, change: dict[str, Any]) -> None:
    (row, *_) = _rows(store)
    with pytest.raises(ReviewError):
        store.append_decisions([decide(row, basis=basis_of(row, **change))])
    assert store.decisions() == []


def test_half_characters_become_a_sign_for_them(store: ProjectStore) -> None:
    (row, *_) = _rows(store)
    (kept,) = store.append_decisions([decide(row, note="half \ud800", basis=basis_of(row, claim_text="\udfff"))])
    assert (kept.note, kept.basis.claim_text) == ("half \ufffd", "\ufffd")
    assert store.decisions() == [kept]


# ---------------------------------------------------------------- import


def test_entries_of_another_copy_are_added_as_they_were_decided(store: ProjectStore) -> None:
    (row, other, _) = _rows(store)
    mine = store.append_decisions([decide(row), decide(other)])
    later = START + timedelta(hours=1)
    there = [
        mine[0],
        replace(decide(row, by="bo", at=later), id=2),
        replace(take_back(replace(mine[0], id=1), at=later), id=3),
        replace(decide(row, by="cy", at=later, settles=(1, 2)), id=4),
        replace(decide(claim_gone(), at=later), id=9),
    ]
    taken = store.import_decisions(there)
    assert [(one.id, one.by, one.target, one.settles) for one in taken] == [
        (3, "bo", None, ()),
        (4, "ann", 1, ()),
        (5, "cy", None, (1, 3)),
        (6, "ann", None, ()),
    ]
    assert [(one.at, one.basis) for one in taken] == [(one.at, one.basis) for one in there[1:]]
    assert store.decisions() == mine + taken
    assert faults_of(store.decisions()) == []
    assert store.import_decisions(there) == []
    assert store.import_decisions(store.decisions()) == []
    assert store.import_decisions([]) == []


def claim_gone() -> Claim:
    """A claim that is not here."""
    return make_claim(id=4711, version=3)


def test_the_same_decision_taken_twice_in_one_moment_is_kept_twice(store: ProjectStore) -> None:
    (row, *_) = _rows(store)
    (first,) = store.append_decisions([decide(row)])
    undone, again = store.append_decisions([take_back(first), decide(row)])
    there = [first, undone, again, replace(take_back(again), id=4)]
    (taken,) = store.import_decisions(there)
    assert (taken.id, taken.target) == (4, again.id)


def test_an_import_that_names_what_was_not_given_is_refused_whole(store: ProjectStore) -> None:
    (row, other, _) = _rows(store)
    (mine,) = store.append_decisions([decide(row)])
    undo = replace(take_back(replace(mine, id=7)), id=9)
    bad: list[list[Decision]] = [
        [replace(decide(other), id=1), undo],
        [replace(decide(other), id=7), undo],  # of another item
        [replace(decide(other), id=1, at=START.replace(tzinfo=None))],
        [replace(decide(other), id=1, note="x" * 20_001)],
    ]
    for given in bad:
        with pytest.raises(ReviewError):
            store.import_decisions(given)
    assert store.decisions() == [mine]
