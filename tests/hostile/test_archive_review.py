"""The log of decisions, people and policy in a zip: ours come back with their hashes, forged ones are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.labels import DecisionKind
from core.records import Decision
from core.records.decision_chain import from_line, sealed, to_line
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.contract.judged import make_claim
from tests.contract.reviewed import decide
from tests.hostile.archives import change_line, members_of, refused, rewrite

Record = dict[str, Any]
DECISIONS, REVIEW = "decisions.jsonl", "review.json"


def _log_of(path: Path) -> list[Decision]:
    return [from_line(line) for line in members_of(path)[DECISIONS].splitlines()]


def _with_log(path: Path, log: list[Decision]) -> Path:
    return _with_lines(path, [to_line(one).encode() for one in log])


def _with_lines(path: Path, lines: list[bytes]) -> Path:
    return rewrite(path, {**members_of(path), DECISIONS: b"".join(line + b"\n" for line in lines)})


def _forged(log: list[Decision], at: int, **changes: Any) -> list[Decision]:
    """The log as a forger makes it who seals everything anew."""
    kept: list[Decision] = []
    for number, one in enumerate(log):
        changed = replace(one, **changes) if number == at else one
        kept.append(sealed(changed, kept[-1].hash if kept else ""))
    return kept


# ---------------------------------------------------------------- ours


def test_log_people_and_policy_come_back_as_they_were(catalog: SqliteCatalog, sound: Path, tmp_path: Path) -> None:
    given = catalog.open("full")
    elsewhere = SqliteCatalog(tmp_path / "elsewhere", utc_now)
    assert elsewhere.verify_archive(sound) == []
    taken = elsewhere.open(elsewhere.import_archive(sound).slug)
    copy = catalog.open(catalog.duplicate("full", "Copy").slug)
    for one in (taken, copy):
        assert one.decisions() == given.decisions() != []
        assert one.decision_head() == given.decision_head()
        assert one.people() == given.people() != []
        assert one.review_policy() == given.review_policy()
        assert one.import_decisions(given.decisions()) == []
    rows = {one.id: one for report in taken.reports() for one in taken.findings(report.id)}
    assert rows[taken.decisions()[0].basis.row_id].claim_text == "Otters swim"
    (next_one,) = taken.append_decisions([decide(next(iter(rows.values())))])
    assert next_one.previous == given.decision_head()[1]
    for one in (given, taken, copy):
        one.close()


def test_an_id_that_the_log_names_is_not_given_to_another_row(catalog: SqliteCatalog, sound: Path) -> None:
    taken = catalog.open(catalog.import_archive(sound).slug)
    gone = next(one for one in taken.decisions() if one.kind is DecisionKind.POSTPONE)
    (fresh,) = taken.add_claims([make_claim("new")])
    assert fresh.id > gone.basis.row_id
    taken.close()


def test_a_long_log_with_long_notes_comes_back(catalog: SqliteCatalog, sound: Path) -> None:
    (first, *_) = _log_of(sound)
    log: list[Decision] = []
    for number in range(1, 2001):
        at = first.at + timedelta(seconds=number)
        one = replace(first, id=number, at=at, note="ü" * (20_000 if number % 100 == 0 else 9))
        log.append(sealed(one, log[-1].hash if log else ""))
    taken = catalog.open(catalog.import_archive(_with_log(sound, log)).slug)
    assert taken.decision_head() == (2000, log[-1].hash)
    assert taken.decisions(after=1990) == log[1990:]
    taken.close()


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("name", [DECISIONS, REVIEW])
def test_a_missing_member_is_refused(catalog: SqliteCatalog, sound: Path, name: str) -> None:
    kept = {key: body for key, body in members_of(sound).items() if key != name}
    refused(catalog, rewrite(sound, kept), "is missing")


@pytest.mark.parametrize(
    "break_it",
    [
        lambda log: log[1:],
        lambda log: log[:1] + log[2:],
        lambda log: [log[0], log[0], *log[1:]],
        lambda log: [log[1], log[0], *log[2:]],
        lambda log: [replace(log[0], note="Forged."), *log[1:]],
        lambda log: [*log[:-1], replace(log[-1], by="bo")],
        lambda log: [*log[:-1], replace(log[-1], hash="0" * 64)],
        lambda log: [replace(log[0], hash=""), *log[1:]],
        lambda log: [replace(log[0], basis=replace(log[0].basis, support=0.9)), *log[1:]],
        lambda log: _forged(log, 1, id=1),
        lambda log: [*_forged(log, 0, note="Forged."), *log[7:], log[1]],
        lambda log: _forged(log, 0, item="of another item"),
    ],
)
def test_a_log_whose_chain_is_broken_is_refused(
    catalog: SqliteCatalog, sound: Path, break_it: Callable[[list[Decision]], list[Decision]]
) -> None:
    refused(catalog, _with_log(sound, break_it(_log_of(sound))), "not whole")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "approve"},
        {"item_kind": "person"},
        {"item": ""},
        {"item": None},
        {"by": ""},
        {"by": "a\nb"},
        {"by": "x" * 201},
        {"at": "2026-01-19T15:00:00"},
        {"at": "yesterday"},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"note": "x" * 20_001},
        {"note": 7},
        {"reason": "x" * 201},
        {"id": "1"},
        {"id": 2**60},
        {"id": -1},
        {"target": 1},
        {"settles": [1, 1]},
        {"settles": 1},
        {"hash": "../x"},
        {"previous": "x"},
        {"extra": 1},
        {"basis": None},
        {"basis": {}},
    ],
)
def test_an_impossible_entry_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    members = change_line(members_of(sound), DECISIONS, lambda record: record.update(change), 2)
    refused(catalog, rewrite(sound, members), "line 3 of 'decisions.jsonl' is wrong")


@pytest.mark.parametrize(
    "change",
    [
        {"row_id": "1"},
        {"row_version": None},
        {"support": 2.0},
        {"threshold": float("nan")},
        {"start": 9, "end": 3},
        {"reasons": "x"},
        {"extra": 1},
    ],
)
def test_an_impossible_basis_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    members = change_line(members_of(sound), DECISIONS, lambda record: record["basis"].update(change), 0)
    refused(catalog, rewrite(sound, members), "line 1 of 'decisions.jsonl' is wrong")


def test_ids_that_would_use_up_the_numbers_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    log = _log_of(sound)
    refused(catalog, _with_log(sound, _forged(log, 3, basis=replace(log[3].basis, row_id=2**31))), "impossible id")


def test_a_flood_of_entries_is_refused_before_they_are_read(catalog: SqliteCatalog, sound: Path) -> None:
    flood = b"".join(b"%d\n" % number for number in range(500_001))
    refused(catalog, rewrite(sound, {**members_of(sound), DECISIONS: flood}), "at most 500000 are allowed")


def test_lines_that_are_no_records_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    lines = members_of(sound)[DECISIONS].splitlines()
    for line in (b"", b"[]", b"{", b"\xff", b'{"note": "\\ud800"}', b"[" * 5000):
        refused(catalog, _with_lines(sound, [line, *lines]), "line 1 of 'decisions.jsonl' is wrong")


@pytest.mark.parametrize(
    "change",
    [
        lambda review: review["people"][1].update(role="king"),
        lambda review: review["people"][0].update(role="viewer"),
        lambda review: review["people"][1].update(name=""),
        lambda review: review["people"][1].update(name="a\x1bb"),
        lambda review: review["people"][1].update(name=review["people"][0]["name"]),
        lambda review: review["people"][1].update(created="2026-01-19T15:00:00"),
        lambda review: review["people"][1].update(extra=1),
        lambda review: review.update(people=None),
        lambda review: review.update(people=review["people"] * 4000),
        lambda review: review["policy"].update(threshold=1.5),
        lambda review: review["policy"].update(blind="yes"),
        lambda review: review["policy"].update(target_precision=-1),
        lambda review: review["policy"].update(extra=1),
        lambda review: review.pop("policy"),
        lambda review: review.update(extra=1),
    ],
)
def test_impossible_people_or_policy_are_refused(
    catalog: SqliteCatalog, sound: Path, change: Callable[[Record], object]
) -> None:
    members = members_of(sound)
    review = json.loads(members[REVIEW])
    change(review)
    path = rewrite(sound, {**members, REVIEW: json.dumps(review).encode()})
    refused(catalog, path, "person|people|review.json")
