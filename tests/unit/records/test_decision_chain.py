"""The chain of decisions: what changes it, what it looks like on the wire."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.errors import ReviewError
from core.labels import DecisionKind, ItemKind
from core.records import Decision, DecisionBasis
from core.records.decision_chain import faults_of, from_line, sealed, to_json, to_line

AT = datetime(2026, 1, 19, 14, 30, tzinfo=UTC)
BASIS = DecisionBasis(7, 3, "Otters swim ½", "c" * 64, support=0.1 + 0.2, start=0, end=4, reasons=("partial",))


def _entry(number: int, kind: DecisionKind = DecisionKind.ACCEPT, target: int | None = None) -> Decision:
    return Decision(number, "item", ItemKind.CLAIM, kind, "Zoë", AT, BASIS, note="a\nb\u2028\x00", target=target)


def _log(count: int = 4) -> list[Decision]:
    log: list[Decision] = []
    for number in range(1, count + 1):
        kind, target = (DecisionKind.ACCEPT, None) if number % 2 else (DecisionKind.UNDO, number - 1)
        log.append(sealed(_entry(number, kind, target), log[-1].hash if log else ""))
    return log


def test_the_hash_can_be_computed_with_nothing_but_json_and_sha256() -> None:
    first, second, *_ = _log()
    value = json.loads(to_line(second))
    assert value.pop("hash") == second.hash
    assert value["previous"] == first.hash
    body = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(body.encode()).hexdigest() == second.hash


def test_the_hash_of_a_known_entry_never_changes() -> None:
    plain = Decision(1, "i", ItemKind.CITATION, DecisionKind.REJECT, "ann", AT, DecisionBasis(1, 2, "c", "d" * 64))
    assert to_line(replace(plain, hash="")) == (
        '{"at":"2026-01-19T14:30:00.000000+00:00","basis":{"claim_hash":"' + "d" * 64 + '","claim_text":"c","row_id":1,'
        '"row_version":2},"by":"ann","id":1,"item":"i","item_kind":"citation","kind":"reject"}'
    )
    assert sealed(plain, "").hash == hashlib.sha256(to_line(plain).encode()).hexdigest()


def test_an_entry_comes_back_from_its_wire_form_equal() -> None:
    for one in _log():
        assert from_line(to_line(one)) == one
        assert from_line(json.dumps(to_json(one))) == one
        assert "\n" not in to_line(one)


def test_the_same_instant_in_another_zone_gives_the_same_hash() -> None:
    one, other = _entry(1), replace(_entry(1), at=AT.astimezone(timezone(timedelta(hours=-9))))
    assert sealed(one, "") == sealed(other, "")
    assert sealed(replace(one, basis=replace(BASIS, support=1)), "") == sealed(
        replace(one, basis=replace(BASIS, support=1.0)), ""
    )


def test_a_whole_log_has_no_faults_and_neither_has_its_tail() -> None:
    log = _log()
    assert faults_of(log) == faults_of([]) == []
    assert faults_of(log[2:], after=(2, log[1].hash)) == []
    assert faults_of(log[2:], after=(2, "0" * 64)) != []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda log: log[1:], "Entry 1 .* is missing"),
        (lambda log: [log[0], log[2]], "Entry 2 .* is missing"),
        (lambda log: [replace(log[0], by="bo"), *log[1:]], "Entry 1 .* was changed"),
        (lambda log: [log[0], replace(log[1], basis=replace(BASIS, machine="PASS")), *log[2:]], "Entry 2 .* was chang"),
        (lambda log: [log[0], sealed(replace(log[1], by="bo"), log[0].hash), *log[2:]], "Entry 3 .* does not follow"),
        (lambda log: [log[0], sealed(replace(log[1], item="x"), log[0].hash)], "Entry 2 .* names entry 1"),
        (lambda log: [replace(log[0], at=AT.replace(tzinfo=None)), *log[1:]], "Entry 1 .* impossible"),
    ],
)
def test_whatever_is_changed_is_told(change: Callable[[list[Decision]], list[Decision]], words: str) -> None:
    assert re.search(words, " ".join(faults_of(change(_log()))))


def test_one_changed_entry_is_one_fault() -> None:
    log = _log(6)
    assert len(faults_of([*log[:2], replace(log[2], note=""), *log[3:]])) == 1


@pytest.mark.parametrize("line", ["", "[]", "null", "{", '{"id":1}', "[" * 100_000, '{"id":NaN}', b"\xff"])
def test_what_is_no_entry_is_refused_with_a_reason(line: str | bytes) -> None:
    with pytest.raises(ReviewError, match="no entry"):
        from_line(line)


def test_nothing_is_converted_and_nothing_unknown_is_taken() -> None:
    value = to_json(_log()[0])
    for wrong in ({"id": "1"}, {"id": 1.0}, {"id": True}, {"kind": "approve"}, {"at": 1700000000}, {"more": 1}):
        with pytest.raises(ReviewError, match="no entry"):
            from_line(json.dumps({**value, **wrong}))
