"""Promises of the golden questions."""

from __future__ import annotations

import re
from collections import Counter

from core import demo
from core.acquire.chunk import chunk
from tests.unit.demo.reading import EXTRACTED, TEXTS

QUESTIONS = demo.questions()


def test_there_are_twenty_of_mixed_difficulty() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS) == 20
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert set(kinds) == {"words", "meaning", "number", "several"}
    assert kinds["meaning"] >= 6


def test_every_question_has_an_answer_and_no_quote_is_given_twice() -> None:
    for question in QUESTIONS:
        quotes = [(answer["source"], answer["quote"]) for answer in question["answers"]]
        assert any(answer["relevance"] == 2 for answer in question["answers"])
        assert {answer["relevance"] for answer in question["answers"]} <= {1, 2}
        assert len(set(quotes)) == len(quotes)


def test_every_quote_occurs_in_its_source() -> None:
    missing = [
        (question["id"], answer["quote"])
        for question in QUESTIONS
        for answer in question["answers"]
        if answer["quote"] not in TEXTS[answer["source"]]
    ]
    assert missing == []


def test_every_quote_lies_whole_in_a_passage() -> None:
    """Else a search could not return it."""
    passages = {
        name: [
            re.sub(r"\s+", " ", passage.text)
            for passage in chunk(
                extraction.text,
                document_id=name,
                headings=extraction.headings,
                pages=extraction.pages,
                title=extraction.title or "",
            )
        ]
        for name, extraction in EXTRACTED.items()
    }
    cut = [
        (question["id"], answer["quote"])
        for question in QUESTIONS
        for answer in question["answers"]
        if not any(answer["quote"] in passage for passage in passages[answer["source"]])
    ]
    assert cut == []
