"""What a model is asked. The rules and the documents come first and are the same for every question over the same
evidence, so that the API can take them from its cache; the question and the guidance of its domain come last. The
words stand in ``prompts.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from core.answer.domains import Template
from core.answer.draft import Evidence, shown
from core.labels import LlmTask
from core.records import Prompt, PromptDocument

MAX_TOKENS = 2048
QUESTION_CHARS = 2000
INSUFFICIENT = "INSUFFICIENT"
"""What a model replies in plain text when the documents do not answer."""


def answer_prompt(question: str, evidence: Sequence[Evidence], template: Template, *, native: bool = False) -> Prompt:
    """The prompt for an answer.

    Args:
        evidence: numbered from 1 without a gap, in the order of their numbers.
        native: ask for the API's own citations; the reply is plain text then.
    """
    say = _words()
    citing = say["citing_natively"] if native else say["citing_by_number"]
    form = say["form_plain"].replace("{insufficient}", INSUFFICIENT) if native else say["form_json"]
    asked = " ".join(question[:QUESTION_CHARS].split())
    return Prompt(
        task=LlmTask.ANSWER,
        system=f"{say['rules'].replace('{citing}', citing)}\n{form}",
        user=say["user"].replace("{guidance}", template.guidance).replace("{question}", asked),
        documents=tuple(PromptDocument(str(one.number), one.title, shown(one).text) for one in evidence),
        max_tokens=MAX_TOKENS,
        cite=native,
    )


@cache
def _words() -> dict[str, str]:
    loaded = tomllib.loads((files("core.answer") / "prompts.toml").read_bytes().decode("utf-8"))
    return {name: str(text).strip() for name, text in loaded["answer"].items()}
