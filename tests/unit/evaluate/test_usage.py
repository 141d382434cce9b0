"""The use of a project over time, in the reader's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.evaluate.usage import Period, Step, disk_parts, job_uses, slots_of, stage_times, step_for, zone_of
from core.labels import JobKind, JobState
from core.records import Job, QueryRecord
from core.workbench.workbench import Workbench

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def asked(at: datetime, *, results: int = 3, cached: bool = False, total: float = 10.0) -> QueryRecord:
    return QueryRecord(at, "q", results, cached, {} if cached else {"lexical": total / 2, "total": total})


def test_a_project_without_a_search_has_nothing_to_show(workbench: Workbench) -> None:
    usage = workbench.open(workbench.create("Heat").slug).usage.over()
    assert (usage.slots, usage.stages, usage.searches, usage.ever, usage.jobs) == ((), (), 0, 0, ())
    assert usage.disk["project.db"] > 0


def test_searches_are_counted_in_slots_without_a_gap() -> None:
    records = [
        asked(NOON - timedelta(days=3), results=0),
        asked(NOON - timedelta(days=1), total=10.0),
        asked(NOON - timedelta(days=1), total=30.0),
        asked(NOON, cached=True),
    ]
    slots = slots_of(records, NOON - timedelta(days=3), NOON, Step.DAY, UTC)
    assert [(slot.start.day, slot.searches, slot.empty, slot.cached) for slot in slots] == [
        (7, 1, 1, 0),
        (8, 0, 0, 0),
        (9, 2, 0, 0),
        (10, 1, 0, 1),
    ]
    assert (slots[2].p50, slots[2].p95) == (pytest.approx(20.0), pytest.approx(29.0))
    assert (slots[1].p50, slots[3].p50) == (None, None)  # nothing measured is no zero


def test_a_search_counts_on_the_readers_day() -> None:
    late = datetime(2026, 3, 10, 23, 30, tzinfo=UTC)
    days = {
        name: slots_of([asked(late)], late, late, Step.DAY, ZoneInfo(name))[0].start.day
        for name in ("UTC", "Asia/Tokyo", "America/New_York")
    }
    assert days == {"UTC": 10, "Asia/Tokyo": 11, "America/New_York": 10}


@pytest.mark.parametrize("step", list(Step))
def test_no_day_is_lost_or_doubled_where_clocks_change(step: Step) -> None:
    zone = ZoneInfo("Europe/Berlin")
    for first in (datetime(2026, 3, 27, 12, tzinfo=UTC), datetime(2026, 10, 23, 12, tzinfo=UTC)):
        last = first + timedelta(days=6)
        records = [asked(first + timedelta(minutes=20 * n)) for n in range(6 * 72)]
        slots = slots_of(records, first, last, step, zone)
        assert sum(slot.searches for slot in slots) == len(records)
        starts = [slot.start for slot in slots]
        assert len(set(starts)) == len(starts)
        if step is Step.DAY:
            assert [start.day for start in starts] == list(range(first.day, first.day + 7)) or first.month == 3
            assert len(starts) == 7
        assert all(slot.searches for slot in slots[:-1])


def test_a_slot_is_long_where_much_is_shown() -> None:
    assert [step_for(timedelta(days=days)) for days in (1, 2, 3, 92, 93)] == [
        Step.HOUR,
        Step.HOUR,
        Step.DAY,
        Step.DAY,
        Step.WEEK,
    ]


def test_stage_times_leave_out_what_came_from_memory() -> None:
    (lexical, total) = stage_times([asked(NOON, total=value) for value in (10, 20, 30)] + [asked(NOON, cached=True)])
    assert (lexical.stage, lexical.n, lexical.p50) == ("lexical", 3, 10.0)
    assert (total.p50, total.p95) == (20.0, pytest.approx(29.0))


def test_jobs_are_counted_by_kind_with_how_they_ended() -> None:
    def job(number: int, kind: JobKind, state: JobState, seconds: float = 0.0, error: str | None = None) -> Job:
        return Job(number, kind, state, {}, NOON, started=NOON, finished=NOON + timedelta(seconds=seconds), error=error)

    found = job_uses(
        [
            job(5, JobKind.AUDIT, JobState.FAILED, error="newest"),
            job(4, JobKind.AUDIT, JobState.FAILED, error="older"),
            job(3, JobKind.AUDIT, JobState.DONE, 10.0),
            job(2, JobKind.ADD, JobState.CANCELLED),
            job(1, JobKind.AUDIT, JobState.DONE, 20.0),
        ]
    )
    add, audit = found
    assert (add.kind, add.total, add.stopped, add.median_s) == (JobKind.ADD, 1, 1, None)
    assert (audit.total, audit.done, audit.failed, audit.median_s, audit.last_error) == (4, 2, 2, 15.0, "newest")


def test_a_period_leaves_out_what_is_older(workbench: Workbench) -> None:
    opened = workbench.open(workbench.create("Heat").slug)
    now = datetime.now(UTC)
    for days in (0, 3, 20, 300):
        opened.context.store.record_query(asked(now - timedelta(days=days, minutes=1)))
    counts = {period: opened.usage.over(period) for period in Period}
    assert {period: usage.searches for period, usage in counts.items()} == {
        Period.DAY: 1,
        Period.WEEK: 2,
        Period.MONTH: 3,
        Period.ALL: 4,
    }
    assert {usage.ever for usage in counts.values()} == {4}
    assert counts[Period.ALL].step is Step.WEEK
    assert sum(slot.searches for slot in counts[Period.ALL].slots) == 4


@pytest.mark.parametrize("name", ["", None, "Nowhere/Else", "../../etc/passwd", "\x00", "Europe"])
def test_an_unknown_time_zone_falls_back(name: str | None) -> None:
    assert zone_of(name) is UTC
    assert zone_of(name, -120) == timezone(timedelta(hours=2))
    assert zone_of(name, 10**9) is UTC


def test_space_is_told_by_part(tmp_path: Path) -> None:
    (tmp_path / "blobs" / "ab").mkdir(parents=True)
    (tmp_path / "blobs" / "ab" / "one").write_bytes(b"x" * 100)
    (tmp_path / "project.db").write_bytes(b"x" * 10)
    assert disk_parts(tmp_path) == {"blobs": 100, "project.db": 10}
    assert disk_parts(tmp_path / "gone") == {}
