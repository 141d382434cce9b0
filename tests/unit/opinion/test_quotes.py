"""Quotes of one source: asked for as a job, kept with their places, dropped when they do not stand in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DocumentNotFound, LlmOff, QueryError
from core.labels import JobKind, JobState
from core.opinion.quotes import MEMO, Quotations, Way
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
    engines = with_writer(project.context.engines, settings, tmp_path)
    return replace(project.job_context(), engines=engines, settings=settings)


@pytest.fixture
def quotations(context: JobContext) -> Quotations:
    return Quotations(context)


def test_passages_are_asked_for_and_kept(
    project: OpenProject, quotations: Quotations, context: JobContext, api: MessagesApi
) -> None:
    document = project.sources.documents()[0]
    words = project.sources.text(document.id)[:40].strip()
    given = [{"quote": words, "why": "it says so"}, {"quote": "Not one word of this is in it."}]
    api.say(json.dumps({"passages": given}))
    estimate = quotations.estimate(document.id, "What does it say?", Way.PASSAGES)
    assert estimate.cost_usd
    assert "the text of this source" in quotations.goes_out()
    quotations.ask(document.id, "What does  it say?", Way.PASSAGES)
    assert quotations.job_of(document.id) is not None
    job = run_next(context, "test", kinds=[JobKind.OPINION])
    assert job is not None
    assert (job.state, job.result) == (JobState.DONE, {"quotes": 1, "dropped": 1})
    found = quotations.found(document.id)
    assert found is not None
    assert found.text == "What does it say?"
    assert found.current
    assert project.sources.text(document.id)[found.quotes[0].start : found.quotes[0].end] == words
    assert found.dropped == ("Not one word of this is in it.",)
    assert estimate.input_tokens >= len(api.requests[0].prompt) / 4


def test_evidence_says_which_side_it_is_on(
    project: OpenProject, quotations: Quotations, context: JobContext, api: MessagesApi
) -> None:
    document = project.sources.documents()[0]
    words = project.sources.text(document.id)[:40].strip()
    api.say(json.dumps({"quotes": [{"quote": words, "stance": "contradicts"}]}))
    quotations.ask(document.id, "It says nothing.", Way.EVIDENCE)
    run_next(context, "test", kinds=[JobKind.OPINION])
    found = quotations.found(document.id)
    assert found is not None
    assert [one.stance for one in found.quotes] == ["contradicts"]


def test_what_cannot_be_asked_is_refused_before_anything_is_sent(
    project: OpenProject, quotations: Quotations, api: MessagesApi
) -> None:
    document = project.sources.documents()[0]
    with pytest.raises(QueryError, match="first"):
        quotations.ask(document.id, " \n", Way.PASSAGES)
    with pytest.raises(QueryError, match="at most 2,000"):
        quotations.ask(document.id, "x" * 100_000, Way.PASSAGES)
    with pytest.raises(DocumentNotFound):
        quotations.ask("nobody", "x", Way.PASSAGES)
    with pytest.raises(LlmOff):
        project.quotations.ask(document.id, "x", Way.PASSAGES)
    assert api.requests == []


def test_what_this_version_cannot_read_counts_as_none(project: OpenProject, quotations: Quotations) -> None:
    document = project.sources.documents()[0]
    for text in ("{", "[]", '{"quotes": [{"x": 1}]}', '{"quotes": []}'):
        project.context.store.set_memo(MEMO.format(document.id), text)
        assert quotations.found(document.id) is None
