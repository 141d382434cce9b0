"""Usage over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import CallState, JobKind, JobState, LlmTask
from core.records import LlmCall, QueryRecord, TokenUsage
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import texts

Visit = Callable[..., AppTest]


def table(at: AppTest, column: str) -> Any:
    return next(frame.value for frame in at.dataframe if column in frame.value)


def metrics(at: AppTest) -> dict[str, str]:
    return {one.label: str(one.value) for one in at.metric}


@pytest.fixture
def used(bench: Workbench) -> OpenProject:
    """A project with three searches in the last hours, one older one, and a job that failed."""
    opened = bench.open(bench.create("Heat").slug)
    store: Any = opened.context.store
    now = datetime.now(UTC)
    for hours, results, cached in ((1, 3, False), (2, 0, False), (3, 2, True), (24 * 40, 1, False)):
        timings = {} if cached else {"lexical": 4.0, "total": 12.5 * hours}
        store.record_query(QueryRecord(now - timedelta(hours=hours), "![x](http://evil)", results, cached, timings))
    store.add_job(JobKind.AUDIT, {})
    job = store.claim_job("w")
    store.finish_job(job.id, "w", JobState.FAILED, error="The model ![x](http://evil) was not found.")
    return opened


def test_a_new_project_says_what_will_stand_here(visit: Visit, bench: Workbench) -> None:
    at = visit("usage", project=bench.create("Heat").slug)
    assert not at.exception
    assert not at.error
    assert "Nobody has searched here yet" in texts(at)
    assert "No work was asked for" in texts(at)
    assert "No language model was asked here, and nothing was spent" in texts(at)
    assert "A call sends the question and the passages chosen for it to api.anthropic.com" in texts(at)
    assert "Evidence, indexes" in table(at, "Size")["What"][0]


def test_the_last_thirty_days_are_shown_with_figures_and_charts(visit: Visit, used: OpenProject) -> None:
    at = visit("usage", project="heat")
    assert not at.exception
    assert not at.error
    assert metrics(at) == {"Searches": "3", "Without a result": "1", "From memory": "1", "Failed jobs": "1"}
    assert "3 searches over the last 30 days, by the day. Times are in UTC" in texts(at)
    assert len(at.get("vega_lite_chart") or at.get("arrow_vega_lite_chart")) == 4
    rows = table(at, "Searches")
    assert sum(int(value) for value in rows["Searches"]) in (3, 6)
    assert table(at, "Step")["Step"].tolist() == ["Words", "Altogether"]
    work = table(at, "Work")
    assert (work["Work"][0], work["Failed"][0]) == ("Checking citations", "✗ 1")
    assert "was not found." in texts(at)


def test_the_period_stands_in_the_address(visit: Visit, used: OpenProject) -> None:
    assert metrics(visit("usage", project="heat", period="All"))["Searches"] == "4"
    at = visit("usage", project="heat", period="24 hours")
    assert "by the hour" in texts(at)
    assert metrics(at)["Searches"] == "3"


def test_a_quiet_period_of_a_used_project_is_not_called_new(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    store: Any = opened.context.store
    store.record_query(QueryRecord(datetime.now(UTC) - timedelta(days=60), "q", 1, False, {"total": 1.0}))
    at = visit("usage", project="heat")
    assert "Nobody searched in this time" in texts(at)


@pytest.mark.parametrize("period", ["nonsense", "<script>", ""])
def test_a_hostile_period_does_no_harm(visit: Visit, used: OpenProject, period: str) -> None:
    at = visit("usage", project="heat", period=period)
    assert not at.exception
    assert not at.error
    assert metrics(at)["Searches"] == "3"


@pytest.fixture
def asked(bench: Workbench) -> OpenProject:
    """A project with calls of language models: one that wrote to the cache, one that read from it, one that failed."""
    opened = bench.open(bench.create("Heat").slug)
    store: Any = opened.context.store

    def call(task: LlmTask, state: CallState, usage: TokenUsage, cost: float, first: float | None, error: str) -> None:
        begun = store.begin_call(LlmCall(0, datetime.now(UTC), task, "claude-haiku-5-5", CallState.STARTED),
                                 reserve_usd=0.5, budget_usd=5.0)  # fmt: skip
        store.end_call(replace(begun, state=state, usage=usage, cost_usd=cost, first_token_ms=first, error=error))

    call(LlmTask.ANSWER, CallState.OK, TokenUsage(100, 50, 0, 900), 0.25, 900.0, "")
    call(LlmTask.ANSWER, CallState.OK, TokenUsage(100, 50, 900, 0), 0.05, 300.0, "")
    call(LlmTask.EXPAND, CallState.FAILED, TokenUsage(), 0.0, None, "The key ![x](http://evil) is not accepted.")
    store.begin_call(LlmCall(0, datetime.now(UTC), LlmTask.JUDGE, "claude-haiku-5-5", CallState.STARTED),
                     reserve_usd=0.2, budget_usd=5.0)  # fmt: skip
    return opened


def test_calls_of_language_models_show_their_tokens_money_and_failures(visit: Visit, asked: OpenProject) -> None:
    at = visit("usage", project="heat")
    assert not at.exception
    assert not at.error
    assert "$0.30 of $5.00 spent in this project; $0.20 are reserved for calls under way (10 %)." in texts(at)
    assert metrics(at)["Calls"] == "4"
    assert metrics(at)["First token"] == "600 ms"
    assert metrics(at)["From the cache"] == "45 %"
    rows = table(at, "Asked for")
    line = dict(rows[rows["Asked for"] == "Writing answers"].iloc[0])
    assert (line["Calls"], line["Written to the cache"], line["Read from the cache"]) == ("2", "900", "900")
    assert line["Money"] == "$0.30"
    failures = table(at, "How it ended")
    assert failures["How it ended"].tolist() == ["Failed"]
    assert "is not accepted" in failures["Newest message"][0]
    assert "switched off" in texts(at) or "No language model is set up" in texts(at)
