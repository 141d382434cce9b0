"""Reports, rows and claims in a zip: ours come back, impossible ones are refused, unfounded outcomes forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.labels import Status
from core.ports.store import ProjectStore
from core.records import Claim, Finding, SourceVerdict, StoredReport
from storage.archive import format as archive
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from tests.hostile.archives import change_line, members_of, refused, rewrite

Record = dict[str, Any]
REPORTS, FINDINGS, CLAIMS = "reports.jsonl", "findings.jsonl", "claims.jsonl"


def _changed(path: Path, name: str, change: Callable[[Record], None], line: int) -> Path:
    return rewrite(path, change_line(members_of(path), name, change, line))


def _imported(catalog: SqliteCatalog, path: Path) -> SqliteProjectStore:
    assert catalog.verify_archive(path) == []
    return catalog.open(catalog.import_archive(path).slug)


def _line_of(path: Path, name: str, holds: Callable[[Record], object]) -> int:
    lines = members_of(path)[name].splitlines()
    return next(at for at, line in enumerate(lines) if holds(json.loads(line)))


def _judged_line(path: Path) -> int:
    return _line_of(path, FINDINGS, lambda record: record["verdict"])


def _verified_line(path: Path) -> int:
    return _line_of(path, CLAIMS, lambda record: record["verdict"])


def _bare_verdict(verdict: SourceVerdict) -> SourceVerdict:
    return replace(verdict, passage_id=None)


def _bare_row(row: Finding) -> Finding:
    verdict = _bare_verdict(row.verdict) if row.verdict else None
    rescue = replace(row.rescue, passage_id=None) if row.rescue else None
    return replace(row, id=0, report_id=0, version=0, verdict=verdict, rescue=rescue)


def _bare_claim(claim: Claim) -> Claim:
    verdict = claim.verdict
    if verdict is not None:
        sources = tuple(replace(one, verdict=_bare_verdict(one.verdict)) for one in verdict.sources)
        verdict = replace(verdict, sources=sources)
    return replace(claim, id=0, version=0, verdict=verdict)


def _everything(store: ProjectStore) -> list[tuple[StoredReport, str, list[Finding], list[Claim]]]:
    return [
        (
            report,
            store.report_text(report.id),
            [_bare_row(row) for row in store.findings(report.id)],
            [_bare_claim(claim) for claim in store.claims(report_id=report.id)],
        )
        for report in store.reports(superseded=True)
    ]


# ---------------------------------------------------------------- ours


def test_reports_rows_and_claims_come_back(catalog: SqliteCatalog, sound: Path, tmp_path: Path) -> None:
    given = catalog.open("full")
    taken = _imported(SqliteCatalog(tmp_path / "elsewhere", utc_now), sound)
    assert _everything(taken) == _everything(given)
    assert [_bare_claim(one) for one in taken.claims()] == [_bare_claim(one) for one in given.claims()]
    assert [taken.blob(one.blob_hash) for one in taken.reports()] == [
        given.blob(one.blob_hash) for one in given.reports()
    ]
    assert taken.verdicts(["k"]) == {}
    given.close()
    taken.close()


def test_ids_are_kept_and_passages_found_again(catalog: SqliteCatalog, sound: Path) -> None:
    given = catalog.open("full")
    first, second = sorted(given.reports(superseded=True), key=lambda one: one.id)
    given.delete_report(first.id)  # the family is then called by a report that is gone
    rows, claims = given.findings(second.id), given.claims()
    given.close()
    taken = _imported(catalog, catalog.export("full", sound))
    (report,) = taken.reports(superseded=True)
    assert (report.id, report.family, report.version) == (second.id, first.id, 2)
    assert [one.id for one in taken.findings(report.id)] == [one.id for one in rows]
    assert [one.id for one in taken.claims()] == [one.id for one in claims]
    row = taken.findings(report.id)[0]
    assert row.verdict is not None
    assert row.rescue is not None
    for found in (row.verdict.passage_id, row.rescue.passage_id):
        assert found is not None
        (passage,) = taken.passages([found]).values()
        assert (passage.document_id, passage.start) == (row.document_id, 0)
    taken.close()


def test_a_copy_of_a_project_has_its_reports_rows_claims_and_judged_pairs(catalog: SqliteCatalog) -> None:
    given, taken = catalog.open("full"), catalog.open(catalog.duplicate("full", "Copy").slug)
    assert _everything(taken) == _everything(given)
    assert taken.claims() == given.claims()
    assert taken.verdicts(["k"]) == given.verdicts(["k"]) != {}
    given.close()
    taken.close()


def test_outcomes_on_a_source_deleted_before_the_export_wait_again(catalog: SqliteCatalog, sound: Path) -> None:
    given = catalog.open("full")
    (document,) = [one for one in given.documents() if one.tags]
    given.delete(document.id)
    given.close()
    taken = _imported(catalog, catalog.export("full", sound))
    rows = [row for report in taken.reports(superseded=True) for row in taken.findings(report.id)]
    assert len(rows) == 6
    assert {(row.status, row.document_id, row.verdict, row.rescue, row.candidates) for row in rows} == {
        (None, None, None, None, ())
    }
    assert [claim.verdict for claim in taken.claims()] == [None, None]
    taken.close()


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("name", [REPORTS, FINDINGS, CLAIMS])
def test_a_missing_list_is_refused(catalog: SqliteCatalog, sound: Path, name: str) -> None:
    kept = {key: body for key, body in members_of(sound).items() if key != name}
    refused(catalog, rewrite(sound, kept), "is missing")
    assert name in archive.LISTS


@pytest.mark.parametrize(
    "change",
    [
        {"content_hash": "0" * 64},
        {"blob_hash": "../x"},
        {"blob_hash": "0" * 64},
        {"length": 3},
        {"length": "70"},
        {"version": 0},
        {"version": 10**30},
        {"family": 4711},
        {"family": 0},
        {"family": 2},
        {"id": 0},
        {"id": 2**31},
        {"superseded_by": None},
        {"superseded_by": 4711},
        {"superseded_by": 1},
        {"id": 2},
        {"created": "yesterday"},
        {"name": None},
        {"warnings": "x"},
        {"extra": 1},
    ],
)
def test_a_wrong_report_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    refused(catalog, _changed(sound, REPORTS, lambda record: record.update(change), 0), "not taken in")


@pytest.mark.parametrize(
    "change",
    [
        {"report_id": 4711},
        {"report_id": 10**40},
        {"id": 0},
        {"id": 2},
        {"id": 2**63 - 1},
        {"ordinal": 1},
        {"ordinal": -1},
        {"ordinal": 10**40},
        {"sentence": -1},
        {"marker": [0, 10_000]},
        {"claim": [-1, 3]},
        {"reference": [5, 4]},
        {"supported_part": [0, 10**30]},
        {"status": "FINE"},
        {"reasons": ["unheard_of"]},
        {"reasons": "contradicted"},
        {"judged": 12},
        {"claim_text": 7},
        {"document_id": 7},
    ],
)
def test_a_wrong_row_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    refused(catalog, _changed(sound, FINDINGS, lambda record: record.update(change), 0), "not taken in")


def _into(part: str, change: Record) -> Callable[[Record], None]:
    return lambda verdict: (verdict[part] if part else verdict).update(change)


WRONG_VERDICTS = [
    ("", {"label": "agrees"}),
    ("", {"supports": 1.5}),
    ("", {"contradicts": float("nan")}),
    ("", {"supports": float("inf")}),
    ("", {"supports": "0.9"}),
    ("", {"sentences": -1}),
    ("", {"judged": 10**40}),
    ("", {"rationale": [0, 10**6]}),
    ("", {"rationale": [9, 3]}),
    ("", {"rationale": [0]}),
    ("", {"partial": [-1, 3]}),
    ("", {"checks": [{"name": "numbers", "outcome": "passed", "explanation": "x", "veto": True}]}),
    ("", {"checks": [{"name": "numbers", "outcome": "passed", "explanation": "two\nlines"}]}),
    ("", {"checks": [{"name": "numbers", "outcome": "failed", "explanation": "x", "claim_spans": [[3, 1]]}]}),
    ("best", {"start": -1}),
    ("best", {"end": 10**6}),
    ("best", {"spans": [[0, 10**6]]}),
    ("best", {"neutral": -0.1}),
    ("against", {"end": 10**6}),
]


@pytest.mark.parametrize(("part", "change"), WRONG_VERDICTS)
def test_a_wrong_verdict_is_refused_in_a_row_and_in_a_claim(
    catalog: SqliteCatalog, sound: Path, part: str, change: Record
) -> None:
    spoil, copy = _into(part, change), sound.with_name("copy.zip")
    copy.write_bytes(sound.read_bytes())
    row = _changed(sound, FINDINGS, lambda record: spoil(record["verdict"]), _judged_line(sound))
    refused(catalog, row, "not taken in")
    claim = _changed(copy, CLAIMS, lambda one: spoil(one["verdict"]["sources"][0]["verdict"]), _verified_line(copy))
    refused(catalog, claim, "not taken in")


@pytest.mark.parametrize("change", [{"supports": 2.0}, {"start": -3}, {"end": 10**6}, {"document_id": None}])
def test_a_wrong_rescue_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    path = _changed(sound, FINDINGS, lambda record: record["rescue"].update(change), _judged_line(sound))
    refused(catalog, path, "not taken in")


@pytest.mark.parametrize(
    "change",
    [
        {"report_id": 4711},
        {"report_id": None},
        {"id": -1},
        {"id": 2**63 - 1},
        {"start": None},
        {"end": 10_000},
        {"start": -1},
        {"type": "C3"},
        {"created": None},
        {"parts": [1]},
        {"text": None},
    ],
)
def test_a_wrong_claim_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    refused(
        catalog, _changed(sound, CLAIMS, lambda record: record.update(change), _verified_line(sound)), "not taken in"
    )


@pytest.mark.parametrize("change", [{"state": "sure"}, {"independent": -1}, {"excluded": 10**40}, {"sources": 1}])
def test_a_wrong_verdict_on_a_claim_is_refused(catalog: SqliteCatalog, sound: Path, change: Record) -> None:
    path = _changed(sound, CLAIMS, lambda record: record["verdict"].update(change), _verified_line(sound))
    refused(catalog, path, "not taken in")


def test_two_claims_at_one_place_are_refused(catalog: SqliteCatalog, sound: Path) -> None:
    members = members_of(sound)
    record = {**json.loads(members[CLAIMS].splitlines()[_verified_line(sound)]), "id": 4711}
    line = json.dumps(record).encode()
    refused(catalog, rewrite(sound, {**members, CLAIMS: members[CLAIMS] + line + b"\n"}), "one place")


# ---------------------------------------------------------------- forgotten


@pytest.mark.parametrize(
    "forge",
    [
        lambda row: row["verdict"]["best"].update(text="Otters never swim."),
        lambda row: row["verdict"]["against"].update(text="Another title: Otters swi"),
        lambda row: row["verdict"].update(document_id="0" * 16),
        lambda row: row.update(verdict=None, status="PASS", reasons=[]),
    ],
)
def test_an_outcome_without_its_words_in_the_source_waits_again(
    catalog: SqliteCatalog, sound: Path, forge: Callable[[Record], None]
) -> None:
    line = _judged_line(sound)
    where = json.loads(members_of(sound)[FINDINGS].splitlines()[line])
    taken = _imported(catalog, _changed(sound, FINDINGS, forge, line))
    reports = taken.reports(superseded=True)
    rows = [row for report in reports for row in taken.findings(report.id)]
    (forged,) = [row for row in rows if row.ordinal == where["ordinal"] and row.document_id and row.status is None]
    assert (forged.verdict, forged.reasons, forged.basis, forged.judged) == (None, (), "", None)
    assert sum(row.status is not None for row in rows) == 2
    taken.close()


def test_forged_words_of_a_rescue_or_of_a_claim_are_forgotten(catalog: SqliteCatalog, sound: Path) -> None:
    row = _judged_line(sound)
    _changed(sound, FINDINGS, lambda record: record["rescue"].update(text="Otters fly"), row)
    path = _changed(
        sound,
        CLAIMS,
        lambda record: record["verdict"]["sources"][0]["verdict"]["best"].update(text="Otters fly"),
        _verified_line(sound),
    )
    taken = _imported(catalog, path)
    rows = [one for report in taken.reports(superseded=True) for one in taken.findings(report.id)]
    judged = [one for one in rows if one.status in (Status.PASS, Status.REVIEW)]
    assert sorted(one.rescue is None for one in judged) == [False, False, True]
    assert [claim.verdict for claim in taken.claims()] == [None, None]
    taken.close()


def test_huge_versions_do_no_harm(catalog: SqliteCatalog, sound: Path) -> None:
    change: Record = {"version": 10**40}
    _changed(sound, FINDINGS, lambda record: record.update(change), 0)
    taken = _imported(catalog, _changed(sound, CLAIMS, lambda record: record.update(change), 0))
    row = taken.findings(taken.reports(superseded=True)[-1].id)[0]
    assert (row.version, taken.put_findings([row])[0].version) == (1, 2)
    assert taken.add_claims(taken.claims()[-1:])[0].version == 1
    taken.close()
