"""Use of a project: searches over time, their times, searches without a result, jobs, space on disk. Times are counted
in the reader's time zone; a slot without a search has 0 searches and no rate."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

from core.labels import JobKind, JobState
from core.ports.context import ProjectContext
from core.records import Job, QueryRecord

MOST_JOBS = 10_000


class Period(StrEnum):
    """The period to look back over."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"


class Step(StrEnum):
    """The length of a slot."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


_SPANS = {Period.DAY: timedelta(days=1), Period.WEEK: timedelta(days=7), Period.MONTH: timedelta(days=30)}
_MOST_DAYS = 92


@dataclass(frozen=True, slots=True)
class Slot:
    """The searches of one hour, day or week that begins at ``start`` (in the reader's time zone). ``empty`` found
    nothing, ``cached`` were answered from memory; ``p50`` and ``p95`` are milliseconds of the others, None without
    any."""

    start: datetime
    searches: int = 0
    empty: int = 0
    cached: int = 0
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True, slots=True)
class StageTime:
    """Milliseconds of one stage over the ``n`` searches in which it ran."""

    stage: str
    n: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class JobUse:
    """The jobs of one kind. ``median_s`` and ``p95_s`` are the seconds that the finished ones ran, None without any;
    ``last_error`` is the message of the newest failed one."""

    kind: JobKind
    total: int
    done: int
    failed: int
    stopped: int
    active: int
    median_s: float | None
    p95_s: float | None
    last_error: str = ""
    last_failed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Everything over one period. ``slots`` reach from its first to its last without a gap; ``ever`` counts all
    searches there were, of which the log keeps the newest ``kept``; ``disk`` is bytes by part of the folder."""

    period: Period
    step: Step
    zone: tzinfo
    since: datetime | None
    slots: tuple[Slot, ...]
    stages: tuple[StageTime, ...]
    searches: int
    empty: int
    cached: int
    ever: int
    kept: int
    jobs: tuple[JobUse, ...]
    disk: Mapping[str, int]


def zone_of(name: str | None, offset_minutes: int | None = None) -> tzinfo:
    """The time zone a browser names; where it is unknown here, its present offset (minutes, as browsers give it: what
    must be added to local time to get UTC); else UTC."""
    try:
        if name:
            return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        pass
    if offset_minutes is not None and abs(offset_minutes) < 24 * 60:
        return timezone(-timedelta(minutes=offset_minutes))
    return UTC


class UsageHistory:
    """The use of one project over time."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def over(self, period: Period = Period.MONTH, zone: tzinfo = UTC) -> Usage:
        """The use over a period up to now."""
        now = self._context.clock()
        since = now - _SPANS[period] if period in _SPANS else None
        log = self._store.queries()
        records = [record for record in log if since is None or record.at >= since]
        jobs = [job for job in self._store.jobs(limit=MOST_JOBS) if since is None or job.created >= since]
        first = since or min((record.at for record in records), default=now)
        step = step_for(now - first)
        return Usage(
            period=period,
            step=step,
            zone=zone,
            since=since,
            slots=tuple(slots_of(records, first, now, step, zone)) if records else (),
            stages=tuple(stage_times(records)),
            searches=len(records),
            empty=sum(record.results == 0 for record in records),
            cached=sum(record.cached for record in records),
            ever=self._store.statistics("").total_queries,
            kept=len(log),
            jobs=tuple(job_uses(jobs)),
            disk=disk_parts(self._store.project.path),
        )


def step_for(span: timedelta) -> Step:
    """Hours up to two days, days up to three months, else weeks."""
    if span <= timedelta(days=2):
        return Step.HOUR
    return Step.DAY if span <= timedelta(days=_MOST_DAYS) else Step.WEEK


def slots_of(records: Iterable[QueryRecord], first: datetime, last: datetime, step: Step, zone: tzinfo) -> list[Slot]:
    """The searches between two moments in slots that follow one another without a gap."""
    by_slot: dict[datetime, list[QueryRecord]] = {}
    end = _begin(last, step, zone)
    at = _begin(first, step, zone)
    while at <= end:
        by_slot[at] = []
        at = _begin(_next(at, step), step, zone)
    for record in records:
        by_slot.setdefault(_begin(record.at, step, zone), []).append(record)
    return [_slot(start, of_slot) for start, of_slot in sorted(by_slot.items(), key=lambda pair: pair[0].timestamp())]


def stage_times(records: Iterable[QueryRecord]) -> list[StageTime]:
    """Half and 95 of 100 searches are faster than this, stage by stage; answers from memory do not count."""
    spent: dict[str, list[float]] = {}
    for record in records:
        for stage, milliseconds in {} if record.cached else record.timings.items():
            spent.setdefault(stage, []).append(milliseconds)
    return [StageTime(stage, len(values), *_middle_and_slow(values)) for stage, values in spent.items()]


def job_uses(jobs: Sequence[Job]) -> list[JobUse]:
    """Jobs (newest first) by kind, in the order of the kinds."""
    by_kind = {kind: [job for job in jobs if job.kind is kind] for kind in JobKind}
    return [_job_use(kind, of_kind) for kind, of_kind in by_kind.items() if of_kind]


def _job_use(kind: JobKind, jobs: Sequence[Job]) -> JobUse:
    states = Counter(job.state for job in jobs)
    ran = [
        (job.finished - job.started).total_seconds()
        for job in jobs
        if job.state is JobState.DONE and job.started and job.finished
    ]
    middle, slow = _middle_and_slow(ran) if ran else (None, None)
    failed = next((job for job in jobs if job.state is JobState.FAILED), None)
    return JobUse(
        kind=kind,
        total=len(jobs),
        done=states[JobState.DONE],
        failed=states[JobState.FAILED],
        stopped=states[JobState.CANCELLED],
        active=sum(job.state.active for job in jobs),
        median_s=middle,
        p95_s=slow,
        last_error=(failed.error or "") if failed else "",
        last_failed=failed.finished if failed else None,
    )


def disk_parts(folder: Path) -> dict[str, int]:
    """Bytes under each entry of a project's folder, the largest first; what vanishes meanwhile counts 0."""
    sizes: dict[str, int] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            part = path.relative_to(folder).parts[0]
            try:
                sizes[part] = sizes.get(part, 0) + path.lstat().st_size
            except OSError:
                continue
    return dict(sorted(sizes.items(), key=lambda pair: -pair[1]))


def _slot(start: datetime, records: Sequence[QueryRecord]) -> Slot:
    spent = [record.timings["total"] for record in records if not record.cached and "total" in record.timings]
    middle, slow = _middle_and_slow(spent) if spent else (None, None)
    return Slot(
        start=start,
        searches=len(records),
        empty=sum(record.results == 0 for record in records),
        cached=sum(record.cached for record in records),
        p50=middle,
        p95=slow,
    )


def _begin(moment: datetime, step: Step, zone: tzinfo) -> datetime:
    local = moment.astimezone(zone).replace(minute=0, second=0, microsecond=0)
    if step is Step.HOUR:
        return local
    day = local.replace(hour=0, fold=0)
    return day if step is Step.DAY else day - timedelta(days=day.weekday())


def _next(start: datetime, step: Step) -> datetime:
    if step is Step.HOUR:  # in UTC: where clocks change, a local hour comes twice or not at all
        return (start.astimezone(UTC) + timedelta(hours=1)).astimezone(start.tzinfo)
    # A day later at noon, whose day is the next one also where clocks change; wall-clock arithmetic.
    return start.replace(hour=12) + timedelta(days=1 if step is Step.DAY else 7)


def _middle_and_slow(values: Sequence[float]) -> tuple[float, float]:
    middle, slow = np.percentile(values, (50, 95))
    return float(middle), float(slow)
