"""Words and tables for people about use over time, searches and language models: pure functions over records."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from statistics import median, quantiles

from core.evaluate.usage import JobUse, Period, Slot, StageTime, Step, Usage
from core.labels import CallState, LlmTask
from core.llm.budget import BAD_ENDS, usage_of
from core.records import LlmCall, LlmSpending, LlmStatus
from core.text.words import count_words, job_name, size_words, timing_names
from pages.words.llm import money_words, page_words

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

TASKS: dict[LlmTask, str] = {
    LlmTask.ANSWER: "Writing answers",
    LlmTask.EXPAND: "Variants of questions",
    LlmTask.JUDGE: "Second opinions",
    LlmTask.EXTRACT: "Finding quotes",
}
"""The tasks of a language model, for people."""
CALL_ENDS: dict[CallState, str] = {
    CallState.STARTED: "Under way, or lost with its process",
    CallState.OK: "Answered",
    CallState.TRUNCATED: "Ended at the longest reply",
    CallState.REFUSED: "Declined by the model",
    CallState.MALFORMED: "Reply not usable",
    CallState.FAILED: "Failed",
    CallState.CANCELLED: "Stopped by somebody",
}
"""The ends of calls, for people."""
LOST_AFTER = timedelta(hours=1)


def slot_words(start: datetime, step: Step) -> str:
    """The name of a slot, which no other slot of its chart has."""
    if step is Step.HOUR:
        return f"{start.day} {start:%b %H}:00"
    return f"{start.day} {start:%b}" if step is Step.DAY else f"{start:%Y-%m-%d}"


def zone_words(zone: tzinfo, now: datetime) -> str:
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


def slot_points(usage: Usage) -> list[dict[str, object]]:
    """The searches over time as points of a chart."""
    return [{"slot": slot_words(slot.start, usage.step), "searches": slot.searches} for slot in usage.slots]


def share_points(usage: Usage) -> list[dict[str, object]]:
    """The shares of searches without a result and from memory, of 100, as points of a chart."""
    return [
        {"slot": slot_words(slot.start, usage.step), "share": 100 * number / slot.searches, "what": what}
        for slot in usage.slots
        for number, what in ((slot.empty, "Without a result"), (slot.cached, "From memory"))
        if slot.searches
    ]


def time_points(usage: Usage) -> list[dict[str, object]]:
    """The time of searches over time as points of a chart."""
    return [
        {"slot": slot_words(slot.start, usage.step), "ms": value, "what": what}
        for slot in usage.slots
        for value, what in ((slot.p50, "Half are faster"), (slot.p95, "95 of 100 are faster"))
        if value is not None
    ]


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
    """The gap of the log, "" when it is complete."""
    if usage.ever <= usage.kept:
        return ""
    return (
        f"The log keeps the newest {usage.kept:,} of {usage.ever:,} searches one by one; older ones are not shown here."
    )


def period_words(usage: Usage) -> str:
    over = {Period.DAY: "the last 24 hours", Period.WEEK: "the last 7 days", Period.MONTH: "the last 30 days"}
    span = over.get(usage.period, "all the time")
    return f"{count_words(usage.searches, 'search', 'searches')} over {span}, by the {STEP_WORDS[usage.step]}."


def calls_since(calls: Sequence[LlmCall], since: datetime | None) -> list[LlmCall]:
    return [call for call in calls if since is None or call.at >= since]


def budget_line(spending: LlmSpending) -> str:
    """The spent part of the budget, in one sentence."""
    if spending.budget_usd <= 0:
        return f"{money_words(spending.spent_usd)} spent; the budget is 0, so no call is made."
    words = f"{money_words(spending.spent_usd)} of {money_words(spending.budget_usd)} spent in this project"
    if spending.reserved_usd > 0:
        words += f"; {money_words(spending.reserved_usd)} are reserved for calls under way"
    return f"{words} ({budget_share_words(spending)})."


def budget_share_words(spending: LlmSpending) -> str:
    """The share of the budget that is spent or reserved; ``12 %``."""
    share = (spending.spent_usd + spending.reserved_usd) / spending.budget_usd if spending.budget_usd > 0 else 1.0
    return "less than 1 %" if 0 < share < 0.01 else f"{min(share, 1.0):.0%}".replace("%", " %")


def cache_words(calls: Sequence[LlmCall]) -> str:
    """The share of the tokens of prompts that came from the prompt cache."""
    usage = usage_of(calls)
    return share_words(usage.cache_read, usage.total - usage.output)


def first_token_words(calls: Sequence[LlmCall]) -> str:
    times = [call.first_token_ms for call in calls if call.first_token_ms is not None]
    return ms_words(median(times)) if times else "–"


def task_rows(calls: Sequence[LlmCall]) -> dict[str, list[str]]:
    """One line a task and model, the dearest first: calls, tokens, money, time to the first token."""
    groups: dict[tuple[LlmTask, str], list[LlmCall]] = {}
    for call in calls:
        groups.setdefault((call.task, call.model), []).append(call)
    ordered = sorted(groups.items(), key=lambda group: (-_money(group[1]), group[0]))
    lines = [_task_line(task, model, mine) for (task, model), mine in ordered]
    return {name: [line[name] for line in lines] for name in lines[0]} if lines else {}


def _task_line(task: LlmTask, model: str, calls: Sequence[LlmCall]) -> dict[str, str]:
    usage = usage_of(calls)
    times = [call.first_token_ms for call in calls if call.first_token_ms is not None]
    slow = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else (times[0] if times else None)
    return {
        "Asked for": TASKS[task],
        "Model": model,
        "Calls": f"{len(calls):,}",
        "Without a reply": f"{sum(call.state in BAD_ENDS for call in calls):,}",
        "Tokens sent": f"{usage.input:,}",
        "Written to the cache": f"{usage.cache_write:,}",
        "Read from the cache": f"{usage.cache_read:,}",
        "Tokens written": f"{usage.output:,}",
        "Money": money_words(_money(calls)),
        "First token, half faster than": first_token_words(calls),
        "95 of 100 faster than": ms_words(slow),
    }


def _money(calls: Sequence[LlmCall]) -> float:
    return sum(call.cost_usd or 0.0 for call in calls)


def failure_rows(calls: Sequence[LlmCall], now: datetime) -> dict[str, list[object]]:
    """Calls that brought nothing by how they ended, with the newest message of each kind; lost ones too."""
    columns: dict[str, list[object]] = {"How it ended": [], "Calls": [], "Newest message": []}
    for state in CallState:
        mine = [call for call in calls if call.state is state]
        if state is CallState.STARTED:
            mine = [call for call in mine if abs(now - call.at) > LOST_AFTER]
        elif state not in BAD_ENDS and state not in (CallState.CANCELLED, CallState.TRUNCATED):
            mine = []
        if mine:
            newest = max(mine, key=lambda call: call.id)
            columns["How it ended"].append(CALL_ENDS[state])
            columns["Calls"].append(len(mine))
            columns["Newest message"].append(" ".join(newest.error.split())[:300] or "–")
    return columns


def nothing_words(status: LlmStatus) -> str:
    """The words in place of figures while there are none: what a key would add, and what would be sent."""
    if status.on:
        return f"A language model is switched on, and was not asked yet. {status.goes_out}"
    return (
        f"No language model was asked here, and nothing was spent. {page_words(status.reason)} It would add answers in "
        "whole sentences, variants of questions, and a second opinion beside the judge; without it answers are made of "
        f"the sources' own sentences. {status.goes_out}"
    )
