"""What review keeps between two calls: read once, and never older than what another process did."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.labels import DecisionKind
from core.records import StoredReport
from core.review.review import Reviews
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT
from tests.helpers.reviewing import decide

HOME = Path(__file__).resolve().parents[3]
READS = ("findings", "claims", "documents", "decisions")


@pytest.fixture
def read(project: OpenProject, report: StoredReport, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many records each reading method of the store has given."""
    count: Counter[str] = Counter()
    store: Any = project.context.store

    def counting(name: str) -> Callable[..., Sequence[object]]:
        method = getattr(store, name)

        def call(*args: object, **given: object) -> Sequence[object]:
            found: Sequence[object] = method(*args, **given)
            count[name] += len(found)
            return found

        return call

    for name in READS:
        monkeypatch.setattr(store, name, counting(name))
    return count


def look(project: OpenProject, by: str = "ann") -> None:
    """What a page asks for when it is painted."""
    reviews = project.reviews
    queue = reviews.queue(by)
    reviews.progress(by)
    reviews.undoable(by)
    reviews.redoable(by)
    reviews.history(queue[0].key, by)


def test_rows_and_log_are_read_once_while_nothing_changes(project: OpenProject, read: Counter[str]) -> None:
    look(project)
    assert read["findings"] == 6
    read.clear()
    for _ in range(3):
        look(project)
        look(project, "ben")
    assert not +read
    item = project.reviews.queue("ann")[0]
    decide(project.reviews, item, DecisionKind.ACCEPT)
    look(project)
    assert +read == Counter(decisions=1)


def test_what_another_process_decides_is_seen_at_once(bench: Workbench, project: OpenProject, reviews: Reviews) -> None:
    first, second, *_ = reviews.queue("ann")
    decide(reviews, first, DecisionKind.ACCEPT)
    command = [sys.executable, "-m", "core.commands", "--root", str(bench.root), "review", "decide"]
    words = ["-p", project.project.slug, second.key, "reject", "--by", "ben"]
    done = subprocess.run([*command, *words], cwd=HOME, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert reviews.item(second.key, "ann").decision.by == "ben"  # type: ignore[union-attr]
    assert reviews.item(first.key, "ann").decision.by == "ann"  # type: ignore[union-attr]
    assert second.key not in [one.key for one in reviews.queue("ann")]
    assert reviews.progress("ann").decided == 2
    assert [one.by for one in reviews.log.entries()] == ["ann", "ben"]


def test_every_change_of_the_rows_is_seen(bench: Workbench, project: OpenProject, reviews: Reviews) -> None:
    report = project.audits.reports()[0]
    store: Any = project.context.store
    stamps = [store.review_stamp()]

    def changed() -> bool:
        stamps.append(store.review_stamp())
        return bool(stamps[-1] != stamps[-2])

    row = project.audits.findings(report.id)[0]
    store.put_findings([row])
    assert changed()
    assert reviews.item(reviews.key_of_finding(row.id), "ann").version == row.version + 1
    assert not changed()
    claim = project.claims.add("Limes are trees.")
    assert changed()
    project.claims.delete([claim.id])
    assert changed()
    newer, _ = project.audits.add("report.md", (REPORT + "\nMore.\n").encode(), "text/markdown", supersedes=report.id)
    assert changed()
    finish_jobs(bench, project)
    changed()
    project.audits.delete(newer.id)
    assert changed()
    document = project.sources.documents()[0]
    project.sources.delete(document.id)
    assert changed()


def test_threads_that_look_and_decide_together_lose_nothing(project: OpenProject, reviews: Reviews) -> None:
    keys = [one.key for one in reviews.queue("ann")]
    wrong: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for key in keys:
                seen = project.reviews.item(key, name)
                project.reviews.decide(key, DecisionKind.NOTE, by=name, version=seen.version, seen=10**6, note="Seen.")
                assert name in {one.by for one in project.reviews.history(key, name)}
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(f"reader {number}",)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
    assert len(reviews.log.entries()) == 4 * len(keys)
    assert sum(len(reviews.history(key, "ann")) for key in keys) == 4 * len(keys)
