"""Promises of asking: an answer whatever happens, every sentence checked, kept as it grows, and a report of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.answer.answers import Answers
from core.answer.job import OFF_TOPIC
from core.errors import AnswerError, QueryError
from core.labels import AnswerMode, AnswerState, JobState, QueryKind, Status
from core.ports.engines import Engines
from core.records import Answer, Filters, Variant
from core.settings.values import Crag, Settings
from core.workbench.demo import finish_jobs
from core.workbench.jobs import run_next
from core.workbench.workbench import Workbench
from tests.helpers.asking import QUESTION, TREES, answered, filled, language_model, number_of, said, with_texts
from tests.servers.messages_api import Reply, Request

TRUE = "In the shade of the limes the air on Mill Lane was 1.3 degrees cooler on summer afternoons [{}]."
FALSE = "In the shade of the limes the air on Mill Lane was 7.9 degrees cooler on summer afternoons [{}]."


def limes(request: Request, answer: str = TRUE) -> str:
    return said(answer.format(number_of(request, "400 limes")))


# ---------------------------------------------------------------- without a language model


def test_a_question_is_answered_with_the_sources_own_sentences(workbench: Workbench) -> None:
    opened = filled(workbench)
    answer = answered(workbench, opened)
    assert (answer.state, answer.mode) == (AnswerState.DONE, AnswerMode.EXTRACTIVE)
    assert "1.3 degrees cooler" in answer.text
    for one in answer.citations:
        assert opened.sources.text(one.document_id)[one.start : one.end] == one.excerpt
    assert answer.grounding_score == 1.0
    assert answer.grounded
    assert answer.confidence > 0
    assert any("Extractive" in note for note in answer.notes)
    assert any("llm.enabled" in note for note in answer.notes)
    assert answer.gathered["attempts"]
    assert answer.fingerprint["search"]


def test_no_entry_of_a_list_of_references_is_quoted_and_sources_that_differ_lower_the_confidence(
    workbench: Workbench,
) -> None:
    entry = "Rowe C, Quist J. Trees on Mill Lane cool the air at night. Society for Lanes; 2018."
    cooler = "At night the trees on Mill Lane made the street 0.2 \u00b0C cooler than the other streets of the town."
    warmer = "At midnight the trees on Mill Lane made the air at night 0.4 \u00b0C warmer than in the other streets."
    opened = with_texts(workbench, f"{cooler}\n\nReferences\n\n{entry}", warmer)
    answer = answered(workbench, opened, "Do the trees on Mill Lane cool the air at night?")
    assert cooler in answer.text
    assert warmer in answer.text
    assert not any("Quist" in one or "Society" in one for one in (answer.text, *answer.bullets))
    assert any("0.2 \u00b0C cooler" in note and "0.4 \u00b0C warmer" in note for note in answer.notes)
    assert answer.confidence <= 69
    assert answer.confidence_level != "high"


@pytest.mark.parametrize("crag", [Crag(correct=0.999, incorrect=0.99), Crag(enabled=False, gate=0.999)])
def test_sentences_about_something_else_are_not_told_as_grounded_nor_as_disagreeing(
    workbench: Workbench, crag: Crag
) -> None:
    stubs = ["The school bus has 40 seats for a town.", "A new tram has 90 seats in town.",
             "The chapel of the town has 12 seats left.", "Every seat in the stadium was taken by 9 people.",
             "The town cinema sold 300 seats on Friday.", "Six seats stand in the town park."]  # fmt: skip
    opened = with_texts(workbench, *stubs)
    settings = Settings(crag=crag)  # what was found is judged not to answer
    context = replace(opened.job_context(), settings=settings)
    answer, _ = opened.answers.ask("How many seats has the town theatre of Ostend?", mode=AnswerMode.EXTRACTIVE)
    run_next(context, "test")
    answer = opened.answers.get(answer.id)
    assert answer.text, answer.missing
    assert not answer.grounded
    assert answer.confidence_level == "low"
    assert OFF_TOPIC in answer.notes
    assert not any("disagree" in note or "differ" in note for note in answer.notes)


def test_it_survives_a_restart(workbench: Workbench) -> None:
    opened = filled(workbench)
    answer = answered(workbench, opened)
    slug = opened.project.slug
    opened.close()
    again = workbench.catalog.open(slug)
    try:
        assert again.answer(answer.id) == answer
    finally:
        again.close()


def test_without_sources_it_says_what_to_do(workbench: Workbench) -> None:
    opened = filled(workbench, sources=[])
    answer = answered(workbench, opened)
    assert answer.state is AnswerState.DONE
    assert not answer.text
    assert "Add sources" in answer.missing
    assert answer.confidence == 0


def test_a_question_that_nothing_answers_is_no_empty_success(workbench: Workbench) -> None:
    answer = answered(workbench, filled(workbench), "Which composer wrote nine symphonies in Vienna?")
    assert not answer.text
    assert answer.missing
    assert (answer.confidence, answer.confidence_level) == (0, "low")


def test_filters_and_variants_are_used(workbench: Workbench) -> None:
    opened = filled(workbench)
    [rain] = [one for one in opened.sources.documents() if "900 litres" in opened.sources.text(one.id)]
    variants = [Variant("v1", QueryKind.MANUAL, "rain garden litres"), Variant("v2", QueryKind.MANUAL, "off", on=False)]
    answer = answered(
        workbench, opened, "What did Dock Street hold?", variants=variants, filters=Filters(documents=(rain.id,))
    )
    assert {one.document_id for one in answer.citations} == {rain.id}
    attempts = answer.gathered["attempts"]
    assert isinstance(attempts, list)
    assert [one["text"] for one in attempts[0]["queries"]] == ["What did Dock Street hold?", "rain garden litres"]


def test_what_cannot_be_asked_is_refused_at_once(workbench: Workbench) -> None:
    asking = filled(workbench, sources=[]).answers
    for question in ("", " \n\x00 ", "x" * 2001):
        with pytest.raises(QueryError):
            asking.ask(question)
    with pytest.raises(AnswerError, match="domain"):
        asking.ask("Why?", domain="astrology")
    with pytest.raises(AnswerError, match="4,000"):
        asking.ask("Why?", guidance="x" * 4001)
    assert asking.all() == []


# ---------------------------------------------------------------- with one


def test_a_model_writes_and_every_sentence_is_checked(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)

    def script(request: Request) -> str:
        number = number_of(request, "400 limes")
        return said(f"{TRUE.format(number)} {FALSE.format(number)} Everybody was glad.", *[TRUE.format(number)] * 3)

    with language_model(opened, engines, tmp_path, script):
        answer = answered(workbench, opened)
    assert (answer.state, answer.mode) == (AnswerState.DONE, AnswerMode.GENERATED)
    in_text = [one for one in answer.sentences if one.bullet is None]
    assert [one.supported for one in in_text] == [True, False, False]
    assert answer.grounding_score == pytest.approx(1 / 3)
    assert not answer.grounded
    assert answer.confidence_level == "low"
    assert answer.cost_usd is not None
    assert answer.model


def test_strict_fails_on_one_sentence(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)

    def script(request: Request) -> str:
        number = number_of(request, "400 limes")
        held = [TREES.split(". ")[0] + " [{}].", TREES.split(". ")[2].rstrip(".") + " [{}].", TRUE]
        return said(" ".join([*held, FALSE]).replace("{}", str(number)), *[TRUE.format(number)] * 3)

    with language_model(opened, engines, tmp_path, script):
        assert answered(workbench, opened).grounded
        assert not answered(workbench, opened, strict=True).grounded


def test_unknown_markers_are_named(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)
    with language_model(opened, engines, tmp_path, lambda asked: limes(asked, TRUE + " Cats sleep [77].")):
        answer = answered(workbench, opened)
    assert any("[77]" in note for note in answer.notes)
    assert "[77]" not in answer.text


@pytest.mark.parametrize(
    ("script", "said_why"),
    [
        (Reply(status=401), "key"),
        (Reply(status=529), "overloaded"),
        (Reply(text="I cannot.", stop_reason="refusal"), "declin"),
        ("no JSON at all", "form"),
        (said("Yes [1].", "only one"), "form"),
        (Reply(text="Half a reply", after=1, fault="cut"), ""),
    ],
)
def test_when_the_model_fails_the_sources_answer_and_the_reason_is_said(
    workbench: Workbench, engines: Engines, tmp_path: Path, script: str | Reply, said_why: str
) -> None:
    opened = filled(workbench)
    with language_model(opened, engines, tmp_path, script):
        answer = answered(workbench, opened)
        assert (answer.state, answer.mode) == (AnswerState.DONE, AnswerMode.EXTRACTIVE)
        assert "1.3 degrees" in answer.text
        reason = next(note for note in answer.notes if "language model did not answer" in note)
        assert said_why in reason.lower()
        only = answered(workbench, opened, mode=AnswerMode.GENERATED)
        assert only.state is AnswerState.FAILED
        assert only.missing
        assert not only.sentences


def test_a_spent_budget_stops_before_anything_is_sent(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)
    with language_model(opened, engines, tmp_path, limes, budget_usd=0.0001) as api:
        answer = answered(workbench, opened)
        assert answer.mode is AnswerMode.EXTRACTIVE
        assert any("budget" in note.lower() or "cost" in note.lower() for note in answer.notes)
        assert api.requests == []


def test_extractive_sends_nothing(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)
    with language_model(opened, engines, tmp_path, limes) as api:
        answer = answered(workbench, opened, mode=AnswerMode.EXTRACTIVE)
        assert answer.text
        assert api.requests == []


def test_the_text_can_be_read_while_it_is_written_and_stopping_keeps_it(
    workbench: Workbench, engines: Engines, tmp_path: Path
) -> None:
    opened = filled(workbench)
    slow = Reply(text=said("Trees cool the air a little every day. " * 60), token_s=0.02)
    with language_model(opened, engines, tmp_path, slow):
        made, job = opened.answers.ask(QUESTION)
        worker = threading.Thread(target=run_next, args=(opened.job_context(), "test"))
        worker.start()
        seen = ""
        pause = threading.Event()
        while worker.is_alive() and not seen:
            pause.wait(0.05)
            seen = opened.answers.get(made.id).text
        opened.answers.cancel(made.id)
        worker.join()
    stopped = opened.answers.get(made.id)
    assert seen.startswith("Trees cool")
    assert stopped.state is AnswerState.CANCELLED
    assert stopped.text.startswith("Trees cool")
    assert stopped.version > 2
    assert opened.jobs.get(job.id).state is JobState.CANCELLED


def test_native_citations_become_markers(workbench: Workbench, engines: Engines, tmp_path: Path) -> None:
    opened = filled(workbench)

    def script(request: Request) -> Reply:
        place = next(n for n, block in enumerate(b for b in request.blocks if b["type"] == "document")
                     if "400 limes" in block["source"]["data"])  # fmt: skip
        data = [b for b in request.blocks if b["type"] == "document"][place]["source"]["data"]
        start = data.index("In the shade")
        end = data.index("afternoons.") + len("afternoons.")
        cited = {"type": "char_location", "document_index": place, "document_title": "x", "cited_text": data[start:end],
                 "start_char_index": start, "end_char_index": end}  # fmt: skip
        text = "In the shade of the limes the air on Mill Lane was 1.3 degrees cooler on summer afternoons."
        return Reply(blocks=(text, " More is not known of it here."), citations=((cited,), ()))

    with language_model(opened, engines, tmp_path, script, native_citations=True):
        answer = answered(workbench, opened)
    assert answer.mode is AnswerMode.GENERATED
    [citation] = answer.citations
    assert citation.excerpt.startswith("In the shade of the limes")
    assert opened.sources.text(citation.document_id)[citation.start : citation.end] == citation.excerpt
    assert f"afternoons. [{citation.marker}]" in answer.text
    assert answer.sentences[0].supported


# ---------------------------------------------------------------- afterwards


def test_an_answer_becomes_a_report_whose_citations_resolve(workbench: Workbench) -> None:
    opened = filled(workbench)
    answer = answered(workbench, opened)
    job = opened.answers.as_report(answer.id)
    finish_jobs(workbench, opened)
    rows = opened.audits.findings(int(str(job.payload["report"])))
    assert rows
    assert {row.status for row in rows} == {Status.PASS}
    assert {row.document_id for row in rows} == {one.document_id for one in answer.citations}


def test_a_report_of_uploads_and_pasted_texts_resolves_without_any_address(workbench: Workbench) -> None:
    opened = filled(workbench, sources=[])
    opened.sources.add_files(
        [("limes.txt", TREES.encode(), ""), ("copy/limes.txt", (TREES + " Planted well.").encode(), "")]
    )
    opened.sources.add_text("", f"Limes\n\n{TREES} They were watered.")
    finish_jobs(workbench, opened)
    answer = answered(workbench, opened)
    job = opened.answers.as_report(answer.id)
    finish_jobs(workbench, opened)
    rows = opened.audits.findings(int(str(job.payload["report"])))
    assert rows
    assert Status.SOURCE_NOT_INDEXED not in {row.status for row in rows}
    assert {row.document_id for row in rows} == {one.document_id for one in answer.citations}


def test_a_report_keeps_what_it_cites_of_a_deleted_source_and_the_audit_says_that_it_is_missing(
    workbench: Workbench,
) -> None:
    opened = filled(workbench)
    answer = answered(workbench, opened)
    for key in {one.document_id for one in answer.citations}:
        opened.sources.delete(key)
    job = opened.answers.as_report(answer.id)
    finish_jobs(workbench, opened)
    rows = opened.audits.findings(int(str(job.payload["report"])))
    assert {row.url for row in rows} == {one.url for one in answer.citations}
    assert {row.status for row in rows} == {Status.SOURCE_NOT_INDEXED}


def test_what_has_no_text_becomes_no_report(workbench: Workbench) -> None:
    opened = filled(workbench, sources=[])
    with pytest.raises(AnswerError, match="nothing to make a report of"):
        opened.answers.as_report(answered(workbench, opened).id)


def test_a_job_that_died_leaves_no_answer_that_is_written_for_ever(workbench: Workbench) -> None:
    opened = filled(workbench)
    made, job = opened.answers.ask(QUESTION)
    opened.jobs.cancel(job.id)
    assert opened.answers.get(made.id).state is AnswerState.CANCELLED
    opened.answers.delete(made.id)
    assert opened.answers.all() == []
    with pytest.raises(AnswerError):
        opened.answers.get(made.id)


@pytest.mark.parametrize("through_asking", [True, False])
def test_deleting_an_answer_while_it_is_written_ends_its_job_quietly(
    workbench: Workbench, engines: Engines, tmp_path: Path, through_asking: bool
) -> None:
    opened = filled(workbench)

    def script(request: Request) -> str:
        if through_asking:
            opened.answers.delete(made.id)
        else:  # as another program may
            opened.job_context().store.delete_answer(made.id)
        return limes(request)

    with language_model(opened, engines, tmp_path, script):
        made, job = opened.answers.ask(QUESTION)
        run_next(opened.job_context(), "test")
    ended = opened.jobs.get(job.id)
    assert ended.state is JobState.CANCELLED, ended.error
    assert opened.answers.all() == []


def test_an_answer_without_a_live_job_is_told_as_interrupted_until_a_worker_takes_it_up(workbench: Workbench) -> None:
    opened = filled(workbench)
    context = opened.job_context()
    store, now = context.store, context.clock()

    def seen(number: int, later: float) -> Answer:
        at = now + timedelta(seconds=later)
        return Answers(replace(context, clock=lambda: at)).get(number)

    made, _ = opened.answers.ask(QUESTION)
    orphan = store.add_answer(replace(made, text="Half of a sen"))
    store.claim_job("a worker that dies")
    for one in (made, orphan):
        assert seen(one.id, 5).state is AnswerState.WRITING
        for later in (3600, -3600):  # the clock was set back since
            told = seen(one.id, later)
            assert told.state is AnswerState.INTERRUPTED
            assert "Ask again" in told.missing
        assert store.answer(one.id).state is AnswerState.WRITING  # its job may still be taken up


def test_an_answer_that_a_killed_worker_left_half_written_is_written_anew(workbench: Workbench) -> None:
    opened = filled(workbench)
    made, _ = opened.answers.ask(QUESTION)
    store = opened.job_context().store
    store.put_answer(replace(store.answer(made.id), text="Half of a sen", bullets=("x",), notes=("old",)))
    finish_jobs(workbench, opened)
    answer = opened.answers.get(made.id)
    assert answer.state is AnswerState.DONE
    assert "Half of" not in answer.text
    assert "old" not in answer.notes
    assert "x" not in answer.bullets


def test_guidance_of_a_project_and_of_a_question_reach_the_model(
    workbench: Workbench, engines: Engines, tmp_path: Path
) -> None:
    opened = filled(workbench)
    opened.answers.set_guidance("general", "Be brief, please.")
    assert [one.edited for one in opened.answers.templates() if one.name == "general"] == [True]
    with language_model(opened, engines, tmp_path, limes) as api:
        answered(workbench, opened)
        answered(workbench, opened, guidance="Write for children.")
        asked = [request.user for request in api.requests]
    assert "Be brief, please." in asked[0]
    assert "Write for children." in asked[1]
    assert not opened.answers.set_guidance("general", "").edited
