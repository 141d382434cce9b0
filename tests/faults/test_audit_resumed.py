"""kill -9 of the worker in the middle of an audit: the next one goes on, nothing is judged twice or half written."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from core.labels import JobKind, JobState, Status
from core.records import Finding
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from tests.faults.judging_child import opened_later
from tests.helpers.auditing import SOURCES
from tests.helpers.killed import rest_of

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 2
"""A job is claimed three times at most."""
FACTS = (
    "The city planted 400 limes on Mill Lane between 2015 and 2019", "Street trees cool the air",
    "Cycle lanes help shops", "Takings in the high street rose by 4 per cent within a year", "Oaks were not tried",
    "Rain gardens hold water", "The garden on Dock Street held 900 litres of rain in the storm of May 2021",
    "Swifts nest under the eaves of the mill",
)  # fmt: skip
REPORT = (
    "# What was tried\n\n"
    + " ".join(
        f"{fact} [{1 + at % 3}]. {fact}, it is said in the town [{1 + (at + 1) % 3}]." for at, fact in enumerate(FACTS)
    )
    + "\n\n## References\n\n"
    + "\n".join(f"{at}. {url}" for at, (url, _, _) in enumerate(SOURCES, start=1))
    + "\n"
)


def prepared(root: Path) -> str:
    """A project with read sources and a report whose audit waits."""
    workbench = opened_later(root, 0)
    opened = workbench.open(workbench.create("Killed").slug)
    opened.sources.add_snapshots(SOURCES)
    while run_next(opened.job_context(), "first", kinds=[JobKind.ADD]) is not None:
        pass
    opened.audits.add("report.md", REPORT.encode(), "text/markdown")
    slug = opened.project.slug
    workbench.close()
    return slug


def run_child(root: Path, slug: str, minutes: int, lines: int | None, delay: float) -> list[str]:
    """Keys that were kept before the child was killed, ``delay`` seconds after ``lines`` of them (None: it ends)."""
    command = [sys.executable, "-m", "tests.faults.judging_child", str(root), slug, str(minutes)]
    child = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    seen = ""
    if lines is not None:
        seen = "".join(child.stdout.readline() for _ in range(lines))
        threading.Event().wait(delay)
        child.send_signal(signal.SIGKILL)
    rest = rest_of(child)
    whole = [line.split() for line in (seen + rest).splitlines(keepends=True) if line.endswith("\n")]
    return [key for word, key in whole if word == "kept"]


def outcome(rows: list[Finding]) -> list[Finding]:
    """Rows without what differs from run to run."""
    return [replace(row, judged=None, version=0, basis=bool(row.basis) * "basis") for row in rows]


def assert_whole(opened: OpenProject) -> None:
    """Every row is as it was read, or decided with all that belongs to it."""
    for row in opened.audits.findings(1):
        if row.status is None:
            assert (row.verdict, row.explanation, row.judged, row.basis) == (None, "", None, "")
        else:
            assert row.explanation
            assert row.judged is not None
            assert row.verdict is not None
            assert bool(row.reasons) == (row.status is not Status.PASS)
    with opened.job_context().store._db.write() as connection:  # type: ignore[attr-defined]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@dataclass(frozen=True)
class Undisturbed:
    """A root whose audit waits, its project, and a copy of the root in which nobody disturbed the audit."""

    waiting: Path
    slug: str
    whole: Path
    kept: list[str]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    slug = prepared(folder / "waiting")
    whole = shutil.copytree(folder / "waiting", folder / "whole")
    return Undisturbed(folder / "waiting", slug, whole, run_child(whole, slug, 5, None, 0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_audit_that_was_killed_goes_on_and_judges_nothing_twice(
    undisturbed: Undisturbed, tmp_path: Path, seed: int
) -> None:
    slug, expected = undisturbed.slug, undisturbed.kept
    killed = shutil.copytree(undisturbed.waiting, tmp_path / "killed")
    moments, kept = random.Random(seed), list[str]()
    for turn in range(KILLS):
        lines = moments.randrange(1, len(expected) // (KILLS + 1))
        kept += run_child(killed, slug, 5 * (turn + 1), lines, moments.random() * 0.02)
        workbench = opened_later(killed, 5 * (turn + 1))
        assert_whole(workbench.open(slug))
        workbench.close()
    kept += run_child(killed, slug, 5 * (KILLS + 1), None, 0)
    assert len(kept) == len(set(kept))
    assert set(kept) <= set(expected)
    assert len(set(expected) - set(kept)) <= KILLS  # kept, and killed before it could say so
    rows = []
    for root in (undisturbed.whole, killed):
        workbench = opened_later(root, 60)
        opened = workbench.open(slug)
        assert [job.state for job in opened.jobs.all() if job.kind is JobKind.AUDIT] == [JobState.DONE]
        assert_whole(opened)
        rows.append(outcome(opened.audits.findings(1)))
        workbench.close()
    assert rows[0] == rows[1]
    assert all(row.basis for row in rows[1])
