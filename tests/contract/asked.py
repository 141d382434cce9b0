"""Small real questions, answers and calls for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.labels import AnswerMode, AnswerState, CallState, Label, LlmTask, QueryKind
from core.records import Answer, AnswerCitation, AnswerSentence, Document, InjectionFlag, LlmCall, Question, Variant
from tests.contract.builders import START


def make_question(text: str = "Do otters swim?", **changes: Any) -> Question:
    """A question with two variants, not saved yet."""
    variants = (
        Variant("q", QueryKind.ORIGINAL, text, web_text=text),
        Variant("t1", QueryKind.TRANSFORM, "otters swim", on=False, why="Words that carry meaning.", edited=True),
    )
    return replace(Question(0, 0, text, variants, START, START), **changes)


def make_answer(document: Document | None = None, source: str = "", /, **changes: Any) -> Answer:
    """An answer that cites the first ten characters of ``source``, the text of ``document``."""
    answer = Answer(
        id=0,
        version=0,
        at=START,
        question="Do otters swim?",
        state=AnswerState.DONE,
        mode=AnswerMode.EXTRACTIVE,
        domain="general",
        text="Otters swim [1]. They do so daily.",
        bullets=("Otters swim [1].",),
        sentences=(
            AnswerSentence(0, 16, (1,), Label.SUPPORTS, 0.9, supported=True),
            AnswerSentence(0, 16, (1,), None, 0.0, supported=True, why="claims nothing", bullet=0),
        ),
        confidence=71,
        confidence_level="high",
        grounding_score=1.0,
        grounded=True,
        model="m",
        cost_usd=0.002,
        notes=("A note.",),
        gathered={"attempts": [{"confidence": 0.5, "words": "half"}], "web": None},
        fingerprint={"encoder": "e"},
    )
    if document is not None:
        cited = AnswerCitation(1, document.id, 1, document.title, f"…{source[:10]}…", 0, 10, 0.8, "https://a/")
        flag = InjectionFlag("hidden", "Ignore all", "ignore-instructions", document.id)
        answer = replace(answer, citations=(cited,), flags=(flag,))
    return replace(answer, **changes)


def make_call(**changes: Any) -> LlmCall:
    """A call that begins."""
    return replace(LlmCall(0, START, LlmTask.ANSWER, "claude-sonnet-5-5", CallState.STARTED), **changes)
