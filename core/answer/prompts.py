"""The prompt for an answer, its greatest cost, and the form of the reply. The rules and the documents come first and
are equal for every question over the same evidence, so that the API can take them from its cache; the question and the
guidance of its domain come last. The words stand in ``prompts.toml``."""

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.answer.domains import Template
from core.answer.draft import Evidence, shown
from core.labels import LlmTask
from core.llm.budget import LanguageModel
from core.records import MAX_GUIDANCE, Estimate, Prompt, PromptDocument
from core.settings.values import Settings

MAX_TOKENS = 2048
QUESTION_CHARS = 2000
INSUFFICIENT = "INSUFFICIENT"
"""The reply in plain text when the documents do not answer."""
CHARS_A_TOKEN = 4
"""Characters of a token, about."""
LEAST_BULLETS, MOST_BULLETS = 3, 5
_FIELD = re.compile(r'"answer"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*')
_POINT = re.compile(r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(.+)$")
_HEADED = re.compile(r"^\s*+#*+\s*+\**+\s*+(?:key points?|in short|summary)\s*+:?+\s*+\**+\s*+$", re.IGNORECASE)


class Quote(BaseModel):
    """The words of a document behind a statement."""

    model_config = ConfigDict(extra="ignore")
    number: int = Field(description="the number of the document")
    quote: str = Field(max_length=2000, description="at most 40 words, copied from it letter by letter")


class Reply(BaseModel):
    """The structured reply."""

    model_config = ConfigDict(extra="ignore")
    answer: str = Field(max_length=20_000, description="200 to 400 words, every sentence with its [number]")
    bullets: list[str] = Field(default=[], max_length=12, description="3 to 5 key points, each with its [number]")
    quotes: list[Quote] = Field(default=[], max_length=60, description="for each document cited, the words used")
    sufficient: bool = Field(default=True, description="false when the documents do not answer the question")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if not self.sufficient:
            return self
        if not self.answer.strip():
            raise ValueError("answer is empty; give it, or set sufficient to false")
        if not LEAST_BULLETS <= len(self.bullets) <= MOST_BULLETS or not all(bullet.strip() for bullet in self.bullets):
            raise ValueError(f"bullets must be {LEAST_BULLETS} to {MOST_BULLETS} sentences, not {len(self.bullets)}")
        return self


def answer_prompt(question: str, evidence: Sequence[Evidence], template: Template, *, native: bool = False) -> Prompt:
    """The prompt for an answer. ``evidence``: passages in the order of their numbers, from 1 without a gap. ``native``:
    True: ask for the API's own citations; the reply is then plain text."""
    say = _words()
    citing = say["citing_natively"] if native else say["citing_by_number"]
    form = say["form_plain"].replace("{insufficient}", INSUFFICIENT) if native else say["form_json"]
    one_line = " ".join(question[:QUESTION_CHARS].split())
    return Prompt(
        task=LlmTask.ANSWER,
        system=f"{say['rules'].replace('{citing}', citing)}\n{form}",
        user=say["user"].replace("{guidance}", template.guidance).replace("{question}", one_line),
        documents=tuple(
            PromptDocument(str(passage.number), passage.title, shown(passage).text) for passage in evidence
        ),
        max_tokens=MAX_TOKENS,
        cite=native,
    )


@cache
def _words() -> dict[str, str]:
    loaded = tomllib.loads((files("core.answer") / "prompts.toml").read_bytes().decode("utf-8"))
    return {name: str(text).strip() for name, text in loaded["answer"].items()}


def most_it_costs(using: LanguageModel, settings: Settings) -> Estimate:
    """The most that an answer costs, before its passages are known (LlmOff): one call with the longest question and
    guidance, and with as many and as long passages as the settings allow. A malformed reply is repaired once, by a
    second call, which the budget covers like any other."""
    passages = settings.answering.passages
    each = max(settings.crag.token_budget * CHARS_A_TOKEN // passages, settings.chunking.size)
    filler = [Evidence(at + 1, 0, "", "x" * 100, 0, each, "x" * each) for at in range(passages)]
    template = Template("", "", "x" * (MAX_GUIDANCE // 4))
    return using.estimate(answer_prompt("x" * QUESTION_CHARS, filler, template))


def partial_answer(reply: str) -> str:
    """The text of the field ``answer`` in an unfinished JSON reply; "" before the field begins."""
    field = _FIELD.search(reply)
    if field is None:
        return ""
    whole = _WHOLE.match(reply, field.end())
    assert whole is not None, "the pattern matches nothing too"
    try:
        return storable(str(json.loads(f'"{whole[0]}"', strict=False)))
    except ValueError:  # an escape that JSON does not know
        return ""


def storable(text: str) -> str:
    """The text without halves of surrogate pairs and NUL, which cannot be stored."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "")


def reply_of_text(text: str) -> Reply:
    """The structured reply of a plain text: paragraphs, then key points as a list. Models reply so when the API's own
    citations are on. A list that is not at the end stays part of the text."""
    lines = text.strip().splitlines()
    bullets: list[str] = []
    while lines and (not lines[-1].strip() or _POINT.match(lines[-1]) or _HEADED.match(lines[-1])):
        line = lines.pop()
        if point := _POINT.match(line):
            bullets.insert(0, point[1].strip())
        if _HEADED.match(line):
            break
    return Reply.model_construct(
        answer="\n".join(lines).strip(), bullets=bullets[:MOST_BULLETS], quotes=[], sufficient=True
    )
