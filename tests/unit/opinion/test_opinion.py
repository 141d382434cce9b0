"""A language model's opinion beside the judge: kept with its quotes, never in place of the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ClaimError, LlmMalformed, LlmOff, ReportError
from core.labels import ClaimType, Grade, JobKind, JobState, Label
from core.llm.budget import LanguageModel
from core.opinion.opinion import MEMO, Opinions
from core.records import Finding, Job, StoredReport
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from tests.helpers.llm_using import llm_settings, with_writer
from tests.servers.messages_api import MessagesApi, Request, messages_api


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api("{}") as made:
        yield made


class Asked:
    """A project whose language model is the loopback server."""

    def __init__(self, project: OpenProject, api: MessagesApi, root: Path, **changes: object) -> None:
        self.project = project
        settings = llm_settings(api, opinion=True, **changes)
        engines = with_writer(project.context.engines, settings, root)
        self.context = replace(project.job_context(), engines=engines, settings=settings)
        self.opinions = Opinions(self.context)

    def work(self) -> Job:
        job = run_next(self.context, "test", kinds=[JobKind.OPINION])
        assert job is not None
        return job


@pytest.fixture
def asked(project: OpenProject, report: StoredReport, api: MessagesApi, tmp_path: Path) -> Asked:
    return Asked(project, api, tmp_path)


def with_source(asked: Asked, report: StoredReport) -> Finding:
    rows = asked.project.audits.findings(report.id)
    return next(row for row in rows if row.document_id and row.verdict and row.claim_text)


def reply(label: str, *quotes: str, document: int = 1) -> str:
    given = [{"document": document, "quote": quote, "stance": label, "why": "it says so"} for quote in quotes]
    return json.dumps({"label": label, "confidence": 80, "why": "Because.", "quotes": given})


def words_of(asked: Asked, row: Finding) -> str:
    text = asked.project.sources.text(str(row.document_id))
    return text[:60].strip()


def test_an_opinion_is_asked_kept_and_compared(asked: Asked, report: StoredReport, api: MessagesApi) -> None:
    row = with_source(asked, report)
    assert row.verdict is not None
    quote = words_of(asked, row)
    api.say(reply(row.verdict.label.value, quote, "Words that nobody wrote anywhere in it."))
    job = asked.opinions.ask_finding(row.id)
    assert asked.opinions.ask_finding(row.id).id == job.id, "asked twice, it is one job"
    assert asked.opinions.job_of(f"finding:{row.id}") is not None
    done = asked.work()
    assert (done.state, done.error) == (JobState.DONE, None)
    opinion, current = asked.opinions.of_finding(row.id)
    assert opinion is not None
    assert current
    assert opinion.agrees is True
    assert opinion.label is row.verdict.label
    assert opinion.dropped == 1
    assert "1 quote was dropped" in opinion.notes[0]
    text = asked.project.sources.text(str(row.document_id))
    assert [text[one.start : one.end] for one in opinion.quotes] == [quote]
    assert opinion.cost_usd
    assert asked.project.audits.finding(row.id) == row, "the verdict stays as it was"
    assert asked.opinions.job_of(f"finding:{row.id}") is None
    [call] = LanguageModel(asked.context).calls()
    assert call.task.value == "judge"


def test_what_goes_out_is_the_claim_and_parts_of_its_source(
    asked: Asked, report: StoredReport, api: MessagesApi
) -> None:
    row = with_source(asked, report)
    api.say(reply("neutral"))
    asked.opinions.ask_finding(row.id)
    asked.work()
    [request] = api.requests
    assert row.claim_text not in request.user, "the claim is foreign text: it stands inside the fence, as a document"
    assert request.user.startswith("Judge the claim in document 2, which is no evidence, by document 1")
    assert f'number="2" title="The claim">\n{row.claim_text}\n</document-' in request.prompt
    assert asked.project.sources.text(str(row.document_id))[:40] in request.prompt
    assert request.body["model"] == "claude-haiku-5-5"
    estimate = asked.opinions.estimate_finding(row.id)
    assert estimate.cost_usd
    assert estimate.input_tokens > len(request.prompt) / 4


def test_disagreement_is_said_and_a_changed_verdict_makes_it_old(
    asked: Asked, report: StoredReport, api: MessagesApi
) -> None:
    row = with_source(asked, report)
    assert row.verdict is not None
    other = next(label for label in Label if label is not row.verdict.label)
    api.say(reply(other.value))
    asked.opinions.ask_finding(row.id)
    asked.work()
    opinion, current = asked.opinions.of_finding(row.id)
    assert opinion is not None
    assert opinion.agrees is False
    assert current
    asked.project.sources.delete(str(row.document_id))
    _, current = asked.opinions.of_finding(row.id)
    assert not current


def test_an_opinion_on_a_claim(asked: Asked, api: MessagesApi) -> None:
    claim = asked.project.claims.add("The city planted 400 limes on Mill Lane.", ClaimType.C2)
    for document in asked.project.sources.documents():
        asked.project.sources.override_grade(document.id, Grade.A, reason="a test")
    with pytest.raises(ClaimError, match="Check it first"):
        asked.opinions.ask_claim(claim.id)
    asked.project.claims.verify([claim.id])
    assert run_next(asked.context, "test", kinds=[JobKind.VERIFY]) is not None
    verified = asked.project.claims.get(claim.id)
    assert verified.verdict is not None

    def answer(request: Request) -> str:
        material = request.blocks[2]["text"]
        return reply("supports", material.split(">\n")[1].split("\n</")[0][:50], document=99)

    api.say(answer)
    asked.opinions.ask_claim(claim.id)
    assert asked.work().error is None
    opinion, current = asked.opinions.of_claim(claim.id)
    assert opinion is not None
    assert current
    assert opinion.quotes, "a wrong number of a document does not lose a quote that stands in another"
    assert asked.project.claims.get(claim.id) == verified


def test_it_is_off_until_switched_on(
    project: OpenProject, report: StoredReport, api: MessagesApi, tmp_path: Path
) -> None:
    with pytest.raises(LlmOff, match=r"llm\.opinion"):
        project.opinions.ask_finding(1)
    off = Asked(project, api, tmp_path, enabled=False)
    with pytest.raises(LlmOff, match=r"llm\.enabled"):
        off.opinions.ask_finding(with_source(off, report).id)
    assert api.requests == []


def test_a_citation_without_a_source_has_nothing_to_ask_about(asked: Asked, report: StoredReport) -> None:
    row = next(row for row in asked.project.audits.findings(report.id) if row.document_id is None)
    with pytest.raises(ReportError, match="Add it first"):
        asked.opinions.ask_finding(row.id)


@pytest.mark.parametrize("text", ["no JSON", '{"label": "maybe"}', '{"label": "supports", "confidence": 900}'])
def test_a_reply_without_the_form_fails_the_job_and_keeps_nothing(
    asked: Asked, report: StoredReport, api: MessagesApi, text: str
) -> None:
    row = with_source(asked, report)
    api.say(text)
    asked.opinions.ask_finding(row.id)
    job = asked.work()
    assert job.state is JobState.FAILED
    assert "did not keep to the form" in str(job.error)
    assert asked.opinions.of_finding(row.id) == (None, False)
    assert asked.opinions.job_of(f"finding:{row.id}") is not None, "the page can say why there is none"
    assert LlmMalformed.__name__ not in str(job.error)


def test_a_memo_that_cannot_be_read_counts_as_none(asked: Asked, report: StoredReport) -> None:
    row = with_source(asked, report)
    for text in ("{", "[]", '{"item": 1}'):
        asked.project.context.store.set_memo(MEMO.format(f"finding:{row.id}"), text)
        assert asked.opinions.of_finding(row.id) == (None, False)
