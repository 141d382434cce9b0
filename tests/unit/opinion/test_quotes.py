"""Quotes of one source: asked for as a job, kept with their places, dropped when they do not stand in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import DocumentNotFound, LlmOff, QueryError
from core.labels import JobKind, JobState
from core.opinion.quotes import MEMO, Quoting, Way
from core.ports.context import JobContext
from core.records import StoredReport
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from tests.helpers.llm_using import llm_settings, with_writer
from tests.servers.messages_api import MessagesApi, messages_api


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api("{}") as made:
        yield made


@pytest.fixture
def context(project: OpenProject, report: StoredReport, api: MessagesApi, tmp_path: Path) -> JobContext:
    settings = llm_settings(api)
    engines = with_writer(project._engines, settings, tmp_path)
    return JobContext(project._store, project.job_context().intake, engines, settings, project._clock)


@pytest.fixture
def quoting(project: OpenProject, context: JobContext) -> Quoting:
    return Quoting(context.store, context.engines, context.settings, context.clock, project.schedule)


def test_passages_are_asked_for_and_kept(
    project: OpenProject, quoting: Quoting, context: JobContext, api: MessagesApi
) -> None:
    document = project.documents()[0]
    words = project.text(document.id)[:40].strip()
    given = [{"quote": words, "why": "it says so"}, {"quote": "Not one word of this is in it."}]
    api.say(json.dumps({"passages": given}))
    estimate = quoting.estimate(document.id, "What does it say?", Way.PASSAGES)
    assert estimate.cost_usd
    assert "the text of this source" in quoting.goes_out()
    quoting.ask(document.id, "What does  it say?", Way.PASSAGES)
    assert quoting.job_of(document.id) is not None
    job = run_next(context, "test", kinds=[JobKind.OPINION])
    assert job is not None
    assert (job.state, job.result) == (JobState.DONE, {"quotes": 1, "dropped": 1})
    found = quoting.found(document.id)
    assert found is not None
    assert found.text == "What does it say?"
    assert found.current
    assert project.text(document.id)[found.quotes[0].start : found.quotes[0].end] == words
    assert found.dropped == ("Not one word of this is in it.",)
    assert estimate.input_tokens >= len(api.requests[0].prompt) / 4


def test_evidence_says_which_side_it_is_on(
    project: OpenProject, quoting: Quoting, context: JobContext, api: MessagesApi
) -> None:
    document = project.documents()[0]
    words = project.text(document.id)[:40].strip()
    api.say(json.dumps({"quotes": [{"quote": words, "stance": "contradicts"}]}))
    quoting.ask(document.id, "It says nothing.", Way.EVIDENCE)
    run_next(context, "test", kinds=[JobKind.OPINION])
    found = quoting.found(document.id)
    assert found is not None
    assert [one.stance for one in found.quotes] == ["contradicts"]


def test_what_cannot_be_asked_is_refused_before_anything_is_sent(
    project: OpenProject, quoting: Quoting, api: MessagesApi
) -> None:
    document = project.documents()[0]
    with pytest.raises(QueryError, match="first"):
        quoting.ask(document.id, " \n", Way.PASSAGES)
    with pytest.raises(QueryError, match="at most 2,000"):
        quoting.ask(document.id, "x" * 100_000, Way.PASSAGES)
    with pytest.raises(DocumentNotFound):
        quoting.ask("nobody", "x", Way.PASSAGES)
    with pytest.raises(LlmOff):
        project.quoting.ask(document.id, "x", Way.PASSAGES)
    assert api.requests == []


def test_what_this_version_cannot_read_counts_as_none(project: OpenProject, quoting: Quoting) -> None:
    document = project.documents()[0]
    for text in ("{", "[]", '{"quotes": [{"x": 1}]}', '{"quotes": []}'):
        project._store.set_memo(MEMO.format(document.id), text)
        assert quoting.found(document.id) is None
