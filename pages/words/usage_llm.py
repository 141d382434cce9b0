"""Words and tables about the use of language models: pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median, quantiles

from core.labels import CallState, LlmTask
from core.llm.budget import BAD_ENDS, usage_of
from core.records import LlmCall, LlmSpending, LlmStatus
from pages.words.llm import money_words, page_words
from pages.words.usage import ms_words, share_words

TASKS: dict[LlmTask, str] = {
    LlmTask.ANSWER: "Writing answers",
    LlmTask.EXPAND: "Variants of questions",
    LlmTask.JUDGE: "Second opinions",
    LlmTask.EXTRACT: "Finding quotes",
}
"""What a language model is asked for, for people."""

STATES: dict[CallState, str] = {
    CallState.STARTED: "Under way, or lost with its process",
    CallState.OK: "Answered",
    CallState.TRUNCATED: "Ended at the longest reply",
    CallState.REFUSED: "Declined by the model",
    CallState.MALFORMED: "Reply not usable",
    CallState.FAILED: "Failed",
    CallState.CANCELLED: "Stopped by somebody",
}
"""How calls end, for people."""
LOST_AFTER = timedelta(hours=1)


def calls_since(calls: Sequence[LlmCall], since: datetime | None) -> list[LlmCall]:
    """Those of a period."""
    return [call for call in calls if since is None or call.at >= since]


def budget_line(spending: LlmSpending) -> str:
    """What was spent of the budget, in one sentence."""
    if spending.budget_usd <= 0:
        return f"{money_words(spending.spent_usd)} spent; the budget is 0, so no call is made."
    words = f"{money_words(spending.spent_usd)} of {money_words(spending.budget_usd)} spent in this project"
    if spending.reserved_usd > 0:
        words += f"; {money_words(spending.reserved_usd)} are reserved for calls under way"
    return f"{words} ({share_words_of(spending)})."


def share_words_of(spending: LlmSpending) -> str:
    """The share of the budget that is spent or reserved; ``12 %``."""
    share = (spending.spent_usd + spending.reserved_usd) / spending.budget_usd if spending.budget_usd > 0 else 1.0
    return "less than 1 %" if 0 < share < 0.01 else f"{min(share, 1.0):.0%}".replace("%", " %")


def cache_words(calls: Sequence[LlmCall]) -> str:
    """The share of the tokens of prompts that came from the prompt cache."""
    usage = usage_of(calls)
    return share_words(usage.cache_read, usage.total - usage.output)


def first_token_words(calls: Sequence[LlmCall]) -> str:
    """The usual time to the first token."""
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
            mine = [call for call in mine if now - call.at > LOST_AFTER]
        elif state not in BAD_ENDS and state not in (CallState.CANCELLED, CallState.TRUNCATED):
            mine = []
        if mine:
            newest = max(mine, key=lambda call: call.id)
            columns["How it ended"].append(STATES[state])
            columns["Calls"].append(len(mine))
            columns["Newest message"].append(" ".join(newest.error.split())[:300] or "–")
    return columns


def nothing_words(status: LlmStatus) -> str:
    """What stands in place of figures while there are none: what a key would add, and what would be sent."""
    if status.on:
        return f"A language model is switched on, and was not asked yet. {status.goes_out}"
    return (
        f"No language model was asked here, and nothing was spent. {page_words(status.reason)} It would add answers in "
        "whole sentences, variants of questions, and a second opinion beside the judge; without it answers are made of "
        f"the sources' own sentences. {status.goes_out}"
    )
