"""kill -9 while people decide, and many at once: no decision that was acknowledged is lost, the chain stays whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.records import Decision
from core.records.decision_chain import faults_of
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.contract.judged import add_report

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 10
WRITERS, EACH = 8, 100
ROWS = 5


@pytest.fixture
def catalog(tmp_path: Path) -> SqliteCatalog:
    """A root with one project, ``shared``, with a report of a few rows."""
    made = SqliteCatalog(tmp_path / "root", utc_now)
    store = made.open(made.create("Shared").slug)
    add_report(store, rows=ROWS)
    store.close()
    return made


def _child(catalog: SqliteCatalog, person: str, count: int) -> subprocess.Popen[str]:
    arguments = [str(catalog.root), "shared", person, str(count)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.decision_child", *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _acknowledged(output: str) -> list[tuple[int, str]]:
    """Id and hash of what was printed whole."""
    whole = [line.split() for line in output.splitlines(keepends=True) if line.endswith("\n")]
    return [(int(number), digest) for number, digest in whole if number != "moved"]


def _whole_log(catalog: SqliteCatalog) -> list[Decision]:
    store = catalog.open("shared")
    log = store.decisions()
    assert faults_of(log) == []
    assert store.decision_head() == ((log[-1].id, log[-1].hash) if log else (0, ""))
    with store._db.write() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.close()
    return log


def _assert_nobody_was_overlooked(log: list[Decision]) -> None:
    """Each was decided with the newest entry on its item in view."""
    newest: dict[str, int] = {}
    for one in log:
        assert int(one.note) == newest.get(one.item, 0)
        newest[one.item] = one.id


@pytest.mark.slow
def test_no_acknowledged_decision_is_lost_when_the_process_is_killed(catalog: SqliteCatalog) -> None:
    moments = random.Random(20261128)
    acknowledged: dict[int, str] = {}
    for number in range(KILLS):
        child = _child(catalog, f"person {number}", 0)
        assert child.stdout is not None
        seen = [child.stdout.readline() for _ in range(moments.randrange(1, 12))]
        threading.Event().wait(moments.random() * 0.02)  # a moment inside a later write; nothing is asserted about it
        child.send_signal(signal.SIGKILL)
        with child:  # communicate() would leave out what readline() has read ahead
            assert child.stderr is not None
            rest, errors = child.stdout.read(), child.stderr.read()
        assert errors == ""
        acknowledged |= dict(_acknowledged("".join((*seen, rest))))
        log = _whole_log(catalog)
        assert acknowledged.items() <= {one.id: one.hash for one in log}.items()
        _assert_nobody_was_overlooked(log)
        assert len(log) - len(acknowledged) <= number + 1  # at most one a kill was stored and not told
    assert len(acknowledged) >= KILLS


@pytest.mark.slow
def test_many_people_decide_at_once_and_none_is_lost_overwritten_or_turned_away(catalog: SqliteCatalog) -> None:
    children = [_child(catalog, f"person {number}", EACH) for number in range(WRITERS)]
    acknowledged: dict[int, str] = {}
    for child in children:
        output, errors = child.communicate()
        assert (child.returncode, errors) == (0, "")
        own = _acknowledged(output)
        assert len(own) == EACH
        acknowledged |= dict(own)
    log = _whole_log(catalog)
    assert {one.id: one.hash for one in log} == acknowledged
    assert len(log) == WRITERS * EACH
    assert {one.by: sum(other.by == one.by for other in log) for one in log} == {
        f"person {number}": EACH for number in range(WRITERS)
    }
    _assert_nobody_was_overlooked(log)
