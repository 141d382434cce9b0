"""Promises of written answers: what the model says is read, its markers and quotes are checked, nothing is trusted."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from core.answer.domains import template
from core.answer.generated import generated, generated_natively
from core.answer.prompts import INSUFFICIENT, Reply, answer_prompt, partial_answer, reply_of_text
from core.labels import AnswerMode, LlmTask
from core.records import Completion, NativeCitation, TokenUsage
from tests.unit.answer.answering import evidence

SOURCES = evidence("Trees cool the air\nby 1.3 degrees. Roofs help at night.", "Watering costs money.", start=10)
BULLETS = ["One [1].", "Two [2].", "Three [1]."]


def reply(answer: str, **fields: object) -> Reply:
    return Reply.model_validate({"answer": answer, "bullets": BULLETS, **fields})


def completion(text: str, *citations: NativeCitation) -> Completion:
    return Completion(text, "model", TokenUsage(), 0.0, None, 1.0, citations=citations)


def test_markers_lead_to_passages() -> None:
    draft = generated(reply("Trees cool [1]. Watering costs [2, 1]."), SOURCES)
    assert draft.mode is AnswerMode.GENERATED
    assert [one.markers for one in draft.claims if one.bullet is None] == [(1,), (2, 1)]
    assert {one.marker for one in draft.citations} == {1, 2}
    assert draft.notes == ()


def test_markers_without_a_passage_are_named_and_dropped() -> None:
    draft = generated(reply("Trees cool [1, 8]. It is known [9]."), SOURCES)
    assert draft.text == "Trees cool [1]. It is known."
    assert "[8], [9]" in draft.notes[0]
    assert draft.claims[1].markers == ()


def test_a_quote_is_the_excerpt_only_when_it_stands_there() -> None:
    quotes = [{"number": 1, "quote": "cool the air by 1.3 degrees"}, {"number": 2, "quote": "Watering is free"}]
    draft = generated(reply("Trees cool [1]. Watering costs [2].", quotes=quotes), SOURCES)
    first, second = draft.citations
    assert first.excerpt == "cool the air\nby 1.3 degrees"
    assert (first.start, first.end) == (16, 16 + len(first.excerpt))
    assert second.excerpt == SOURCES[1].text
    assert "[2]" in draft.notes[0]
    assert "word for word" in draft.notes[0]


def test_a_model_that_finds_no_answer_gives_none() -> None:
    assert "found no answer" in generated(Reply(answer="", sufficient=False), SOURCES).missing
    assert "found no answer" in generated_natively(completion(INSUFFICIENT), SOURCES).missing


@pytest.mark.parametrize("bullets", [[], ["One."], ["x"] * 6, ["a", " ", "c"]])
def test_three_to_five_bullets_are_demanded(bullets: list[str]) -> None:
    with pytest.raises(ValidationError):
        Reply.model_validate({"answer": "Yes [1].", "bullets": bullets})


def test_the_text_is_shown_while_it_comes() -> None:
    whole = json.dumps({"answer": 'Trees "cool"\nthe air \u00e9 \U0001f333 [1].', "bullets": BULLETS})
    shown = [partial_answer(whole[:end]) for end in range(len(whole) + 1)]
    assert shown[-1] == 'Trees "cool"\nthe air \u00e9 \U0001f333 [1].'
    assert all(shown[-1].startswith(one) for one in shown)
    assert shown[5] == ""
    assert partial_answer("no JSON") == ""


def test_native_citations_become_markers_and_ranges_of_the_document() -> None:
    text = "Trees cool the air. Watering costs money.\n\nKey points:\n- Trees cool.\n- Water costs.\n- Roofs help."
    cited = [
        NativeCitation("1", 0, 34, "Trees cool", 0, 19),
        NativeCitation("2", 0, 21, "Watering costs money.", 20, 41),
        NativeCitation("1", 35, 56, "Roofs help", 0, 19),
        NativeCitation("7", 0, 3, "?", 20, 41),
        NativeCitation("2", 5, 900, "?", 20, 41),
    ]
    draft = generated_natively(completion(text, *cited), SOURCES)
    assert draft.text == "Trees cool the air. [1] Watering costs money. [2]"
    assert draft.bullets == ("Trees cool.", "Water costs.", "Roofs help.")
    assert (draft.citations[0].start, draft.citations[0].end) == (10, 44)
    assert len(draft.notes) == 1


def test_numbers_that_a_model_writes_by_itself_are_no_native_citations() -> None:
    draft = generated_natively(completion("Trees cool [1]."), SOURCES)
    assert draft.text == "Trees cool (1)."
    assert draft.claims[0].markers == ()
    assert draft.citations == ()


def test_plain_text_without_a_list_is_all_text() -> None:
    assert reply_of_text("One.\n\n- a\n\nTwo.").answer == "One.\n\n- a\n\nTwo."
    assert reply_of_text("").answer == ""


def test_the_prompt_keeps_passages_out_of_the_instructions() -> None:
    prompt = answer_prompt("Do {guidance} trees\ncool?", SOURCES, template("general"))
    assert prompt.task is LlmTask.ANSWER
    assert [one.text for one in prompt.documents] == [one.text for one in SOURCES]
    assert all(one.text not in prompt.system + prompt.user for one in SOURCES)
    assert "Question: Do {guidance} trees cool?" in prompt.user
    other = answer_prompt("Another question?", SOURCES, template("law_policy"))
    assert (other.system, other.documents) == (prompt.system, prompt.documents)
    assert answer_prompt("Q?", SOURCES, template("general"), native=True).cite
