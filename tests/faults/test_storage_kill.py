"""kill -9 at random moments, and many writers at once: what was acknowledged is there, once, and can be found."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import pytest

from core.labels import FetchState
from core.records import Filters
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from tests.faults.storage_child import text_of
from tests.helpers.killed import rest_of

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 20
WRITERS, EACH = 8, 12


def _child(root: Path, slug: str, first: int, count: int) -> subprocess.Popen[str]:
    arguments = [str(root), slug, str(first), str(count)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.storage_child", *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )


def _killed(child: subprocess.Popen[str], lines: int, delay: float, acknowledged: dict[str, set[int]]) -> None:
    """Kill after ``lines`` acknowledgements and ``delay`` seconds; what was printed whole counts."""
    assert child.stdout is not None
    seen = [child.stdout.readline() for _ in range(lines)]
    threading.Event().wait(delay)  # a moment inside the next write; nothing is asserted about it
    child.send_signal(signal.SIGKILL)
    rest = rest_of(child)
    for line in "".join((*seen, rest)).splitlines(keepends=True):
        if line.endswith("\n"):
            word, number = line.split()
            acknowledged[word].add(int(number))


def _assert_whole(store: SqliteProjectStore, acknowledged: dict[str, set[int]]) -> None:
    documents = {one.title: one for one in store.documents()}
    assert len(documents) == len(store.documents())
    for number in acknowledged["stored"]:
        document = documents[f"Number {number}"]
        assert store.text(document.id) == text_of(number)
        assert store.blob(document.blob_hash) == text_of(number).encode()
        found = store.passages([hit.passage_id for hit in store.lexical([f"number{number}"], Filters(), 50)])
        assert [one.document_id for one in found.values()] == [document.id]
    asked = {one.id: one for one in store.acquisitions()}
    assert acknowledged["asked"] <= set(asked)
    ended = [one for one in asked.values() if one.state is FetchState.STORED]
    assert {one.document_id for one in ended} == {one.id for one in documents.values()}
    assert all(one.blob_hash is not None and store.blob(one.blob_hash) for one in asked.values())
    assert acknowledged["job"] <= {one.id for one in store.jobs(limit=100_000)}
    passages = sum(len(store.passages_of(one.id)) for one in documents.values())
    assert len(store.passage_ids(Filters())) == passages
    with store._db.write() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
    metadata = json.loads(store.layout.index_metadata.read_text())
    assert metadata["indexed_hashes"] == [one.content_hash for one in store.documents()]
    assert (metadata["document_count"], metadata["index_built"]) == (len(documents), bool(documents))


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path, utc_now)
    slug = catalog.create("Killed").slug
    moments = random.Random(20261127)
    acknowledged: dict[str, set[int]] = defaultdict(set)
    first = 0
    for _ in range(KILLS):
        child = _child(tmp_path, slug, first, 0)
        _killed(child, moments.randrange(1, 10), moments.random() * 0.02, acknowledged)
        first += 1000
    store = catalog.open(slug)
    assert len(acknowledged["stored"]) >= KILLS
    _assert_whole(store, acknowledged)
    store.close()


@pytest.mark.slow
def test_many_processes_write_to_one_project_and_none_is_turned_away(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path, utc_now)
    slug = catalog.create("Crowded").slug
    children = [_child(tmp_path, slug, 1000 * number, EACH) for number in range(WRITERS)]
    acknowledged: dict[str, set[int]] = defaultdict(set)
    for child in children:
        output, _ = child.communicate()
        assert child.returncode == 0
        for line in output.splitlines():
            word, number = line.split()
            acknowledged[word].add(int(number))
    assert len(acknowledged["stored"]) == len(acknowledged["job"]) == len(acknowledged["asked"]) == WRITERS * EACH
    store = catalog.open(slug)
    _assert_whole(store, acknowledged)
    assert len(store.documents()) == WRITERS * EACH
    store.close()
