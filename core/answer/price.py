"""What an answer by a language model costs at most, before its passages are known."""

from __future__ import annotations

from core.answer.domains import Template
from core.answer.draft import Evidence
from core.answer.prompts import QUESTION_CHARS, answer_prompt
from core.llm.budget import LlmUsing
from core.records import MAX_GUIDANCE, Estimate
from core.settings.values import Settings

CHARS_A_TOKEN = 4
"""As everywhere: about four characters a token."""


def most_it_costs(using: LlmUsing, settings: Settings) -> Estimate:
    """One call with the longest question and guidance, over as many and as long passages as an answer may rest on
    (LlmOff). A malformed reply is repaired once, by a second call, which the budget covers like any other."""
    passages = settings.answering.passages
    each = max(settings.crag.token_budget * CHARS_A_TOKEN // passages, settings.chunking.size)
    filler = [Evidence(at + 1, 0, "", "x" * 100, 0, each, "x" * each) for at in range(passages)]
    template = Template("", "", "x" * (MAX_GUIDANCE // 4))
    return using.estimate(answer_prompt("x" * QUESTION_CHARS, filler, template))
