"""What a language model may add to a question: made-up answers, two other phrasings; and what its faults cost."""

from __future__ import annotations

import json

import pytest

from core.errors import (
    BudgetReached,
    JobCancelled,
    LlmBusy,
    LlmKeyRejected,
    LlmMalformed,
    LlmOff,
    LlmRefused,
    LlmRequestRejected,
    QueryError,
)
from core.expand.by_model import hyde, multi_query
from core.expand.compose import batch, expansion, giving_up
from core.expand.transform import by_model
from core.labels import LlmTask, QueryKind
from core.records import Expansion
from core.settings.values import Expansion as ExpansionSettings
from tests.helpers.expanding import Scripted

QUESTION = "Do street trees cool a city?"
TWO = '["Does urban greenery lower air temperature?", "Effect of tree canopy on city heat"]'
FAULTS = [
    LlmOff("off"),
    BudgetReached("budget"),
    LlmKeyRejected("key"),
    LlmRequestRejected("request"),
    LlmBusy("busy"),
    LlmRefused("refused"),
    LlmMalformed("malformed"),
]


def test_hyde_puts_the_question_before_the_made_up_answer_and_its_first_100_characters_to_the_web() -> None:
    answer = "Street trees cool cities by shade. The effect is two degrees on hot days. It grows with cover and water."
    (one,) = hyde(QUESTION, Scripted(f"  {answer}\n\nA fourth sentence that was not asked for."))
    assert one.kind is QueryKind.HYDE
    assert one.text == f"{QUESTION} {answer}"
    assert len(one.web_text) <= 100
    assert answer.startswith(one.web_text)
    assert answer[len(one.web_text)] == " "


def test_hyde_sends_the_question_only_to_the_small_model() -> None:
    write = Scripted("Trees cool.")
    hyde(QUESTION, write)
    [prompt] = write.prompts
    assert prompt.task is LlmTask.EXPAND
    assert [document.text for document in prompt.documents] == [QUESTION]


def test_a_long_question_and_a_long_made_up_answer_stay_within_what_a_search_takes() -> None:
    (one,) = hyde("tree " * 399, Scripted("cooling " * 500))
    assert len(one.text) <= 2000
    (alone,) = hyde(QUESTION, Scripted("x" * 1_000_000))
    assert len(alone.text) <= len(QUESTION) + 601


@pytest.mark.parametrize("reply", ["", "   ", "\x00\x01", "…", "\U0001f333"])
def test_hyde_without_words_is_a_fault(reply: str) -> None:
    with pytest.raises(LlmMalformed):
        hyde(QUESTION, Scripted(reply))


def test_multi_query_gives_exactly_two_and_asks_once() -> None:
    write = Scripted(TWO)
    made = multi_query(QUESTION, write)
    assert [one.text for one in made] == json.loads(TWO)
    assert [one.key for one in made] == ["multi_query-1", "multi_query-2"]
    assert len(write.prompts) == 1


def test_multi_query_cuts_the_question_to_500_and_each_alternative_to_300_characters_at_a_word() -> None:
    write = Scripted(json.dumps(["first " * 100, "second " * 100]))
    made = multi_query("word " * 390, write)
    sent = write.prompts[0].documents[0].text
    assert len(sent) <= 500
    assert sent.endswith("word")
    assert all(len(one.text) <= 300 for one in made)
    assert made[0].text.endswith("first")


def test_a_list_in_a_fence_is_a_list() -> None:
    assert len(multi_query(QUESTION, Scripted(f"```json\n{TWO}\n```"))) == 2


BAD_REPLIES = {
    "no JSON": "Sure! Here are two alternatives.",
    "half of it": '["one",',
    "an object": '{"a": "one"}',
    "numbers": "[1, 2]",
    "nothing": "[]",
    "one": '["only one"]',
    "five": '["a b", "c d", "e f", "g h", "i j"]',
    "the same twice": '["trees cool", "Trees  cool!"]',
    "the question": f'["{QUESTION}", "something else"]',
    "an empty one": '["", "something else"]',
    "more than any reply may have": json.dumps(["x" * 2_000_000, "something else"]),
    "nested without end": "[" * 9_000,
    "null": "null",
}


@pytest.mark.parametrize("reply", BAD_REPLIES.values(), ids=BAD_REPLIES)
def test_a_reply_that_is_not_two_other_phrasings_leaves_a_note_and_the_question(reply: str) -> None:
    write = Scripted(reply)
    made = expansion(QUESTION, {QueryKind.MULTI_QUERY: lambda text: (multi_query(text, write), ())})
    assert [one.kind for one in made.variants] == [QueryKind.ORIGINAL]
    (note,) = made.notes
    assert "Other phrasings" in note
    assert "goes on with the question itself" in note
    assert len(note) < 400
    assert len(write.prompts) == 1


@pytest.mark.parametrize("fault", FAULTS, ids=[type(one).__name__ for one in FAULTS])
def test_every_fault_of_a_model_costs_its_kind_and_nothing_else(fault: Exception) -> None:
    write = Scripted(fault)
    makers = {
        QueryKind.HYDE: lambda text: (hyde(text, write), ()),
        QueryKind.MULTI_QUERY: lambda text: (multi_query(text, Scripted(TWO)), ()),
    }
    made = expansion(QUESTION, makers)
    assert [one.kind for one in made.variants] == [QueryKind.ORIGINAL, *[QueryKind.MULTI_QUERY] * 2]
    assert [str(fault) in note for note in made.notes] == [True]


def test_the_rules_may_be_replaced_by_a_model() -> None:
    made = by_model(QUESTION, Scripted('["trees cool city", "urban canopy cooling", "Trees cool cities"]'))
    assert len(made) == 3
    with pytest.raises(LlmMalformed, match="3 to 5"):
        by_model(QUESTION, Scripted(TWO))


def _batch(questions: list[str], write: Scripted) -> list[Expansion]:
    asking = giving_up(write)

    def one(question: str) -> Expansion:
        return expansion(question, {QueryKind.HYDE: lambda text: (hyde(text, asking), ())})

    return batch(questions, one, lambda *_: None)


def test_a_batch_keeps_the_order_and_says_what_cannot_be_searched() -> None:
    made = _batch(["one tree", "", "x" * 100_000, "one tree", "two trees"], Scripted("An answer."))
    assert [len(one.variants) for one in made] == [2, 0, 0, 2, 2]
    assert "empty" in made[1].notes[0]
    assert "100,000" in made[2].notes[0]


@pytest.mark.parametrize(("fault", "asked"), [(BudgetReached("b"), 1), (LlmBusy("b"), 3), (LlmRefused("r"), 6)])
def test_a_batch_does_not_go_on_asking_where_it_is_of_no_use(fault: Exception, asked: int) -> None:
    write = Scripted(fault)
    made = _batch([f"question number {at}" for at in range(6)], write)
    assert len(write.prompts) == asked
    assert all(len(one.variants) == 1 and one.notes for one in made)


def test_a_batch_that_is_stopped_stops() -> None:
    def stop(*_: object) -> None:
        raise JobCancelled("stopped")

    with pytest.raises(JobCancelled):
        batch(["a question"], lambda text: expansion(text, {}), stop)


@pytest.mark.parametrize("questions", [[], ["q"] * 201])
def test_a_batch_has_a_size(questions: list[str]) -> None:
    with pytest.raises(QueryError):
        batch(questions, lambda text: expansion(text, {}), lambda *_: None)


def test_what_asks_a_model_is_off_unless_switched_on() -> None:
    settings = ExpansionSettings()
    assert not any((settings.hyde, settings.multi_query, settings.transform_llm))
