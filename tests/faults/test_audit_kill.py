"""kill -9 while reports, rows and claims are written, and several writers at once: all or nothing, nothing lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import pytest

from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from tests.contract.judged import add_report
from tests.faults.audit_child import ROWS
from tests.helpers.killed import rest_of

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS, WRITERS, EACH = 12, 4, 6
Acknowledged = dict[str, set[int]]


def _child(root: Path, slug: str, first: int, count: int, shared: int) -> subprocess.Popen[str]:
    arguments = [str(root), slug, str(first), str(count), str(shared)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.audit_child", *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )


def _note(output: str, acknowledged: Acknowledged) -> None:
    """Only lines that were printed whole count."""
    for line in output.splitlines(keepends=True):
        if line.endswith("\n"):
            word, number = line.split()
            acknowledged[word].add(int(number))


def _assert_whole(store: SqliteProjectStore, acknowledged: Acknowledged) -> None:
    reports = {one.id: one for one in store.reports(superseded=True)}
    assert acknowledged["report"] <= set(reports)
    for report in reports.values():
        assert store.blob(report.blob_hash) == store.report_text(report.id).encode()
        rows = store.findings(report.id)
        if len(rows) != ROWS:  # the shared one
            continue
        (turn,) = {row.explanation for row in rows}
        assert {row.version for row in rows} == {{"": 1, "first": 2, "second": 3}[turn]}
        if report.id in acknowledged["second"]:
            assert turn == "second"
        assert len(store.claims(report_id=report.id)) in ({9} if report.id in acknowledged["claims"] else {0, 9})
    with store._db.write() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.slow
def test_a_killed_write_of_rows_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path, utc_now)
    slug = catalog.create("Killed").slug
    moments, acknowledged = random.Random(20261128), defaultdict[str, set[int]](set)
    for turn in range(KILLS):
        child = _child(tmp_path, slug, 1000 * turn, 0, 0)
        assert child.stdout is not None
        seen = [child.stdout.readline() for _ in range(moments.randrange(1, 9))]
        threading.Event().wait(moments.random() * 0.03)  # a moment inside a write; nothing is asserted about it
        child.send_signal(signal.SIGKILL)
        rest = rest_of(child)
        _note("".join((*seen, rest)), acknowledged)
    store = catalog.open(slug)
    assert len(acknowledged["report"]) >= KILLS
    _assert_whole(store, acknowledged)
    store.close()


@pytest.mark.slow
def test_several_processes_write_rows_and_claims_and_none_is_turned_away(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path, utc_now)
    slug = catalog.create("Crowded").slug
    store = catalog.open(slug)
    shared = add_report(store)
    children = [_child(tmp_path, slug, 1000 * number, EACH, shared.id) for number in range(WRITERS)]
    acknowledged: Acknowledged = defaultdict(set)
    for child in children:
        output, _ = child.communicate()
        assert child.returncode == 0
        _note(output, acknowledged)
    for word in ("report", "second", "claims", "shared"):
        assert len(acknowledged[word]) == WRITERS * EACH
    assert store.findings(shared.id)[0].version == 1 + WRITERS * EACH
    assert len(store.claims()) == 9 * WRITERS * EACH
    _assert_whole(store, acknowledged)
    store.close()
