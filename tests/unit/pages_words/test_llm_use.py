"""Words about the use of a language model, second opinions and keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.labels import CallState, JobKind, JobState, Label, LlmTask
from core.records import Job, LlmCall, LlmSpending, LlmStatus, Opinion, ProviderInfo, TokenUsage
from core.settings.keys import Keys
from pages.words.llm import about_words, agreement, job_line, opinion_words
from pages.words.settings import key_rows
from pages.words.usage import (
    budget_line,
    cache_words,
    calls_since,
    failure_rows,
    first_token_words,
    nothing_words,
    task_rows,
)

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


def call(number: int, state: CallState = CallState.OK, **changes: object) -> LlmCall:
    fields: dict[str, object] = {
        "at": NOW - timedelta(hours=number), "task": LlmTask.ANSWER, "model": "m", "usage": TokenUsage(10, 5, 30, 0),
        "cost_usd": 0.01, "first_token_ms": 100.0 * number, **changes,
    }  # fmt: skip
    return LlmCall(id=number, state=state, **fields)  # type: ignore[arg-type]


def spending(spent: float, reserved: float, budget: float) -> LlmSpending:
    return LlmSpending(1, 0, TokenUsage(), spent, reserved, budget, {})


def test_money_is_told_against_the_budget() -> None:
    assert budget_line(spending(1.0, 0.0, 5.0)) == "$1.00 of $5.00 spent in this project (20 %)."
    assert "$0.50 are reserved" in budget_line(spending(1.0, 0.5, 5.0))
    assert "(less than 1 %)" in budget_line(spending(0.001, 0.0, 5.0))
    assert "(100 %)" in budget_line(spending(7.0, 0.0, 5.0))
    assert "the budget is 0" in budget_line(spending(0.0, 0.0, 0.0))


def test_tables_of_no_calls_are_empty() -> None:
    assert task_rows([]) == {}
    assert failure_rows([], NOW)["Calls"] == []
    assert first_token_words([]) == "–"
    assert cache_words([]) == "–"


def test_calls_are_summed_by_task_and_model_the_dearest_first() -> None:
    calls = [call(1), call(2), call(3, task=LlmTask.EXPAND, cost_usd=0.5), call(4, CallState.FAILED, cost_usd=None)]
    rows = task_rows(calls)
    assert rows["Asked for"] == ["Variants of questions", "Writing answers"]
    assert rows["Calls"] == ["1", "3"]
    assert rows["Without a reply"] == ["0", "1"]
    assert rows["Read from the cache"] == ["30", "90"]
    assert cache_words(calls) == "75 %"
    assert calls_since(calls, NOW - timedelta(hours=2)) == calls[:2]
    assert calls_since(calls, None) == calls


def test_failures_are_told_by_how_they_ended_with_the_newest_message() -> None:
    calls = [
        call(1, CallState.FAILED, error="old"), call(5, CallState.FAILED, error="new\nline"),
        call(2, CallState.REFUSED, error="no"), call(3, CallState.STARTED), call(0, CallState.STARTED), call(4),
    ]  # fmt: skip
    rows = failure_rows(calls, NOW)
    assert dict(zip(rows["How it ended"], rows["Newest message"], strict=True)) == {
        "Under way, or lost with its process": "–",
        "Declined by the model": "no",
        "Failed": "new line",
    }
    assert rows["Calls"] == [1, 1, 2]


def test_the_empty_state_says_what_a_key_would_add() -> None:
    off = nothing_words(LlmStatus(False, "There is no key.", "It sends the question.", {}))
    assert "There is no key. It would add answers" in off
    assert off.endswith("It sends the question.")
    assert "was not asked yet" in nothing_words(LlmStatus(True, "", "It sends the question.", {}))


def opinion(**changes: object) -> Opinion:
    fields: dict[str, object] = {"verdict": Label.SUPPORTS, "agrees": True, "cost_usd": 0.002, **changes}
    return Opinion("finding:1", NOW, "m", Label.SUPPORTS, 80, "why", **fields)  # type: ignore[arg-type]


def test_an_opinion_says_that_it_decides_nothing() -> None:
    assert agreement(opinion())[0] == "Agrees with the judge"
    assert agreement(opinion(agrees=False))[0] == "Disagrees with the judge"
    assert agreement(opinion(agrees=None))[0] == "The judge takes no side"
    assert opinion_words(opinion()) == "m says: the sources support it (its own confidence: 80 of 100)."
    assert about_words(opinion(), current=True).startswith("An opinion decides nothing")
    assert "$0.0020" in about_words(opinion(), current=True)
    assert "ask again" in about_words(opinion(), current=False)


@pytest.mark.parametrize(
    ("state", "said", "failed"),
    [
        (JobState.PENDING, "is being asked", False),
        (JobState.RUNNING, "is being asked", False),
        (JobState.CANCELLED, "was stopped", False),
        (JobState.FAILED, "The key is wrong.", True),
    ],
)
def test_what_became_of_a_wish(state: JobState, said: str, failed: bool) -> None:
    job = Job(id=1, kind=JobKind.OPINION, state=state, payload={}, created=NOW, error="The key is wrong.")
    words, bad = job_line(job)
    assert said in words
    assert bad is failed
    assert job_line(None) == ("", False)


def test_keys_are_listed_with_their_origin_and_without_themselves(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {"B_KEY": "from-environment", "C_KEY": "bad key"})
    keys.put("ANTHROPIC_API_KEY", "in-file")
    infos = [ProviderInfo(name, name.title(), "Finds.", f"{name.upper()}_KEY", True) for name in ("b", "c", "d")]
    rows = key_rows(keys, [*infos, ProviderInfo("free", "Free", "Finds.", None, False)])
    assert [(row.name, row.state) for row in rows] == [
        ("ANTHROPIC_API_KEY", "in keys.toml"),
        ("B_KEY", "from the environment"),
        ("C_KEY", "cannot be used"),
        ("D_KEY", "none"),
    ]
    assert not {"in-file", "from-environment", "bad key"} & set(repr(rows).split("'"))
