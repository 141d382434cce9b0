"""Words and tables for people about use over time: pure functions, nothing of Streamlit or a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo

from core.evaluate.usage import JobUse, Period, Slot, StageTime, Step, Usage
from core.text.words import count_words, job_name, size_words, timing_names

PERIODS: dict[str, Period] = {
    "24 hours": Period.DAY,
    "7 days": Period.WEEK,
    "30 days": Period.MONTH,
    "All": Period.ALL,
}
"""The choices of how far back to look."""
USUAL_PERIOD = "30 days"

STEP_WORDS: dict[Step, str] = {Step.HOUR: "hour", Step.DAY: "day", Step.WEEK: "week"}

_PARTS = {
    "project.db": "Evidence, indexes, judgements, decisions, log",
    "late.db": "Word-by-word vectors",
    "blobs": "Sources as they were received",
    "10_graph": "Description of the index",
    "09_qa": "Quality reports",
}


def slot_words(start: datetime, step: Step) -> str:
    """The name of a slot, which no other slot of its chart has."""
    if step is Step.HOUR:
        return f"{start.day} {start:%b %H}:00"
    return f"{start.day} {start:%b}" if step is Step.DAY else f"{start:%Y-%m-%d}"


def zone_words(zone: tzinfo, now: datetime) -> str:
    """The time zone in which times are counted."""
    if zone is UTC:
        return "UTC"
    name = getattr(zone, "key", "")
    offset = now.astimezone(zone).strftime("UTC%z")
    return f"{name} ({offset[:6]}:{offset[6:]})" if name else f"{offset[:6]}:{offset[6:]}"


def share_words(part: int, whole: int) -> str:
    """``12 %``; a dash where there is nothing to share."""
    return f"{part / whole:.0%}".replace("%", " %") if whole else "–"


def ms_words(milliseconds: float | None) -> str:
    """Milliseconds as people read them: ``8.3 ms``, ``450 ms``, ``2.1 s``."""
    if milliseconds is None:
        return "–"
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
    return seconds_words(milliseconds / 1000)


def seconds_words(seconds: float | None) -> str:
    """``0.4 s``, ``12 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def slot_rows(slots: Sequence[Slot], step: Step) -> dict[str, list[str]]:
    """The searches over time as a table, the newest first."""
    newest = list(reversed(slots))
    return {
        STEP_WORDS[step].capitalize(): [slot_words(slot.start, step) for slot in newest],
        "Searches": [f"{slot.searches:,}" for slot in newest],
        "Without a result": [share_words(slot.empty, slot.searches) for slot in newest],
        "From memory": [share_words(slot.cached, slot.searches) for slot in newest],
        "Half are faster than": [ms_words(slot.p50) for slot in newest],
        "95 of 100 are faster than": [ms_words(slot.p95) for slot in newest],
    }


def stage_rows(stages: Sequence[StageTime]) -> dict[str, list[str]]:
    """The time of each step of a search as a table, in the order in which they run."""
    by_stage = {stage.stage: stage for stage in stages}
    names = timing_names(by_stage)
    return {
        "Step": list(names.values()),
        "Searches": [f"{by_stage[step].n:,}" for step in names],
        "Half are faster than": [ms_words(by_stage[step].p50) for step in names],
        "95 of 100 are faster than": [ms_words(by_stage[step].p95) for step in names],
    }


def stage_points(stages: Sequence[StageTime]) -> list[dict[str, object]]:
    """The time of each step as points of a chart; the sum of all is left out."""
    names = timing_names(stage.stage for stage in stages)
    return [
        {"step": names[stage.stage], "p50": stage.p50, "p95": stage.p95}
        for stage in sorted(stages, key=lambda stage: list(names).index(stage.stage))
        if stage.stage != "total"
    ]


def job_rows(jobs: Sequence[JobUse]) -> dict[str, list[str]]:
    """Jobs by kind as a table."""
    return {
        "Work": [job_name(job.kind) for job in jobs],
        "Asked for": [f"{job.total:,}" for job in jobs],
        "Done": [f"{job.done:,}" for job in jobs],
        "Failed": [f"✗ {job.failed:,}" if job.failed else "0" for job in jobs],
        "Stopped": [f"{job.stopped:,}" for job in jobs],
        "Waiting or under way": [f"{job.active:,}" for job in jobs],
        "Half took less than": [seconds_words(job.median_s) for job in jobs],
        "95 of 100 took less than": [seconds_words(job.p95_s) for job in jobs],
    }


def disk_rows(disk: Mapping[str, int]) -> dict[str, list[str]]:
    """Space on disk by what it holds, the largest first; what has no name of its own is one line at the end."""
    named: dict[str, int] = {}
    other = 0
    for part, size in disk.items():
        base = part.removesuffix("-wal").removesuffix("-shm").removesuffix("-journal")
        if base in _PARTS:
            named[_PARTS[base]] = named.get(_PARTS[base], 0) + size
        else:
            other += size
    rows = dict(sorted(named.items(), key=lambda pair: -pair[1])) | ({"Other files": other} if other else {})
    return {"What": list(rows), "Size": [size_words(size) for size in rows.values()]}


def log_words(usage: Usage) -> str:
    """What the log cannot show, "" when it is complete."""
    if usage.ever <= usage.kept:
        return ""
    return (
        f"The log keeps the newest {usage.kept:,} of {usage.ever:,} searches one by one; older ones are not shown here."
    )


def period_words(usage: Usage) -> str:
    """What is counted, in one line."""
    over = {Period.DAY: "the last 24 hours", Period.WEEK: "the last 7 days", Period.MONTH: "the last 30 days"}
    said = over.get(usage.period, "all the time")
    return f"{count_words(usage.searches, 'search', 'searches')} over {said}, by the {STEP_WORDS[usage.step]}."
