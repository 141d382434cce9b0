"""What a model is asked to reply, and what is read while the reply is still coming."""

from __future__ import annotations

import json
import re
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

LEAST_BULLETS, MOST_BULLETS = 3, 5


class Quote(BaseModel):
    """Words of a document that carry a statement."""

    model_config = ConfigDict(extra="ignore")
    number: int = Field(description="the number of the document")
    quote: str = Field(max_length=2000, description="at most 40 words, copied from it letter by letter")


class Reply(BaseModel):
    """The structured answer (SPEC 5)."""

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


_FIELD = re.compile(r'"answer"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*')


def partial_answer(reply: str) -> str:
    """The text of the field ``answer`` as far as a JSON reply has come; "" before it begins."""
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
    """The text without what cannot be stored: halves of surrogate pairs and NUL."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "")


_POINT = re.compile(r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(.+)$")
_HEADED = re.compile(r"^\s*#*\s*\**\s*(?:key points?|in short|summary)\s*:?\s*\**\s*$", re.IGNORECASE)


def reply_of_text(text: str) -> Reply:
    """The structured answer in a reply of plain text: paragraphs, then key points as a list (how models reply when
    the API's own citations are on). A list that is not at the end stays part of the text."""
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
