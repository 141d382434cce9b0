"""Questions, answers and calls in a zip: ours come back, impossible ones are refused, what is under way ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.labels import AnswerState, CallState
from core.records import TokenUsage
from storage.archive import format as archive
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from tests.contract.asked import make_answer, make_call, make_question
from tests.hostile.archives import change_line, members_of, refused, rewrite
from tests.hostile.conftest import TEXT

Record = dict[str, Any]
QUESTIONS, ANSWERS, CALLS = "questions.jsonl", "answers.jsonl", "llm_calls.jsonl"


def _ask(store: SqliteProjectStore) -> None:
    """Two versions of a question, an answer that stands, one under way, one failed; calls ended and under way."""
    (document,) = [one for one in store.documents() if one.tags]
    gone = store.save_question(make_question("deleted later"))
    question = store.save_question(make_question("東京 ½ \u2028 <b>?"))
    store.save_question(replace(question, variants=question.variants[:1]))
    store.delete_question(gone.id)
    store.add_answer(make_answer(document, TEXT))
    store.add_answer(make_answer(document, TEXT, state=AnswerState.WRITING))
    store.add_answer(make_answer(state=AnswerState.FAILED, missing="It was busy."))
    for cost in (0.1, None):
        call = store.begin_call(make_call(), reserve_usd=0.2, budget_usd=9)
        store.end_call(replace(call, state=CallState.OK, usage=TokenUsage(1, 2, 3, 4), cost_usd=cost, total_ms=9.5))
    store.begin_call(make_call(), reserve_usd=0.2, budget_usd=9)


@pytest.fixture
def asked(catalog: SqliteCatalog, sound: Path) -> Path:
    """An archive of the full project in which something was asked."""
    store = catalog.open("full")
    _ask(store)
    store.close()
    return catalog.export("full", sound)


def _changed(path: Path, name: str, change: Callable[[Record], None], line: int = 0) -> Path:
    return rewrite(path, change_line(members_of(path), name, change, line))


def _imported(catalog: SqliteCatalog, path: Path) -> SqliteProjectStore:
    assert catalog.verify_archive(path) == []
    return catalog.open(catalog.import_archive(path).slug)


# ---------------------------------------------------------------- ours


def test_questions_answers_and_calls_come_back(catalog: SqliteCatalog, asked: Path, tmp_path: Path) -> None:
    given = catalog.open("full")
    taken = _imported(SqliteCatalog(tmp_path / "elsewhere", utc_now), asked)
    assert [replace(one, version=2) for one in taken.questions()] == given.questions()
    failed, writing, standing = given.answers()
    again_failed, stopped, again_standing = taken.answers()
    (cited,) = again_standing.citations
    (passage,) = taken.passages([cited.passage_id]).values()
    assert (passage.document_id, passage.start) == (cited.document_id, 0)
    assert replace(again_standing, citations=standing.citations) == standing
    assert again_failed == failed
    assert (stopped.id, stopped.state, writing.state) == (writing.id, AnswerState.CANCELLED, AnswerState.WRITING)
    assert "exported" in stopped.missing
    under_way, *ended = taken.calls()
    assert ended == list(given.calls())[1:]
    assert (under_way.state, under_way.cost_usd) == (CallState.FAILED, 0.2)
    assert taken.spent() == pytest.approx((0.3, 0.0))
    assert taken.add_answer(make_answer()).id > failed.id
    assert taken.save_question(make_question()).id > given.questions()[0].id
    given.close()
    taken.close()


def test_a_copy_of_a_project_has_them_and_ends_what_the_original_is_doing(catalog: SqliteCatalog, asked: Path) -> None:
    given, taken = catalog.open("full"), catalog.open(catalog.duplicate("full", "Copy").slug)
    assert taken.questions() == given.questions()
    failed, writing, standing = given.answers()
    kept = taken.answers()
    assert kept == [failed, replace(writing, state=AnswerState.CANCELLED, missing=kept[1].missing), standing]
    assert "copied" in kept[1].missing
    under_way, *ended = taken.calls()
    assert ended == list(given.calls())[1:]
    assert (under_way.state, under_way.cost_usd) == (CallState.FAILED, 0.2)
    assert (taken.spent(), given.spent()) == (pytest.approx((0.3, 0.0)), pytest.approx((0.1, 0.2)))
    for store in (given, taken):
        store.close()


def test_a_project_in_which_nothing_was_asked_has_the_lists_empty(sound: Path) -> None:
    members = members_of(sound)
    assert json.loads(members["manifest.json"])["version"] == archive.VERSION
    assert {members[name] for name in (QUESTIONS, ANSWERS, CALLS)} == {b""}


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("name", [QUESTIONS, ANSWERS, CALLS])
def test_a_missing_list_is_refused(catalog: SqliteCatalog, asked: Path, name: str) -> None:
    refused(catalog, rewrite(asked, {key: body for key, body in members_of(asked).items() if key != name}), "missing")


@pytest.mark.parametrize(
    "change",
    [
        {"id": 0},
        {"id": 2**31},
        {"id": "1"},
        {"text": None},
        {"created": "yesterday"},
        {"variants": [{"key": "q", "kind": "guess", "text": "x"}]},
        {"variants": [{"key": "q", "kind": "manual", "text": "x"}] * 2},
        {"variants": "x"},
        {"extra": 1},
    ],
)
def test_a_wrong_question_is_refused(catalog: SqliteCatalog, asked: Path, change: Record) -> None:
    refused(catalog, _changed(asked, QUESTIONS, lambda record: record.update(change)), "not taken in")


@pytest.mark.parametrize(
    "change",
    [
        {"id": 0},
        {"id": 2},
        {"id": 10**40},
        {"at": 7},
        {"state": "sure"},
        {"state": "writing"},
        {"state": "interrupted"},
        {"mode": "guessed"},
        {"confidence": 1000},
        {"confidence": 10**40},
        {"confidence_level": "sure"},
        {"grounding_score": -0.1},
        {"grounding_score": float("nan")},
        {"cost_usd": float("inf")},
        {"text": "x"},
        {"bullets": []},
        {"gathered": []},
        {"extra": 1},
    ],
)
def test_a_wrong_answer_is_refused(catalog: SqliteCatalog, asked: Path, change: Record) -> None:
    refused(catalog, _changed(asked, ANSWERS, lambda record: record.update(change)), "not taken in")


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("citations", {"marker": 0}),
        ("citations", {"start": -1}),
        ("citations", {"end": 10**6}),
        ("citations", {"end": 10**40}),
        ("citations", {"start": 9, "end": 3}),
        ("citations", {"relevance": 1.5}),
        ("citations", {"document_id": None}),
        ("sentences", {"start": -1}),
        ("sentences", {"end": 10**6}),
        ("sentences", {"bullet": 7}),
        ("sentences", {"bullet": -1}),
        ("sentences", {"support": float("nan")}),
        ("sentences", {"label": "agrees"}),
        ("sentences", {"markers": [0]}),
        ("flags", {"where": 1}),
    ],
)
def test_a_wrong_part_of_an_answer_is_refused(catalog: SqliteCatalog, asked: Path, part: str, change: Record) -> None:
    refused(catalog, _changed(asked, ANSWERS, lambda record: record[part][0].update(change)), "not taken in")


@pytest.mark.parametrize(
    "change",
    [
        {"id": 0},
        {"id": 2},
        {"at": None},
        {"task": "steal"},
        {"state": "started"},
        {"state": "fine"},
        {"cost_usd": -5.0},
        {"cost_usd": 1e300},
        {"cost_usd": float("nan")},
        {"total_ms": float("inf")},
        {"usage": {"input": -1}},
        {"usage": {"input": 10**40}},
        {"usage": {"input": 1.5}},
    ],
)
def test_a_wrong_call_is_refused(catalog: SqliteCatalog, asked: Path, change: Record) -> None:
    refused(catalog, _changed(asked, CALLS, lambda record: record.update(change)), "not taken in")


# ---------------------------------------------------------------- no longer grounded


@pytest.mark.parametrize("forged", [{"excerpt": "Otters never swim."}, {"document_id": "0" * 16}])
def test_an_answer_on_words_that_are_not_there_is_not_grounded(
    catalog: SqliteCatalog, asked: Path, forged: Record
) -> None:
    taken = _imported(catalog, _changed(asked, ANSWERS, lambda one: one["citations"][0].update(forged)))
    answer = taken.answers()[-1]
    assert answer.grounded is False
    assert "does not count as grounded" in answer.notes[-1]
    assert answer.citations[0].passage_id == 0 or "excerpt" in forged
    taken.close()


def test_an_answer_on_a_source_deleted_before_the_export_comes_back_ungrounded(
    catalog: SqliteCatalog, asked: Path
) -> None:
    given = catalog.open("full")
    (document,) = [one for one in given.documents() if one.tags]
    given.delete(document.id)
    given.close()
    taken = _imported(catalog, catalog.export("full", asked))
    assert [(one.id, one.grounded) for one in taken.answers()] == [(3, True), (2, False), (1, False)]
    taken.close()
