"""Query lab and Ask with a language model and search services on this computer's loopback: what is sent, and when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import AnswerMode, AnswerState, QueryKind
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.asking import number_of, said
from tests.pages.conftest import button, texts, work
from tests.pages.reviewed import press
from tests.servers.messages_api import MessagesApi, Reply, Request, messages_api
from tests.servers.search_api import SearchApi, search_api

Visit = Callable[..., AppTest]
QUESTION = "Do heat pumps still work when it is freezing?"
PHRASINGS = ["Can a heat pump heat a house in frost?", "Heat pump output at low temperatures"]


@dataclass
class Online:
    """What the test project is connected to; ``reply`` is what the model replies in place of ``replies``."""

    llm: MessagesApi
    web: SearchApi
    reply: str | Reply | None = None


def replies(request: Request) -> str | Reply:
    """Variants where those are asked for, else an answer that cites the passage about Norway."""
    if "JSON array" in request.prompt:
        return json.dumps(PHRASINGS)
    if "hypothetical" in request.prompt:
        return "Heat pumps deliver heat in frost. Their output falls as the air gets colder."
    number = number_of(request, "Field tests in Norway")
    return said(f"Heat pumps deliver three units of heat for one unit of electricity at minus ten degrees [{number}].")


@pytest.fixture
def online(bench: Workbench, filled: OpenProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[Online]:
    """Language model and web search are on, and are loopback servers."""
    monkeypatch.delenv("WORKBENCH_SETTINGS", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    made: list[Online] = []
    with messages_api(lambda request: made[0].reply or replies(request)) as llm, search_api() as web:
        made.append(Online(llm, web))
        endpoints = json.dumps(web.endpoints)
        lines = [
            "[llm]", "enabled = true", f'base_url = "{llm}"', "attempts = 1",
            "[web]", "enabled = true", 'providers = ["openalex", "wikipedia"]', f"endpoints = {endpoints}",
            "[fetching]", f'allowed_hosts = ["{web.host}"]', "per_host_delay_s = 0", "attempts = 1",
        ]  # fmt: skip
        (bench.root / "workbench.toml").write_text("\n".join(lines))
        bench.refresh()
        yield made[0]


def variants(at: AppTest) -> list[str]:
    return [one.value for one in at.text_area if one.label.startswith("Text of")]


def test_a_model_is_asked_for_variants_only_after_a_press_that_names_the_price(
    visit: Visit, filled: OpenProject, online: Online
) -> None:
    at = visit(
        "queries", project="heat", q=QUESTION, multi_query="true", hyde="true", feedback="false", transform="false"
    )
    assert not at.exception
    assert not at.error
    ask = at.button(key="lab-ask-model")
    assert "at most $0.0" in ask.label.replace("\\", "")
    assert "Only the question is sent" in texts(at)
    assert not online.llm.requests
    ask.click().run()
    assert not online.llm.requests
    assert "The model is being asked" in texts(at)
    work(filled)
    assert len(online.llm.requests) == 2
    assert not any("Norway" in one.prompt for one in online.llm.requests)
    at.run()
    assert set(PHRASINGS) <= set(variants(at))
    job = at.query_params["expanding"]
    again = visit(
        "queries", project="heat", q=QUESTION, multi_query="true", hyde="true", feedback="false", transform="false",
        expanding=job if isinstance(job, str) else job[0],
    )  # fmt: skip
    assert variants(again) == variants(at)
    assert any(one.label == "Put to the web" for one in again.text_input)
    assert len(online.llm.requests) == 2


def test_a_model_that_fails_leaves_a_note_and_the_rest_works(visit: Visit, filled: OpenProject, online: Online) -> None:
    online.reply = Reply(status=529)
    at = visit("queries", project="heat", q=QUESTION, hyde="true", transform="true", feedback="false")
    at.button(key="lab-ask-model").click().run()
    work(filled)
    at.run()
    assert not at.exception
    assert "not made" in texts(at)
    assert len(variants(at)) >= 2
    press(at, next(one.label for one in at.button if one.key == "lab-search-button"))
    assert any(element.proto.body.startswith("<h2>1. Heat pumps") for element in at.get("html"))


def test_the_web_is_searched_after_a_press_its_hits_are_ticked_and_fetched(
    visit: Visit, filled: OpenProject, online: Online
) -> None:
    at = visit(
        "queries", project="heat", q="heat pumps at low temperatures", where="Web", feedback="false", transform="false"
    )
    assert "OpenAlex and Wikipedia" in texts(at)
    assert not online.web.asked
    press(at, "Search the web with 1 variant")
    assert not online.web.asked
    assert "The web is being searched" in texts(at)
    work(filled)
    assert {one.query for one in online.web.asked} == {"heat pumps at low temperatures"}
    web = at.query_params["web"]
    at = visit(
        "queries", project="heat", q="heat pumps at low temperatures", where="Web",
        web=web if isinstance(web, str) else web[0],
    )  # fmt: skip
    assert not at.exception
    assert not at.error
    before = len(filled.sources.documents())
    fetch = next(one for one in at.button if one.label.startswith("Fetch "))
    fetch.click().run()
    work(filled)
    assert len(filled.sources.documents()) > before


def test_an_answer_is_written_by_the_model_checked_and_priced(
    visit: Visit, filled: OpenProject, online: Online
) -> None:
    at = visit("ask", project="heat", q=QUESTION)
    assert "A call sends the question and the passages" in texts(at)
    assert "at most $0." in texts(at)
    assert "of $5.00 spent" in texts(at)
    assert not online.llm.requests
    press(at, "Answer")
    assert not at.error
    work(filled)
    answer = filled.answers.all()[0]
    assert answer.state is AnswerState.DONE, answer.missing
    assert answer.mode is AnswerMode.GENERATED
    at = visit("ask", project="heat", answer=str(answer.id))
    assert not at.exception
    assert not at.error
    assert "Written by a language model" in texts(at)
    assert "three units of heat" in "".join(element.proto.body for element in at.get("html"))
    assert "$0.00" in texts(at)
    press(at, "Turn into a report and audit it")
    work(filled)
    report = filled.audits.reports()[0]
    assert filled.audits.summary(report.id).citations


def test_extractive_can_be_chosen_and_then_nothing_is_sent(visit: Visit, filled: OpenProject, online: Online) -> None:
    at = visit("ask", project="heat", q=QUESTION)
    at.segmented_control(key="writes").set_value("The sources' own sentences").run()
    assert "No language model is asked." in texts(at)
    assert "the web is asked too" in texts(at)
    assert "OpenAlex and Wikipedia" in texts(at)
    press(at, "Answer")
    work(filled)
    assert filled.answers.all()[0].mode is AnswerMode.EXTRACTIVE
    assert not online.llm.requests


@pytest.mark.parametrize(
    ("reply", "said_so"),
    [
        (Reply(status=529), "overloaded"),
        (Reply(status=401), "key"),
        (Reply(text="", stop_reason="refusal"), "declin"),
        ("no JSON at all", "reply"),
    ],
)
def test_a_model_that_does_not_answer_is_told_as_what_it_is(
    visit: Visit, filled: OpenProject, online: Online, reply: Reply | str, said_so: str
) -> None:
    online.reply = reply
    answer, _ = filled.answers.ask(QUESTION, mode=AnswerMode.GENERATED)
    work(filled)
    at = visit("ask", project="heat", answer=str(answer.id))
    assert not at.exception
    assert filled.answers.get(answer.id).state is AnswerState.FAILED
    assert said_so in " ".join(one.value for one in at.error).lower()
    assert button(at, "Ask again")


def test_kinds_of_variants_are_what_the_page_says_they_are(visit: Visit, filled: OpenProject, online: Online) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    press(at, "Wide net")
    assert all(one.value for one in at.toggle if one.key in ("transform", "feedback", "multi_query", "hyde", "rerank"))
    at.button(key="lab-ask-model").click().run()
    work(filled)
    at.run()
    press(at, "Save question")
    kinds = {one.kind for one in filled.lab.questions()[0].variants}
    assert kinds >= {QueryKind.ORIGINAL, QueryKind.TRANSFORM, QueryKind.MULTI_QUERY, QueryKind.HYDE}
