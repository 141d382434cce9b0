"""The language model of a project: on or off, within its budget, every call on record, structured replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from core.errors import (
    BudgetReached,
    JobCancelled,
    LlmBusy,
    LlmKeyRejected,
    LlmMalformed,
    LlmOff,
    LlmRefused,
)
from core.labels import CallState, LlmTask
from core.llm.budget import LanguageModel
from core.llm.reply_json import structured, structured_reply
from core.ports.context import ProjectContext
from core.ports.engines import Engines
from core.records import Completion, Prompt
from core.settings.values import Settings
from storage.tables.base import utc_now
from tests.contract.memory_store import MemoryStore
from tests.helpers.llm_using import KEY, llm_settings, with_writer
from tests.servers.messages_api import MessagesApi, Reply, messages_api

ASK = Prompt(LlmTask.ANSWER, "", "What do heat pumps do?", max_tokens=100)

Make = Callable[..., LanguageModel]


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api("They move heat.") as made:
        yield made


@pytest.fixture
def make(tmp_path: Path, engines: Engines, api: MessagesApi) -> Make:
    store = MemoryStore()

    def made(key: str | None = KEY, **changes: object) -> LanguageModel:
        settings = llm_settings(api, **changes)
        return LanguageModel(ProjectContext(store, with_writer(engines, settings, tmp_path, key), settings, utc_now))

    return made


def test_the_status_says_why_it_is_off_and_what_goes_out(make: Make, engines: Engines, api: MessagesApi) -> None:
    on = make().status()
    assert on.on
    assert on.reason == ""
    assert "the question and the passages" in on.goes_out
    assert api.removeprefix("http://") in on.goes_out
    assert on.models["expand"] == "claude-haiku-5-5"
    assert "llm.enabled" in make(enabled=False).status().reason
    assert "ANTHROPIC_API_KEY" in make(key=None).status().reason
    assert "line break" in make(key="sk\nx").status().reason
    assert "budget" in make(budget_usd=0).status().reason
    bare = LanguageModel(ProjectContext(MemoryStore(), engines, Settings(), utc_now)).status()
    assert not bare.on
    assert bare.reason


def test_a_call_is_recorded_with_its_money(make: Make) -> None:
    using = make()
    done = using.write(ASK)
    [call] = using.calls()
    assert (call.state, call.task, call.model) == (CallState.OK, LlmTask.ANSWER, done.model)
    assert call.usage == done.usage
    assert call.cost_usd == done.cost_usd
    assert call.first_token_ms is not None
    spending = using.spending()
    assert spending.calls == 1
    assert spending.failed == 0
    assert spending.reserved_usd == 0
    assert spending.spent_usd == pytest.approx(done.cost_usd)
    assert spending.by_task == {"answer": (1, pytest.approx(done.cost_usd))}


@pytest.mark.parametrize(
    ("reply", "error", "state"),
    [
        (Reply(status=401), LlmKeyRejected, CallState.FAILED),
        (Reply("a b", fault="cut", after=1), LlmBusy, CallState.FAILED),
        (Reply("no", stop_reason="refusal"), LlmRefused, CallState.REFUSED),
        (Reply(""), LlmMalformed, CallState.MALFORMED),
    ],
)
def test_a_call_that_fails_is_recorded_too(
    make: Make, api: MessagesApi, reply: Reply, error: type[Exception], state: CallState
) -> None:
    api.say(reply)
    using = make()
    with pytest.raises(error) as caught:
        using.write(ASK)
    [call] = using.calls()
    assert (call.state, call.error) == (state, str(caught.value))
    spending = using.spending()
    assert spending.failed == 1
    assert spending.reserved_usd == 0
    if reply.status == 200:
        assert call.usage.input > 0
        assert spending.spent_usd > 0


def test_a_truncated_reply_and_a_cancelled_call_say_so(make: Make, api: MessagesApi) -> None:
    using = make()
    api.say(Reply("so far", stop_reason="max_tokens"))
    using.write(ASK)

    def stop(_: str) -> None:
        raise JobCancelled("Stopped.")

    with pytest.raises(JobCancelled):
        using.write(ASK, stop)
    stopped, cut = using.calls()
    assert (stopped.state, cut.state) == (CallState.CANCELLED, CallState.TRUNCATED)
    assert using.spending().failed == 0
    assert using.spending().reserved_usd == 0


def test_a_fault_of_the_caller_is_recorded_without_its_words(make: Make) -> None:
    using = make()
    with pytest.raises(ZeroDivisionError):
        using.write(ASK, lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    assert using.calls()[0].state is CallState.FAILED
    assert "ZeroDivisionError" in using.calls()[0].error


def test_the_budget_stops_before_it_is_exceeded(make: Make, api: MessagesApi) -> None:
    estimate = make().estimate(ASK).cost_usd
    assert estimate is not None
    using = make(budget_usd=round(estimate * 1.5, 6))
    api.say("word " * 80)
    using.write(ASK)
    with pytest.raises(BudgetReached):
        using.write(ASK)
    assert len(api.requests) == 1
    assert using.spending().spent_usd <= using.spending().budget_usd


def test_nothing_is_sent_or_recorded_when_off_or_without_a_price(make: Make, api: MessagesApi) -> None:
    with pytest.raises(LlmOff):
        make(enabled=False).write(ASK)
    with pytest.raises(BudgetReached):
        make(budget_usd=0).write(ASK)
    with pytest.raises(BudgetReached, match=r"llm\.prices"):
        make(model_answer="house-model").write(ASK)
    assert api.requests == []
    assert make().calls() == []
    assert make(model_answer="house-model", prices=["house-model=1/2"]).write(ASK).cost_usd


def test_nothing_of_prompt_or_reply_is_kept(make: Make) -> None:
    using = make()
    using.write(ASK)
    assert "heat" not in repr(using.calls())


# ---------------------------------------------------------------- structured replies


class Form(BaseModel):
    answer: str = Field(min_length=1)
    bullets: list[str] = Field(max_length=3)


GOOD = json.dumps({"answer": "Yes.", "bullets": ["a"]})


def test_a_reply_in_the_asked_form_is_read(make: Make, api: MessagesApi) -> None:
    for text in (GOOD, f"Here it is:\n```json\n{GOOD}\n```\nDone."):
        api.say(text)
        assert structured(make().write, ASK, Form) == Form(answer="Yes.", bullets=["a"])
    assert '"bullets"' in api.requests[0].prompt, "the schema is in the prompt"


@pytest.mark.parametrize(
    "bad",
    [
        "I would rather not use JSON.",
        "{answer: yes}",
        '{"answer": "", "bullets": []}',
        '{"answer": "x", "bullets": ["1", "2", "3", "4"]}',
        '{"answer": "x", "bullets": [' + "[" * 50_000,
        '{"answer": ' + "9" * 5000 + ', "bullets": []}',
        "[" * 100_000 + "}",
        '{"answer": NaN}',
        "}{",
        Reply(GOOD[:20], stop_reason="max_tokens"),
    ],
)
def test_a_bad_form_is_repaired_once_then_reported(make: Make, api: MessagesApi, bad: str | Reply) -> None:
    api.say([bad, GOOD])
    form, completions = structured_reply(make().write, ASK, Form)
    assert form.answer == "Yes."
    assert len(completions) == 2
    repair = api.requests[1].user
    assert repair.startswith(ASK.user)
    assert "could not be used" in repair
    assert len(repair) < 20_000
    api.say(bad)
    with pytest.raises(LlmMalformed, match="also after it was told"):
        structured(make().write, ASK, Form)
    assert len(api.requests) == 4


def test_a_cut_off_reply_gets_more_room(make: Make, api: MessagesApi) -> None:
    api.say([Reply(GOOD[:20], stop_reason="max_tokens"), GOOD])
    structured(make().write, ASK, Form)
    assert [request.body["max_tokens"] for request in api.requests] == [100, 200]


def test_other_failures_go_through(make: Make) -> None:
    def write(_: Prompt) -> Completion:
        raise LlmBusy("busy")

    with pytest.raises(LlmBusy):
        structured(write, ASK, Form)
