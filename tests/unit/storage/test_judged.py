"""Reports, rows and claims on disk: nothing unreadable is stored, damage is named, rows are read in one go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.errors import DatabaseDamaged, StorageError
from core.records import Filters
from storage.store import SqliteProjectStore
from tests.contract.builders import add
from tests.contract.judged import (
    REPORT,
    add_report,
    judged,
    make_claim,
    make_findings,
    make_report,
    make_verdict,
)

TEXT = "Otters swim in the tidal mill.\nHerons wait."
UNFIT: list[dict[str, Any]] = [
    {"supports": float("nan")},
    {"supports": float("inf")},
    {"label": "agrees"},
    {"rationale": [0, 3]},
    {"notes": ["a list"]},
    {"fingerprint": None},
]


@pytest.mark.parametrize("change", UNFIT)
def test_a_value_that_could_not_be_read_again_is_refused_and_nothing_is_stored(
    store: SqliteProjectStore, change: dict[str, Any]
) -> None:
    document, report = add(store, TEXT), add_report(store)
    before = store.findings(report.id)
    verdict = make_verdict(document, TEXT, **change)
    with pytest.raises(StorageError, match="cannot be stored"):
        store.put_findings([before[0], replace(before[1], verdict=verdict)])
    with pytest.raises(StorageError, match="cannot be stored"):
        store.keep_verdicts({"good": make_verdict(document, TEXT), "bad": verdict})
    assert store.findings(report.id) == before
    assert store.verdicts(["good", "bad"]) == {}


def test_texts_that_json_cannot_hold_are_cleaned_and_nul_stays(store: SqliteProjectStore) -> None:
    report = add_report(store)
    row = replace(store.findings(report.id)[0], explanation="lone \ud800 and \x00", candidates=("\udfff",))
    (kept,) = store.put_findings([row])
    stored = store.finding(row.id)
    assert (stored.explanation, stored.candidates) == ("lone \ufffd and \x00", ("\ufffd",))
    assert kept == stored
    (claim,) = store.add_claims([make_claim("lone \ud800")])
    assert store.claim(claim.id).text == "lone \ufffd"
    store.put_blob(REPORT.encode())
    named = store.add_report(make_report(name="a\x00b\ud800"), REPORT, [])
    assert store.report(named.id).name == "a\ufffdb\ufffd"


def test_a_text_with_lone_surrogates_is_refused(store: SqliteProjectStore) -> None:
    blob = store.put_blob(b"x")
    with pytest.raises(StorageError, match="surrogates"):
        store.add_report(make_report("x", blob_hash=blob), "lone \ud800", [])


@pytest.mark.parametrize(
    ("table", "column", "value", "read"),
    [
        ("findings", "body", "{", lambda store: store.findings(1)),
        ("findings", "body", '{"id": 1}', lambda store: store.finding(1)),
        ("claims", "body", "[]", lambda store: store.claims()),
        ("verdicts", "body", '{"label": "agrees"}', lambda store: store.verdicts(["k"])),
        ("report_texts", "body", b"noise", lambda store: store.report_text(1)),
        ("report_texts", "size", 3, lambda store: store.report_text(1)),
        ("report_texts", "report", None, lambda store: store.report_text(1)),
    ],
)
def test_a_damaged_row_is_named_and_never_read_as_something_else(
    store: SqliteProjectStore, table: str, column: str, value: object, read: Any
) -> None:
    document, _ = add(store, TEXT), add_report(store)
    store.add_claims([make_claim()])
    store.keep_verdicts({"k": make_verdict(document, TEXT)})
    with store._db.write() as connection:
        if value is None:
            connection.execute(f"DELETE FROM {table}")
        else:
            connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
    with pytest.raises(DatabaseDamaged, match=r"Restore the project"):
        read(store)


def test_two_thousand_rows_are_read_by_one_statement(store: SqliteProjectStore) -> None:
    document, report = add(store, TEXT), add_report(store, rows=2000)
    kept = store.put_findings([judged(row, document, TEXT) for row in store.findings(report.id)], expect_versions=True)
    statements: list[str] = []
    (reader,) = store._db._pool
    reader.set_trace_callback(statements.append)
    assert store.findings(report.id) == kept
    assert len([one for one in statements if one.startswith("SELECT")]) == 1
    reader.set_trace_callback(None)


def test_the_search_cache_survives_a_change_of_rows(store: SqliteProjectStore) -> None:
    store.cache("key", b"answer", keep=3)
    report = add_report(store)
    store.put_findings(store.findings(report.id))
    assert store.cached("key") == b"answer"
    assert store.passage_ids(Filters()) == []


def test_rows_of_one_place_are_refused_before_anything_is_written(store: SqliteProjectStore) -> None:
    store.put_blob(REPORT.encode())
    rows = make_findings()
    with pytest.raises(StorageError, match="occurs twice"):
        store.add_report(make_report(), REPORT, [*rows, rows[1]])
    with store._db.read() as connection:
        for table in ("reports", "report_texts", "findings"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
