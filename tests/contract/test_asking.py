"""Questions are versioned, answers grow while they are written, and no two calls spend the same money."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from core.errors import AnswerError, BudgetReached, RowMoved, StorageError
from core.labels import AnswerState, CallState
from core.ports.store import ProjectStore
from core.records import TokenUsage
from tests.contract.asked import make_answer, make_call, make_question
from tests.contract.builders import START, FakeClock, add

TEXT = "Otters swim in the tidal mill."


# ---------------------------------------------------------------- questions


def test_a_question_is_kept_and_its_next_version_replaces_it(store: ProjectStore, clock: FakeClock) -> None:
    first = store.save_question(make_question(version=7))
    assert first == replace(make_question(), id=first.id, version=1)
    clock.advance(60)
    second = store.save_question(replace(first, text="Do herons wait?", variants=()))
    assert second == replace(first, version=2, text="Do herons wait?", variants=(), changed=clock())
    assert store.question(first.id) == second
    with pytest.raises(RowMoved):
        store.save_question(replace(first, text="Too late"))
    assert store.question(first.id) == second


def test_questions_come_newest_change_first(store: ProjectStore, clock: FakeClock) -> None:
    one, two = store.save_question(make_question("one")), store.save_question(make_question("two"))
    assert [found.text for found in store.questions()] == ["two", "one"]
    clock.advance(1)
    store.save_question(one)
    assert [found.text for found in store.questions()] == ["one", "two"]
    store.delete_question(two.id)
    store.delete_question(two.id)
    store.delete_question(2**70)
    assert [found.text for found in store.questions()] == ["one"]
    for gone in (two.id, 2**70):
        with pytest.raises(AnswerError):
            store.question(gone)
    with pytest.raises(AnswerError):
        store.save_question(two)


def test_variants_that_cannot_be_told_apart_are_refused(store: ProjectStore) -> None:
    question = make_question()
    with pytest.raises(StorageError):
        store.save_question(replace(question, variants=(question.variants[0], question.variants[0])))
    assert store.questions() == []


# ---------------------------------------------------------------- answers


def test_an_answer_grows_while_it_is_written(store: ProjectStore, clock: FakeClock) -> None:
    document = add(store, TEXT)
    begun = make_answer(document, TEXT, state=AnswerState.WRITING, text="", bullets=(), sentences=())
    first = store.add_answer(replace(begun, id=99, version=99, at=START.replace(year=1999)))
    assert first == replace(begun, id=first.id, version=1, at=START)
    clock.advance(5)
    for version, text in ((2, "Otters"), (3, "Otters swim [1].")):
        kept = store.put_answer(replace(first, text=text, at=clock()))
        assert kept == replace(first, version=version, text=text) == store.answer(first.id)
    done = make_answer(document, TEXT, id=first.id)
    assert store.put_answer(done) == replace(done, version=4) == store.answer(first.id)


def test_answers_come_newest_first_and_go_when_deleted(store: ProjectStore) -> None:
    one, two, three = (store.add_answer(make_answer(question=text)) for text in ("one", "two", "three"))
    assert store.answers() == [three, two, one]
    assert store.answers(limit=2) == [three, two]
    assert store.answers(limit=0) == []
    store.delete_answer(two.id)
    store.delete_answer(two.id)
    assert store.answers(limit=2**70) == [three, one]
    with pytest.raises(AnswerError):
        store.answer(two.id)
    with pytest.raises(AnswerError):
        store.put_answer(two)
    assert store.add_answer(make_answer()).id > three.id


def test_what_an_answer_rests_on_is_kept_as_json_gives_it_back(store: ProjectStore) -> None:
    kept = store.add_answer(make_answer(gathered={"pair": (1, 2)}, fingerprint={"text": "東京 ½"}))
    assert (kept.gathered, kept.fingerprint) == ({"pair": [1, 2]}, {"text": "東京 ½"})
    for wrong in ({"x": object()}, {"x": float("nan")}, {"x": {1, 2}}):
        with pytest.raises(StorageError):
            store.add_answer(make_answer(gathered=wrong))
    assert store.answers() == [kept]


@pytest.mark.parametrize(
    "change",
    [
        {"confidence": 101},
        {"confidence_level": "sure"},
        {"grounding_score": 1.1},
        {"grounding_score": float("nan")},
        {"cost_usd": -1.0},
        {"cost_usd": float("inf")},
        {"text": "Short."},
        {"bullets": ()},
    ],
)
def test_an_impossible_answer_is_refused(store: ProjectStore, change: dict[str, Any]) -> None:
    kept = store.add_answer(make_answer())
    with pytest.raises(StorageError):
        store.add_answer(make_answer(**change))
    with pytest.raises(StorageError):
        store.put_answer(replace(kept, **change))
    assert store.answers() == [kept]


def test_a_citation_stands_at_a_place_and_has_its_own_number(store: ProjectStore) -> None:
    document = add(store, TEXT)
    (cited,) = make_answer(document, TEXT).citations
    for wrong in (
        (cited, cited),
        (replace(cited, start=9, end=3),),
        (replace(cited, marker=0),),
        (replace(cited, relevance=2.0),),
    ):
        with pytest.raises(StorageError):
            store.add_answer(make_answer(citations=wrong))


# ---------------------------------------------------------------- calls


def test_a_call_reserves_its_greatest_cost_and_then_costs_what_it_cost(store: ProjectStore) -> None:
    call = store.begin_call(make_call(), reserve_usd=0.3, budget_usd=1.0)
    assert call == make_call(id=call.id)
    assert store.spent() == (0.0, 0.3)
    done = replace(call, state=CallState.OK, usage=TokenUsage(100, 20, 3, 4), cost_usd=0.1, total_ms=12.5)
    store.end_call(done)
    assert store.spent() == (0.1, 0.0)
    assert list(store.calls()) == [done]
    failed = store.begin_call(make_call(), reserve_usd=0.9, budget_usd=1.0)
    store.end_call(replace(failed, state=CallState.FAILED, error="It was busy."))
    assert store.spent() == (0.1, 0.0)
    assert [one.id for one in store.calls()] == [failed.id, call.id]
    assert [one.id for one in store.calls(limit=1)] == [failed.id]


def test_a_call_that_could_exceed_the_budget_is_not_recorded(store: ProjectStore) -> None:
    first = store.begin_call(make_call(), reserve_usd=0.1, budget_usd=0.3)
    store.begin_call(make_call(), reserve_usd=0.2, budget_usd=0.3)  # 0.1 + 0.2 is a little over 0.3 in floats
    with pytest.raises(BudgetReached):
        store.begin_call(make_call(), reserve_usd=0.0001, budget_usd=0.3)
    with pytest.raises(BudgetReached):
        store.begin_call(make_call(), reserve_usd=0.01, budget_usd=0.0)
    assert len(store.calls()) == 2
    store.end_call(replace(first, state=CallState.OK, cost_usd=0.05))
    store.begin_call(make_call(), reserve_usd=0.05, budget_usd=0.3)


def test_a_call_that_never_ended_counts_as_spent_after_an_hour(store: ProjectStore, clock: FakeClock) -> None:
    lost = store.begin_call(make_call(), reserve_usd=0.5, budget_usd=1.0)
    clock.advance(3599)
    assert store.spent() == (0.0, 0.5)
    clock.advance(1)
    assert store.spent() == (0.5, 0.0)
    with pytest.raises(BudgetReached):
        store.begin_call(make_call(), reserve_usd=0.6, budget_usd=1.0)
    store.end_call(replace(lost, state=CallState.FAILED, cost_usd=0.2))
    assert store.spent() == (0.2, 0.0)


def test_a_call_from_the_future_counts_as_spent(store: ProjectStore, clock: FakeClock) -> None:
    store.begin_call(make_call(), reserve_usd=0.5, budget_usd=1.0)
    clock.advance(-7200)  # the clock was set back after the process had died
    assert store.spent() == (0.5, 0.0)


def test_impossible_money_counts_and_ends_are_refused(store: ProjectStore) -> None:
    for wrong in (-0.1, float("nan"), float("inf")):
        with pytest.raises(StorageError):
            store.begin_call(make_call(), reserve_usd=wrong, budget_usd=1.0)
        with pytest.raises(StorageError):
            store.begin_call(make_call(), reserve_usd=0.1, budget_usd=wrong)
    assert list(store.calls()) == []
    call = store.begin_call(make_call(), reserve_usd=0.1, budget_usd=1.0)
    for end in (
        call,
        replace(call, state=CallState.OK, cost_usd=-1.0),
        replace(call, state=CallState.OK, usage=TokenUsage(-1)),
        replace(call, state=CallState.OK, id=4711),
        replace(call, state=CallState.OK, id=2**70),
    ):
        with pytest.raises(StorageError):
            store.end_call(end)
    assert list(store.calls()) == [call]


def test_calls_at_once_do_not_spend_the_same_cent(store: ProjectStore) -> None:
    begun: list[bool] = []

    def ask() -> None:
        try:
            store.begin_call(make_call(), reserve_usd=0.25, budget_usd=1.0)
            begun.append(True)
        except BudgetReached:
            begun.append(False)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(begun) == [False] * 4 + [True] * 4
    assert store.spent() == (0.0, 1.0)
